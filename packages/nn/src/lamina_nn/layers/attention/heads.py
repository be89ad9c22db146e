"""Attention of several heads with its projections."""

from __future__ import annotations

from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from ... import functional as F
from ... import init
from ...module import Module
from ...parameter import Parameter
from ..linear import Linear

__all__ = ["MultiheadAttention"]


class NonDynamicallyQuantizableLinear(Linear):
    """Project the outputs of the heads: a `Linear` by the name that PyTorch gives it."""


class MultiheadAttention(Module):
    """Attend with several heads, each with its share of the features, and project their outputs (Vaswani et al. 2017).

    Each head computes softmax(q @ k.T / sqrt(head_dim)) @ v of its projections q, k and v.

    Args:
        embed_dim: the number of features of queries and outputs.
        num_heads: the number of heads, which divides embed_dim.
        dropout: the probability of zeroing a weight in training.
        bias: whether projections have biases.
        add_bias_kv: whether one more key and value is learned.
        add_zero_attn: whether one more key and value of zeros is added.
        kdim, vdim: the number of features of keys and values; by default embed_dim.
        batch_first: whether tensors are (batch, length, features) rather than (length, batch, features).
        device, dtype: of the parameters.

    Shape:
        (queries, batch, embed_dim), (keys, batch, kdim) and (keys, batch, vdim) to (queries, batch, embed_dim) and
        weights (batch, queries, keys).

    Projections begin as in Glorot & Bengio 2010, biases as zeros.

    Raises:
        ArgumentValueError: embed_dim or num_heads is not positive.
        AssertionError: num_heads does not divide embed_dim.

    >>> attention = torch.nn.MultiheadAttention(4, 2)
    >>> output, weights = attention(torch.zeros(3, 5, 4), torch.zeros(6, 5, 4), torch.zeros(6, 5, 4))
    >>> output.shape, weights.shape
    (lamina.Size([3, 5, 4]), lamina.Size([5, 3, 6]))
    """

    in_proj_weight: Parameter | None
    q_proj_weight: Parameter | None
    k_proj_weight: Parameter | None
    v_proj_weight: Parameter | None
    in_proj_bias: Parameter | None
    bias_k: Parameter | None
    bias_v: Parameter | None

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True, add_bias_kv: bool = False,
        add_zero_attn: bool = False, kdim: int | None = None, vdim: int | None = None, batch_first: bool = False,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        if embed_dim <= 0 or num_heads <= 0:
            raise ArgumentValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads, self.dropout, self.batch_first = num_heads, dropout, batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError(f"embed_dim must be divisible by num_heads: {embed_dim} and {num_heads}")
        self.add_zero_attn = add_zero_attn

        def parameter(*shape: int) -> Parameter:
            result: Parameter = Parameter(lt.empty(shape, device=device, dtype=dtype))
            return result

        names = ("q_proj_weight", "k_proj_weight", "v_proj_weight")
        if self._qkv_same_embed_dim:
            self.in_proj_weight = parameter(3 * embed_dim, embed_dim)
            for name in names:
                self.register_parameter(name, None)
        else:
            for name, features in zip(names, (embed_dim, self.kdim, self.vdim), strict=True):
                setattr(self, name, parameter(embed_dim, features))
            self.register_parameter("in_proj_weight", None)
        if bias:
            self.in_proj_bias = parameter(3 * embed_dim)
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        self.bias_k = parameter(1, 1, embed_dim) if add_bias_kv else None
        self.bias_v = parameter(1, 1, embed_dim) if add_bias_kv else None
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        """Draw new initial values."""
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None and self.out_proj.bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                init.xavier_normal_(bias)

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Tensor | None = None, need_weights: bool = True,
        attn_mask: Tensor | None = None, average_attn_weights: bool = True, is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:  # fmt: skip
        """Attend to values by the similarity of queries and keys.

        Args:
            query: (queries, batch, embed_dim), with `batch_first` (batch, queries, embed_dim), or without a batch.
            key, value: (keys, batch, kdim) and (keys, batch, vdim), laid out as the query.
            key_padding_mask: (batch, keys), true where a key is padding; or numbers that are added to scores.
            need_weights: whether the weights are returned, too.
            attn_mask: (queries, keys) or (batch * heads, queries, keys), true where a query must not see a key; or
                numbers that are added to scores.
            average_attn_weights: whether the weights of the heads are averaged.
            is_causal: whether attn_mask is the causal mask.

        Returns:
            The output, of the query's shape, and the weights, (batch, queries, keys), or (batch, heads, queries, keys)
            if they are not averaged, or None if they are not needed.

        Raises:
            AssertionError: shapes do not fit.
        """
        turned = self.batch_first and query.ndim == 3
        if turned:  # what was one tensor stays one
            by_id = {id(x): x for x in (query, key, value)}
            other = {i: lt.transpose(x, 0, 1) if x.ndim > 1 else x for i, x in by_id.items()}
            query, key, value = (other[id(x)] for x in (query, key, value))
        output, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias, self.bias_k,
            self.bias_v, self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias, training=self.training,
            key_padding_mask=key_padding_mask, need_weights=need_weights, attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim, q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight, v_proj_weight=self.v_proj_weight, average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )  # fmt: skip
        return (lt.transpose(output, 0, 1) if turned else output), weights
