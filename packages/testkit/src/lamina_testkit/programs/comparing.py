"""Programs compared: how far a backend's results may lie from the reference's is measured with Monte Carlo arithmetic.

The reference runs a program several times while each kernel's result is changed at random by as much as two right kernels
may differ. How far that moves a variable is what rounding does to it: D. S. Parker, Monte Carlo Arithmetic, UCLA 1997.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from lamina_flatarray import Backend
from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends import registry
from lamina_flatarray.contract import Kernel
from lamina_flatarray.instruments import Instrument, installed, operands_of
from lamina_flatarray.numpy_backend.view import view
from lamina_flatarray.ops import OPS
from lamina_tensor import Tensor

from ..bisecting import on_backend
from ..closeness import Mismatch, scale_of, tolerance
from ..placement import read

__all__ = ["compare"]

Array = np.ndarray[Any, Any]
RunsOnADevice = Callable[[str], Mapping[str, Any]]

_RUNS: Final = 4
_EXACT: Final = ("copy", "gather", "sort", "random")
"""Families whose results are not rounded."""


def compare(program: RunsOnADevice, *, backend: str | Backend) -> None:
    """Run a program on a backend and on the reference, and compare all its tensors and their gradients.

    Args:
        program: a function of a device, which returns a mapping from names to tensors; other values in it are not looked at.
        backend: the backend or its name.

    Raises:
        Mismatch: a tensor or gradient differs by more than rounding explains.

    >>> import lamina_tensor as lt
    >>> compare(lambda device: {"x": lt.ones(3, device=device).exp()}, backend="numpy")
    """
    reference = registry.backend("numpy")
    chosen = registry.backend(backend) if isinstance(backend, str) else backend
    expected = _values(on_backend(program, reference))
    observed = _values(on_backend(program, chosen))
    if observed.keys() != expected.keys():
        raise Mismatch(f"{', '.join(sorted(observed.keys() ^ expected.keys()))}: only in one of {chosen.name} and the reference")
    if all(np.array_equal(observed[name], expected[name], equal_nan=expected[name].dtype.kind in "fc") for name in expected):
        return
    moved = []
    for seed in range(_RUNS):
        with installed(_Shaken(seed)):
            moved.append(_values(on_backend(program, reference)))
    for name, exact in expected.items():
        _compare_one(name, observed[name], exact, [run[name] for run in moved], chosen.name)


def _compare_one(name: str, observed: Array, expected: Array, moved: list[Array], who: str) -> None:
    if observed.shape != expected.shape or observed.dtype != expected.dtype:
        raise Mismatch(f"{name}: {observed.dtype}{observed.shape} on {who}, {expected.dtype}{expected.shape} on the reference")
    if expected.dtype.kind in "biu":
        wrong = observed != expected
        for run in moved:
            wrong &= run == expected
        allowed: Any = 0
    else:
        a, b = observed.astype(np.float64), expected.astype(np.float64)
        with np.errstate(all="ignore"):
            shifts = [np.abs(run.astype(np.float64) - b) for run in moved]
            allowed = 4 * np.max(shifts, axis=0) + tolerance(dt.dtype_of(expected.dtype)) * (1 + np.abs(b))
            wrong = ~((np.abs(a - b) <= allowed) | (a == b) | np.isnan(allowed) | (np.isnan(a) & np.isnan(b)))
    if wrong.any():
        at = tuple(map(int, np.argwhere(wrong)[0]))
        limit = f", more than {np.broadcast_to(allowed, expected.shape)[at]:g} apart"
        raise Mismatch(f"{name}{list(at)}: {observed[at]} on {who}, {expected[at]} on the reference{limit}")


def _values(variables: Mapping[str, Any]) -> dict[str, Array]:
    """Every tensor and gradient by name, read without a kernel."""
    values = {}
    for name, value in variables.items():
        if isinstance(value, Tensor):
            values[name] = read(value.array)
            if value.is_leaf and value.grad is not None:
                values[f"{name}.grad"] = read(value.grad.array)
    return values


class _Shaken(Instrument):
    """Changes each result by a random part of what two right kernels may differ by."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def call(self, op: str, kernel: Kernel, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Run the kernel, and shake what it made."""
        family = OPS[op].family
        values = [np.array(view(x)) for x in operands_of(inputs)] if family not in (*_EXACT, "map") else []
        result = kernel(out, *inputs, **params)
        if family not in _EXACT:
            for target in map(view, operands_of((out,))):
                if dt.dtype_of(target.dtype).is_floating_point:
                    share = tolerance(dt.dtype_of(target.dtype))
                    terms = 0.25 * scale_of(op, values) if values else 0.0
                    wide = target.astype(np.float64)
                    with np.errstate(all="ignore"):
                        target[...] = wide + share * (np.abs(wide) + terms) * self._random.uniform(-1, 1, target.shape)
        return result
