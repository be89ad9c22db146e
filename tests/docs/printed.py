"""The Python blocks of a page, and what they print where the page shows it: in a block of text with the title "Output" or "Picture",
right below.

    python tests/docs/printed.py docs/learn/*.md      # runs these pages, and writes what is printed into them
"""

import contextlib
import io
import re
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(
    r'^```python\n(?P<code>.*?)^```\n(?:\n```text title="(?P<kind>Output|Picture)"\n(?P<output>.*?)^```\n)?', re.MULTILINE | re.DOTALL
)
NUMBER = re.compile(r"(-?\d+\.\d+|\d+(?=%))")
UNITS = 2  # of the last digit: other processors and backends round otherwise


def run(page, text=None):
    """Run a page's blocks in order and in one namespace, and yield each with what it prints."""
    names = {"__name__": "snippet"}
    text = page.read_text() if text is None else text
    for block in BLOCK.finditer(text):
        line = text[: block.start()].count("\n") + 1
        code = compile("\n" * line + block["code"], page.name, "exec")  # a name without folders: it is told by some errors
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(code, names)
        yield block, printed.getvalue()


def alike(kind, printed, shown):
    """Whether what is printed is as good as what is shown. Of a picture, 19 of 20 characters are the same."""
    if kind == "Picture":
        same = sum(one == other for one, other in zip(printed, shown, strict=False))
        return len(printed) == len(shown) and same >= 0.95 * len(shown)
    return _alike(printed, shown)


def _alike(printed, shown):
    """Whether texts are the same, and numbers with a fraction and per cents as good as."""
    ours, theirs = NUMBER.split(printed), NUMBER.split(shown)
    if ours[::2] != theirs[::2]:
        return False
    for one, other in zip(ours[1::2], theirs[1::2], strict=True):
        digits = len(other.partition(".")[2])
        if len(one.partition(".")[2]) != digits or abs(float(one) - float(other)) > UNITS * 10.0**-digits * 1.001:
            return False
    return True


def write(page):
    """Put what is printed where a page shows it."""
    text, parts, end = page.read_text(), [], 0
    for block, printed in run(page):
        if block["output"] is not None:
            parts += [text[end : block.start("output")], printed]
            end = block.end("output")
    page.write_text("".join([*parts, text[end:]]))


if __name__ == "__main__":
    pages = [Path(name).resolve() for name in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for page in pages:
            write(page)
