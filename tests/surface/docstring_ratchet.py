"""How many docstrings may still lack what, package by package: `docstrings.toml`, whose numbers only fall."""

import json
import tomllib
from pathlib import Path

import written_docstrings

FILE = Path(__file__).with_name("docstrings.toml")
HEADER = """\
# How many public functions, methods and classes of each package lack a docstring (with a first sentence), `Args:`,
# `Returns:`, `Raises:` where they call for it, and an example where the package lists them. The numbers only fall:
# `python tests/surface/summary.py --write` lowers them.
"""


def allowed() -> dict[str, dict[str, int]]:
    """Package -> kind -> how many may lack it."""
    return tomllib.loads(FILE.read_text()) if FILE.exists() else {}


def failing_examples() -> dict[str, str]:
    """The examples that are known to fail, by the name that they stand at, each with its reason."""
    return allowed().get("examples", {})


def lower() -> None:
    """Writes the file anew, each number the smaller of what was allowed and what is so."""
    before = allowed()
    lines = [HEADER]
    for package, counts in sorted(written_docstrings.lacking().items()):
        lines.append(f"[{package}]")
        for kind in written_docstrings.KINDS:
            limit = before.get(package, {}).get(kind, counts[kind])
            lines.append(f"{kind} = {min(limit, counts[kind])}")
        lines.append("")
    lines.append("# Examples that fail, and why: each is a strict xfail, taken out by hand.\n[examples]")
    lines += [f"{json.dumps(place)} = {json.dumps(reason)}" for place, reason in failing_examples().items()]
    FILE.write_text("\n".join(lines) + "\n")


def table() -> str:
    """What is lacking, one row per package."""
    found = written_docstrings.lacking()
    width = max(map(len, found))
    columns = ("of", *written_docstrings.KINDS)
    rows = ["written without".ljust(width) + "".join(f"{column:>10}" for column in columns)]
    rows += [f"{p:{width}}" + "".join(f"{counts[c]:10}" for c in columns) for p, counts in sorted(found.items())]
    return "\n".join(rows)
