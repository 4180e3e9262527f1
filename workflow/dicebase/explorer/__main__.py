"""python -m dicebase.explorer --results DIR: write DIR/explorer from the tables of DIR."""

import argparse
import sys

from dicebase.errors import DicebaseError
from dicebase.explorer.site import write_explorer


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dicebase.explorer", description=__doc__)
    parser.add_argument("--results", default="results")
    try:
        write_explorer(parser.parse_args().results)
    except DicebaseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
