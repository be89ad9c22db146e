"""New tensors in the dtype and on the device of one that is there: `x.new_zeros(...)` and its kin."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from ..functions import creation
from ..tensor_fields import tensor_of
from .tensor_types import constructed

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["METHODS"]


def _new_of_its_kind(self: Tensor, *data: Any, device: Any = None) -> Tensor:
    """As `Tensor(...)`, in this tensor's dtype and on its device."""
    return tensor_of(constructed(data, self.array.dtype, self.array.device if device is None else device))


def _new(make: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """As the function of this name, but with the tensor's own dtype and device where none are given."""

    def method(self: Tensor, *args: Any, dtype: Any = None, device: Any = None, **more: Any) -> Tensor:
        return make(*args, dtype=dtype or self.dtype, device=device or self.device, **more)

    method.__name__, method.__doc__ = f"new_{make.__name__}", _new.__doc__
    return method


METHODS: Final[dict[str, Any]] = {
    "new": _new_of_its_kind,
    "new_empty": _new(creation.empty),
    "new_empty_strided": _new(creation.empty_strided),
    "new_full": _new(creation.full),
    "new_ones": _new(creation.ones),
    "new_tensor": _new(creation.tensor),
    "new_zeros": _new(creation.zeros),
}
