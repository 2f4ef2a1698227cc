"""How long a line may be; shared by checksrc and format."""
import re

COLUMNS = 120
SENTENCE = 60  # a string of this length is not broken: it would be found by nobody's search


def too_long(line):
    """Columns of a line that has too many (tabs go to the next multiple of eight), else 0."""
    columns = len(line.rstrip('\n').expandtabs(8))
    if columns <= COLUMNS:
        return 0
    strings = re.findall(r'"(?:\\.|[^"\\])*"', line)
    return 0 if any(len(s) >= SENTENCE for s in strings) else columns
