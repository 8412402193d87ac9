# %% hierarchy with hints and describe
class AppError(Exception):
    """Base."""
    code = 1
    def __init__(self, message, *, hint=None):
        super().__init__(message)
        self.message = message
        self.hint = hint
    def describe(self):
        return f"[{self.code}] {type(self).__name__}: {self.message} ({self.hint}) {self}"
class NotFound(AppError):
    code = 404
class Denied(AppError):
    code = 403
    def __init__(self, user, action="read"):
        super().__init__(f"{user} may not {action}", hint="ask")
        self.user, self.action = user, action
    def __str__(self):
        return f"{self.user}!{self.action}"
    def to_dict(self):
        return {"code": self.code, "message": str(self), "kind": self.__class__.__name__, "args": self.args}
errors = []
for make in (lambda: AppError("x"), lambda: NotFound("nope", hint="look"), lambda: Denied("ann"), lambda: Denied("bob", action="write")):
    try:
        raise make()
    except NotFound as e:
        print("NF", e, e.code, e.describe(), repr(e))
        errors.append(e)
    except AppError as err:
        print(type(err).__name__, err, err.code, err.message, err.hint, err.describe(), repr(err), err.args)
        errors.append(err)
print([e.code for e in errors], [getattr(e, "user", "-") for e in errors], NotFound.code, hasattr(errors[0], "user"))
print(errors[2].to_dict(), [str(e) for e in errors], isinstance(errors[1], AppError), issubclass(Denied, AppError))
errors[0].hint = "later"
print(errors[0].hint, max(errors, key=lambda e: e.code).code)
def f():
    raise Denied("cy")
try:
    f()
except Exception as e:
    print(f"{e.__class__.__name__}: {e} {e.user}")
try:
    try:
        f()
    except Denied as e:
        raise NotFound("wrapped") from e
except AppError as e:
    print(e, e.__cause__.user, e.__cause__)
raise Denied("zed", "run")

# %% attributes, properties and args
class ValidationError(ValueError):
    def __init__(self, field, value):
        self.field = field
        self.value = value
        ValueError.__init__(self, f"bad {field}: {value!r}")
class Bare(Exception):
    def __init__(self, a, b):
        self.a = a
        self.b = b
class RetryError(Exception):
    def __init__(self, attempts, last=None):
        self.attempts = attempts
        self.last = last
        super(RetryError, self).__init__("failed after {} attempts: {}".format(attempts, last))
    @property
    def retryable(self):
        return self.attempts < 3
    def should_wait(self, n=1):
        return self.attempts * n
class Sub(RetryError):
    pass
try:
    raise ValidationError("age", -1)
except ValueError as e:
    print(e, e.field, e.value, isinstance(e, ValidationError))
try:
    raise Bare(1, "x")
except Bare as e:
    print(e, e.args, e.a + 1, e.b, repr(e))
for n in (2, 5):
    try:
        try:
            {}["k"]
        except KeyError as e:
            raise Sub(n, e)
    except RetryError as e:
        print(e, e.retryable, e.should_wait(2), repr(e.last), type(e), e.args)
d = {"value": 3, "field": 4}
class P:
    def __init__(self):
        self.value = 7
p = P()
p.value += 1
print(p.value, d)
def check(x):
    if x < 0:
        raise ValidationError("x", x)
    return x
print([check(i) for i in range(3)])
check(-5)

# %% errors kept in a list
class ParseError(SyntaxError):
    def __init__(self, msg, line):
        super().__init__(f"{msg} at line {line}")
        self.line = line

class Lexer:
    def __init__(self, text):
        self.text = text
        self.line = 1
        self.errors = []
    def run(self):
        for ch in self.text:
            if ch == "\n":
                self.line += 1
            elif not ch.isalnum():
                try:
                    raise ParseError(f"bad {ch!r}", self.line)
                except ParseError as e:
                    self.errors.append(e)
        return self.line
lx = Lexer("ab\nc$\n%")
print(lx.run(), [(e.line, str(e)) for e in lx.errors])
for e in lx.errors:
    print(f"{e.line}: {e}")
    print("%s" % e, "{}".format(e))

# %% an account that is overdrawn
class InsufficientFundsError(Exception):
    def __init__(self, balance, amount):
        self.balance = balance
        self.amount = amount
        self.shortfall = amount - balance
        super().__init__(f"Need {self.shortfall:.2f} more")

class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
    def withdraw(self, amount):
        if amount > self.balance:
            raise InsufficientFundsError(self.balance, amount)
        self.balance -= amount
        return self.balance

acc = Account("Ann", 100)
for amt in (30, 100, 70):
    try:
        print(acc.withdraw(amt))
    except InsufficientFundsError as e:
        print(f"Error: {e} (balance {e.balance}, wanted {e.amount}, short {e.shortfall})")
try:
    InsufficientFundsError(1)
except TypeError as e:
    print("TypeError")
def safe(fn, *a):
    try:
        return fn(*a), None
    except Exception as exc:
        return None, exc
r, err = safe(acc.withdraw, 50)
print(r, err, err.shortfall if isinstance(err, InsufficientFundsError) else None)
with_err = {"e": err}
print(with_err["e"].amount, str(with_err["e"]))
raise err
