"""PyTorch's `torch.backends.cpu`."""

from typing import TYPE_CHECKING

from lamina_flatarray import backends

from ..absent_names import explained

__all__ = ["get_cpu_capability"]


def get_cpu_capability() -> str:
    """Tell which vector instructions the kernels of the CPU's backend use.

    Returns:
        "AVX2" or "AVX512", or "DEFAULT", PyTorch's name for none.

    >>> torch.backends.cpu.get_cpu_capability() in ("DEFAULT", "AVX2", "AVX512")
    True
    """
    return backends.backend_for("cpu").device_properties(0).vector_instructions or "DEFAULT"


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
