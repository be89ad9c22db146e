"""PyTorch's names by how much programs use them, and what to say of one that is not here."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

__all__ = ["missing", "names_by_use", "place"]


@cache
def names_by_use() -> dict[str, dict[str, list[str]]]:
    """Section -> tier ("A" daily, "B" often, "C" the long tail) -> names, which may have dots."""
    return tomllib.loads(files(__package__).joinpath("pytorch_names.toml").read_text())


def place(section: str) -> str:
    """Where PyTorch has the names of a section, such as `torch.nn`."""
    elsewhere = {"functions": "torch", "constants": "torch", "namespaces": "torch", "methods": "torch.Tensor"}
    return elsewhere.get(section, f"torch.{section}")


@cache
def _full_names() -> frozenset[str]:
    """Every name, with the place."""
    return frozenset(
        f"{place(section)}.{name}"
        for section, tiers in names_by_use().items()
        for names in tiers.values()
        for name in names
    )


def missing(module: str, name: str, there: Iterable[str]) -> str:
    """What an error says of a name that a module of ours lacks.

    Args:
        module: PyTorch's name of it, such as `torch.nn`.
        name: what was asked for.
        there: the names that the module has.
    """
    full = f"{module}.{name}"
    known = full in _full_names() or any(other.startswith(f"{full}.") for other in _full_names())
    spelled = {other.lower(): other for other in sorted(there, reverse=True) if other[0] != "_"}  # capitals are what is mistaken most
    nearest = [spelled[other] for other in get_close_matches(name.lower(), sorted(spelled), 1)]
    if module.partition(".")[0] == "torchvision":
        reason = "lamina has of torchvision some data sets, transforms and grids of images; no models and no weights"
    else:
        reason = "PyTorch has it, lamina not yet" if known else "PyTorch has no name that programs use so, nor has lamina"
    return f"{full}: {reason}" + (f"; the nearest name is {nearest[0]!r}" if nearest else "")
