"""PyTorch's `torch.cuda.graphs`: its classes, for annotations; no kernels are recorded here."""

from typing import TYPE_CHECKING, Any

from ..absent_names import explained

__all__ = ["CUDAGraph", "graph"]


class CUDAGraph:
    """PyTorch's record of kernels to be launched again, for annotations: none can be made here.

    Args:
        keep_graph: as in PyTorch.

    Raises:
        RuntimeError: whenever one is to be made.

    >>> torch.cuda.CUDAGraph()
    Traceback (most recent call last):
    ...
    RuntimeError: torch.cuda.CUDAGraph: kernels are launched one by one here; they are not captured to be launched again
    """

    def __init__(self, keep_graph: bool = False) -> None:
        raise RuntimeError("torch.cuda.CUDAGraph: kernels are launched one by one here; they are not captured to be launched again")


class graph:
    """PyTorch's context in which kernels are recorded, for annotations: none can be made here.

    Args:
        cuda_graph, pool, stream, capture_error_mode, enable_annotations, check_input_liveness: as in PyTorch.

    Raises:
        RuntimeError: whenever one is to be made.

    >>> torch.cuda.graph(None)
    Traceback (most recent call last):
    ...
    RuntimeError: torch.cuda.graph: kernels are launched one by one here; they are not captured to be launched again
    """

    def __init__(
        self, cuda_graph: CUDAGraph, pool: Any = None, stream: Any = None, capture_error_mode: str = "global",
        enable_annotations: bool = False, check_input_liveness: bool = False,
    ) -> None:  # fmt: skip
        raise RuntimeError("torch.cuda.graph: kernels are launched one by one here; they are not captured to be launched again")


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
