# A comparison that sorts, in which a comparison sorts, and so on
class Deep:
    def __lt__(self, other):
        return sorted([self, other, Deep()])[0] is self
    def __eq__(self, other):
        return max(self, other) in [Deep()]
    def __hash__(self):
        return len({Deep(), self})
for way in (lambda: sorted([Deep(), Deep()]), lambda: [Deep()].index(Deep()), lambda: {Deep(): 1}, lambda: min(Deep(), Deep()), lambda: sorted([1, 2], key=lambda x: sorted([Deep(), Deep()]))):
    try:
        way()
    except RecursionError as e:
        print(str(e)[:60])
