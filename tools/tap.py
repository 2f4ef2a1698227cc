"""TAP for the tests written in Python: one verdict a case, its faults printed before it."""
import sys


class Tap:
    def __init__(self):
        self.count = 0
        self.bad = 0

    def case(self, name, faults, limit=40):
        """A case that passes when `faults`, a list of lines, is empty."""
        self.count += 1
        faults = list(faults)
        for fault in faults[:limit]:
            for line in str(fault).splitlines():
                print('# ' + line)
        if len(faults) > limit:
            print('# ... and %d more' % (len(faults) - limit))
        self.bad += bool(faults)
        print('%s %d - %s' % ('not ok' if faults else 'ok', self.count, name.replace('#', '')), flush=True)

    def skip(self, name, why):
        self.count += 1
        print('ok %d - %s # SKIP %s' % (self.count, name.replace('#', ''), why), flush=True)

    def done(self):
        print('1..%d' % self.count)
        sys.exit(1 if self.bad else 0)
