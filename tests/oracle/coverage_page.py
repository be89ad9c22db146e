"""Writes `docs/coverage.md`: every name of PyTorch's tiers, and whether lamina has it and agrees. Run it by hand.

`test_op_database.py` and `test_methods.py` prove what it says: whatever has cases in PyTorch's op database and no entry in
`known_differences.toml` agrees in all of them.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import method_database
import op_database

import lamina

__all__ = ["PAGE", "page"]

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"
KNOWN = Path(__file__).with_name("known_differences.toml")
KNOWN_METHODS = Path(__file__).with_name("known_method_differences.toml")
HEAD = """# Coverage of PyTorch's names

PyTorch's names in three tiers by how much real programs use them: A daily, B often, C the long tail.

- **ok**: agrees with PyTorch in values, dtypes, shapes and types of errors, over all cases of PyTorch's own op database
  (float32, float64, int64, bool and complex64, where PyTorch serves them).
- **differs**: agrees but for what is stated.
- **there**: exists, and the op database has no cases for it.
- **missing**: not yet.

This page is written by `tests/oracle/coverage_page.py`, and a test fails when it is out of date.
"""
SECTIONS = {
    "functions": "torch.",
    "linalg": "torch.linalg.",
    "fft": "torch.fft.",
    "special": "torch.special.",
    "methods": "torch.Tensor.",
}


def _statuses(section: str) -> dict[str, tuple[str, str, str]]:
    """Name -> (tier, status, what differs)."""
    known = tomllib.loads(KNOWN.read_text())
    asked = {}
    for infos in op_database.database().values():
        for info in infos:
            variant = f"{info.name}.{info.variant_test_name}" if info.variant_test_name else info.name
            for name in {info.name, *(alias.name for alias in info.aliases)}:
                asked.setdefault(name, {}).update({f"{what}: {why}": 0 for what, why in known.get(variant, {}).items()})
    found = {}
    for tier, names in op_database.tiers()[section].items():
        for name in names:
            full = name if section in ("functions", "methods") else f"{section}.{name}"
            if section == "methods":
                status, differing = _method(name, known)
                found[name] = (tier, status, differing)
                continue
            if not op_database.exists(full):
                status = "missing"
            elif full not in asked:
                status = "there"
            else:
                status = "differs" if asked[full] else "ok"
            found[name] = (tier, status, "; ".join(asked.get(full, ())) if status == "differs" else "")
    return found


def _method(name: str, known: dict[str, dict[str, str]]) -> tuple[str, str]:
    """A method's status, and what differs; see `test_methods.py`."""
    if not hasattr(lamina.Tensor, name):
        return "missing", ""
    info = (method_database.methods() | method_database.twins()).get(name)
    if info is None:
        return "there", ""
    variant = f"{info.name}.{info.variant_test_name}" if info.variant_test_name else info.name
    asked = set(method_database.dtypes(info))
    differing = {**known.get(variant, {}), **tomllib.loads(KNOWN_METHODS.read_text()).get(name, {})}
    whys = dict.fromkeys(f"{what}: {why}" for what, why in differing.items() if what in asked)
    return ("differs" if whys else "ok"), "; ".join(whys)


def page() -> str:
    """The page's text."""
    lines = [HEAD]
    for section, prefix in SECTIONS.items():
        statuses = _statuses(section)
        lines += [f"## {prefix}*", "", "| tier | ok | differs | there | missing |", "|---|---|---|---|---|"]
        for tier in "ABC":
            counts = Counter(status for t, status, _ in statuses.values() if t == tier)
            lines.append(f"| {tier} | " + " | ".join(str(counts[s]) for s in ("ok", "differs", "there", "missing")) + " |")
        lines.append("")
        for status in ("ok", "there", "missing"):
            for tier in "ABC":
                names = [f"`{n}`" for n, (t, s, _) in sorted(statuses.items()) if (t, s) == (tier, status)]
                if names:
                    lines += [f"**{status}, tier {tier}:** {' '.join(names)}", ""]
        differing = {n: why for n, (_, s, why) in sorted(statuses.items()) if s == "differs"}
        if differing:
            lines += ["| differs | how |", "|---|---|", *(f"| `{n}` | {why} |" for n, why in differing.items()), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page())
