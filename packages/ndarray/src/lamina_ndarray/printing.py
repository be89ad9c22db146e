"""The items of a NumPy array as text, character for character as PyTorch prints those of a tensor."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from lamina_flatarray import bool as boolean
from lamina_flatarray import get_default_dtype, int64

from .array_fields import ArrayFields

__all__ = ["format_items", "get_printoptions", "marks", "set_printoptions", "shows_dtype", "text"]


class _Options(NamedTuple):
    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_PROFILES = {
    "default": _Options(),
    "short": _Options(precision=2, edgeitems=2),
    "full": _Options(threshold=float("inf")),
}
_options = _PROFILES["default"]


def get_printoptions() -> dict[str, Any]:
    """Return the print options in force; `set_printoptions(**get_printoptions())` changes nothing.

    Returns:
        The arguments of `set_printoptions` by name, but for `profile`.

    >>> nd.get_printoptions()["precision"]
    4
    """
    return _options._asdict()


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Change how arrays are printed, for the whole process.

    Options that are None stay as they are, but for `sci_mode`.

    Args:
        precision: digits after the point.
        threshold: arrays of more items than this are summarised.
        edgeitems: how many items a summary shows at each end of an axis.
        linewidth: characters in a line.
        profile: "default", "short" or "full", the options to start from.
        sci_mode: whether floats have an exponent; as in PyTorch every call sets it, and None lets the values decide.

    Raises:
        ValueError: there is no such profile, or precision, edgeitems or linewidth is negative; nothing has changed then.

    >>> nd.set_printoptions(precision=2)
    >>> nd.asarray([1 / 3])
    NDArray([0.33])
    >>> nd.set_printoptions(profile="default")
    """
    global _options
    if profile is not None and profile not in _PROFILES:
        raise ValueError(f"set_printoptions: profile {profile!r}; it is one of {', '.join(_PROFILES)}")
    options = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    changes: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    for name in ("precision", "edgeitems", "linewidth"):
        if changes.get(name, 0) < 0:
            raise ValueError(f"set_printoptions: {name}={changes[name]}; it must not be negative")
    start = _options if profile is None else _PROFILES[profile]
    _options = start._replace(**changes, sci_mode=sci_mode)


def text(array: np.ndarray[Any, Any], *, prefix: str = "tensor(", suffixes: list[str]) -> str:
    """`prefix`, the items of `array`, then `suffixes` such as "dtype=torch.float64", and ")".

    A suffix that would reach beyond the line width starts a line of its own. Where the items do not tell the
    shape, `size=(...)` is added, behind a leading `device=...`. Raises TypeError as `format_items` does.
    """
    indent = len(prefix) - (prefix.rfind("\n") + 1)
    written = prefix + format_items(array, indent=indent)
    # PyTorch counts the last line of the items two characters longer than it is.
    column = len(written) - (written.rfind("\n") + 1) + 2
    for suffix in _with_size(array, suffixes):
        if column + 2 + len(suffix) > _options.linewidth:
            written += ",\n" + " " * indent + suffix
            column = indent + len(suffix)
        else:
            written += ", " + suffix
            column += 2 + len(suffix)
    return written + ")"


def _with_size(array: np.ndarray[Any, Any], suffixes: list[str]) -> list[str]:
    tells_shape = array.ndim == 1 if array.size == 0 else _options.edgeitems > 0
    if tells_shape:
        return suffixes
    place = 1 if suffixes and suffixes[0].startswith("device=") else 0
    return [*suffixes[:place], f"size={array.shape}", *suffixes[place:]]


def format_items(array: np.ndarray[Any, Any], *, indent: int) -> str:
    """The items of `array` (any shape; bool, integers, floats, complex) in nested brackets.

    `indent` is the column at which the text will start: its later lines are moved right by so much. Raises
    TypeError for items that are not numbers.
    """
    if not np.can_cast(array.dtype, np.complex128):
        raise TypeError(f"format_items: dtype {array.dtype}; it wants bool, integers, floats or complex")
    if array.size == 0:
        return "[]"
    edge = _options.edgeitems
    summarised = array.size > _options.threshold and array.ndim > 0
    if summarised and edge == 0:
        return "[...]"
    gaps = [summarised and length > 2 * edge for length in array.shape]
    shown = _corners(array, gaps, edge) if summarised else array
    pieces, width = _cells(shown.reshape(-1))
    # From the innermost axis outwards, the pieces of each axis become one piece of the next.
    for axis in reversed(range(array.ndim)):
        column = indent + axis + 1
        if axis == array.ndim - 1:
            ellipsis, per_line = " ...", max(1, (_options.linewidth - column + 1) // (width + 2))
            newline = ",\n" + " " * column
        else:
            ellipsis, per_line = "...", 1
            newline = "," + "\n" * (array.ndim - 1 - axis) + " " * column
        rows = _groups(pieces, shown.shape[axis])
        if gaps[axis]:
            rows = ([*row[:edge], ellipsis, *row[edge:]] for row in rows)
        pieces = ["[" + newline.join(map(", ".join, _groups(row, per_line))) + "]" for row in rows]
    return pieces[0]


def _corners(array: np.ndarray[Any, Any], gaps: list[bool], edge: int) -> np.ndarray[Any, Any]:
    """The first and last `edge` items along each axis that has a gap; nothing else of the array is read."""
    picks = [
        np.r_[:edge, length - edge : length] if gap else np.arange(length)
        for gap, length in zip(gaps, array.shape, strict=True)
    ]
    shown: np.ndarray[Any, Any] = array[np.ix_(*picks)]
    return shown


def _groups(pieces: list[str], length: int) -> Iterator[list[str]]:
    return (pieces[start : start + length] for start in range(0, len(pieces), length))


def _cells(items: np.ndarray[Any, Any]) -> tuple[list[str], int]:
    """The text of each of the items (n,), and the width that lines are planned with."""
    if items.dtype.kind in "biu":
        words = [str(item) for item in items.tolist()]
        width = max(map(len, words))
        return [word.rjust(width) for word in words], width
    if items.dtype.kind == "c":
        reals, real_width = _float_cells(items.real)
        imaginaries, imaginary_width = _float_cells(items.imag)
        pairs = zip(reals, map(str.lstrip, imaginaries), strict=True)
        cells = [f"{real}{imag}j" if imag.startswith("-") else f"{real}+{imag}j" for real, imag in pairs]
        return cells, real_width + imaginary_width + 1
    return _float_cells(items)


def _float_cells(items: np.ndarray[Any, Any]) -> tuple[list[str], int]:
    """The same for floats: one notation for all, chosen by those that are neither zero, infinite nor NaN."""
    with np.errstate(all="ignore"):  # widening a signalling NaN is no event here
        values = items.astype(np.float64)
    finite_nonzero = np.isfinite(values) & (values != 0)
    sizes = np.abs(values[finite_nonzero])
    whole = bool(np.all(sizes == np.ceil(sizes)))
    if _has_exponent(sizes, whole):
        words = [f"{value:.{_options.precision}e}" for value in values.tolist()]
    elif whole:
        words = [f"{value:.0f}{'.' * isfinite(value)}" for value in values.tolist()]
    else:
        words = [f"{value:.{_options.precision}f}" for value in values.tolist()]
    # As in PyTorch zeros, infinities and NaN are padded but make no room: "-0." and "inf" may stick out.
    width = max((len(words[place]) for place in np.flatnonzero(finite_nonzero)), default=1)
    return [word.rjust(width) for word in words], width


def _has_exponent(sizes: np.ndarray[Any, Any], whole: bool) -> bool:
    if sizes.size == 0:
        return False
    if _options.sci_mode is not None:
        return _options.sci_mode
    smallest, largest = float(sizes.min()), float(sizes.max())
    return largest / smallest > 1000 or largest > 1e8 or (smallest < 1e-4 and not whole)


def shows_dtype(x: ArrayFields) -> bool:
    """Whether printing names the dtype: not the default one, nor those that the items themselves show."""
    default = get_default_dtype()
    told_by_items = (default.to_complex(), int64, boolean) if x.layout.size else ()
    return x.dtype is not default and x.dtype not in told_by_items


def marks(x: ArrayFields) -> list[str]:
    """What printing names behind the items: a device other than the host, and a dtype that they do not show."""
    device = [f"device='{x.device}'"] if x.device.type != "cpu" else []
    return [*device, *([f"dtype={x.dtype!r}"] if shows_dtype(x) else [])]
