"""Parameters and buffers whose shape is not known yet: they have a dtype and a device, and refuse to be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeGuard

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, UsageError
from lamina_tensor import Tensor, no_grad
from lamina_tensor.dispatch.torch_function import disabled_torch_function
from lamina_tensor.tensor_fields import TensorFields

from .parameter import Parameter

__all__ = ["UninitializedBuffer", "UninitializedParameter", "is_lazy"]

_array: Any = TensorFields.__dict__["array"]


class _Uninitialized:
    """Without items; its array, which has none, is read by nobody but `materialize`."""

    __slots__ = ()
    becomes: type[Tensor]
    requires_grad: bool

    @property
    def array(self) -> NoReturn:
        """Raises ValueError: there is none yet."""
        raise ArgumentValueError(
            f"Attempted to use an uninitialized {self.becomes.__name__.lower()}: it has no shape until the module that it "
            "belongs to is called for the first time. Call `forward` with a dummy batch before anything that reads it"
        )

    @array.setter
    def array(self, value: Any) -> None:
        _array.__set__(self, value)

    @property
    def data(self) -> Tensor:
        """A tensor without items, of its dtype and on its device, so that initialisers in place change nothing."""
        return Tensor(_array.__get__(self))

    @data.setter
    def data(self, value: Tensor) -> None:
        _array.__set__(self, value.array)

    @property
    def shape(self) -> NoReturn:
        """Raises RuntimeError: it is not known yet."""
        raise UsageError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` "
            "when trying to load an uninitialized parameter into an initialized module. Call `forward` to initialize the "
            "parameters before accessing their attributes."
        )

    @property
    def dtype(self) -> Any:
        """The dtype that it will have."""
        return _array.__get__(self).dtype

    @property
    def device(self) -> Any:
        """The device that it will be on."""
        return _array.__get__(self).device

    @property
    def is_leaf(self) -> bool:
        """Always."""
        return True

    def convert(self, fn: Callable[[Tensor], Tensor]) -> None:
        """Take the dtype and the device of what `fn` makes of a tensor that has its own."""
        _array.__set__(self, fn(Tensor(_array.__get__(self))).array)

    @no_grad()
    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Become an ordinary one of this shape, with items of no meaning, in its dtype and on its device unless others are
        given."""
        tensor = lt.empty(shape, device=device or self.device, dtype=dtype or self.dtype)
        _array.__set__(self, tensor.array)
        self.__class__ = self.becomes  # type: ignore[assignment]

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            kind: Any = type(self)
            memo[id(self)] = kind(requires_grad=self.requires_grad, device=self.device, dtype=self.dtype)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _remade, (type(self), self.requires_grad, str(self.device), self.dtype.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def _repr_html_(self) -> None:
        """Nothing: notebooks show the text."""


def _remade(kind: type[Any], requires_grad: bool, device: str, dtype: str) -> Any:
    """One of a kind, from what its pickle tells.

    Raises:
        TypeError: the kind is none of these.
    """
    if not (isinstance(kind, type) and issubclass(kind, _Uninitialized)):
        raise ArgumentTypeError(f"{kind!r} is no uninitialized parameter or buffer")
    constructor: Any = kind
    return constructor(requires_grad=requires_grad, device=device, dtype=dtype)


class UninitializedParameter(_Uninitialized, Parameter):  # type: ignore[misc]  # `array` is a property until it has items
    """Hold the place of a parameter until its shape is known: `materialize(shape)` makes it an ordinary one.

    Args:
        requires_grad: whether its gradient is computed.
        device, dtype: of the parameter to be.

    >>> weight = torch.nn.UninitializedParameter()
    >>> weight.materialize((2, 3))
    >>> weight.shape
    lamina.Size([2, 3])
    """

    __slots__ = ()
    becomes = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Any:
        result = Tensor.__new__(cls, nd.empty(0, device=device, dtype=dtype))
        result.requires_grad = requires_grad
        return result


class UninitializedBuffer(_Uninitialized, Tensor):  # type: ignore[misc]
    """Hold the place of a buffer until its shape is known: `materialize(shape)` makes it an ordinary one.

    Args:
        requires_grad: whether its gradient is computed.
        device, dtype: of the buffer to be.
        persistent: whether it is saved with its module.

    >>> mean = torch.nn.UninitializedBuffer()
    >>> mean.materialize((3,))
    >>> mean.shape
    lamina.Size([3])
    """

    __slots__ = ()
    __torch_function__ = disabled_torch_function  # type: ignore[assignment]
    becomes = Tensor

    def __new__(
        cls, requires_grad: bool = False, device: Any = None, dtype: Any = None, persistent: bool = True
    ) -> Any:
        result: Any = Tensor.__new__(cls, nd.empty(0, device=device, dtype=dtype))
        result.requires_grad = requires_grad
        result.persistent, result._is_buffer = persistent, True
        return result


def is_lazy(param: object) -> TypeGuard[_Uninitialized]:
    """Tell whether something is a parameter or a buffer without a shape.

    Args:
        param: anything.

    Returns:
        A bool.

    >>> torch.nn.parameter.is_lazy(torch.nn.LazyLinear(2).weight)
    True
    """
    return isinstance(param, _Uninitialized)
