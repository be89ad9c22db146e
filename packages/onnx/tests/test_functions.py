"""Functions one by one, at the traced sizes and at others."""

import math

import pytest
from against_runtime import compared

import lamina_ndarray as nd
import lamina_nn.functional as F
import lamina_tensor as lt
from lamina_tensor import linalg

B = {0: "batch"}
BT = {0: "batch", 1: "time"}


def normal(*shape):
    return lt.randn(*shape)


def positive(*shape):
    return lt.rand(*shape) + 0.5


def small(*shape):
    return lt.rand(*shape) * 1.6 - 0.8


def integers(*shape, high=4):
    return lt.randint(0, high, shape)


def truths(*shape):
    return lt.randn(*shape) > 0


ELEMENTWISE = {
    "normal": [
        "neg",
        "abs",
        "exp",
        "sin",
        "cos",
        "tan",
        "atan",
        "sinh",
        "cosh",
        "asinh",
        "floor",
        "ceil",
        "erf",
        "sigmoid",
        "tanh",
        "sign",
        "round",
        "trunc",
        "square",
        "exp2",
        "frac",
        "isnan",
        "isfinite",
        "expm1",
        "erfc",
    ],
    "positive": ["log", "sqrt", "rsqrt", "reciprocal", "log2", "log10", "log1p"],
    "small": ["asin", "acos", "atanh"],
}


@pytest.mark.parametrize("name", [n for names in ELEMENTWISE.values() for n in names])
def test_items_one_by_one(name):
    draw = next(globals()[kind] for kind, names in ELEMENTWISE.items() if name in names)
    compared(getattr(lt, name), (draw(2, 3),), (draw(5, 3),), dynamic_shapes=[B])


FUNCTIONS = {
    # arithmetic
    "add_alpha": (lambda x: lt.add(x, x * 2, alpha=3) + 1, (normal,)),
    "sub": (lambda x: 1 - x - x[0], (normal,)),
    "div_modes": (
        lambda x: (lt.div(x, 0.3, rounding_mode="floor"), lt.div(x, 0.3, rounding_mode="trunc"), x / 2),
        (normal,),
    ),
    "integer_division": (lambda x: (x // 3, (x - 2) // 3, (x - 2) % 3, x / 3, x * 0.5, (x - 2) // -3), (integers,)),
    "remainder": (lambda x: (lt.remainder(x, 0.7), lt.fmod(x, 0.7), x % -0.7), (normal,)),
    "pow": (lambda x: (x**2, x**0.5, 2**x, x**x, x**-1), (positive,)),
    "compare": (lambda x: (x > 0, x >= 1, x < 0.5, x <= 0, x == x, x != x), (normal,)),
    "compare_integers": (lambda x: (x > 0.5, x == 2, x.float() > x - 1), (integers,)),
    "logic": (lambda x: (x & (x > 0), x | ~x, x ^ x, lt.logical_not(x), lt.logical_and(x, x)), (truths,)),
    "integer_bits": (lambda x: (x & 3, x | 4, x ^ x, ~x), (integers,)),
    "clamp": (lambda x: (x.clamp(-0.5, 0.5), x.clamp(min=0), lt.clamp_max(x, 0.1), x.clamp(min=x[0])), (normal,)),
    "minmax": (lambda x: (lt.maximum(x, -x), lt.minimum(x, x[0])), (normal,)),
    "where": (lambda x: (lt.where(x > 0, x, 0.0), x.masked_fill(x < 0, -math.inf)), (normal,)),
    "promotion": (
        lambda x: (x + 0.5, x * lt.tensor([1.5]), x + lt.tensor(2, dtype=nd.int32), x.float() / x.double()),
        (integers,),
    ),
    "casts": (lambda x: (x.long(), x.to(nd.float64), x.bool(), x.int().float(), x.to(dtype=nd.float16)), (normal,)),
    "lerp": (
        lambda x: (lt.lerp(x, x * 2, 0.3), lt.addcmul(x, x, x, value=0.5), lt.addcdiv(x, x, x * x + 1)),
        (normal,),
    ),
    # reductions
    "sums": (lambda x: (x.sum(), x.sum(1), x.sum((0, 1), keepdim=True), x.mean(0), x.prod(1), x.mean()), (normal,)),
    "integer_sums": (lambda x: (x.sum(), (x > 1).sum(1), x.float().mean(), x.cumsum(0)), (integers,)),
    "extremes": (
        lambda x: (x.max(), x.min(1), x.amax(0), x.amin((0, 1)), x.argmax(1), x.argmin(), x.max(0).indices),
        (normal,),
    ),
    "variances": (lambda x: (x.var(), x.std(1), x.var(1, unbiased=False), lt.var_mean(x, 0, correction=0)), (normal,)),
    "norms": (lambda x: (x.norm(), lt.norm(x, 1, 1), linalg.norm(x, dim=1), linalg.vector_norm(x, 3.0, 1)), (normal,)),
    "softmaxes": (lambda x: (x.softmax(1), F.log_softmax(x, 0), F.softmin(x, 1), lt.logsumexp(x, 1)), (normal,)),
    "any_all": (lambda x: (x.any(), x.all(1), x.any(0, keepdim=True)), (truths,)),
    "topk": (
        lambda x: (lt.topk(x, 2, 1), x.sort(1), x.argsort(1, descending=True), lt.topk(x, 2, 1, largest=False)),
        (normal,),
    ),
    "cumsum": (lambda x: (x.cumsum(0), x.cumsum(-1)), (normal,)),
    # shapes
    "reshape": (
        lambda x: (
            x.reshape(x.shape[0], 1, -1),
            x.view(-1),
            x.flatten(),
            x[None].flatten(0, 1),
            x.unflatten(1, (1, -1)),
        ),
        (normal,),
    ),
    "dims": (
        lambda x: (
            x.unsqueeze(1),
            x.unsqueeze(-1).squeeze(-1),
            x.t(),
            x.T,
            x.mT,
            x.transpose(0, 1),
            lt.movedim(x, 0, 1),
        ),
        (normal,),
    ),
    "permute": (lambda x: x[:, None].permute(2, 0, 1), (normal,)),
    "expand": (
        lambda x: (x[:1].expand(4, -1), x[None].expand(2, -1, -1), x.repeat(2, 3), x.tile((2,)), x[:, :1].expand_as(x)),
        (normal,),
    ),
    "cat": (lambda x: (lt.cat([x, x * 2], 1), lt.stack([x, x], 1), lt.cat([x, x.long()], 0)), (normal,)),
    "split": (lambda x: (*x.split(2, 1), *x.chunk(2, 1), *lt.unbind(x, 1), x.narrow(1, 1, 2)), (normal,)),
    "roll_flip": (lambda x: (x.roll(1, 1), x.roll((1, 2), (0, 1)), x.flip(0), x.flip((0, 1)), x.roll(2)), (normal,)),
    "repeat_interleave": (lambda x: (x.repeat_interleave(2, 1), x.repeat_interleave(3, 0)), (normal,)),
    "triangles": (lambda x: (x.tril(), x.triu(1), lt.tril(lt.ones(x.shape[0], x.shape[0])), (x > 0).tril()), (normal,)),
    "created": (
        lambda x: (
            lt.zeros(x.shape[0], 2),
            lt.ones_like(x),
            lt.arange(x.shape[0]),
            x.new_full((2, x.shape[0]), 3.0),
            lt.arange(1, x.shape[0] * 2, 2),
            lt.eye(x.shape[0]),
            x * x.shape[0],
            lt.arange(3.0),
        ),
        (normal,),
    ),
    "meshgrid": (
        lambda x: lt.meshgrid(x[:, 0], x[0], indexing="ij") + lt.meshgrid(x[:, 0], x[0], indexing="xy"),
        (normal,),
    ),
    "sizes": (
        lambda x: (x.reshape(x.shape[0] * x.shape[1]), lt.zeros(x.shape[0] + 3), lt.arange(2 * x.shape[0] + 1)),
        (normal,),
    ),
    # indexing
    "slices": (
        lambda x: (x[0], x[:, 1], x[-1], x[:, ::2], x[:, 1:], x[..., -1], x[:, None], x[: x.shape[0] - 1], x[0, 1]),
        (normal,),
    ),
    "picked": (
        lambda x: (
            x[:, lt.tensor([0, 2])],
            x[lt.tensor([1, 0]), lt.tensor([2, 1])],
            x[lt.tensor([[0], [1]])],
            x[[0, 1]],
        ),
        (normal,),
    ),
    "rows": (lambda x: x[:, lt.tensor([0, 2]), None][..., 0] if False else x[lt.arange(x.shape[0]), 1], (normal,)),
    "gather": (
        lambda x: (
            x.gather(1, x.argsort(1)),
            x.index_select(1, lt.tensor([2, 0])),
            lt.take_along_dim(x, x.argmax(1, True), 1),
        ),
        (normal,),
    ),
    "scatter": (
        lambda x: (
            x.scatter(1, x.argmax(1, True), 5.0),
            x.scatter_add(1, x.argsort(1), x),
            x.scatter(1, x.argsort(1), x),
        ),
        (normal,),
    ),
    "one_hot": (lambda x: F.one_hot(x, 4), (integers,)),
    # products
    "products": (
        lambda x: (
            x @ x.T,
            lt.mm(x, x.T),
            lt.einsum("bi,bj->ij", x, x),
            lt.outer(x[0], x[0]),
            lt.dot(x[0], x[0]),
            x @ x[0],
        ),
        (normal,),
    ),
    "addmm": (lambda x: lt.addmm(x[0, 0], x, x.T, beta=0.5, alpha=2.0), (normal,)),
    "einsum": (
        lambda x: (lt.einsum("...i,...i->...", x, x), lt.einsum("ij->ji", x), lt.einsum("ii->i", x.T @ x)),
        (normal,),
    ),
    "cosine": (lambda x: (F.cosine_similarity(x, x * 2 + 1), F.normalize(x), F.normalize(x, 1.0, 0)), (normal,)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    function, (draw,) = FUNCTIONS[name]
    compared(function, (draw(3, 4),), (draw(6, 4),), (draw(3, 4),), dynamic_shapes=[B])


def test_rows_are_unbound_one_by_one():
    compared(lambda x: [row * i for i, row in enumerate(x)], (normal(3, 4),))


ACTIVATIONS = [
    "relu", "relu6", "elu", "selu", "celu", "gelu", "leaky_relu", "silu", "mish", "hardswish", "hardsigmoid", "hardtanh", "softplus",
    "softsign", "softshrink", "hardshrink", "tanhshrink", "logsigmoid", "glu", "rrelu",
]  # fmt: skip


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("opset", [17, 20])
def test_activations(name, opset):
    compared(lambda x: getattr(F, name)(x * 4), (normal(3, 4),), (normal(6, 4),), opset=opset, dynamic_shapes=[B])


def test_activations_with_settings():
    compared(
        lambda x: (
            F.gelu(x, approximate="tanh"),
            F.leaky_relu(x, 0.3),
            F.elu(x, 2.0),
            F.celu(x, 2.0),
            F.softplus(x, 3.0, 1.0),
            F.hardtanh(x, -2, 0.5),
            F.threshold(x, 0.1, 7.0),
            F.prelu(x, lt.tensor([0.1, 0.2, 0.3, 0.4])),
            F.softshrink(x, 0.1),
        ),
        (normal(3, 4),),
        (normal(6, 4),),
        dynamic_shapes=[B],
    )


IMAGES = {
    "max_pool": lambda x: (
        F.max_pool2d(x, 2),
        F.max_pool2d(x, 3, 2, 1),
        F.max_pool2d(x, 3, 1, 1, 2),
        F.max_pool2d(x, (2, 3), ceil_mode=True),
    ),
    "avg_pool": lambda x: (
        F.avg_pool2d(x, 2),
        F.avg_pool2d(x, 3, 2, 1),
        F.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
        F.avg_pool2d(x, 2, divisor_override=3),
    ),
    "adaptive": lambda x: (
        F.adaptive_avg_pool2d(x, 1),
        F.adaptive_avg_pool2d(x, (3, 5)),
        F.adaptive_avg_pool2d(x, (None, 2)),
        F.adaptive_max_pool2d(x, 1),
        F.adaptive_max_pool2d(x, (3, 2)),
    ),
    "nearest": lambda x: (
        F.interpolate(x, scale_factor=2),
        F.interpolate(x, (5, 11)),
        F.interpolate(x, scale_factor=1.5, mode="nearest-exact"),
    ),
    "bilinear": lambda x: (
        F.interpolate(x, scale_factor=2, mode="bilinear"),
        F.interpolate(x, (13, 3), mode="bilinear", align_corners=True),
        F.interpolate(x, scale_factor=0.6, mode="bilinear"),
    ),
    "bicubic": lambda x: (
        F.interpolate(x, (13, 5), mode="bicubic"),
        F.interpolate(x, scale_factor=2, mode="bicubic", align_corners=True),
    ),
    "padding": lambda x: (
        F.pad(x, (1, 2)),
        F.pad(x, (1, 2, 0, 3), value=2.5),
        F.pad(x, (1, 2, 2, 1), mode="reflect"),
        F.pad(x, (1, 2, 2, 1), mode="replicate"),
        F.pad(x, (1, 2, 2, 1), mode="circular"),
        F.pad(x, (-1, -1)),
        F.pad(x > 0, (1, 1)),
    ),
    "norms": lambda x: (
        F.instance_norm(x),
        F.group_norm(x, 2),
        F.layer_norm(x, x.shape[1:]),
        F.local_response_norm(x, 3),
        F.rms_norm(x, (8,)),
    ),
    "shuffles": lambda x: (F.pixel_shuffle(x, 2), F.pixel_unshuffle(x, 2), F.channel_shuffle(x, 2)),
    "unbatched": lambda x: (F.max_pool2d(x[0], 2), F.conv2d(x[0], lt.ones(3, 4, 2, 2)), F.adaptive_avg_pool2d(x[0], 2)),
    "convolutions": lambda x: (
        F.conv2d(x, lt.ones(3, 4, 3, 3) * 0.1, padding="same", dilation=2),
        F.conv2d(x, lt.ones(4, 1, 3, 3), groups=4, stride=2),
        F.conv_transpose2d(x, lt.ones(4, 3, 3, 3) * 0.1, stride=2, padding=1, output_padding=1),
        F.conv1d(x[..., 0], lt.ones(2, 4, 3), padding=1),
        F.conv3d(x[:, :, None], lt.ones(2, 4, 1, 3, 3)),
    ),
    "grid": lambda x: (
        F.grid_sample(x, lt.tanh(x[:, :2].permute(0, 2, 3, 1))),
        F.grid_sample(x, lt.tanh(x[:, :2].permute(0, 2, 3, 1)), align_corners=True),
    ),
}


@pytest.mark.parametrize("name", IMAGES)
@pytest.mark.parametrize("opset", [17, 20])
def test_images(name, opset):
    compared(
        IMAGES[name], (normal(2, 4, 8, 8),), (normal(5, 4, 8, 8),), opset=opset, dynamic_shapes=[B], tolerance=1e-5
    )


def test_images_of_other_sizes():
    def model(x):
        y = F.max_pool2d(F.conv2d(x, lt.ones(2, 4, 3, 3), stride=2), 3, 2)
        return (
            y,
            F.interpolate(y, size=x.shape[2:]),
            F.adaptive_avg_pool2d(x, 1),
            y.flatten(2),
            F.interpolate(x, scale_factor=2, mode="bilinear"),
        )

    compared(
        model,
        (normal(1, 4, 12, 13),),
        (normal(1, 4, 21, 16),),
        dynamic_shapes=[{2: "height", 3: "width"}],
        tolerance=1e-5,
    )


def test_average_pools_of_partial_windows():
    compared(lambda x: F.avg_pool2d(x, 3, 2, ceil_mode=True), (normal(1, 2, 8, 8),), opset=20)


ATTENTION = {
    "plain": lambda q: F.scaled_dot_product_attention(q, q * 0.5, q + 1),
    "causal": lambda q: F.scaled_dot_product_attention(q, q * 0.5, q + 1, is_causal=True),
    "mask": lambda q: F.scaled_dot_product_attention(q, q, q, attn_mask=q[:, :, :, 0][:, :, None] > 0, scale=0.3),
    "groups": lambda q: F.scaled_dot_product_attention(q, q[:, :2], q[:, :2] + 1, enable_gqa=True),
}


@pytest.mark.parametrize("name", ATTENTION)
def test_attention(name):
    compared(ATTENTION[name], (normal(2, 4, 5, 6),), (normal(3, 4, 9, 6),), dynamic_shapes=[{0: "batch", 2: "time"}])


def write_first(x):
    y = x * 1
    y[:, 0] = 3
    y[1:] += 1
    y.mul_(2)
    return y


def write_through(x):
    y = x + 0
    row = y[0]
    row.add_(1)
    half = y[:, 1:]
    half[:, 0] = -1
    flat = y.view(-1)
    flat[0] = 9
    return y, row, half


def write_before(x):
    y = x + 0
    column = y[:, 0]
    y.add_(1)
    F.relu(y, inplace=True)
    return column, y


def write_transposed(x):
    y = x + 0
    turned = y.t()
    turned[0] = 5
    turned.mul_(2)
    for row in y:
        row.add_(1)
    y.unsqueeze(0).add_(1)
    return y, turned


def write_mask(x):
    y = x.clone()
    y[y < 0] = 0.5
    y[..., 1] = y[..., 2] * 2
    y[:, lt.tensor([0, 3])] = x[:, :2]
    y.masked_fill_(y > 1, 1.0)
    z = lt.zeros_like(x)
    z[: x.shape[0] - 1] = x[1:]
    z.copy_(z + 1)
    return y, z, y.fill_(2.0)


@pytest.mark.parametrize("function", [write_first, write_through, write_before, write_mask])
def test_writes_in_place(function):
    compared(function, (normal(3, 4),), (normal(6, 4),), dynamic_shapes=[B])


def test_writes_through_rows_and_transposed_views():
    compared(write_transposed, (normal(3, 4),), (normal(3, 4),))
