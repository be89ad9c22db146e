"""Parameter and Buffer: tensors that a module trains, and tensors that it only keeps."""

from __future__ import annotations

from typing import Any

import lamina_ndarray as nd
from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import disabled_torch_function
from lamina_tensor.tensor_fields import alike

__all__ = ["Buffer", "Parameter"]


class _Marked(type):
    """A class to which a tensor of another class belongs where it is marked so."""

    mark: str

    def __instancecheck__(cls, instance: Any) -> bool:
        return type.__instancecheck__(cls, instance) or (
            isinstance(instance, Tensor) and cls.__dict__.get("mark", "") in instance.__dict__
        )


class _ParameterMeta(_Marked):
    pass


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A leaf that asks for gradients; as an attribute of a Module it is one of its parameters.

    Args:
        data: its items, shared; by default there are none. A tensor of a derived class stays of that class.
        requires_grad: whether gradients are wanted.
    """

    __slots__ = ()
    __torch_function__ = disabled_torch_function  # type: ignore[assignment]  # what is computed with a parameter is no parameter
    mark = "_is_param"

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Any:
        if data is not None and type(data) is not Tensor and type(data) is not Parameter:
            made = alike(type(data), Tensor(data.array), False).requires_grad_(requires_grad)
            made._is_param = True
            return made
        made = super().__new__(cls, nd.empty(0) if data is None else data.array)
        made.requires_grad_(requires_grad)
        return made

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()


class Buffer(Tensor, metaclass=_Marked):
    """A tensor that, as an attribute of a Module, is one of its buffers. It is a plain tensor with a mark.

    Args:
        data: its items, shared; by default there are none.
        persistent: whether it is saved with the module.
    """

    __slots__ = ()
    __torch_function__ = disabled_torch_function  # type: ignore[assignment]
    mark = "_is_buffer"

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Any:
        made = alike(Tensor, Tensor(nd.empty(0) if data is None else data.array), data is not None and data.requires_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made
