"""The compute backends, as `lamina_flatarray.backends`; and the switches of PyTorch's `torch.backends`, beside them."""

from typing import TYPE_CHECKING

from lamina_flatarray.backends import (
    BackendStatus,
    Explanation,
    FallbackCount,
    backend,
    backend_for,
    capabilities,
    explain,
    fallback_policy,
    fallbacks,
    get_default_device,
    get_fallback_policy,
    kernels,
    names,
    on_device,
    override,
    register,
    reset_fallbacks,
    set_default_backend,
    set_default_device,
    set_fallback_policy,
    status,
    unregister,
    use_backend,
)  # fmt: skip

from ..absent_names import explained

__all__ = [
    "BackendStatus", "Explanation", "FallbackCount", "backend", "backend_for", "capabilities", "cpu", "cuda", "cudnn",
    "explain", "fallback_policy", "fallbacks", "get_default_device", "get_fallback_policy", "kernels", "mkldnn", "mps",
    "names", "on_device", "openmp", "override", "register", "reset_fallbacks", "set_default_backend", "set_default_device",
    "set_fallback_policy", "status", "unregister", "use_backend",
]  # fmt: skip

if TYPE_CHECKING:
    from . import cpu, cuda, cudnn, mkldnn, mps, openmp
else:
    __getattr__, __dir__ = explained(__name__, __all__)
