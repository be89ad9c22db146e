"""PyTorch's `torch.nn.modules.transformer`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from lamina_nn.functional import gelu, relu
from lamina_nn.layers import (
    Dropout,
    LayerNorm,
    Linear,
    ModuleList,
    MultiheadAttention,
    Transformer,
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
)  # fmt: skip
from lamina_tensor import Tensor

from ...absent_names import explained

__all__ = [
    "Dropout", "LayerNorm", "Linear", "ModuleList", "MultiheadAttention", "Transformer", "TransformerDecoder",
    "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
]  # fmt: skip


def _get_activation_fn(activation: str) -> Callable[[Tensor], Tensor]:
    """The activation of a name, "relu" or "gelu"."""
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return relu if activation == "relu" else gelu


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
