# each class method has a line with the name of its class
class ⟦A⟧12000:
⟦  @classmethod
  def f(c): 0
⟧1700