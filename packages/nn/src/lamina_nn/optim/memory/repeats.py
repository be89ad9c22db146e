"""Steps of a group that are made again: one kernel call, while nothing but items, counts and gradients differs from the step before."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_
from typing import Any, Final, NamedTuple

from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.twins import compiled
from lamina_ndarray import NDArray
from lamina_ndarray.creation.conversion import item
from lamina_tensor import Tensor
from lamina_tensor.compiling.recordings.state import same_items, same_names

from .gathering import Gathered, note_writes

__all__ = ["Repeat", "Repeats", "repeating", "step_again", "stepped_again"]

_NUMBERS: Final = (bool, int, float, str, type(None))


class Repeat(NamedTuple):
    """A kernel call that stepped a group, and what it depends on.

    Attributes:
        mappings: the group, and what is remembered of each parameter: dicts with their keys and values.
        entries: the optimizer's state, a parameter, and what is remembered of it.
        listed: the group's list of parameters.
        params: what it held: each has a gradient.
        arrays: tensors of parameters and state, and their arrays.
        counters: the arrays that count, of one kernel table on a host.
        read: what reads one of them.
        op, table: of the kernel.
        written: the arrays of the parameters.
        values: what it was given by name.
        names: these names.
        count_at: which of the values is the count; -1 where none is.
    """

    mappings: list[tuple[dict[Any, Any], tuple[Any, ...], tuple[Any, ...]]]
    entries: list[tuple[dict[Any, Any], Tensor, Any]]
    listed: list[Tensor]
    params: tuple[Tensor, ...]
    arrays: list[tuple[Tensor, NDArray]]
    counters: list[NDArray]
    read: Callable[[NDArray], Any]
    op: str
    table: KernelTable
    written: list[NDArray]
    values: tuple[Any, ...]
    names: tuple[str, ...]
    count_at: int


def step_again(repeat: Repeat) -> bool:
    """Make a step once more, if all that it depends on is as it was.

    Args:
        repeat: the step.

    Returns:
        Whether it was made; if not, nothing has changed.
    """
    params, counters, values = repeat.params, repeat.counters, list(repeat.values)
    if len(repeat.listed) != len(params) or not all(map(is_, repeat.listed, params)):
        return False
    if not (same_items(repeat.mappings) and same_names(repeat.entries)) or any(x.array is not a for x, a in repeat.arrays):
        return False
    gradients = [p._grad for p in params]
    if any(type(g) is not Tensor or g.array.flat.kernels is not repeat.table for g in gradients):
        return False
    counts = list(map(repeat.read, counters))
    if counts and counts.count(counts[0]) != len(counts):
        return False
    if counters:
        note_writes(counters)
        counters[0].flat.kernels["foreach_add"](counters, value=1)
        if repeat.count_at >= 0:
            values[repeat.count_at] = repeat.read(counters[0])
    note_writes(repeat.written)
    arrays = [g.array for g in gradients if g is not None]
    repeat.table[repeat.op](repeat.written, *arrays, **dict(zip(repeat.names, values, strict=True)))
    return True


if compiled is not None:
    step_again = compiled.step_again


class Repeats:
    """The latest steps of an optimizer's groups, as far as they can be made again.

    >>> Repeats().step_again({"params": []})
    False
    """

    __slots__ = ("_of_groups", "_values")

    def __init__(self) -> None:
        self._of_groups: dict[int, Repeat] = {}
        self._values: dict[int, tuple[Any, ...]] = {}  # of groups, in the steps before

    def step_again(self, group: dict[str, Any]) -> bool:
        """Make the latest step of a group again, if it is one to repeat.

        Args:
            group: the group.

        Returns:
            Whether it was made.
        """
        repeat = self._of_groups.get(id(group))
        return repeat is not None and step_again(repeat)

    def keep(self, optimizer: Any, group: dict[str, Any], op: str, found: Gathered, given: dict[str, Any], counted: str | None) -> None:
        """Keep a step that was made, if the settings of its group are numbers, and those of the step before.

        Args:
            optimizer: whose step it was.
            group: the group.
            op: what the kernel call was of.
            found: its arrays.
            given: what it was given by name.
            counted: the name of that which is the count; None where nothing depends on it.
        """
        key, values = id(group), tuple(group.values())
        self._of_groups.pop(key, None)  # it would keep arrays that are no parameters' any more
        if len(self._values) > len(optimizer.param_groups):  # of groups that are gone
            self._of_groups.clear()
            self._values.clear()
        before, self._values[key] = self._values.get(key, ()), values
        if len(before) != len(values) or not all(map(is_, before, values)):
            return
        settings = [value for name, value in group.items() if name not in ("params", "param_names")]
        params, state = tuple(group["params"]), optimizer.state
        table, arrays, _, counters, _ = found
        if len(params) != len(arrays) or not all(map(_is_fixed, settings)) or not type(optimizer).__module__.startswith("lamina_nn."):
            return
        entries = [(state, p, state[p]) for p in params if p in state]
        mappings = [(each, tuple(each), tuple(each.values())) for each in (group, *[own for _, _, own in entries])]
        tensors = [*params, *[x for _, _, own in entries for x in own.values() if isinstance(x, Tensor)]]
        reader = counters[0].flat.kernels.read_item if counters else None
        read = item if reader is None or reader(counters[0]) is NotImplemented else reader
        place = -1 if counted is None else list(given).index(counted)
        fields = [mappings, entries, group["params"], params, [(x, x.array) for x in tensors], counters, read, op, table, arrays,
                  tuple(given.values()), tuple(given), place]  # fmt: skip
        self._of_groups[key] = Repeat._make(fields)  # compiled functions know code of the standard library's, and not that of `__new__`


def stepped_again(optimizer: Any) -> bool:
    """Make the step of an optimizer again, if it is of one group and has no hooks of its own.

    Args:
        optimizer: the optimizer.

    Returns:
        Whether it was made.
    """
    repeats: Repeats | None = vars(optimizer).get("_repeats")  # None where a subclass calls no constructor
    if repeats is None or optimizer._before_step or optimizer._after_step or optimizer._stepping or len(optimizer.param_groups) != 1:
        return False
    optimizer._opt_called = True
    try:
        return repeats.step_again(optimizer.param_groups[0])
    except Exception as error:
        error.add_note(f"in {type(optimizer).__name__}.step()")
        raise


if compiled is not None:
    stepped_again = compiled.stepped_again


def repeating(step: Callable[..., Any], *hooks: dict[Any, Any]) -> Callable[..., Any]:
    """Return a `step` of optimizers that is made again where that does, and else is the given one.

    Args:
        step: the method.
        hooks: those of all optimizers; while there are any, each step is the given one.

    Returns:
        The method.
    """

    @wraps(step)
    def again(*args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and not any(hooks) and stepped_again(args[0]):
            return None
        return step(*args, **kwargs)

    return again


if compiled is not None:
    repeating = compiled.repeating


def _is_fixed(setting: Any) -> bool:
    """Whether a setting is a number, a text or a pair of such, which nothing writes into."""
    return all(map(_is_fixed, setting)) if type(setting) is tuple else type(setting) in _NUMBERS
