"""PyTorch's `torch.cpu.amp`: `torch.amp` for devices of type "cpu"."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lamina_flatarray import DType
from lamina_tensor.precision import autocasting, functions_under_autocast, gradient_scaling

from ..absent_names import explained

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


class autocast(autocasting.autocast):
    """`torch.autocast("cpu", ...)`.

    Args:
        enabled, dtype, cache_enabled: as for `torch.autocast`.

    >>> with torch.cpu.amp.autocast(dtype=torch.bfloat16):
    ...     torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")
    (True, lamina.bfloat16)
    """

    def __init__(self, enabled: bool = True, dtype: DType | None = None, cache_enabled: bool = True) -> None:
        super().__init__("cpu", dtype, enabled, cache_enabled)


class GradScaler(gradient_scaling.GradScaler):
    """`torch.amp.GradScaler("cpu", ...)`.

    Args:
        init_scale, growth_factor, backoff_factor, growth_interval, enabled: as for `torch.amp.GradScaler`.

    >>> scaler = torch.cpu.amp.GradScaler(init_scale=8.0)
    >>> scaler.scale(torch.tensor(2.0))
    tensor(16.)
    """

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        super().__init__("cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


def custom_fwd(fwd: Any = None, *, cast_inputs: DType | None = None) -> Callable[..., Any]:
    """`torch.amp.custom_fwd` for devices of type "cpu".

    Args:
        fwd, cast_inputs: as for `torch.amp.custom_fwd`.

    Returns:
        The function, or a decorator for it.

    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     @torch.cpu.amp.custom_fwd
    ...     def forward(ctx, x):
    ...         return 2 * x
    ...
    ...     @staticmethod
    ...     @torch.cpu.amp.custom_bwd
    ...     def backward(ctx, g):
    ...         return 2 * g
    >>> Double.apply(torch.tensor([1.0, 2.0]))
    tensor([2., 4.])
    """
    return functions_under_autocast.custom_fwd(fwd, device_type="cpu", cast_inputs=cast_inputs)  # type: ignore[no-any-return]


def custom_bwd(bwd: Any = None) -> Callable[..., Any]:
    """`torch.amp.custom_bwd` for devices of type "cpu".

    Args:
        bwd: as for `torch.amp.custom_bwd`.

    Returns:
        The function, or a decorator for it.

    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     @torch.cpu.amp.custom_fwd
    ...     def forward(ctx, x):
    ...         return 2 * x
    ...
    ...     @staticmethod
    ...     @torch.cpu.amp.custom_bwd
    ...     def backward(ctx, g):
    ...         return 2 * g
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> Double.apply(x).sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """
    return functions_under_autocast.custom_bwd(bwd, device_type="cpu")  # type: ignore[no-any-return]


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
