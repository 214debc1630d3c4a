"""The program `hitstop`, also as `python -m hitstop`."""

import sys

from . import _native


def main():
    sys.exit(_native.run(["hitstop", *sys.argv[1:]], _native.__file__))


if __name__ == "__main__":
    main()
