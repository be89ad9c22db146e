"""PyTorch's private `torch._tensor_str`: how tensors are printed."""

from typing import TYPE_CHECKING, Any

from lamina_ndarray import (
    get_printoptions,
    inf,
    printing,
    set_printoptions,
)  # fmt: skip
from lamina_tensor import Tensor

from .absent_names import explained

__all__ = [
    "PRINT_OPTS", "get_printoptions", "inf", "printing", "set_printoptions",
]  # fmt: skip


class _Options:
    """The settings of `torch.set_printoptions`, as they are at the time."""

    def __getattr__(self, name: str) -> Any:
        return getattr(printing._options, name)


PRINT_OPTS = _Options()


def _tensor_str(self: Tensor, indent: int) -> str:
    """The items of a tensor as they are printed, with the second line and further ones indented."""
    return printing.format_items(self.detach().numpy(force=True), indent=indent)


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
