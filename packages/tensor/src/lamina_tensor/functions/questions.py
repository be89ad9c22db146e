"""What can be asked of tensors: their kind, their number of items, the dtype of two together."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, Final, TypeGuard, overload

from lamina_flatarray import ArgumentTypeError, promotion

from ..autograd.recording import array_of
from ..dispatch.torch_function import torch_function
from ..tensor_fields import AnyTensor

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ..tensor_class import Tensor
    from ..tensor_fields import Number

__all__ = [
    "get_device", "is_complex", "is_conj", "is_floating_point", "is_inference", "is_neg", "is_nonzero", "is_same_size", "is_signed",
    "is_tensor", "numel", "result_type", "typename",
]  # fmt: skip


def is_tensor(obj: object) -> TypeGuard[Tensor]:
    """Tell whether an object is a tensor.

    Args:
        obj: any object.

    Returns:
        Whether it is one.

    >>> torch.is_tensor(torch.ones(2)), torch.is_tensor(1.0)
    (True, False)
    """
    return isinstance(obj, AnyTensor)


def typename(obj: object) -> str:
    """Return the name of an object's type, with its module; of a tensor, its legacy type, as `type()` gives it.

    Args:
        obj: any object; of a class or a function, it is the name of that itself.

    Returns:
        The name, without a module if that is `builtins`.

    >>> torch.typename(torch.ones(2)), torch.typename(3), torch.typename(torch.nn.Linear)
    ('torch.FloatTensor', 'int', 'lamina_nn.layers.linear.Linear')
    """
    if isinstance(obj, AnyTensor):
        return obj.type()
    named: Any = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(named, "__module__", None)
    return named.__qualname__ if module in (None, "builtins") else f"{module}.{named.__qualname__}"


@torch_function
def numel(input: Tensor) -> int:
    """Return the number of items.

    Args:
        input: the tensor.

    Returns:
        The product of its lengths.

    >>> torch.numel(torch.ones(2, 3))
    6
    """
    return input.array.layout.size


@torch_function
def is_floating_point(input: Tensor) -> bool:
    """Tell whether the items are floating-point numbers.

    Args:
        input: the tensor.

    Returns:
        Whether they are.

    >>> torch.is_floating_point(torch.ones(2)), torch.is_floating_point(torch.tensor(1))
    (True, False)
    """
    return input.array.dtype.is_floating_point


@torch_function
def is_complex(input: Tensor) -> bool:
    """Tell whether the items are complex numbers.

    Args:
        input: the tensor.

    Returns:
        Whether they are.

    >>> torch.is_complex(torch.tensor(1j)), torch.is_complex(torch.tensor(1.0))
    (True, False)
    """
    return input.array.dtype.is_complex


@torch_function
def is_signed(input: Tensor) -> bool:
    """Tell whether the dtype has negative numbers.

    Args:
        input: the tensor.

    Returns:
        Whether it has.

    >>> torch.is_signed(torch.tensor(1)), torch.is_signed(torch.tensor(True))
    (True, False)
    """
    return input.array.dtype.kind not in "ub"


@torch_function
def is_nonzero(input: Tensor) -> bool:
    """Tell whether the only item is not zero.

    Args:
        input: a tensor of one item.

    Returns:
        Whether it is not.

    Raises:
        ShapeError: there are no items, or several.

    >>> torch.is_nonzero(torch.tensor([2.0])), torch.is_nonzero(torch.tensor(False))
    (True, False)
    """
    return bool(input.array)


@torch_function
def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Tell whether two tensors have one shape.

    Args:
        input: one of them.
        other: the other.

    Returns:
        Whether their shapes are equal.

    >>> torch.is_same_size(torch.ones(2, 1), torch.ones(1, 2))
    False
    """
    return input.array.layout.shape == other.array.layout.shape


@torch_function
def is_conj(input: Tensor) -> bool:
    """Tell whether a conjugation is put off, which it never is here.

    Args:
        input: the tensor.

    Returns:
        False.

    >>> torch.is_conj(torch.tensor(1j))
    False
    """
    return False


@torch_function
def is_neg(input: Tensor) -> bool:
    """Tell whether a negation is put off, which it never is here.

    Args:
        input: the tensor.

    Returns:
        False.

    >>> torch.is_neg(torch.tensor(1.0))
    False
    """
    return False


@torch_function
def is_inference(input: Tensor) -> bool:
    """Tell whether a tensor can never take part in recording; here all can.

    Args:
        input: the tensor.

    Returns:
        False.

    >>> torch.is_inference(torch.tensor(1.0))
    False
    """
    return False


@torch_function
def get_device(input: Tensor) -> int:
    """Return the number of the device that a tensor is on.

    Args:
        input: the tensor.

    Returns:
        The number; -1 on the CPU.

    >>> torch.get_device(torch.ones(2))
    -1
    """
    device = input.array.device
    return -1 if device.type == "cpu" else device.index or 0


_OPERANDS: Final = (("tensor", "other"), ("scalar", "tensor"), ("scalar1", "scalar2"))


@overload
def result_type(tensor: Tensor | Number, other: Tensor | Number) -> DType: ...
@overload
def result_type(scalar: Number, tensor: Tensor) -> DType: ...
@overload
def result_type(scalar1: Number, scalar2: Number) -> DType: ...
@torch_function
def result_type(*operands: Tensor | Number, other: Tensor | Number | None = None, **named: Tensor | Number) -> DType:
    """Return the dtype that two operands have together.

    Args:
        operands, other, named: two, each a tensor or a number; by name `tensor` and `other`, `scalar` and `tensor`, or `scalar1` and
            `scalar2`.

    Returns:
        The dtype. Of kinds (boolean, integer, floating-point, complex) the highest counts; within a kind, tensors with dims count
        before those without, and these before numbers.

    Raises:
        ArgumentTypeError: there are not two operands, or they have other names.

    >>> torch.result_type(torch.tensor([1, 2]), 1.0)
    lamina.float32
    """
    if other is not None:
        named["other"] = other
    both = (*operands, *named.values())
    if len(both) != 2 or (named and not any(set(names[len(operands) :]) == named.keys() for names in _OPERANDS)):
        forms = ", or ".join(" and ".join(names) for names in _OPERANDS)
        raise ArgumentTypeError(f"result_type(): expected {forms}, but got {len(operands)} arguments and {list(named)}")
    for x in both:
        if not isinstance(x, (AnyTensor, numbers.Number)):
            raise ArgumentTypeError(f"result_type(): a Tensor or a number wanted, not {type(x).__name__}")
    return promotion.result_type(*map(array_of, both))
