"""Parameters that one kernel call steps together: of one kernel table, and alike in what the call is told once for all."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, ClassVar

from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_ndarray import NDArray, view_as_real
from lamina_ndarray.creation.conversion import item
from lamina_ndarray.dispatch.operands import common_kernels
from lamina_tensor import Tensor, is_grad_enabled
from lamina_tensor.tensor_fields import arrays_of

from ..optimizer import Optimizer
from .counters import counted, remember, remembered
from .gathering import gathered, note_writes

__all__ = ["KernelOptimizer", "arrays_beside", "arrays_to_write", "together"]


class KernelOptimizer(Optimizer):
    """An optimizer whose step is one kernel call for all parameters of a group that have seen as many steps.

    A subclass names the op, and says in `_lists` and `_settings` what the call is given. Steps that are recorded go parameter by
    parameter, through `_update`.

    >>> optimizer = torch.optim.Adagrad([torch.ones(2, requires_grad=True)])
    >>> isinstance(optimizer, KernelOptimizer), optimizer._op
    (True, 'adagrad_step')
    """

    _op: str
    _counted: ClassVar[str | None] = None
    """The op's parameter that is the count, where no other depends on it."""

    def _step_group(self, group: dict[str, Any], params: list[Tensor]) -> None:
        if is_grad_enabled():
            super()._step_group(group, params)
            return
        lists = self._lists(group)
        found = gathered(params, self.state, "step", tuple(filter(None, lists.values())))
        if found is not None and (found[0].dtype.is_complex or not found[3][0].flat.kernels.backend.host):
            found = None
        counts = _counted_up([self._state_of(p, group)["step"] for p in params]) if found is None else _counted_on(found[3])
        seen = self._seen(params, counts, group)
        if found is not None and seen.count(seen[0]) == len(seen):  # as almost always: of one kind
            table, arrays, gradients, _, entries = found
            note_writes(arrays)
            given = self._call(table, arrays, gradients, lists, entries, group, seen[0])
            if self._counted or seen[0] is None:
                self._repeats.keep(self, group, self._op, found, given, self._counted)
            return
        for (trait, table), alike in together(params, seen).items():
            states = [self.state[p] for p in alike]
            gradients = arrays_beside(self._op, alike, [p._grad for p in alike])
            entries = [arrays_beside(self._op, alike, [state[entry] for state in states]) for entry in filter(None, lists.values())]
            self._call(table, arrays_to_write(alike), gradients, lists, entries, group, trait)

    def _call(
        self, table: KernelTable, arrays: list[NDArray], gradients: list[NDArray], lists: dict[str, str | None],
        entries: Iterable[list[NDArray]], group: dict[str, Any], trait: Any,
    ) -> dict[str, Any]:  # fmt: skip
        """Step parameters; return what the kernel was given by name."""
        given = self._settings(group, trait)
        given["maximize"] = group["maximize"]
        rest = iter(entries)
        for name, entry in lists.items():
            given[name] = next(rest) if entry else None
        table[self._op](arrays, *gradients, **given)
        return given

    def _seen(self, params: list[Tensor], counts: list[Any], group: dict[str, Any]) -> Sequence[Hashable]:
        """What the settings of each parameter depend on, after its step is counted: that count, if nothing else is said."""
        return counts

    def _lists(self, group: dict[str, Any]) -> dict[str, str | None]:
        """The op's lists by name: each the entry of state that it is made of, or None."""
        raise NotImplementedError(f"{type(self).__name__} does not say what {self._op} is given")

    def _settings(self, group: dict[str, Any], seen: Any) -> dict[str, Any]:
        """The op's other parameters, but `maximize`."""
        raise NotImplementedError(f"{type(self).__name__} does not say what {self._op} is told")


def arrays_beside(op: str, params: list[Tensor], tensors: list[Any]) -> list[NDArray]:
    """The real arrays of gradients or state, each beside its parameter.

    Raises:
        DeviceError: one is on another device than its parameter.
    """
    arrays, table = arrays_of(tensors)
    if table is params[0].array.flat.kernels and not table.dtype.is_complex:  # as almost always: of one table, and real
        return arrays
    for p, a in zip(params, arrays, strict=True):
        if a.flat.kernels is not p.array.flat.kernels:
            common_kernels(op, (p.array, a))
    return _real(arrays)


def _counted_on(counters: list[NDArray]) -> list[Any]:
    """Add 1 to each, all of one kernel table on a host; return what they hold then."""
    note_writes(counters)
    counters[0].flat.kernels["foreach_add"](counters, value=1)
    return list(map(item, counters))


def _counted_up(counters: list[Tensor]) -> list[Any]:
    """Add 1 to each, to those of one kernel table in one call; return what they hold then."""
    for (_, table), alike in together(counters, [None] * len(counters)).items():
        numbers = [] if table.backend.host else [(counter, remembered(counter)) for counter in alike]
        table["foreach_add"](arrays_to_write(alike), value=1)
        for counter, number in numbers:
            if number is not None:
                remember(counter, number + 1)
    return list(map(counted, counters))


def together(params: list[Tensor], traits: Sequence[Hashable]) -> dict[Any, list[Tensor]]:
    """(trait, kernel table) -> parameters. The table is that of their real parts."""
    result: dict[Any, list[Tensor]] = {}
    for p, trait in zip(params, traits, strict=True):
        table = p.array.flat.kernels
        if table.dtype.is_complex:
            table = table.sibling(table.dtype.to_real())
        result.setdefault((trait, table), []).append(p)
    return result


def arrays_to_write(params: list[Tensor]) -> list[NDArray]:
    """The real arrays of parameters, each noted as written: what a recorded op saved of it is out of date."""
    arrays, table = arrays_of(params)
    note_writes(arrays)
    return arrays if table is not None and not table.dtype.is_complex else _real(arrays)


def _real(arrays: list[NDArray]) -> list[NDArray]:
    """Complex arrays as their parts along a last axis."""
    return [view_as_real(a) if a.flat.dtype.is_complex else a for a in arrays]
