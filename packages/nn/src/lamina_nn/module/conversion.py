"""A module's parameters and buffers in another dtype, on another device, or in other memory."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, DType, UsageError
from lamina_flatarray import dtypes as dt
from lamina_tensor import Tensor, no_grad

from ..lazy_parameter import is_lazy

if TYPE_CHECKING:
    from ..parameter import Parameter
    from .module import Module

__all__ = ["Conversion"]


class Conversion:
    """Move or cast all that a Module holds, in place: a parameter stays the same object.

    >>> layer = torch.nn.Linear(2, 1)
    >>> weight = layer.weight
    >>> layer.double().weight is weight, weight.dtype
    (True, lamina.float64)
    """

    _buffers: dict[str, Tensor | None]
    if TYPE_CHECKING:  # what is read at run time must be known there
        _parameters: dict[str, Parameter | None]
        _modules: dict[str, Module | None]

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Replace the items of every parameter, of its gradient, and every buffer, by what `fn` makes of them."""
        if recurse:
            for module in self._modules.values():
                if module is not None:
                    module._apply(fn)
        with no_grad():
            for parameter in self._parameters.values():
                if parameter is None:
                    continue
                if is_lazy(parameter):
                    parameter.convert(fn)
                    continue
                parameter.array = fn(parameter).array
                if parameter._grad is not None:
                    requires_grad = parameter._grad.requires_grad
                    parameter._grad = fn(parameter._grad).requires_grad_(requires_grad)
            for name, buffer in self._buffers.items():
                if buffer is None:
                    continue
                if is_lazy(buffer):
                    buffer.convert(fn)
                else:
                    self._buffers[name] = fn(buffer)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Move parameters and buffers to a device, and cast floating-point and complex ones to a dtype, in place.

        There are four forms: ``to(device=None, dtype=None, non_blocking=False)``, ``to(dtype, non_blocking=False)``,
        ``to(tensor, non_blocking=False)`` for the device and dtype of a tensor, and ``to(memory_format=...)`` for
        tensors of 4 or 5 dims.

        Args:
            args, kwargs: the arguments of one of the forms.

        Returns:
            The module itself.

        Raises:
            ArgumentTypeError: the dtype is neither floating-point nor complex, or the arguments are none of these.

        >>> torch.nn.Linear(3, 2).to(torch.float64).weight.dtype
        lamina.float64
        """
        device, dtype, format = _destination(args, dict(kwargs))
        if dtype is not None:
            if not dtype.is_inexact:
                raise ArgumentTypeError(f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype!r}")
            if dtype.is_complex:
                warnings.warn(
                    "Complex modules are a new feature under active development whose design may change, and some modules "
                    "might not work as expected when using complex tensors as parameters or buffers.",
                    stacklevel=2,
                )

        def convert(t: Tensor) -> Tensor:
            options: dict[str, Any] = {"dtype": dtype} if t.dtype.is_inexact else {}
            if format is not None and t.ndim in (4, 5):
                options["memory_format"] = format
            return t.to(device=device, **options)

        return self._apply(convert)

    def type(self, dst_type: Any) -> Self:
        """Cast all parameters and buffers to a dtype.

        Args:
            dst_type: the dtype, or its name as in `Tensor.type`.

        Returns:
            The module itself.

        >>> torch.nn.Linear(3, 2).type(torch.float64).weight.dtype
        lamina.float64
        """
        return self._apply(lambda t: t.type(dst_type))

    def _floating(self, dtype: DType) -> Self:
        return self._apply(lambda t: t.to(dtype) if t.dtype.is_floating_point else t)

    def float(self) -> Self:
        """Cast floating-point parameters and buffers to float32.

        Returns:
            The module itself.

        >>> torch.nn.Linear(3, 2).float().weight.dtype
        lamina.float32
        """
        return self._floating(dt.float32)

    def double(self) -> Self:
        """Cast floating-point parameters and buffers to float64.

        Returns:
            The module itself.

        >>> torch.nn.Linear(3, 2).double().weight.dtype
        lamina.float64
        """
        return self._floating(dt.float64)

    def half(self) -> Self:
        """Cast floating-point parameters and buffers to float16.

        Returns:
            The module itself.

        >>> torch.nn.Linear(3, 2).half().weight.dtype
        lamina.float16
        """
        return self._floating(dt.float16)

    def bfloat16(self) -> Self:
        """Cast floating-point parameters and buffers to bfloat16.

        Returns:
            The module itself.

        >>> torch.nn.Linear(3, 2).bfloat16().weight.dtype
        lamina.bfloat16
        """
        return self._floating(dt.bfloat16)

    def cpu(self) -> Self:
        """Move parameters and buffers to host memory.

        Returns:
            The module itself.

        >>> torch.nn.Linear(3, 2).cpu().weight.device.type
        'cpu'
        """
        return self._apply(lambda t: t.cpu())

    def cuda(self, device: Any = None) -> Self:
        """Move parameters and buffers to a CUDA device.

        Args:
            device: which; the current one by default.

        Returns:
            The module itself.

        Raises:
            DeviceError: there is none.

        >>> model = torch.nn.Linear(3, 2)
        >>> if torch.cuda.is_available():
        ...     model = model.cuda()
        """
        return self._apply(lambda t: t.cuda(device))

    def to_empty(self, *, device: Any, recurse: bool = True) -> Self:
        """Move parameters and buffers to a device without copying: their values are undefined.

        Args:
            device: the device.
            recurse: whether those of submodules are moved, too.

        Returns:
            The module itself.

        >>> torch.nn.Linear(3, 2).to_empty(device="cpu").weight.shape
        lamina.Size([2, 3])
        """
        return self._apply(lambda t: lt.empty_like(t, device=device), recurse=recurse)

    def share_memory(self) -> Self:
        """Move parameters and buffers to memory that processes share; see `Tensor.share_memory_`.

        Returns:
            The module itself.

        Raises:
            UsageError: one has no shape yet.

        >>> torch.nn.Linear(3, 2).share_memory().weight.is_shared()
        True
        """
        module: Any = self
        for kind, named in (("parameter", module.named_parameters()), ("buffer", module.named_buffers())):
            for name, value in named:
                if is_lazy(value):
                    raise UsageError(f"Can't share memory on an uninitialized {kind}, {name}. Call `forward` with a dummy batch before")
        return self._apply(lambda t: t.share_memory_())


def _destination(args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, DType | None, Any]:
    """Device, dtype and memory format of the arguments of `to`."""
    names: tuple[str, ...] = ("device", "dtype", "non_blocking")
    if args and isinstance(args[0], DType):
        names = ("dtype", "non_blocking")
    elif args and isinstance(args[0], Tensor):
        names = ("tensor", "non_blocking")
    if len(args) > len(names) or any(name in named for name in names[: len(args)]):
        raise ArgumentTypeError(f"to() received an invalid combination of arguments: {len(args)} by place, {sorted(named)} by name")
    named |= dict(zip(names, args, strict=False))
    named.pop("non_blocking", None)
    like, device, dtype, format = (named.pop(k, None) for k in ("tensor", "device", "dtype", "memory_format"))
    if named or not isinstance(dtype, DType | None):
        raise ArgumentTypeError(f"to() received an invalid combination of arguments: {sorted(named)}, dtype {dtype!r}")
    return (like.device, like.dtype, format) if like is not None else (device, dtype, format)
