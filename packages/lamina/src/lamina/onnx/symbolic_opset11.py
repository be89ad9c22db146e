"""PyTorch's `torch.onnx.symbolic_opset11`, which packages import for functions that its exporter alone would call."""

from typing import TYPE_CHECKING

from ..absent_names import explained

__all__: list[str] = []

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
