"""Writes `docs/look-up/coverage.md`: every name of PyTorch's tiers, and whether lamina has it and agrees. Run it by hand.

`test_op_database.py` and `test_methods.py` prove what it says: whatever has cases in PyTorch's op database and no entry in
`known_differences.toml` agrees in all of them.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

from databases import method_database, op_database

import lamina
from lamina.programs.pytorch_names import names_by_use, place

__all__ = ["ABSENT", "PAGE", "absent", "page"]

PAGE = Path(__file__).parents[3] / "docs" / "look-up" / "coverage.md"
KNOWN = Path(__file__).with_name("known_differences.toml")
KNOWN_METHODS = Path(__file__).with_name("known_method_differences.toml")
HEAD = """# Coverage of PyTorch's names

PyTorch's names in three tiers by how much real programs use them: A daily, B often, C the long tail.

- **ok**: agrees with PyTorch in values, dtypes, shapes and types of errors, over all cases of PyTorch's own op database
  (float32, float64, int64, bool and complex64, where PyTorch serves them).
- **differs**: agrees but for what is stated.
- **there**: exists, and the op database has no cases for it: tests of its own compare it with PyTorch.
- **missing**: not yet.

This page is written by `tests/oracle/databases/coverage_page.py`, and a test fails when it is out of date.
"""
ASKED = ("functions", "linalg", "fft", "special", "methods")
"""The sections whose names are in PyTorch's op database."""

MADE = {
    "nn.Module": lambda: lamina.nn.Linear(1, 1),
    "optim.Optimizer": lambda: lamina.optim.SGD([lamina.zeros(1, requires_grad=True)]),
}
"""Sections of attributes that instances have, and not all of them their class."""

ABSENT = {
    "torch.Tensor.index": "first-class dims are no part of lamina",
}
"""Names of tiers A and B that are missing, and why."""


def absent(tiers: str) -> list[str]:
    """The missing names of these tiers, with their places."""
    return [
        f"{place(section)}.{name}"
        for section in names_by_use()
        for name, (tier, status, _) in _statuses(section).items()
        if tier in tiers and status == "missing"
    ]


def _exists(section: str, name: str) -> bool:
    """Whether lamina has a name where PyTorch has it, perhaps in a module that is not imported yet."""
    owner: Any = MADE[section]() if section in MADE else lamina
    for piece in (name if section in MADE else f"{place(section)}.{name}".removeprefix("torch.")).split("."):
        try:
            owner = getattr(owner, piece)
        except AttributeError:
            try:
                owner = import_module(f"{owner.__name__}.{piece}")
            except ImportError as error:
                return "pip install" in str(error)  # it is there, and wants another package
            except AttributeError:
                return False
    return True


def _statuses(section: str) -> dict[str, tuple[str, str, str]]:
    """Name -> (tier, status, what differs)."""
    if section not in ASKED:
        tiers = names_by_use()[section].items()
        return {n: (tier, "there" if _exists(section, n) else "missing", "") for tier, names in tiers for n in names}
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
    whys = dict.fromkeys(f"{what}: {why}" for what, why in differing.items() if why and what in asked)
    return ("differs" if whys else "ok"), "; ".join(whys)


def page() -> str:
    """The page's text."""
    lines = [HEAD]
    for section in (*ASKED, *(section for section in names_by_use() if section not in ASKED)):
        statuses = _statuses(section)
        columns = ("ok", "differs", "there", "missing") if section in ASKED else ("there", "missing")
        title = {"constants": "torch.*: dtypes and constants", "namespaces": "torch.*: modules"}.get(section, f"{place(section)}.*")
        lines += [f"## {title}", "", "| tier | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
        for tier in "ABC":
            counts = Counter(status for t, status, _ in statuses.values() if t == tier)
            lines.append(f"| {tier} | " + " | ".join(str(counts[s]) for s in columns) + " |")
        lines.append("")
        for status in ("ok", "there", "missing"):
            for tier in "ABC":
                names = [f"`{n}`" for n, (t, s, _) in sorted(statuses.items()) if (t, s) == (tier, status)]
                if names:
                    lines += [f"**{status}, tier {tier}:** {' '.join(names)}", ""]
        differing = {n: why for n, (_, s, why) in sorted(statuses.items()) if s == "differs"}
        if differing:
            lines += ["| differs | how |", "|---|---|", *(f"| `{n}` | {why} |" for n, why in differing.items()), ""]
    lines += ["## Missing of tiers A and B", "", "| missing | why |", "|---|---|"]
    lines += [*(f"| `{name}` | {why} |" for name, why in sorted(ABSENT.items())), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page())
