"""Parameters that one kernel call steps together: of one kernel table, and alike in what the call is told once for all."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from lamina_flatarray.table import KernelTable
from lamina_ndarray import NDArray
from lamina_tensor import Tensor, is_grad_enabled

from .optimizer import Optimizer, real

__all__ = ["KernelOptimizer", "arrays_to_write", "real_arrays", "table_of", "together"]


class KernelOptimizer(Optimizer):
    """An optimizer whose step is one kernel call for all parameters of a group that have seen as many steps.

    A subclass names the op, and says in `_lists` and `_settings` what the call is given. Steps that are recorded go parameter by
    parameter, through `_update`.
    """

    _op: str

    def _step_group(self, group: dict[str, Any], params: list[Tensor]) -> None:
        if is_grad_enabled():
            super()._step_group(group, params)
            return
        states = [self._state_of(p, group) for p in params]
        _count([state["step"] for state in states])
        seen = {id(p): self._seen(state, group) for p, state in zip(params, states, strict=True)}
        lists = self._lists(group)
        for (trait, table), alike in together(params, lambda p: seen[id(p)]).items():
            states = [self.state[p] for p in alike]
            table[self._op](
                arrays_to_write(alike),
                *real_arrays([p._grad for p in alike]),
                **{name: entry and real_arrays([state[entry] for state in states]) for name, entry in lists.items()},
                **self._settings(group, trait),
                maximize=group["maximize"],
            )

    def _seen(self, state: dict[str, Any], group: dict[str, Any]) -> Hashable:
        """What the settings of a parameter depend on, after its step is counted: that count, if nothing else is said."""
        return state["step"].item()  # type: ignore[no-any-return]

    def _lists(self, group: dict[str, Any]) -> dict[str, str | None]:
        """The op's lists by name: each the entry of state that it is made of, or None."""
        raise NotImplementedError(f"{type(self).__name__} does not say what {self._op} is given")

    def _settings(self, group: dict[str, Any], seen: Any) -> dict[str, Any]:
        """The op's other parameters, but `maximize`."""
        raise NotImplementedError(f"{type(self).__name__} does not say what {self._op} is told")


def _count(counts: list[Tensor]) -> None:
    """Add 1 to each."""
    for (_, table), alike in together(counts, lambda count: None).items():
        table["foreach_add"](arrays_to_write(alike), value=1)


def table_of(tensor: Tensor) -> KernelTable:
    """The kernels for the real parts of a tensor."""
    table = tensor.array.flat.kernels
    return table.sibling(table.dtype.to_real()) if table.dtype.is_complex else table


def together(params: list[Tensor], trait: Callable[[Tensor], Hashable]) -> dict[Any, list[Tensor]]:
    """(trait, kernel table) -> parameters."""
    found: dict[Any, list[Tensor]] = {}
    for p in params:
        found.setdefault((trait(p), table_of(p)), []).append(p)
    return found


def real_arrays(tensors: list[Any]) -> list[NDArray]:
    """The arrays of tensors, of complex ones their parts along a last axis."""
    return [real(t).array for t in tensors]


def arrays_to_write(params: list[Tensor]) -> list[NDArray]:
    """As `real_arrays`, each noted as written: what a recorded op saved of it is out of date."""
    for p in params:
        p.array.flat.version += 1
    return real_arrays(params)
