"""Single layers of Transformers: attention and a feedforward network, each with a residual connection and a norm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamina_flatarray import ShapeError
from lamina_tensor import Tensor

from ... import functional as F
from ...functional.activations import gelu, relu
from ...module import Module
from ..activation import GELU, ReLU
from ..linear import Linear
from ..normalizations.dropout import Dropout
from ..normalizations.others import LayerNorm
from .heads import MultiheadAttention

__all__ = ["TransformerDecoderLayer", "TransformerEncoderLayer"]

Activation = str | Callable[[Tensor], Tensor]


def _activation(given: Activation) -> Callable[[Tensor], Tensor]:
    """The function itself, or the one of this name.

    Raises:
        RuntimeError: the name is neither "relu" nor "gelu".
    """
    if not isinstance(given, str):
        return given
    if given not in ("relu", "gelu"):
        raise ShapeError(f"activation should be relu/gelu, not {given}")
    found: Callable[[Tensor], Tensor] = getattr(F, given)
    return found


class TransformerEncoderLayer(Module):
    """Self-attention, then a feedforward network.

    Args:
        d_model: the features that come in and go out.
        nhead: the heads of attention.
        dim_feedforward: the features within the feedforward network.
        dropout: with what probability, in training, weights of attention and items behind each part are zeroed.
        activation: within the feedforward network: "relu", "gelu" or a function.
        layer_norm_eps: see `LayerNorm`.
        batch_first: (batch, length, features) in the place of (length, batch, features).
        norm_first: whether norms stand before the parts, not behind the residual connections.
        bias: whether products and norms have biases.
        device, dtype: of the parameters.

    Raises:
        RuntimeError: the activation has an unknown name.
    """

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: Activation = F.relu, layer_norm_eps: float = 1e-5, batch_first: bool = False,
        norm_first: bool = False, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        made = {"bias": bias, "device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **made)
        self.linear1 = Linear(d_model, dim_feedforward, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **made)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **made)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = _activation(activation)

    @property
    def activation_relu_or_gelu(self) -> int:
        """1 for relu, 2 for gelu, 0 for another activation."""
        function = self.activation
        if function is relu or isinstance(function, ReLU):
            return 1
        return 2 if function is gelu or isinstance(function, GELU) else 0

    def forward(
        self, src: Tensor, src_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        """(length, batch, d_model), with `batch_first` (batch, length, d_model), or without a batch, to the same.

        Args:
            src: the sequence.
            src_mask, src_key_padding_mask, is_causal: see `functional.multi_head_attention_forward`.
        """
        if self.norm_first:
            x = src + self._attended(self.norm1(src), src_mask, src_key_padding_mask, is_causal)
            return x + self._fed_forward(self.norm2(x))
        x = self.norm1(src + self._attended(src, src_mask, src_key_padding_mask, is_causal))
        found: Tensor = self.norm2(x + self._fed_forward(x))
        return found

    def _attended(self, x: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool) -> Tensor:
        found: Tensor = self.dropout1(self.self_attn(
            x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False, is_causal=is_causal)[0])  # fmt: skip
        return found

    def _fed_forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))
        return found


class TransformerDecoderLayer(Module):
    """Self-attention, attention to what the encoder made, then a feedforward network. For the arguments see
    `TransformerEncoderLayer`."""

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: Activation = F.relu, layer_norm_eps: float = 1e-5, batch_first: bool = False,
        norm_first: bool = False, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        made = {"bias": bias, "device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **made)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **made)
        self.linear1 = Linear(d_model, dim_feedforward, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **made)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **made)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, **made)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _activation(activation)

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False, memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        """(length, batch, d_model), with `batch_first` (batch, length, d_model), or without a batch, to the same.

        Args:
            tgt: the sequence.
            memory: what the encoder made.
            tgt_mask, tgt_key_padding_mask, tgt_is_causal: of self-attention.
            memory_mask, memory_key_padding_mask, memory_is_causal: of attention to the memory.
        """
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory, memory_mask, memory_key_padding_mask, memory_is_causal)
        if self.norm_first:
            x = tgt + self._attended(self.norm1(tgt), *own)
            x = x + self._remembered(self.norm2(x), *other)
            return x + self._fed_forward(self.norm3(x))
        x = self.norm1(tgt + self._attended(tgt, *own))
        x = self.norm2(x + self._remembered(x, *other))
        found: Tensor = self.norm3(x + self._fed_forward(x))
        return found

    def _attended(self, x: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool) -> Tensor:
        found: Tensor = self.dropout1(self.self_attn(
            x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False, is_causal=is_causal)[0])  # fmt: skip
        return found

    def _remembered(
        self, x: Tensor, memory: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool
    ) -> Tensor:
        found: Tensor = self.dropout2(self.multihead_attn(
            x, memory, memory, attn_mask=mask, key_padding_mask=padding, need_weights=False, is_causal=is_causal)[0])  # fmt: skip
        return found

    def _fed_forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))
        return found
