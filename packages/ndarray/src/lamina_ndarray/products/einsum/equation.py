"""What an equation of `einsum` says: the labels of every array's axes and of the result's, and their lengths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, ShapeError, UsageError

__all__ = ["Label", "labelled", "parsed"]

Label = str | int
"""A letter, or for an axis that an ellipsis stands for its place from the right: -1, -2, ..."""

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def labelled(arguments: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """The equation and the arrays, whichever way they were given.

    Raises:
        ShapeError: there are no arrays, or a label is not one.
    """
    if not arguments:
        raise ArgumentValueError("einsum: at least one operand must be provided; it wants an equation and arrays")
    if isinstance(arguments[0], str):
        equation, arrays = arguments[0], arguments[1:]
        if len(arrays) == 1 and isinstance(arrays[0], (list, tuple)):
            arrays = tuple(arrays[0])
    else:
        lists = arguments[1::2]
        arrays = arguments[: 2 * len(lists) : 2]
        equation = ",".join(map(_letters, lists))
        if len(arguments) % 2:  # the last list is the result's
            equation += "->" + _letters(arguments[-1])
    if not arrays:
        raise ArgumentValueError(f"einsum: equation {equation!r} and no operands given; must provide at least one operand")
    return equation, arrays


def _letters(labels: Any) -> str:
    if not isinstance(labels, (list, tuple)):
        raise ArgumentTypeError(f"einsum: {type(labels).__name__} given where a list of an operand's labels was expected")
    letters = []
    for label in labels:
        if label is Ellipsis:
            letters.append("...")
        elif isinstance(label, int) and 0 <= label < len(_LETTERS):
            letters.append(_LETTERS[label])
        else:
            raise ArgumentValueError(f"einsum: not within the valid range [0, 52): subscript {label!r} in a list of labels")
    return "".join(letters)


def parsed(
    equation: str, shapes: tuple[tuple[int, ...], ...]
) -> tuple[tuple[tuple[Label, ...], ...], tuple[Label, ...], dict[Label, int]]:
    """The labels of each operand's axes, those of the result's, and the length of each label.

    Raises:
        ShapeError: the equation is malformed, or the shapes do not suit it.
    """
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(shapes):
        many = "more" if len(shapes) > len(terms) else "fewer"
        raise UsageError(
            f"einsum: {many} operands were provided than specified in the equation: {len(shapes)} for {equation!r}"
        )
    dotted, dots = [_split(term, equation) for term in terms], 0
    for i, (term, shape) in enumerate(zip(dotted, shapes, strict=True)):
        letters = sum(map(len, term))
        if letters > len(shape) or (len(term) == 1 and letters < len(shape)):
            raise ShapeError(
                f"einsum: the number of subscripts in the equation ({letters}) does not match the number of dimensions "
                f"({len(shape)}) for operand {i} of {equation!r}"
            )
        if len(term) == 2:
            dots = max(dots, len(shape) - letters)
    labels = tuple(_spread(term, len(shape)) for term, shape in zip(dotted, shapes, strict=True))
    ellipsis: tuple[Label, ...] = tuple(range(-dots, 0))
    count = Counter(label for term in labels for label in term)
    result: tuple[Label, ...]
    if arrow:
        parts = _split(right, equation)
        result = (*parts[0], *ellipsis, *parts[1]) if len(parts) == 2 else tuple(parts[0])
        for label in result:
            if result.count(label) > 1 or not count[label]:
                fault = "appears more than once in the output" if count[label] else "does not appear in any input operand"
                raise UsageError(f"einsum: output subscript {label} {fault}: {equation!r}")
    else:
        result = (*ellipsis, *(letter for letter in _LETTERS if count[letter] == 1))
    return labels, result, _lengths(equation, labels, shapes)


def _split(term: str, equation: str) -> list[str]:
    """The letters before and after an ellipsis; or all of them."""
    parts = term.split("...")
    for character in "".join(parts):
        if character not in _LETTERS:
            fault = "an incomplete ellipsis" if character == "." else f"{character!r}, which is no letter"
            raise UsageError(f"einsum: invalid subscript: {equation!r} has {fault}; subscripts must be in [a-zA-Z]")
    if len(parts) > 2:
        raise UsageError(f"einsum: '...' appears more than once in a term of {equation!r}")
    return parts


def _spread(parts: Sequence[str], ndim: int) -> tuple[Label, ...]:
    if len(parts) == 1:
        return tuple(parts[0])
    return (*parts[0], *range(len(parts[0]) + len(parts[1]) - ndim, 0), *parts[1])


def _lengths(
    equation: str, terms: tuple[tuple[Label, ...], ...], shapes: tuple[tuple[int, ...], ...]
) -> dict[Label, int]:
    lengths: dict[Label, int] = {}
    for i, (labels, shape) in enumerate(zip(terms, shapes, strict=True)):
        operand_lengths: dict[Label, int] = {}
        for label, n in zip(labels, shape, strict=True):
            if operand_lengths.setdefault(label, n) != n:
                raise ShapeError(
                    f"einsum: subscript {label} is repeated for operand {i} of {equation!r} but the sizes don't match, "
                    f"{n} != {operand_lengths[label]}"
                )
        for label, n in operand_lengths.items():
            if lengths.setdefault(label, n) == 1:
                lengths[label] = n
            if n not in (1, lengths[label]):
                raise ShapeError(
                    f"einsum: operands do not broadcast with remapped shapes: subscript {label} of operand {i} of "
                    f"{equation!r} has size {n}, which does not broadcast with {lengths[label]}"
                )
    return lengths
