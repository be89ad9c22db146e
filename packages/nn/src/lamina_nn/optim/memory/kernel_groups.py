"""Parameters that one kernel call steps together: of one kernel table, and alike in what the call is told once for all."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from lamina_ndarray import NDArray, view_as_real
from lamina_ndarray.dispatch.operands import common_kernels
from lamina_tensor import Tensor, is_grad_enabled

from ..optimizer import Optimizer
from .counters import counted, remember, remembered

__all__ = ["KernelOptimizer", "arrays_to_write", "real_arrays", "refuse_others", "together"]


class KernelOptimizer(Optimizer):
    """An optimizer whose step is one kernel call for all parameters of a group that have seen as many steps.

    A subclass names the op, and says in `_lists` and `_settings` what the call is given. Steps that are recorded go parameter by
    parameter, through `_update`.

    >>> optimizer = torch.optim.Adagrad([torch.ones(2, requires_grad=True)])
    >>> isinstance(optimizer, KernelOptimizer), optimizer._op
    (True, 'adagrad_step')
    """

    _op: str

    def _step_group(self, group: dict[str, Any], params: list[Tensor]) -> None:
        if is_grad_enabled():
            super()._step_group(group, params)
            return
        states = [self._state_of(p, group) for p in params]
        _count_all([state["step"] for state in states])
        seen = [self._seen(state, group) for state in states]
        lists = self._lists(group)
        for (trait, table), alike in together(params, seen).items():
            states = [self.state[p] for p in alike]
            for entry in ("", *filter(None, lists.values())):
                refuse_others(self._op, alike, [state[entry] for state in states] if entry else [p._grad for p in alike])
            table[self._op](
                arrays_to_write(alike),
                *real_arrays([p._grad for p in alike]),
                **{name: entry and real_arrays([state[entry] for state in states]) for name, entry in lists.items()},
                **self._settings(group, trait),
                maximize=group["maximize"],
            )

    def _seen(self, state: dict[str, Any], group: dict[str, Any]) -> Hashable:
        """What the settings of a parameter depend on, after its step is counted: that count, if nothing else is said."""
        return counted(state["step"])  # type: ignore[no-any-return]

    def _lists(self, group: dict[str, Any]) -> dict[str, str | None]:
        """The op's lists by name: each the entry of state that it is made of, or None."""
        raise NotImplementedError(f"{type(self).__name__} does not say what {self._op} is given")

    def _settings(self, group: dict[str, Any], seen: Any) -> dict[str, Any]:
        """The op's other parameters, but `maximize`."""
        raise NotImplementedError(f"{type(self).__name__} does not say what {self._op} is told")


def refuse_others(op: str, params: list[Tensor], beside: list[Any]) -> None:
    """Refuse gradients and state on another device than their parameters.

    Raises:
        DeviceError: one is.
    """
    for p, x in zip(params, beside, strict=True):
        if x.array.flat.kernels is not p.array.flat.kernels:
            common_kernels(op, (p.array, x.array))


def _count_all(counters: list[Tensor]) -> None:
    """Add 1 to each: to those of one kernel table in one call."""
    for (_, table), alike in together(counters, [None] * len(counters)).items():
        numbers = [] if table.backend.host else [(counter, remembered(counter)) for counter in alike]
        table["foreach_add"](arrays_to_write(alike), value=1)
        for counter, number in numbers:
            if number is not None:
                remember(counter, number + 1)


def together(params: list[Tensor], traits: Sequence[Hashable]) -> dict[Any, list[Tensor]]:
    """(trait, kernel table) -> parameters. The table is that of their real parts."""
    result: dict[Any, list[Tensor]] = {}
    for p, trait in zip(params, traits, strict=True):
        table = p.array.flat.kernels
        if table.dtype.is_complex:
            table = table.sibling(table.dtype.to_real())
        result.setdefault((trait, table), []).append(p)
    return result


def real_arrays(tensors: list[Any]) -> list[NDArray]:
    """The arrays of tensors, of complex ones their parts along a last axis."""
    arrays = [t.array for t in tensors]
    return [view_as_real(a) if a.flat.dtype.is_complex else a for a in arrays]


def arrays_to_write(params: list[Tensor]) -> list[NDArray]:
    """As `real_arrays`, each noted as written: what a recorded op saved of it is out of date."""
    for p in params:
        p.array.flat.version += 1
    return real_arrays(params)
