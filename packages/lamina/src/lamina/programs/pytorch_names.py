"""PyTorch's names by how much programs use them, and what to say of one that is not here."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

__all__ = ["missing", "names_by_use"]


@cache
def names_by_use() -> dict[str, dict[str, list[str]]]:
    """Section -> tier ("A" daily, "B" often, "C" the long tail) -> names."""
    return tomllib.loads(files(__package__).joinpath("pytorch_names.toml").read_text())


def missing(module: str, name: str, there: Iterable[str]) -> str:
    """What an error says of a name that a module of ours lacks.

    Args:
        module: PyTorch's name of it, such as `torch.nn`.
        name: what was asked for.
        there: the names that the module has.
    """
    known = any(name in names for tiers in names_by_use().values() for names in tiers.values())
    nearest = get_close_matches(name, sorted(set(there)), 1)
    what = "PyTorch has it, lamina not yet" if known else "PyTorch has no name that programs use so, nor has lamina"
    return f"{module}.{name}: {what}" + (f"; the nearest name is {nearest[0]!r}" if nearest else "")
