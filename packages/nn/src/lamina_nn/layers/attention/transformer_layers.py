"""Single layers of Transformers: attention and a feedforward network, each with a residual connection and a norm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamina_flatarray import ShapeError
from lamina_tensor import Tensor

from ... import functional as F
from ...functional.activations import gelu, relu
from ...module import Module
from ..activations import GELU, ReLU
from ..linear import Linear
from ..normalizations.dropout import Dropout
from ..normalizations.others import LayerNorm
from .heads import MultiheadAttention

__all__ = ["TransformerDecoderLayer", "TransformerEncoderLayer"]

Activation = str | Callable[[Tensor], Tensor]


def _activation(activation: Activation) -> Callable[[Tensor], Tensor]:
    """The function itself, or the one of this name.

    Raises:
        RuntimeError: the name is neither "relu" nor "gelu".
    """
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise ShapeError(f"activation should be relu/gelu, not {activation}")
    result: Callable[[Tensor], Tensor] = getattr(F, activation)
    return result


class TransformerEncoderLayer(Module):
    """Apply self-attention, then a feedforward network, each with a residual connection and a norm (Vaswani et al.
    2017).

    Args:
        d_model: the number of features of input and output.
        nhead: the number of heads of attention.
        dim_feedforward: the number of features inside the feedforward network.
        dropout: the probability, in training, of zeroing weights of attention and outputs of each part.
        activation: of the feedforward network: "relu", "gelu" or a function.
        layer_norm_eps: the eps of `LayerNorm`.
        batch_first: whether tensors are (batch, length, features) rather than (length, batch, features).
        norm_first: whether norms stand in front of the parts rather than behind the residual connections.
        bias: whether linear maps and norms have biases.
        device, dtype: of the parameters.

    Shape:
        (length, batch, d_model); the output has the input's.

    Raises:
        RuntimeError: the activation's name is unknown.

    >>> layer = torch.nn.TransformerEncoderLayer(4, 2, dim_feedforward=8)
    >>> layer(torch.zeros(3, 5, 4)).shape
    lamina.Size([3, 5, 4])
    """

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: Activation = F.relu, layer_norm_eps: float = 1e-5, batch_first: bool = False,
        norm_first: bool = False, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        options = {"bias": bias, "device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **options)
        self.linear1 = Linear(d_model, dim_feedforward, **options)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **options)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **options)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **options)
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
        """Apply the layer to sequences.

        Args:
            src: (length, batch, d_model), with `batch_first` (batch, length, d_model), or without a batch.
            src_mask, src_key_padding_mask, is_causal: `attn_mask`, `key_padding_mask` and `is_causal` of
                `MultiheadAttention`.

        Returns:
            A tensor of the input's shape.
        """
        if self.norm_first:
            x = src + self._attended(self.norm1(src), src_mask, src_key_padding_mask, is_causal)
            return x + self._fed_forward(self.norm2(x))
        x = self.norm1(src + self._attended(src, src_mask, src_key_padding_mask, is_causal))
        result: Tensor = self.norm2(x + self._fed_forward(x))
        return result

    def _attended(self, x: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool) -> Tensor:
        result: Tensor = self.dropout1(self.self_attn(
            x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False, is_causal=is_causal)[0])  # fmt: skip
        return result

    def _fed_forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))
        return result


class TransformerDecoderLayer(Module):
    """Apply self-attention, attention to a memory, then a feedforward network, each with a residual connection and a
    norm.

    Args:
        d_model: the number of features of input, memory and output.
        nhead: the number of heads of attention.
        dim_feedforward: the number of features inside the feedforward network.
        dropout: the probability, in training, of zeroing weights of attention and outputs of each part.
        activation: of the feedforward network: "relu", "gelu" or a function.
        layer_norm_eps: the eps of `LayerNorm`.
        batch_first: whether tensors are (batch, length, features) rather than (length, batch, features).
        norm_first: whether norms stand in front of the parts rather than behind the residual connections.
        bias: whether linear maps and norms have biases.
        device, dtype: of the parameters.

    Shape:
        (length, batch, d_model) and a memory (source length, batch, d_model) to (length, batch, d_model).

    Raises:
        RuntimeError: the activation's name is unknown.

    >>> layer = torch.nn.TransformerDecoderLayer(4, 2, dim_feedforward=8)
    >>> layer(torch.zeros(3, 5, 4), torch.zeros(6, 5, 4)).shape
    lamina.Size([3, 5, 4])
    """

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: Activation = F.relu, layer_norm_eps: float = 1e-5, batch_first: bool = False,
        norm_first: bool = False, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        options = {"bias": bias, "device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **options)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **options)
        self.linear1 = Linear(d_model, dim_feedforward, **options)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **options)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **options)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **options)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, **options)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _activation(activation)

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False, memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        """Apply the layer to sequences.

        Args:
            tgt: (length, batch, d_model), with `batch_first` (batch, length, d_model), or without a batch.
            memory: the output of an encoder, laid out as `tgt`.
            tgt_mask, tgt_key_padding_mask, tgt_is_causal: the masks of self-attention; see `MultiheadAttention`.
            memory_mask, memory_key_padding_mask, memory_is_causal: the masks of attention to the memory.

        Returns:
            A tensor of the shape of `tgt`.
        """
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory, memory_mask, memory_key_padding_mask, memory_is_causal)
        if self.norm_first:
            x = tgt + self._attended(self.norm1(tgt), *own)
            x = x + self._remembered(self.norm2(x), *other)
            return x + self._fed_forward(self.norm3(x))
        x = self.norm1(tgt + self._attended(tgt, *own))
        x = self.norm2(x + self._remembered(x, *other))
        result: Tensor = self.norm3(x + self._fed_forward(x))
        return result

    def _attended(self, x: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool) -> Tensor:
        result: Tensor = self.dropout1(self.self_attn(
            x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False, is_causal=is_causal)[0])  # fmt: skip
        return result

    def _remembered(
        self, x: Tensor, memory: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool
    ) -> Tensor:
        result: Tensor = self.dropout2(self.multihead_attn(
            x, memory, memory, attn_mask=mask, key_padding_mask=padding, need_weights=False, is_causal=is_causal)[0])  # fmt: skip
        return result

    def _fed_forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))
        return result
