"""PyTorch's module path `torch.nn.utils.stateless`, kept for programs that import it."""

from typing import TYPE_CHECKING, Any

from lamina_nn import Module
from lamina_nn import stateless as functions
from lamina_tensor import Tensor

from ...absent_names import explained

__all__ = ["functional_call"]


def functional_call(
    module: Module, parameters_and_buffers: dict[str, Tensor], args: Any = None, kwargs: dict[str, Any] | None = None, *,
    tie_weights: bool = True, strict: bool = False,
) -> Any:  # fmt: skip
    """Call a module with other parameters and buffers than its own, which do not change; see `torch.func.functional_call`.

    Args:
        module: the module.
        parameters_and_buffers: a mapping from paths to tensors.
        args: the argument, or a tuple of arguments.
        kwargs: keyword arguments.
        tie_weights: whether a tensor given for one path also replaces the parameter at its other paths.
        strict: whether every parameter and buffer must be given.

    Returns:
        What the module returns.

    Raises:
        UsageError: there is no parameter or buffer at a path; or with `strict`, one is missing.

    >>> from lamina.nn.utils.stateless import functional_call
    >>> layer = torch.nn.Linear(2, 1, bias=False)
    >>> functional_call(layer, {"weight": torch.tensor([[1.0, 2.0]])}, torch.tensor([3.0, 4.0]))
    tensor([11.])
    """
    return functions.functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
