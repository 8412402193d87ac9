# Has the session written down in the midst of comparing, sorting and showing by the script
class Late:
    def __init__(self, n): self.n = n
    def __enter__(self): return later('e' * 100000)
    def __exit__(self, *args): return later(['x' * 100000] and True)
def deep(n):
    with Late(n), Late(n + 1):
        for x in sorted([3, 2, 1], key=lambda x: later('k' * 100000)):
            try:
                return deep(n + 1) if n < 400 else [later('y' * 100000) for _ in range(200)]
            finally:
                later({n: x})
[deep(0) for _ in range(3)]
