"""Products, convolutions, normalizations, attention."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import lamina_nn.functional as F
import lamina_tensor as lt
from lamina_tensor import Tensor, linalg

from .node import Node, reads
from .shapes import padded


@reads("MatMul")
def matmul(node: Node, a: Tensor, b: Tensor) -> Tensor:
    """Run MatMul."""
    return lt.matmul(a, b)


@reads("Gemm")
def gemm(node: Node, a: Tensor, b: Tensor, c: Any = None) -> Tensor:
    """Run Gemm."""
    left, right = a.T if node.get("transA", 0) else a, b.T if node.get("transB", 0) else b
    alpha, beta = node.get("alpha", 1.0), node.get("beta", 1.0)
    product = lt.matmul(left, right)
    product = product if alpha == 1 else lt.mul(product, alpha).to(a.dtype)
    if c is None:
        return product
    return lt.add(product, c if beta == 1 else lt.mul(c, beta).to(c.dtype))


@reads("Einsum")
def einsum(node: Node, *xs: Tensor) -> Tensor:
    """Run Einsum."""
    return lt.einsum(node.get("equation"), *xs)


@reads("Det")
def det(node: Node, x: Tensor) -> Tensor:
    """Run Det."""
    return linalg.det(x)


def window_pads(
    node: Node, lengths: Sequence[int], kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> tuple[list[int], list[int]]:
    """How many items are put before and after each spatial dim."""
    n = len(kernel)
    auto = node.get("auto_pad", "NOTSET")
    if auto == "NOTSET":
        pads = list(node.get("pads", [0] * 2 * n))
        return pads[:n], pads[n:]
    if auto == "VALID":
        return [0] * n, [0] * n
    before, after = [], []
    for length, k, s, d in zip(lengths, kernel, strides, dilations, strict=True):
        total = max(0, (-(-length // s) - 1) * s + d * (k - 1) + 1 - length)
        small, large = total // 2, total - total // 2
        before.append(small if auto == "SAME_UPPER" else large)
        after.append(large if auto == "SAME_UPPER" else small)
    return before, after


def around(x: Tensor, before: Sequence[int], after: Sequence[int], filler: Any) -> Tensor:
    """The last dims with items around them."""
    for i, (a, b) in enumerate(zip(before, after, strict=True)):
        if a or b:
            x = padded(x, x.ndim - len(before) + i, a, b, "constant", filler)
    return x


@reads("Conv")
def conv(node: Node, x: Tensor, weight: Tensor, bias: Any = None) -> Tensor:
    """Run Conv."""
    n = x.ndim - 2
    kernel = list(weight.shape[2:])
    strides, dilations = list(node.get("strides", [1] * n)), list(node.get("dilations", [1] * n))
    before, after = window_pads(node, x.shape[2:], kernel, strides, dilations)
    if before != after:
        x, before = around(x, before, after, 0), [0] * n
    function = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}.get(n)
    if function is None:
        raise node.unsupported(f"of {n} spatial dims")
    return function(x, weight, bias, strides, before, dilations, node.get("group", 1))


@reads("ConvTranspose")
def conv_transpose(node: Node, x: Tensor, weight: Tensor, bias: Any = None) -> Tensor:
    """Run ConvTranspose."""
    n = x.ndim - 2
    kernel = list(weight.shape[2:])
    strides, dilations = list(node.get("strides", [1] * n)), list(node.get("dilations", [1] * n))
    more = list(node.get("output_padding", [0] * n))
    whole = [(x.shape[2 + i] - 1) * strides[i] + dilations[i] * (kernel[i] - 1) + 1 + more[i] for i in range(n)]
    auto, asked = node.get("auto_pad", "NOTSET"), node.get("output_shape")
    if asked is not None or auto.startswith("SAME"):
        wanted = list(asked)[-n:] if asked is not None else [x.shape[2 + i] * strides[i] for i in range(n)]
        total = [w - a for w, a in zip(whole, wanted, strict=True)]
        more = [m + max(0, -t) for m, t in zip(more, total, strict=True)]
        total = [max(0, t) for t in total]
        small = [t // 2 for t in total]
        large = [t - s for t, s in zip(total, small, strict=True)]
        before, after = (large, small) if auto == "SAME_LOWER" else (small, large)
    else:
        before, after = window_pads(node, x.shape[2:], kernel, strides, dilations)
    function = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}.get(n)
    if function is None:
        raise node.unsupported(f"of {n} spatial dims")
    result = function(x, weight, None, strides, 0, 0, node.get("group", 1), dilations)
    for i in range(n):
        result = padded(result, 2 + i, -before[i], more[i] - after[i], "constant", 0)
    return result if bias is None else lt.add(result, bias.reshape(-1, *[1] * n))


# -- normalizations -----------------------------------------------------------------------------------------------------


@reads("BatchNormalization")
def batch_normalization(node: Node, x: Tensor, scale: Tensor, bias: Tensor, mean: Tensor, var: Tensor) -> Any:
    """Run BatchNormalization."""
    eps, momentum = node.get("epsilon", 1e-5), node.get("momentum", 0.9)
    if not node.get("training_mode", 0):
        return F.batch_norm(x, mean, var, scale, bias, False, 0.0, eps)
    dims = tuple(d for d in range(x.ndim) if d != 1)
    now_mean, now_var = lt.mean(x, dims), lt.var(x, dims, correction=0)
    result = F.batch_norm(x, now_mean, now_var, scale, bias, False, 0.0, eps)
    kept = [lt.add(lt.mul(old, momentum), lt.mul(new, 1 - momentum)) for old, new in ((mean, now_mean), (var, now_var))]
    return (result, *kept)[: len(node.outputs)]


@reads("InstanceNormalization")
def instance_normalization(node: Node, x: Tensor, scale: Tensor, bias: Tensor) -> Tensor:
    """Run InstanceNormalization."""
    return F.instance_norm(x, None, None, scale, bias, True, 0.0, node.get("epsilon", 1e-5))


@reads("GroupNormalization")
def group_normalization(node: Node, x: Tensor, scale: Tensor, bias: Tensor) -> Tensor:
    """Run GroupNormalization."""
    groups = node.get("num_groups")
    if node.opset < 21:  # one for each group
        each = x.shape[1] // groups
        scale, bias = (lt.repeat_interleave(p, each) for p in (scale, bias))
    return F.group_norm(x, groups, scale, bias, node.get("epsilon", 1e-5))


@reads("LayerNormalization")
def layer_normalization(node: Node, x: Tensor, scale: Tensor, bias: Any = None) -> Any:
    """Run LayerNormalization."""
    axis, eps = node.get("axis", -1) % x.ndim, node.get("epsilon", 1e-5)
    dims = tuple(range(axis, x.ndim))
    mean = lt.mean(x, dims, True)
    apart = lt.sub(x, mean)
    inverse = lt.rsqrt(lt.add(lt.mean(lt.mul(apart, apart), dims, True), eps))
    result = lt.mul(lt.mul(apart, inverse), scale)
    result = result if bias is None else lt.add(result, bias)
    return (result, mean, inverse)[: len(node.outputs)] if len(node.outputs) > 1 else result


@reads("RMSNormalization")
def rms_normalization(node: Node, x: Tensor, scale: Tensor) -> Tensor:
    """Run RMSNormalization."""
    dims = tuple(range(node.get("axis", -1) % x.ndim, x.ndim))
    squares = lt.mean(lt.mul(x, x), dims, True)
    return lt.mul(lt.mul(x, lt.rsqrt(lt.add(squares, node.get("epsilon", 1e-5)))), scale)


@reads("LRN")
def lrn(node: Node, x: Tensor) -> Tensor:
    """Run LRN."""
    n = node.get("size")
    squares = padded(lt.mul(x, x), 1, (n - 1) // 2, n - 1 - (n - 1) // 2, "constant", 0)
    total = lt.narrow(squares, 1, 0, x.shape[1])
    for i in range(1, n):
        total = lt.add(total, lt.narrow(squares, 1, i, x.shape[1]))
    scale = lt.add(lt.mul(total, node.get("alpha", 1e-4) / n), node.get("bias", 1.0))
    return lt.div(x, lt.pow(scale, node.get("beta", 0.75)))


# -- attention ----------------------------------------------------------------------------------------------------------


@reads("RotaryEmbedding")
def rotary_embedding(node: Node, x: Tensor, cos: Tensor, sin: Tensor, positions: Any = None) -> Tensor:
    """Run RotaryEmbedding."""
    whole = x.shape
    if x.ndim == 3:
        heads = node.get("num_heads")
        x = x.reshape(x.shape[0], x.shape[1], heads, -1).permute(0, 2, 1, 3)
    turned = node.get("rotary_embedding_dim", 0) or x.shape[-1]
    if positions is not None:
        cos, sin = cos[positions], sin[positions]
    cos, sin = (lt.unsqueeze(part, 1) for part in (cos, sin))  # (batch, 1, length, half)
    part, rest = x[..., :turned], x[..., turned:]
    half = turned // 2
    if node.get("interleaved", 0):
        a, b = part[..., 0::2], part[..., 1::2]
    else:
        a, b = part[..., :half], part[..., half:]
    real, imaginary = lt.sub(lt.mul(cos, a), lt.mul(sin, b)), lt.add(lt.mul(sin, a), lt.mul(cos, b))
    if node.get("interleaved", 0):
        both = lt.stack([real, imaginary], -1).reshape(part.shape)
    else:
        both = lt.cat([real, imaginary], -1)
    result = lt.cat([both, rest], -1)
    return result.permute(0, 2, 1, 3).reshape(whole) if len(whole) == 3 else result


@reads("Attention")
def attention(
    node: Node,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Any = None,
    past_key: Any = None,
    past_value: Any = None,
    lengths: Any = None,
) -> Any:
    """Run Attention."""
    flat = q.ndim == 3
    if flat:
        q_heads, kv_heads = node.get("q_num_heads"), node.get("kv_num_heads")
        q, k, v = (
            x.reshape(x.shape[0], x.shape[1], n, -1).permute(0, 2, 1, 3)
            for x, n in ((q, q_heads), (k, kv_heads), (v, kv_heads))
        )
    if past_key is not None:
        k, v = lt.cat([past_key, k], 2), lt.cat([past_value, v], 2)
    present = (k, v)
    past = 0 if past_key is None else past_key.shape[2]
    if q.shape[1] != k.shape[1]:
        times = q.shape[1] // k.shape[1]
        k, v = (lt.repeat_interleave(x, times, 1) for x in (k, v))
    if node.get("softmax_precision") is not None and node.get("softmax_precision") != 1:
        raise node.unsupported("with a softmax in another precision")
    scale = node.get("scale")
    root = math.sqrt(1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    scores = lt.matmul(lt.mul(q, root), lt.transpose(lt.mul(k, root), -1, -2))
    bias = lt.zeros_like(scores)
    if node.get("is_causal", 0):
        rows, columns = scores.shape[-2:]
        before: Any = (
            past if lengths is None else lt.sub(lengths.reshape(-1, 1, 1, 1), rows)
        )  # keys that every query sees
        hidden = lt.gt(lt.arange(columns), lt.add(lt.arange(rows).reshape(-1, 1), before))
        bias = lt.where(hidden, float("-inf"), bias)
    if lengths is not None:
        at = lt.arange(scores.shape[-1])
        hidden = lt.ge(at, lengths.reshape(-1, 1, 1, 1))
        bias = lt.where(hidden, float("-inf"), bias)
    if mask is not None:
        missing = scores.shape[-1] - mask.shape[-1]
        if mask.dtype.kind == "b":
            mask = lt.where(mask, 0.0, float("-inf")).to(q.dtype)
        if missing > 0:
            mask = padded(mask, mask.ndim - 1, 0, missing, "constant", float("-inf"))
        bias = lt.add(bias, mask)
    capped = scores
    masked = lt.add(scores, bias)
    cap = node.get("softcap", 0.0)
    if cap:
        capped = lt.mul(lt.tanh(lt.div(scores, cap)), cap)
        masked = lt.add(capped, bias)
    weights = F.softmax(masked, -1)
    dead = lt.eq(lt.amax(masked, -1, True), float("-inf"))
    weights = lt.where(dead, lt.zeros_like(weights), weights)
    result = lt.matmul(weights, v)
    if flat:
        result = result.permute(0, 2, 1, 3).reshape(result.shape[0], result.shape[2], -1)
    qk = (scores, capped, masked, weights)[node.get("qk_matmul_output_mode", 0)]
    outputs = (result.to(q.dtype), *present, qk)
    return outputs[: len(node.outputs)] if len(node.outputs) > 1 else outputs[0]


# -- losses -------------------------------------------------------------------------------------------------------------


@reads("NegativeLogLikelihoodLoss")
def nll_loss(node: Node, x: Tensor, target: Tensor, weight: Any = None) -> Tensor:
    """Run NegativeLogLikelihoodLoss."""
    ignored = node.get("ignore_index", -100)
    return F.nll_loss(
        x, target.to(lt.arange(1).dtype), weight, ignore_index=ignored, reduction=node.get("reduction", "mean")
    )


@reads("SoftmaxCrossEntropyLoss")
def softmax_cross_entropy_loss(node: Node, x: Tensor, target: Tensor, weight: Any = None) -> Any:
    """Run SoftmaxCrossEntropyLoss."""
    logs = F.log_softmax(x, 1)
    loss = nll_loss(node, logs, target, weight)
    return (loss, logs) if len(node.outputs) > 1 else loss
