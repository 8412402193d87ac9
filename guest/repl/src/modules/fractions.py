def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import math, re
    from decimal import Decimal
    complex = type(0j)
    digest = hash if type(hash) is type(len) else (lambda value: 0)
    digits = r'[0-9]+(?:_[0-9]+)*'
    literal = re.compile(rf'\s*([-+]?)({digits})?(?:/({digits})|(?:(\.)({digits})?)?(?:[eE]([-+]?{digits}))?)\s*')
    def parsed(text):
        m = literal.fullmatch(text)
        if m is None or m.group(2) is None and m.group(5) is None:
            raise ValueError(f'Invalid literal for Fraction: {text!r}')
        n, d = int(m.group(2) or '0'), int(m.group(3) or '1')
        if m.group(5):
            decimals = m.group(5).replace('_', '')
            d = 10 ** len(decimals)
            n = n * d + int(decimals)
        power = int(m.group(6) or '0')
        n, d = (n * 10 ** power, d) if power >= 0 else (n, d * 10 ** -power)
        return (-n, d) if m.group(1) == '-' else (n, d)
    def float_ratio(value):
        if value != value:
            raise ValueError('cannot convert NaN to integer ratio')
        if value in (math.inf, -math.inf):
            raise OverflowError('cannot convert Infinity to integer ratio')
        part, power = math.frexp(value)
        n, power = int(part * 2 ** 53), power - 53
        return (n * 2 ** power, 1) if power >= 0 else (n, 2 ** -power)
    def ratio(value):
        # Of what is a whole number or a fraction.
        if isinstance(value, int):
            return value + 0, 1
        return (value.numerator, value.denominator) if isinstance(value, Fraction) else None
    class Fraction:
        def __init__(self, numerator=0, denominator=None):
            top, bottom = ratio(numerator), (1, 1) if denominator is None else ratio(denominator)
            if denominator is None and top is None:
                if isinstance(numerator, str):
                    top = parsed(numerator)
                elif isinstance(numerator, float):
                    top = float_ratio(numerator)
                elif isinstance(numerator, Decimal):
                    top = numerator.as_integer_ratio()
                else:
                    raise TypeError('argument should be a string or a Rational instance')
            if top is None or bottom is None:
                raise TypeError('both arguments should be Rational instances')
            n, d = top[0] * bottom[1], top[1] * bottom[0]
            if d == 0:
                raise ZeroDivisionError(f'Fraction({n}, 0)')
            common = math.gcd(n, d) if d > 0 else -math.gcd(n, d)
            self.numerator, self.denominator = n // common, d // common
        def __repr__(self):
            return f'Fraction({self.numerator}, {self.denominator})'
        def __str__(self):
            return f'{self.numerator}' if self.denominator == 1 else f'{self.numerator}/{self.denominator}'
        def __hash__(self):
            if self.denominator == 1:
                return digest(self.numerator)
            try:
                near = float(self)
            except OverflowError:
                near = 0.0
            return digest(near if self == near else (self.numerator, self.denominator))
        def __format__(self, spec):
            kind = spec[-1:]
            if kind not in ('e', 'E', 'f', 'F', 'g', 'G', '%'):
                return f'{str(self):{spec}}'
            if kind not in 'fF%':
                return f'{float(self):{spec}}'
            digits = spec[:-1].split('.')[-1] if '.' in spec else '6'
            places = int(digits) + (2 if kind == '%' else 0)
            return f'{Decimal((self * 10 ** places).__round__()).scaleb(-places):{spec}}'
        def is_integer(self):
            return self.denominator == 1
        def as_integer_ratio(self):
            return self.numerator, self.denominator
        def limit_denominator(self, max_denominator=1000000):
            if max_denominator < 1:
                raise ValueError('max_denominator should be at least 1')
            if self.denominator <= max_denominator:
                return Fraction(self)
            # Convergents of the continued fraction; the last two bound the answer.
            (p, q), (p2, q2) = (0, 1), (1, 0)
            n, d = self.numerator, self.denominator
            while q + n // d * q2 <= max_denominator:
                whole = n // d
                p, q, p2, q2 = p2, q2, p + whole * p2, q + whole * q2
                n, d = d, n - whole * d
            times = (max_denominator - q) // q2
            one, two = Fraction(p + times * p2, q + times * q2), Fraction(p2, q2)
            gap = abs(two - self) - abs(one - self)
            return two if gap.numerator <= 0 else one
        def __pos__(self):
            return Fraction(self)
        def __neg__(self):
            return Fraction(-self.numerator, self.denominator)
        def __abs__(self):
            return Fraction(abs(self.numerator), self.denominator)
        def __bool__(self):
            return self.numerator != 0
        def __float__(self):
            return self.numerator / self.denominator
        def __trunc__(self):
            n = abs(self.numerator) // self.denominator
            return n if self.numerator >= 0 else -n
        def __int__(self):
            return self.__trunc__()
        def __floor__(self):
            return self.numerator // self.denominator
        def __ceil__(self):
            return -(-self.numerator // self.denominator)
        def __round__(self, ndigits=None):
            if ndigits is None:
                whole, rest = divmod(self.numerator, self.denominator)
                return whole + (rest * 2 > self.denominator or rest * 2 == self.denominator and whole % 2)
            shift = 10 ** abs(ndigits)
            if ndigits > 0:
                return Fraction((self * shift).__round__(), shift)
            return Fraction((self / shift).__round__() * shift)
        def __pow__(self, other):
            pair = ratio(other)
            if pair is None:
                return float(self) ** other
            n, d, power = self.numerator, self.denominator, pair[0]
            if pair[1] != 1:
                return float(self) ** float(other)
            return Fraction(n ** power, d ** power) if power >= 0 else Fraction(d ** -power, n ** -power)
        def __rpow__(self, other):
            if self.denominator == 1 and self.numerator >= 0:
                return other ** self.numerator
            if ratio(other):
                return Fraction(other) ** self
            return other ** (self.numerator if self.denominator == 1 else float(self))
    def quotient(a, b, c, d):
        if c == 0:
            raise ZeroDivisionError(f'Fraction({(a > 0) - (a < 0)}, 0)')
        return Fraction(a * d, b * c)
    def whole(a, b, c, d):
        if c == 0:
            raise ZeroDivisionError('integer division or modulo by zero')
        return a * d // (b * c)
    def rest(a, b, c, d):
        if c == 0:
            raise ZeroDivisionError('integer modulo by zero')
        return Fraction(a * d % (b * c), b * d)
    def inexact(value, other):
        return complex(float(value), 0) if isinstance(other, complex) else float(value)
    def operator(name, exact, loose):
        def forward(self, other):
            pair = ratio(other)
            if pair:
                return exact(self.numerator, self.denominator, *pair)
            return loose(inexact(self, other), other) if isinstance(other, (float, complex)) else NotImplemented
        def backward(self, other):
            pair = ratio(other)
            if pair:
                return exact(*pair, self.numerator, self.denominator)
            return loose(other, inexact(self, other)) if isinstance(other, (float, complex)) else NotImplemented
        setattr(Fraction, f'__{name}__', forward)
        setattr(Fraction, f'__r{name}__', backward)
    operator('add', lambda a, b, c, d: Fraction(a * d + c * b, b * d), lambda x, y: x + y)
    operator('sub', lambda a, b, c, d: Fraction(a * d - c * b, b * d), lambda x, y: x - y)
    operator('mul', lambda a, b, c, d: Fraction(a * c, b * d), lambda x, y: x * y)
    operator('truediv', quotient, lambda x, y: x / y)
    operator('floordiv', whole, lambda x, y: x // y)
    operator('mod', rest, lambda x, y: x % y)
    operator('divmod', lambda a, b, c, d: (whole(a, b, c, d), rest(a, b, c, d)), lambda x, y: divmod(x, y))
    def comparison(name, decide):
        def compare(self, other):
            pair = ratio(other)
            if pair is None and isinstance(other, complex) and name == '__eq__' and other.imag == 0:
                other = other.real
            if pair is None and isinstance(other, (float, Decimal)):
                if other != other or other in (math.inf, -math.inf):
                    return decide(0.0, float(other))
                pair = float_ratio(other) if isinstance(other, float) else other.as_integer_ratio()
            return decide(self.numerator * pair[1], pair[0] * self.denominator) if pair else NotImplemented
        setattr(Fraction, name, compare)
    comparison('__eq__', lambda x, y: x == y)
    comparison('__lt__', lambda x, y: x < y)
    comparison('__le__', lambda x, y: x <= y)
    comparison('__gt__', lambda x, y: x > y)
    comparison('__ge__', lambda x, y: x >= y)
    def from_float(f):
        if not isinstance(f, (int, float)):
            raise TypeError(f'Fraction.from_float() only takes floats, not {f!r} ({type(f).__name__})')
        return Fraction(f)
    def from_decimal(dec):
        if not isinstance(dec, (int, Decimal)):
            raise TypeError(f'Fraction.from_decimal() only takes Decimals, not {dec!r} ({type(dec).__name__})')
        return Fraction(dec)
    Fraction.from_float = from_float
    Fraction.from_decimal = from_decimal
    return _rlm_Module('fractions', {'Fraction': Fraction})
_rlm_module_fractions = _rlm_load(*_rlm_kit['builtins'])
