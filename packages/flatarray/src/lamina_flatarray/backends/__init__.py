"""All that programs ask or tell about backends, under one name."""

from .capability import Explanation, capabilities, explain
from .choice import get_default_device, on_device, set_default_backend, set_default_device, use_backend
from .fallback import (
    FallbackCount,
    fallback_policy,
    fallbacks,
    get_fallback_policy,
    reset_fallbacks,
    set_fallback_policy,
)
from .override import override
from .registry import backend, backend_for, kernels, names, register, status, unregister
from .status import BackendStatus

__all__ = [
    "BackendStatus",
    "Explanation",
    "FallbackCount",
    "backend",
    "backend_for",
    "capabilities",
    "explain",
    "fallback_policy",
    "fallbacks",
    "get_default_device",
    "get_fallback_policy",
    "kernels",
    "names",
    "on_device",
    "override",
    "register",
    "reset_fallbacks",
    "set_default_backend",
    "set_default_device",
    "set_fallback_policy",
    "status",
    "unregister",
    "use_backend",
]
