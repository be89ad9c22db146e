"""Parameter and Buffer: tensors that a module trains, and tensors that it only keeps."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Self, cast

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import disabled_torch_function
from lamina_tensor.tensor_fields import alike, tensor_of

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
    """Make a tensor a parameter: a leaf that requires a gradient, and belongs to the module whose attribute it is.

    Args:
        data: the values, whose memory is shared; by default there are none. A tensor of a derived class keeps its
            class.
        requires_grad: whether its gradient is computed.

    >>> torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    Parameter containing:
    tensor([1., 2.], requires_grad=True)
    """

    __slots__ = ()
    __torch_function__ = disabled_torch_function  # type: ignore[assignment]  # what is computed with a parameter is no parameter
    mark = "_is_param"

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Self:
        if data is not None and not isinstance(data, Tensor):
            raise ArgumentTypeError(f"Parameter(): argument 'data' must be Tensor, not {type(data).__name__}")
        if data is not None and type(data) is not Tensor and type(data) is not Parameter:
            marked: Any = alike(type(data), Tensor(data.array), False).requires_grad_(requires_grad)
            marked._is_param = True
            return cast(Self, marked)
        result: Self = super().__new__(cls, nd.empty(0) if data is None else data.array)
        result.requires_grad_(requires_grad)
        return result

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Copy the items alone, to memory of their own, and attributes; the gradient is left behind, as in PyTorch."""
        result = alike(type(self), tensor_of(nd.copy(self.array)), self.requires_grad)
        memo[id(self)] = result
        result.__dict__.update(deepcopy(self.__dict__, memo))
        return result

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()


class Buffer(Tensor, metaclass=_Marked):
    """Make a tensor a buffer of the module whose attribute it is: it is moved and saved with the module, and not
    trained.

    Args:
        data: the values, whose memory is shared; by default there are none.
        persistent: whether it is saved with the module.

    >>> module = torch.nn.Module()
    >>> module.mean = torch.nn.Buffer(torch.zeros(2))
    >>> list(module.state_dict())
    ['mean']
    """

    __slots__ = ()
    __torch_function__ = disabled_torch_function  # type: ignore[assignment]
    mark = "_is_buffer"
    persistent: bool

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Self:
        buffer: Any = alike(Tensor, Tensor(nd.empty(0) if data is None else data.array), data is not None and data.requires_grad)
        buffer.persistent = persistent
        buffer._is_buffer = True
        return cast(Self, buffer)
