"""PyTorch's names: by how much programs use them, which there are at all, and what to say of one that is not here."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

__all__ = ["covered_modules", "is_module", "missing", "names_by_use", "names_of", "place", "served_version", "shared_names_of"]


@cache
def names_by_use() -> dict[str, dict[str, list[str]]]:
    """Section -> tier ("A" daily, "B" often, "C" the long tail) -> names, which may have dots."""
    return tomllib.loads(files(__package__).joinpath("pytorch_names.toml").read_text())


def place(section: str) -> str:
    """Where PyTorch has the names of a section, such as `torch.nn`."""
    elsewhere = {"functions": "torch", "constants": "torch", "namespaces": "torch", "methods": "torch.Tensor"}
    return elsewhere.get(section, f"torch.{section}")


@cache
def _modules() -> dict[str, str]:
    """Each module of PyTorch's, and its public names in one text, with "!" before those of which the module above has another object."""
    _, *lines = files(__package__).joinpath("pytorch_has.txt").read_text().splitlines()
    return {module: names for module, _, names in (line.partition(" ") for line in lines)}


@cache
def names_of(home: str) -> frozenset[str]:
    """The public names of a module of PyTorch's but for its submodules, or of `torch.Tensor`; of `torch.device`, its types."""
    return frozenset(_modules().get(home, "").replace("!", "").split())


def shared_names_of(home: str) -> frozenset[str]:
    """Those that may be re-exports: the module above has no other object of that name, as `torch` has for `torch.hub.load`."""
    return frozenset(name for name in _modules().get(home, "").split() if name[0] != "!")


def covered_modules(home: str) -> list[str]:
    """The submodules of a module of PyTorch's that are not its attributes: a function of the same name is."""
    return sorted(name for name in names_of(home) if is_module(f"{home}.{name}"))


@cache
def served_version() -> str:
    """The version of PyTorch that names and behaviour are taken from."""
    with files(__package__).joinpath("pytorch_has.txt").open() as lines:
        return next(lines).strip()


def is_module(name: str) -> bool:
    """Whether PyTorch has a module of this name, or may have: of what lies within private modules no list is kept."""
    listed = name in _modules() and name not in ("torch.Tensor", "torch.device")
    return listed or any(part.startswith("_") for part in name.split(".")[:-1])


def missing(module: str, name: str, there: Iterable[str]) -> str:
    """What an error says of a name that a module of ours lacks.

    Args:
        module: PyTorch's name of it, such as `torch.nn`.
        name: what was asked for.
        there: the names that the module has.
    """
    full = f"{module}.{name}"
    known = full in _modules() or name in names_of(module)
    if module.partition(".")[0] == "torchvision":
        reason = "lamina has of torchvision some data sets, transforms and grids of images; no models and no weights"
    elif known:
        return f"{full}: PyTorch has it, lamina not yet"  # no hint: the name is not mistaken
    elif any(part[0] == "_" != part[1:2] for part in full.split(".")):  # of what lies within private modules no list is kept
        return f"{full}: lamina has no such private name"
    else:
        reason = "PyTorch has no such name, nor has lamina"
    spelled = {other.lower(): other for other in sorted(there, reverse=True) if other[0] != "_"}  # capitals are what is mistaken most
    alike = sorted(other for other in spelled if other[0] == name[0].lower())  # the first letter is seldom mistaken
    nearest = [spelled[other] for other in get_close_matches(name.lower(), alike, 1)]
    return f"{full}: {reason}" + (f"; the nearest name is {nearest[0]!r}" if nearest else "")
