class Ledger:
    """What came and went. Never goes below zero."""

    def __init__(self, start=0):
        self.level = start
        self.history = []

    def book(self, change, reason=""):
        if self.level + change < 0:
            raise ValueError("not enough in stock")
        self.level += change
        self.history.append((change, reason))

    def undo(self):
        if not self.history:
            return False
        change, _ = self.history.pop()
        self.level -= change
        return True

    @property
    def is_low(self):
        return self.level <= 3

    @staticmethod
    def merged(left, right):
        result = Ledger(left.level + right.level)
        result.history = left.history + right.history
        return result


async def wait_for(ledger, level):
    return ledger.level >= level
