"""Arrays of parameters, and of what belongs to each: its gradient, and its state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.twins import compiled
from lamina_ndarray import NDArray
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.tensor_fields import arrays_of

__all__ = ["Gathered", "gathered", "note_writes", "real"]

Gathered: TypeAlias = tuple[KernelTable, list[NDArray], list[NDArray], list[NDArray], list[list[NDArray]]]
"""A kernel table, and the arrays in it: of parameters, of gradients, of counters (of a table of their own), and of each further entry."""


def gathered(params: list[Tensor], state: dict[Any, Any], counter: str | None, entries: tuple[str, ...]) -> Gathered | None:
    """Return the arrays that a step reads and writes, if one kernel call may step all of them.

    Args:
        params: parameters that have gradients.
        state: the entries of each.
        counter: the name of the entry that counts; None if no such is wanted.
        entries: the names of further entries.

    Returns:
        The arrays, in the order of the parameters; None where not all of a kind are of one kernel table, all but counters of that of the
        parameters, or an entry is not there yet.
    """
    rows: list[Any] = [params, [p._grad for p in params]]
    try:
        rows += [[state[p][name] for p in params] for name in (*([counter] if counter else []), *entries)]
        arrays, tables = zip(*map(arrays_of, rows), strict=True)
    except (KeyError, AttributeError):  # there is no state yet, or what is no tensor
        return None
    table, counted = tables[0], arrays[2] if counter else []
    if any(each is None for each in tables) or any(each is not table for each in (tables[1], *tables[3 if counter else 2 :])):
        return None
    return table, arrays[0], arrays[1], counted, list(arrays[3 if counter else 2 :])


def note_writes(arrays: Iterable[NDArray]) -> None:
    """Note arrays as written: what a recorded op saved of them is out of date."""
    for a in arrays:
        a.flat.version += 1


def real(value: Any) -> Any:
    """A complex tensor's parts along a last dim; anything else as it is."""
    return af.view_as_real(value) if isinstance(value, Tensor) and value.dtype.is_complex else value


if compiled is not None:
    gathered, note_writes = compiled.gathered, compiled.note_writes
