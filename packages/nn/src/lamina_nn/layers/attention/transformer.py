"""Stacks of Transformer layers: encoder, decoder, and both (Vaswani et al. 2017)."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_flatarray.modes import AUTOCAST, word
from lamina_tensor import Tensor, is_grad_enabled

from ... import functional as F
from ... import init
from ...functional.attention.several_heads import canonical_mask
from ...module import Module
from ..containers.modules import ModuleList
from ..normalizations.others import LayerNorm
from .transformer_layers import Activation, TransformerDecoderLayer, TransformerEncoderLayer

__all__ = ["Transformer", "TransformerDecoder", "TransformerEncoder"]


def _subsequent_mask(size: int, device: Any = None, dtype: Any = None) -> Tensor:
    """-inf where a query comes before a key, else 0: (size, size)."""
    return lt.triu(lt.full((size, size), float("-inf"), device=device, dtype=dtype), 1)


def _is_causal(mask: Tensor | None, hint: bool | None, size: int) -> bool:
    """The hint, or without one whether the mask is the causal one."""
    if hint is not None:
        return hint
    if mask is None or tuple(mask.shape) != (size, size) or not mask.dtype.is_floating_point:
        return False
    if mask.is_meta:
        return False
    return bool(lt.all(mask.detach() == _subsequent_mask(size, mask.device, mask.dtype)).item())


def _copies(layer: Module, count: int) -> ModuleList:
    return ModuleList([copy.deepcopy(layer) for _ in range(count)])


def _why_not_packed(layer: Module) -> str:
    """What keeps an encoder over such layers from leaving padding out, in PyTorch's words for its warning."""
    if not isinstance(layer, TransformerEncoderLayer):
        return "encoder_layer was not TransformerEncoderLayer"
    attention = layer.self_attn
    reasons = {
        "encoder_layer.norm_first was True": layer.norm_first,
        "encoder_layer.self_attn.batch_first was not True(use batch_first for better inference performance)":
            not attention.batch_first,
        "encoder_layer.self_attn._qkv_same_embed_dim was not True": not attention._qkv_same_embed_dim,
        "encoder_layer.self_attn was passed bias=False": attention.in_proj_bias is None,
        "encoder_layer.activation_relu_or_gelu was not True": not layer.activation_relu_or_gelu,
        "encoder_layer.norm1.eps was not equal to encoder_layer.norm2.eps": layer.norm1.eps != layer.norm2.eps,
        "encoder_layer.self_attn.num_heads is odd": attention.num_heads % 2 == 1,
    }  # fmt: skip
    return next((reason for reason, holds in reasons.items() if holds), "")


class TransformerEncoder(Module):
    """Stack copies of an encoder layer.

    Args:
        encoder_layer: the layer; each copy begins with its parameters.
        num_layers: the number of copies.
        norm: a module that is applied to the output of the last.
        enable_nested_tensor: whether padding may be left out in evaluation without gradients; outputs at padding are
            then zeros (before `norm`), as in PyTorch.
        mask_check: without effect: padding in front of or between tokens is never left out.

    Shape:
        (length, batch, d_model); the output has the input's.

    >>> layer = torch.nn.TransformerEncoderLayer(4, 2, dim_feedforward=8, batch_first=True)
    >>> torch.nn.TransformerEncoder(layer, 2)(torch.zeros(5, 3, 4)).shape
    lamina.Size([5, 3, 4])
    """

    def __init__(
        self, encoder_layer: Module, num_layers: int, norm: Module | None = None, enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.layers = _copies(encoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm
        self.enable_nested_tensor, self.use_nested_tensor = enable_nested_tensor, enable_nested_tensor
        self.mask_check = mask_check
        reason = _why_not_packed(encoder_layer)
        if enable_nested_tensor and reason:
            warnings.warn(
                f"enable_nested_tensor is True, but self.use_nested_tensor is False because {reason}", stacklevel=2
            )
            self.use_nested_tensor = False

    def forward(
        self, src: Tensor, mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:  # fmt: skip
        """Apply all layers.

        Args:
            src: (length, batch, d_model), with `batch_first` of the layers (batch, length, d_model), or without a
                batch.
            mask, src_key_padding_mask: `attn_mask` and `key_padding_mask` of `MultiheadAttention`.
            is_causal: whether `mask` is the causal mask; None to compare.

        Returns:
            A tensor of the input's shape.
        """
        padding = canonical_mask(src_key_padding_mask, "src_key_padding_mask", mask, "mask", src.dtype)
        mask = canonical_mask(mask, "mask", None, "", src.dtype)
        batch_first = self.layers[0].self_attn.batch_first
        causal = _is_causal(mask, is_causal, src.shape[1 if src.ndim == 3 and batch_first else 0])
        output = src
        for layer in self.layers:
            output = layer(output, src_mask=mask, is_causal=causal, src_key_padding_mask=padding)
        if padding is not None and mask is None and self._leaves_padding_out(src, padding):
            output = lt.masked_fill(output, lt.unsqueeze(padding == float("-inf"), -1), 0.0)
        return output if self.norm is None else self.norm(output)

    def _leaves_padding_out(self, src: Tensor, padding: Tensor) -> bool:
        first = self.layers[0]
        if not self.use_nested_tensor or first.training or src.ndim != 3 or src.is_meta or word.get() & AUTOCAST:
            return False
        if is_grad_enabled() and (src.requires_grad or any(p.requires_grad for p in first.parameters())):
            return False
        hidden = (padding != 0).long()
        return not bool((hidden[:, 1:] < hidden[:, :-1]).any().item())  # all of it behind the sequences


class TransformerDecoder(Module):
    """Stack copies of a decoder layer.

    Args:
        decoder_layer: the layer; each copy begins with its parameters.
        num_layers: the number of copies.
        norm: a module that is applied to the output of the last.

    Shape:
        (length, batch, d_model) and a memory (source length, batch, d_model) to (length, batch, d_model).

    >>> layer = torch.nn.TransformerDecoderLayer(4, 2, dim_feedforward=8)
    >>> torch.nn.TransformerDecoder(layer, 2)(torch.zeros(3, 5, 4), torch.zeros(6, 5, 4)).shape
    lamina.Size([3, 5, 4])
    """

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = _copies(decoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None, memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        """Apply all layers.

        Args:
            tgt: (length, batch, d_model), with `batch_first` of the layers (batch, length, d_model), or without a
                batch.
            memory: the output of an encoder, laid out as `tgt`.
            tgt_mask, tgt_key_padding_mask: the masks of self-attention; see `MultiheadAttention`.
            memory_mask, memory_key_padding_mask, memory_is_causal: the masks of attention to the memory.
            tgt_is_causal: whether `tgt_mask` is the causal mask; None to compare.

        Returns:
            A tensor of the shape of `tgt`.
        """
        batch_first = self.layers[0].self_attn.batch_first
        causal = _is_causal(tgt_mask, tgt_is_causal, tgt.shape[1 if tgt.ndim == 3 and batch_first else 0])
        output = tgt
        for layer in self.layers:
            output = layer(
                output, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=causal, memory_is_causal=memory_is_causal,
            )  # fmt: skip
        return output if self.norm is None else self.norm(output)


class Transformer(Module):
    """Encode a source sequence, and decode a target sequence with attention to it (Vaswani et al. 2017).

    Args:
        d_model: the number of features of input and output.
        nhead: the number of heads of attention.
        num_encoder_layers, num_decoder_layers: the number of layers of each.
        dim_feedforward: the number of features inside feedforward networks.
        dropout: the probability, in training, of zeroing weights of attention and outputs of each part.
        activation: of feedforward networks: "relu", "gelu" or a function.
        custom_encoder, custom_decoder: modules that take their places.
        layer_norm_eps: the eps of `LayerNorm`.
        batch_first: whether tensors are (batch, length, features) rather than (length, batch, features).
        norm_first: whether norms stand in front of the parts rather than behind the residual connections.
        bias: whether linear maps and norms have biases.
        device, dtype: of the parameters.

    Shape:
        (source length, batch, d_model) and (target length, batch, d_model) to (target length, batch, d_model).

    Weights of more than one dim begin as in Glorot & Bengio 2010.

    >>> model = torch.nn.Transformer(4, 2, 1, 1, dim_feedforward=8, batch_first=True)
    >>> model(torch.zeros(5, 6, 4), torch.zeros(5, 3, 4)).shape
    lamina.Size([5, 3, 4])
    """

    def __init__(
        self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6,
        dim_feedforward: int = 2048, dropout: float = 0.1, activation: Activation = F.relu,
        custom_encoder: Module | None = None, custom_decoder: Module | None = None, layer_norm_eps: float = 1e-5,
        batch_first: bool = False, norm_first: bool = False, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        layer = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias, device,
                 dtype)  # fmt: skip
        norm = {"eps": layer_norm_eps, "bias": bias, "device": device, "dtype": dtype}
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            encoder_layer = TransformerEncoderLayer(*layer)
            self.encoder = TransformerEncoder(encoder_layer, num_encoder_layers, LayerNorm(d_model, **norm))
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            other = TransformerDecoderLayer(*layer)
            self.decoder = TransformerDecoder(other, num_decoder_layers, LayerNorm(d_model, **norm))
        self._reset_parameters()
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def _reset_parameters(self) -> None:
        for parameter in self.parameters():
            if parameter.ndim > 1:
                init.xavier_uniform_(parameter)

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """Return the causal mask: minus infinity where a query comes before a key, else 0.

        Args:
            sz: the number of queries and keys.
            device, dtype: of the mask.

        Returns:
            (sz, sz).

        >>> torch.nn.Transformer.generate_square_subsequent_mask(2)
        tensor([[0., -inf],
                [0., 0.]])
        """
        return _subsequent_mask(sz, device, dtype)

    def forward(
        self, src: Tensor, tgt: Tensor, src_mask: Tensor | None = None, tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None, tgt_is_causal: bool | None = None, memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        """Encode the source, and decode the target.

        Args:
            src, tgt: (source length, batch, d_model) and (target length, batch, d_model), with `batch_first` the batch
                in front, or without a batch.
            src_mask, tgt_mask, memory_mask: which queries must not see which keys; see `MultiheadAttention`.
            src_key_padding_mask, tgt_key_padding_mask, memory_key_padding_mask: which keys are padding.
            src_is_causal, tgt_is_causal, memory_is_causal: whether the masks are causal masks; None to compare.

        Returns:
            A tensor of the shape of `tgt`.

        Raises:
            ShapeError: the batches differ, or the features are not d_model.
        """
        batch = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[batch] != tgt.shape[batch]:
            raise ShapeError("the batch number of src and tgt must be equal")
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise ShapeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        result: Tensor = self.decoder(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal, memory_is_causal=memory_is_causal,
        )  # fmt: skip
        return result
