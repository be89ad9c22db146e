"""The checks that fail today, each with its reason: `known.toml`, which only ever gets shorter.

Its `[served]` table holds how many names of each namespace lamina has, so that none is lost without notice.
"""

import json
import textwrap
import tomllib
from collections.abc import Iterable
from pathlib import Path

FILE = Path(__file__).with_name("known.toml")
HEADER = """\
# Checks of the public surface that fail, and why. An entry whose check holds, or is gone, is an error.
# Written by `python tests/surface/summary.py --write`, which keeps the reasons that are here.
"""

WIDTH = 120

Key = tuple[str, str, str]  # kind, namespace, name


def read() -> tuple[dict[Key, str], dict[str, int]]:
    """The reason for each failing check, and how many names each namespace serves."""
    held = tomllib.loads(FILE.read_text()) if FILE.exists() else {}
    served = held.pop("served", {})
    reasons = {
        (kind, namespace, name): reason
        for kind, by_reason in held.items()
        for reason, by_namespace in by_reason.items()
        for namespace, names in by_namespace.items()
        for name in names
    }
    return reasons, served


def write(reasons: dict[Key, str], served: dict[str, int]) -> None:
    """The whole file anew."""
    tables: dict[tuple[str, str], dict[str, list[str]]] = {}
    for (kind, namespace, name), reason in reasons.items():
        tables.setdefault((kind, reason), {}).setdefault(namespace, []).append(name)
    lines = [HEADER, "[served]", *(f'"{namespace}" = {count}' for namespace, count in sorted(served.items()))]
    for (kind, reason), by_namespace in sorted(tables.items()):
        lines += ["", f"[{json.dumps(kind)}.{json.dumps(reason)}]"]
        lines += [_row(namespace, names) for namespace, names in sorted(by_namespace.items())]
    FILE.write_text("\n".join(lines) + "\n")


def _row(namespace: str, names: Iterable[str]) -> str:
    listed = ", ".join(f'"{name}"' for name in sorted(names))
    row = f'"{namespace}" = [{listed}]'
    if len(row) <= WIDTH:
        return row
    listed = textwrap.fill(listed + ",", WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    return f'"{namespace}" = [\n{listed}\n]'
