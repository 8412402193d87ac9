# a class that is replaced by one line, with thousands of lines in it
class E(Exception):
    """⟦
⟧60000"""
