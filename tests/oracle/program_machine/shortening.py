"""A program made shorter: lines that its difference does not need are left out."""

from __future__ import annotations

from collections.abc import Sequence

from .running import difference

__all__ = ["script", "shortest"]


def _kind(lines: Sequence[str]) -> str | None:
    """What differs, without the variable's name: a shorter program must differ in the same thing."""
    found = difference(lines)
    if found is None or "NameError" in found[1][1]:
        return None
    return found[1][0].split(" of ")[0]


def shortest(lines: Sequence[str]) -> list[str]:
    """A part of a program that still differs in the same thing, none of whose lines can be left out."""
    kept = list(lines)
    kind = _kind(kept)
    shorter = True
    while shorter:
        shorter = False
        for i in reversed(range(len(kept))):
            fewer = kept[:i] + kept[i + 1 :]
            if _kind(fewer) == kind:
                kept, shorter = fewer, True
    return kept


def script(lines: Sequence[str]) -> str:
    """A program as a file to run: as it stands with lamina, without `lamina as` with PyTorch."""
    return "\n".join(["import lamina as torch", "F = torch.nn.functional", *lines, ""])
