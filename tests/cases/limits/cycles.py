# RUN: exec %
#
# Objects that refer to each other do not fill the default memory: 400 MiB of them go by, one megabyte each.
class Page:
    def __init__(self, number):
        self.text = "x" * 1_000_000 + str(number)
        self.links = [self]

for number in range(400):
    page = Page(number)
print(max(range(400), key=lambda number: len(Page(number).text)))
seen = kept = set()
for number in range(400):
    seen |= {Page(number), number}
    seen &= frozenset(range(number - 2, number + 1))
print(sorted(kept))
