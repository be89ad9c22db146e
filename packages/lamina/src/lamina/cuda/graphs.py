"""PyTorch's `torch.cuda.graphs`: its names, for annotations and for who asks; no kernels are recorded here."""

from typing import TYPE_CHECKING, Any

from ..absent_names import explained

__all__ = ["CUDAGraph", "graph", "graph_pool_handle", "is_current_stream_capturing", "make_graphed_callables"]


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
        raise _refused("CUDAGraph")


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
        raise _refused("graph")


def is_current_stream_capturing() -> bool:
    """Return whether kernels are being recorded: never, as none are here.

    Returns:
        False.

    >>> torch.cuda.is_current_stream_capturing()
    False
    """
    return False


def graph_pool_handle() -> tuple[int, int]:
    """Refuse to name memory for records of kernels, of which there are none.

    Returns:
        Never.

    Raises:
        RuntimeError: always.

    >>> torch.cuda.graph_pool_handle()
    Traceback (most recent call last):
    ...
    RuntimeError: torch.cuda.graph_pool_handle: kernels are launched one by one here; they are not captured to be launched again
    """
    raise _refused("graph_pool_handle")


def make_graphed_callables(
    callables: Any, sample_args: Any, num_warmup_iters: int = 3, allow_unused_input: bool = False, pool: Any = None
) -> Any:
    """Refuse to record the kernels of functions or modules; `torch.compile` repeats kernel calls without Python's work.

    Args:
        callables, sample_args, num_warmup_iters, allow_unused_input, pool: as in PyTorch.

    Returns:
        Never.

    Raises:
        RuntimeError: always.

    >>> torch.cuda.make_graphed_callables(torch.nn.Linear(2, 2), (torch.ones(1, 2),))
    Traceback (most recent call last):
    ...
    RuntimeError: torch.cuda.make_graphed_callables: kernels are launched one by one here; they are not captured to be launched again
    """
    raise _refused("make_graphed_callables")


def _refused(name: str) -> RuntimeError:
    return RuntimeError(f"torch.cuda.{name}: kernels are launched one by one here; they are not captured to be launched again")


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
