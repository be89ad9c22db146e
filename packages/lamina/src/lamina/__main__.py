"""`python -m lamina`: the `lamina` command; `python -m lamina --everywhere program.py` is `lamina run --everywhere program.py`."""

import sys

from .command_line import app

if __name__ == "__main__":
    if sys.argv[1:2] == ["--everywhere"]:
        sys.argv[1:1] = ["run"]
    app()
