"""PyTorch's `torch.__config__`: what computes here, in words."""

from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from lamina_flatarray import backends
from lamina_flatarray.threads import get_num_threads

from .absent_names import explained

__all__ = ["parallel_info", "show"]


def show() -> str:
    """Tell what is installed and computes.

    Returns:
        A text of several lines.

    >>> print(torch.__config__.show().splitlines()[0].split()[0])
    lamina
    """
    statuses = [f"  - backend {known.name} for {known.device_type}: {known.state}" for known in backends.status()]
    return "\n".join([f"lamina {version('lamina')} with:", f"  - NumPy {np.__version__}", *statuses, "  - Build settings: USE_MKL=OFF\n"])


def parallel_info() -> str:
    """Tell how many threads compute.

    Returns:
        A text of one line.

    >>> torch.__config__.parallel_info() == f"threads: {torch.get_num_threads()}\\n"
    True
    """
    return f"threads: {get_num_threads()}\n"


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
