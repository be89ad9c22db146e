"""What dtype the operands of listed ops are cast to while autocast is on in this thread, and the casts of weights kept for it.

The lists are those that PyTorch publishes for the CPU; ops on no list run in the dtype that their operands come in.
https://docs.pytorch.org/docs/stable/amp.html#cpu-op-specific-behavior
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import lamina_ndarray as nd
from lamina_flatarray import DType, DTypeError
from lamina_flatarray.modes import AUTOCAST, NO_GRAD, region, word

from ..dispatch.tensor_functions import af
from ..tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["POLICIES", "Settings", "settings", "uncast"]


class Settings(NamedTuple):
    """Autocast's settings in a thread or task. They are exchanged as a whole, but for the casts, which are added.

    Attributes:
        on: the device types for which it is on.
        dtypes: per device type, the lower precision.
        nesting: how many regions are entered.
        caching: whether casts of weights are kept until the outermost region ends.
        kept: those casts: the weight, its version, whether it was recorded, the dtype, and the cast.
    """

    on: frozenset[str]
    dtypes: dict[str, DType]
    nesting: int
    caching: bool
    kept: dict[int, tuple[Tensor, int, bool, DType, Tensor]]

    def dtype(self, device_type: str) -> DType:
        """The lower precision for a device type: bfloat16 on the CPU, float16 elsewhere, unless it was set."""
        return self.dtypes.get(device_type, nd.float16)

    def turned(self, device_type: str, on: bool) -> frozenset[str]:
        """The device types for which it is on once one is switched."""
        return self.on | {device_type} if on else self.on - {device_type}


_AT_FIRST: Final = Settings(frozenset(), {"cpu": nd.bfloat16}, 0, True, {})  # casts are kept where it is on, so in none of these

settings: Final[ContextVar[Settings]] = ContextVar("lamina_autocast", default=_AT_FIRST)


class uncast(region):
    """A block without autocast for any device type: what a cast function does within is one op."""

    def __init__(self) -> None:
        super().__init__(AUTOCAST, settings)

    def _entered(self, outer: Settings) -> tuple[int, Settings]:
        return 0, outer._replace(on=frozenset())


def _eligible(x: Any) -> bool:
    """Whether autocast changes x: floating-point numbers but float64, on a device for which it is on."""
    array = x.array
    dtype = array.dtype
    return dtype.is_floating_point and dtype is not nd.float64 and array.device.type in settings.get().on


def _cast(x: Tensor, dtype: DType) -> Tensor:
    if x.array.dtype is dtype:
        return x
    lowers, now = dtype is not nd.float32 and x.array.dtype is nd.float32, settings.get()
    if not (lowers and now.caching and x.requires_grad and x.node is None and x.base is None):
        return af.astype(x, dtype)
    version, recording = x.array.flat.version, not word.get() & NO_GRAD
    kept = now.kept.get(id(x))
    if kept is not None and kept[0] is x and kept[1:4] == (version, recording, dtype):
        return kept[4]
    result = af.astype(x, dtype)
    now.kept[id(x)] = (x, version, recording, dtype, result)
    return result


def _over(value: Any, change: Callable[[Tensor], Tensor]) -> Any:
    """Every tensor that autocast changes, in lists and tuples as well, changed."""
    if isinstance(value, AnyTensor):
        return change(value) if _eligible(value) else value
    if isinstance(value, (list, tuple)):
        return type(value)([_over(v, change) for v in value])
    return value


def _lower(x: Tensor) -> Tensor:
    return _cast(x, settings.get().dtype(x.array.device.type))


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
    wide = nd.float32 if any(t.array.dtype is nd.float32 for t in tensors) else settings.get().dtype(tensors[0].array.device.type)
    for t in tensors:
        if t.array.dtype not in (wide, settings.get().dtype(t.array.device.type)):
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
