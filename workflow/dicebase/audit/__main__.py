"""The command behind the workflow's rule: the page, and the table as Parquet and CSV.

python -m dicebase.audit --results DIR
"""

import argparse
import sys

from dicebase.audit.page import write_audit
from dicebase.errors import DicebaseError


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dicebase.audit", description=__doc__.splitlines()[0])
    parser.add_argument("--results", required=True)
    try:
        write_audit(parser.parse_args().results)
    except DicebaseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
