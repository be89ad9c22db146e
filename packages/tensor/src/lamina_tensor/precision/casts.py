"""What dtype the operands of listed ops are cast to while autocast is on in this thread, and the casts of weights kept for it.

The lists are those that PyTorch publishes for the CPU; ops on no list run in the dtype that their operands come in.
https://docs.pytorch.org/docs/stable/amp.html#cpu-op-specific-behavior
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import lamina_ndarray as nd
from lamina_flatarray import DType, DTypeError, modes
from lamina_flatarray.modes import NO_GRAD, word

from ..dispatch.tensor_functions import af
from ..tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["POLICIES", "Precision", "precision"]

class Precision(threading.local):
    """Autocast's settings in one thread.

    Attributes:
        dtypes: per device type, the lower precision.
        on: the device types for which it is on.
        nesting: how many regions are entered.
        caching: whether casts of weights are kept until the outermost region ends.
        kept: those casts: the weight, its version, whether it was recorded, the dtype, and the cast.
    """

    def __init__(self) -> None:
        self.dtypes: dict[str, DType] = {"cpu": nd.bfloat16}
        self.on: frozenset[str] = frozenset()
        self.nesting = 0
        self.caching = True
        self.kept: dict[int, tuple[Tensor, int, bool, DType, Tensor]] = {}

    def dtype(self, device_type: str) -> DType:
        """The lower precision for a device type: bfloat16 on the CPU, float16 elsewhere, unless it was set."""
        return self.dtypes.get(device_type, nd.float16)

    def turn(self, device_type: str, on: bool) -> None:
        """Switch a device type on or off."""
        changed = self.on | {device_type} if on else self.on - {device_type}
        self.on = changed
        modes.switch(modes.AUTOCAST, bool(changed))

    @contextmanager
    def off(self) -> Iterator[None]:
        """Off for all device types within a `with` block: what a cast function does within is one op."""
        on, self.on = self.on, frozenset()
        modes.switch(modes.AUTOCAST, False)
        try:
            yield
        finally:
            self.on = on
            modes.switch(modes.AUTOCAST, bool(on))


precision: Final = Precision()


def _eligible(x: Any) -> bool:
    """Whether autocast changes x: floating-point numbers but float64, on a device for which it is on."""
    array = x.array
    dtype = array.dtype
    return dtype.is_floating_point and dtype is not nd.float64 and array.device.type in precision.on


def _cast(x: Tensor, dtype: DType) -> Tensor:
    if x.array.dtype is dtype:
        return x
    lowers = dtype is not nd.float32 and x.array.dtype is nd.float32
    if not (lowers and precision.caching and x.requires_grad and x.node is None and x.base is None):
        return af.astype(x, dtype)
    version, recording = x.array.flat.version, not word.get() & NO_GRAD
    kept = precision.kept.get(id(x))
    if kept is not None and kept[0] is x and kept[1:4] == (version, recording, dtype):
        return kept[4]
    result = af.astype(x, dtype)
    precision.kept[id(x)] = (x, version, recording, dtype, result)
    return result


def _over(value: Any, change: Callable[[Tensor], Tensor]) -> Any:
    """Every tensor that autocast changes, in lists and tuples as well, changed."""
    if isinstance(value, AnyTensor):
        return change(value) if _eligible(value) else value
    if isinstance(value, (list, tuple)):
        return type(value)([_over(v, change) for v in value])
    return value


def _lower(x: Tensor) -> Tensor:
    return _cast(x, precision.dtype(x.array.device.type))


def _widen(x: Tensor) -> Tensor:
    return _cast(x, nd.float32)


def _in_the_widest(*operands: Any) -> tuple[Any, ...]:
    tensors: list[Tensor] = []

    def note(x: Tensor) -> Tensor:
        tensors.append(x)
        return x

    _over(list(operands), note)
    if not tensors:
        return operands
    wide = nd.float32 if any(t.array.dtype is nd.float32 for t in tensors) else precision.dtype(tensors[0].array.device.type)
    for t in tensors:
        if t.array.dtype not in (wide, precision.dtype(t.array.device.type)):
            raise DTypeError(f"autocast: unexpected floating dtype {t.array.dtype.name} among operands; cast them to {wide.name}")
    return tuple([_over(x, lambda t: _cast(t, wide)) for x in operands])


def _as_they_come(*operands: Any) -> tuple[Any, ...]:
    return operands


def _lowered(*operands: Any) -> tuple[Any, ...]:
    return tuple([_over(x, _lower) for x in operands])


def _in_float32(*operands: Any) -> tuple[Any, ...]:
    return tuple([_over(x, _widen) for x in operands])


POLICIES: Final[dict[str, Callable[..., tuple[Any, ...]]]] = {
    "lower": _lowered,
    "float32": _in_float32,
    "widest": _in_the_widest,
    "as they come": _as_they_come,
}
"""How a function's operands are cast: to the lower precision, to float32, to the widest dtype among them, or not at all, though
autocast is off within, as it is one op to PyTorch."""
