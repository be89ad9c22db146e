"""PyTorch's private `torch._C`, its compiled part: the little of it that published packages call without being PyTorch's own."""

from contextlib import AbstractContextManager, nullcontext
from enum import Enum
from typing import TYPE_CHECKING, Any

from lamina_flatarray import (
    Device,
    OutOfMemoryError,
    finfo,
    get_default_dtype,
    iinfo,
)  # fmt: skip
from lamina_flatarray.modes import NO_OVERRIDES, switched
from lamina_tensor import (
    Size,
    Tensor,
    is_grad_enabled,
    is_inference_mode_enabled,
    layout,
    memory_format,
)  # fmt: skip
from lamina_tensor.dispatch.torch_function import disabled_torch_function
from lamina_tensor.precision.casts import settings, uncast

from .absent_names import explained

__all__ = [
    "Device", "DisableTorchFunctionSubclass", "DispatchKey", "DispatchKeySet", "OutOfMemoryError", "PyTorchFileReader",
    "Size", "Tensor", "finfo", "get_default_dtype", "iinfo", "is_grad_enabled", "is_inference_mode_enabled", "layout",
    "memory_format",
]  # fmt: skip

_TensorMeta = type(Tensor)
_disabled_torch_function_impl = disabled_torch_function


class DisableTorchFunctionSubclass(switched):
    """A context in which derived classes of tensors are taken for plain ones.

    >>> with torch._C.DisableTorchFunctionSubclass():
    ...     x = torch.ones(2) + 1
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(NO_OVERRIDES, True)


class PyTorchFileReader:
    """PyTorch's class of archives of a file, for annotations: files are read with `torch.load`.

    Args:
        name: the file.

    >>> torch.PyTorchFileReader("model.pt")
    Traceback (most recent call last):
    ...
    NotImplementedError: torch.PyTorchFileReader: files are read with torch.load; mmap=True reads their parts when they are looked at
    """

    def __init__(self, name: object) -> None:
        raise NotImplementedError(
            "torch.PyTorchFileReader: files are read with torch.load; mmap=True reads their parts when they are looked at"
        )


class DispatchKey(Enum):
    """PyTorch's names of what an op may be intercepted by: those of autocast.

    >>> torch._C.DispatchKey.AutocastCPU.name
    'AutocastCPU'
    """

    AutocastCPU = "cpu"
    AutocastCUDA = "cuda"
    AutocastMPS = "mps"
    AutocastXPU = "xpu"


class DispatchKeySet:
    """A set of keys.

    Args:
        keys: its keys.

    >>> keys = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCPU)
    >>> keys.has(torch._C.DispatchKey.AutocastCUDA)
    False
    """

    def __init__(self, *keys: DispatchKey) -> None:
        self._keys = frozenset(keys)

    def has(self, k: DispatchKey) -> bool:
        """Tell whether a key is in the set.

        Args:
            k: the key.

        Returns:
            A bool.
        """
        return k in self._keys

    def __or__(self, other: "DispatchKeySet") -> "DispatchKeySet":
        return DispatchKeySet(*self._keys, *other._keys)


def _ExcludeDispatchKeyGuard(keys: DispatchKeySet) -> AbstractContextManager[Any]:
    """A context without autocast, if the keys are of autocast for a device type for which it is on."""
    return uncast() if settings.get().on & {key.value for key in keys._keys} else nullcontext()


class _nn:
    """PyTorch's functions for modules."""

    @staticmethod
    def _parse_to(*args: Any, **kwargs: Any) -> tuple[Any, Any, bool, Any]:
        """What the arguments of `Module.to` say: the device, the dtype, whether to wait, and the order of dims in memory."""
        from lamina_nn.module.conversion import (
            _destination,  # no name of PyTorch's, which the lists above would take it for
        )

        device, dtype, order = _destination(args, dict(kwargs))
        return None if device is None else Device(device), dtype, bool(kwargs.get("non_blocking")), order


def _get_tracing_state() -> None:
    """None: nothing is traced."""



def _log_api_usage_once(event: str) -> None:
    """Tell nobody that something is used, as PyTorch does where no logger is set."""


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
