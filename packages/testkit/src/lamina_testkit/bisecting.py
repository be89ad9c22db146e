"""Bisection: a program run op by op beside the reference, and the first op whose result differs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lamina_flatarray import Backend, DType, FlatArray, backends
from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.contract import Kernel, Strided
from lamina_flatarray.devices import Device
from lamina_flatarray.instruments import Instrument, installed, operands_of
from lamina_flatarray.ops import OPS
from lamina_flatarray.random import Generator

from .closeness import agree, largest_difference, scale_of
from .placement import read

__all__ = ["Finding", "bisect", "on_backend"]

_REFERENCE = "numpy"


class Finding(NamedTuple):
    """The first kernel call that is not as the reference's.

    Attributes:
        op: the op's name.
        call: how many kernel calls were compared until then, this one included.
        operands: of results and inputs, what they are: dtype, shape, strides, offset and device.
        parameters: the other arguments.
        difference: how far the results lie apart at most; infinite where one of them is NaN or infinite alone.
        place: the indices of that item.
        expected, observed: the item of the reference, and that of the backend.
        error: what the kernel raised, if it did; then nothing could be compared.

    >>> print(Finding("add", 3, ("out: float32[2]",), "", 0.5, (1,), 2.0, 2.5))
    add, kernel call 3, differs by up to 0.5
      out: float32[2]
      at [1]: expected 2.0, observed 2.5
    """

    op: str
    call: int
    operands: tuple[str, ...]
    parameters: str
    difference: float
    place: tuple[int, ...]
    expected: Any = None
    observed: Any = None
    error: BaseException | None = None

    def __str__(self) -> str:
        operands = "\n".join(f"  {operand}" for operand in self.operands)
        parameters = f"\n  with {self.parameters}" if self.parameters else ""
        if self.error is not None:
            return f"{self.op}, kernel call {self.call}, raised {type(self.error).__name__}: {self.error}\n{operands}{parameters}"
        return (
            f"{self.op}, kernel call {self.call}, differs by up to {self.difference:g}\n{operands}{parameters}\n"
            f"  at {list(self.place)}: expected {self.expected}, observed {self.observed}"
        )


def bisect(program: Callable[[str], object], *, backend: str | Backend) -> Finding | None:
    """Run a program on a backend, and each of its kernel calls on the reference as well, on the same items.

    Only the calls of this thread are seen. An op that is decomposed is compared after the ops that it is made of.

    Args:
        program: a function of a device, which makes its arrays there; what it returns is not looked at.
        backend: the backend or its name.

    Returns:
        The first call whose result differs, or that raised; None if there is none.

    >>> import lamina_tensor as lt
    >>> bisect(lambda device: lt.ones(3, device=device).exp(), backend="numpy") is None
    True
    """
    chosen = registry.backend(backend) if isinstance(backend, str) else backend
    comparison = _Comparison()
    with installed(comparison):
        try:
            on_backend(program, chosen)
        except Exception:
            if comparison.finding is None:
                raise
    return comparison.finding


def on_backend(program: Callable[[str], Any], backend: Backend) -> Any:
    """Run a program where a backend serves, with its device as the default one.

    Args:
        program: a function of a device.
        backend: the backend.

    Returns:
        What the program returns.
    """
    if backend.device_type == "cpu":
        with backends.use_backend(backend.name), Device("cpu"):
            return program("cpu")
    with Device(backend.device_type):
        return program(backend.device_type)


class _Comparison(Instrument):
    """Calls the reference beside each kernel, on copies of what the kernel was given."""

    def __init__(self) -> None:
        self.finding: Finding | None = None
        self.calls = 0
        self._inside = False  # the reference's own kernels are not compared

    def call(self, op: str, kernel: Kernel, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Run the kernel and the reference's, unless something was found already."""
        if self._inside or self.finding is not None:
            return kernel(out, *inputs, **params)
        twins = _Twins()
        twin_out, twin_inputs = twins.of(out), [twins.of(x) for x in inputs]
        twin_params = {name: twins.of(value) for name, value in params.items()}
        try:
            result = kernel(out, *inputs, **params)
        except Exception as error:
            if self.finding is None:  # an op that it is made of was the first
                self.calls += 1
                self.finding = self._found(op, out, inputs, params, error=error)
            raise
        if self.finding is not None:
            return result
        self.calls += 1
        dtype = _computed(op, out, inputs)
        self._inside = True
        try:
            values = [read(x) for x in operands_of(twin_inputs)]
            KernelTable.of(registry.backend(_REFERENCE), 0, dtype)[op](twin_out, *twin_inputs, **twin_params)
            self._compare(op, dtype, (out, inputs, params), (twin_out, twin_params), values)
        except Exception:  # what the reference does not serve cannot be compared
            return result
        finally:
            self._inside = False
        return result

    def _compare(self, op: str, dtype: DType, ours: tuple[Any, Any, Any], theirs: tuple[Any, Any], values: list[Any]) -> None:
        out, inputs, params = ours
        beside = OPS[op].beside
        written = operands_of((out, *(params.get(name) for name in beside)))
        expected = operands_of((theirs[0], *(theirs[1].get(name) for name in beside)))
        for mine, other in zip(written, expected, strict=True):
            a, b = read(mine), read(other)
            precision = dtype if dtype.is_inexact else dt.dtype_of(b.dtype)
            if not agree(a, b, precision, scale_of(op, values)):
                difference, place = largest_difference(a, b)
                self.finding = self._found(op, out, inputs, params)._replace(
                    difference=difference, place=place, expected=b[place].item(), observed=a[place].item()
                )
                return

    def _found(self, op: str, out: Any, inputs: Any, params: Any, error: BaseException | None = None) -> Finding:
        described = [f"out: {_described(x)}" for x in operands_of((out,))]
        described += [f"{i}: {_described(x) if hasattr(x, 'layout') else repr(x)}" for i, x in enumerate(_each(inputs))]
        shown = ", ".join(f"{name}={_shown(value)}" for name, value in params.items())
        return Finding(op, self.calls, tuple(described), shown, float("nan"), (), error=error)


class _Twins:
    """Copies of operands in the reference's memory; operands that share memory have twins that do."""

    def __init__(self) -> None:
        self._flats: dict[int, FlatArray] = {}

    def of(self, value: Any) -> Any:
        """The twin of an operand, of each in a list or tuple, or of a generator; anything else as it is."""
        if isinstance(value, (list, tuple)):
            return type(value)(self.of(item) for item in value)
        if isinstance(value, Generator):
            return value.clone()
        if not hasattr(value, "layout"):
            return value
        flat = value.flat
        twin = self._flats.get(id(flat))
        if twin is None:
            twin = FlatArray.of(KernelTable.of(registry.backend(_REFERENCE), 0, flat.dtype), flat.size)
            flat.backend.copy_out(flat.memory, flat.offset, twin.bytes_view().data)
            self._flats[id(flat)] = twin
        return Strided(twin, value.layout)


def _computed(op: str, out: Any, inputs: tuple[Any, ...]) -> DType:
    """The dtype that the op is computed in: that of its first input, which is not a condition; without one, of its result."""
    operands = operands_of(inputs[1:] if op == "where" else inputs) or operands_of((out,))
    dtype: DType = operands[0].flat.dtype
    return dtype


def _each(inputs: Any) -> list[Any]:
    return [x for item in inputs for x in (item if isinstance(item, (list, tuple)) else [item])]


def _described(operand: Any) -> str:
    layout, flat = operand.layout, operand.flat
    return f"{flat.dtype.name}{list(layout.shape)}, strides {list(layout.strides)}, offset {layout.offset}, on {flat.device}"


def _shown(value: Any) -> str:
    return f"[arrays: {len(value)}]" if isinstance(value, list) else repr(value)
