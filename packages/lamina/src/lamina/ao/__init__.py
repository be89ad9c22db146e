"""PyTorch's `torch.ao`: of its tools for quantized models, the marks that published models carry."""

from typing import TYPE_CHECKING

from ..absent_names import explained

__all__ = ["quantization"]

if TYPE_CHECKING:
    from . import quantization
else:
    __getattr__, __dir__ = explained(__name__, __all__)
