"""PyTorch's `torch.cuda.amp`: `torch.amp` for devices of type "cuda"."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lamina_flatarray import DType
from lamina_tensor.precision import autocasting, functions_under_autocast, gradient_scaling

from ..absent_names import explained

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


class autocast(autocasting.autocast):
    """`torch.autocast("cuda", ...)`.

    Args:
        enabled, dtype, cache_enabled: as for `torch.autocast`.

    >>> with torch.cuda.amp.autocast(dtype=torch.bfloat16):
    ...     torch.is_autocast_enabled("cuda"), torch.get_autocast_dtype("cuda")
    (True, lamina.bfloat16)
    """

    def __init__(self, enabled: bool = True, dtype: DType | None = None, cache_enabled: bool = True) -> None:
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(gradient_scaling.GradScaler):
    """`torch.amp.GradScaler("cuda", ...)`.

    Args:
        init_scale, growth_factor, backoff_factor, growth_interval, enabled: as for `torch.amp.GradScaler`.

    >>> scaler = torch.cuda.amp.GradScaler(init_scale=8.0, enabled=False)
    >>> scaler.scale(torch.tensor(2.0))  # not scaled, as it is not enabled
    tensor(2.)
    """

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


def custom_fwd(fwd: Any = None, *, cast_inputs: DType | None = None) -> Callable[..., Any]:
    """`torch.amp.custom_fwd` for devices of type "cuda".

    Args:
        fwd, cast_inputs: as for `torch.amp.custom_fwd`.

    Returns:
        The function, or a decorator for it.

    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     @torch.cuda.amp.custom_fwd
    ...     def forward(ctx, x):
    ...         return 2 * x
    ...
    ...     @staticmethod
    ...     @torch.cuda.amp.custom_bwd
    ...     def backward(ctx, g):
    ...         return 2 * g
    >>> Double.apply(torch.tensor([1.0, 2.0]))
    tensor([2., 4.])
    """
    return functions_under_autocast.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)  # type: ignore[no-any-return]


def custom_bwd(bwd: Any = None) -> Callable[..., Any]:
    """`torch.amp.custom_bwd` for devices of type "cuda".

    Args:
        bwd: as for `torch.amp.custom_bwd`.

    Returns:
        The function, or a decorator for it.

    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     @torch.cuda.amp.custom_fwd
    ...     def forward(ctx, x):
    ...         return 2 * x
    ...
    ...     @staticmethod
    ...     @torch.cuda.amp.custom_bwd
    ...     def backward(ctx, g):
    ...         return 2 * g
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> Double.apply(x).sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """
    return functions_under_autocast.custom_bwd(bwd, device_type="cuda")  # type: ignore[no-any-return]


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
