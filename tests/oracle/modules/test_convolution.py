"""Convolution, pooling, resampling and padding against PyTorch's op database, and what the databases lack of them."""

import itertools
import random
import re
import warnings

import numpy as np
import pytest
import torch
from databases import op_database, op_errors, op_gradients
from databases.op_database import to_lamina, to_torch
from seeds import seed_torch
from torch.testing._internal.common_methods_invocations import op_db

import lamina

OPS = re.compile(
    r"nn\.functional\.(conv|.*pool|interpolate|upsample|grid_sample|pad$|pixel|channel_shuffle|unfold|local_response)"
)
INFOS = {f"{i.name}{'.' + i.variant_test_name if i.variant_test_name else ''}": i for i in op_db if OPS.match(i.name)}
MANY = 60  # samples whose gradients are asked; of some ops there are more than a thousand


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", INFOS)
def test_values(name, dtype):
    assert op_database.check_values(INFOS[name], dtype)


@pytest.mark.parametrize("name", [n for n, info in INFOS.items() if info.error_inputs_func])
def test_errors(name):
    assert op_errors.check_errors(INFOS[name]) > 0


@pytest.mark.parametrize(("dtype", "second", "limit"), [("float64", False, MANY), ("float32", False, 4), ("float64", True, 8)])
@pytest.mark.parametrize("name", INFOS)
def test_gradients(name, dtype, second, limit):
    random.seed(0)
    seed_torch()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert sum(op_gradients._gradients(call, dtype, second) for call in op_gradients.calls(INFOS[name], dtype, limit))


@pytest.mark.parametrize("kind", ["vmap", "forward"])
@pytest.mark.parametrize("name", INFOS)
def test_mapped_and_forward(name, kind):
    """Mapped over all tensors, and over the input alone; and forward mode is the transpose of the gradients."""
    if "fractional" in name and kind == "vmap":
        pytest.skip("its bins are drawn, which a mapped function must be allowed to do")
    count = 0
    random.seed(0)
    seed_torch()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call in op_gradients.calls(INFOS[name], "float64", 4, grads=kind == "forward"):
            count += op_gradients.KINDS[kind](call, "float64")
    assert count


# -- what the databases have not -----------------------------------------------------------------------------------------


def F(t):
    return t.nn.functional


FUNCTIONS = {
    "fold": ((2, 12, 20), lambda t, x: F(t).fold(x, (5, 6), (2, 2))),
    "fold, overlapping": ((2, 12, 9), lambda t, x: F(t).fold(x, (6, 7), (2, 3), dilation=(1, 2), padding=1, stride=(3, 2))),
    "fold of one": ((4, 4), lambda t, x: F(t).fold(x, 4, 2, stride=2)),
    "lp_pool1d": ((2, 3, 9), lambda t, x: F(t).lp_pool1d(x, 3, 2, 3, True)),
    "lp_pool2d": ((2, 3, 7, 6), lambda t, x: F(t).lp_pool2d(x, 2, (3, 2))),
    "lp_pool3d": ((2, 3, 5, 5, 4), lambda t, x: F(t).lp_pool3d(x, 2, 2, 1)),
    "affine_grid of images": ((2, 2, 3), lambda t, x: F(t).affine_grid(x, (2, 3, 4, 5), align_corners=False)),
    "affine_grid of volumes": ((1, 3, 4), lambda t, x: F(t).affine_grid(x, (1, 3, 4, 3, 2), align_corners=True)),
    "conv2d, same, even": ((2, 3, 7, 8), lambda t, x: F(t).conv2d(x, x[:, :, :4, :3], padding="same", dilation=(1, 3))),
    "conv2d, strided and dilated": (
        (1, 4, 11, 12),
        lambda t, x: F(t).conv2d(
            x, x[0, :, :2, :3].reshape(4, 1, 2, 3), stride=(3, 2), padding=(1, 4), dilation=(2, 3), groups=4)),
    "conv_transpose2d, strided and dilated": (
        (1, 4, 4, 5),
        lambda t, x: F(t).conv_transpose2d(
            x, x[0, :, None, :2, :3], stride=(3, 2), dilation=(2, 3), groups=4, padding=(1, 2), output_padding=(2, 2))),
    "max_pool2d_with_indices": ((2, 3, 6, 7), lambda t, x: F(t).max_pool2d_with_indices(x, 3, 2, 1)[0]),
    "max_pool2d of infinities": ((1, 1, 5, 5), lambda t, x: F(t).max_pool2d(x.clamp(max=-1e30) * 1e300, 3, 2, 1, return_indices=True)[1]),
    "pixel_shuffle back": ((2, 8, 3, 4), lambda t, x: F(t).pixel_unshuffle(F(t).pixel_shuffle(x, 2), 2)),
    "bilinear of infinities": (
        (1, 2, 3, 4), lambda t, x: F(t).interpolate(t.where(x > 1, t.inf, x), (5, 7), mode="bilinear", align_corners=False)),
    "antialiased": ((1, 2, 9, 11), lambda t, x: F(t).interpolate(x, (4, 6), mode="bilinear", antialias=True)),
    "antialiased, cubic": ((1, 2, 9, 11), lambda t, x: F(t).interpolate(x, scale_factor=(0.4, 1.7), mode="bicubic", antialias=True)),
    "area": ((1, 2, 9, 11), lambda t, x: F(t).interpolate(x, (4, 6), mode="area")),
    "recomputed": (
        (1, 2, 9, 11),
        lambda t, x: F(t).interpolate(x, scale_factor=1.35, mode="bilinear", recompute_scale_factor=True, align_corners=False)),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:Using padding='same'")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name, dtype):
    shape, function = FUNCTIONS[name]
    seed_torch(3)
    theirs = torch.randn(shape, dtype=getattr(torch, dtype)).requires_grad_()
    ours = to_lamina(theirs.detach()).requires_grad_()
    expected, observed = function(torch, theirs), function(lamina, ours)
    _same(observed, expected, dtype)
    if expected.requires_grad:
        seed = torch.randn(expected.shape, dtype=expected.dtype)
        (wanted,) = torch.autograd.grad(expected, theirs, seed)
        _same(lamina.autograd.grad(observed, ours, to_lamina(seed))[0], wanted, dtype)


def _same(observed, expected, dtype):
    tolerance = {"float32": 2e-4, "float64": 1e-9}[dtype]
    torch.testing.assert_close(to_torch(observed.detach()), expected.detach(), rtol=tolerance, atol=tolerance, equal_nan=True)


# -- layers --------------------------------------------------------------------------------------------------------------


def _outputs(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


def _layers_agree(theirs, ours, inputs, dtype):
    """The same text and state, results and gradients of input and parameters."""
    assert repr(ours) == repr(theirs)
    assert list(ours.state_dict()) == list(theirs.state_dict())
    ours.load_state_dict({name: to_lamina(value) for name, value in theirs.state_dict().items()})
    given = [x.detach().clone().requires_grad_(x.is_floating_point()) for x in inputs]
    own = [to_lamina(x.detach()).requires_grad_(x.requires_grad) for x in given]
    expected, observed = _outputs(theirs(*given)), _outputs(ours(*own))
    for o, e in zip(observed, expected, strict=True):
        _same(o, e, dtype)
    seed_torch(1)
    seed = torch.randn(expected[0].shape, dtype=expected[0].dtype)
    expected[0].backward(seed)
    observed[0].backward(to_lamina(seed))
    wanted = [*(x.grad for x in given), *(p.grad for p in theirs.parameters())]
    found = [*(x.grad for x in own), *(p.grad for p in ours.parameters())]
    for o, e in zip(found, wanted, strict=True):
        assert (o is None) == (e is None)
        if e is not None:
            _same(o, e, dtype)


OTHERS = [
    ("Conv2d", (4, 6, (3, 2)), {"padding_mode": "reflect", "padding": (1, 2), "groups": 2}, (2, 4, 7, 6)),
    ("Conv2d", (3, 2, 4), {"padding_mode": "circular", "padding": "same", "dilation": (1, 2), "bias": False}, (2, 3, 7, 9)),
    ("Conv1d", (3, 2, 4), {"padding_mode": "replicate", "padding": "valid"}, (3, 8)),
    ("Conv3d", (2, 4, 2), {"stride": 2, "padding": 1, "dilation": 2, "groups": 2}, (1, 2, 5, 6, 7)),
    ("ConvTranspose2d", (4, 6, 3), {"stride": 2, "padding": 1, "output_padding": 1, "groups": 2, "bias": False}, (2, 4, 5, 4)),
    ("ConvTranspose1d", (2, 3, 3), {"dilation": 3, "output_padding": 2, "stride": 2}, (2, 2, 5)),
    ("PixelShuffle", (2,), {}, (2, 8, 3, 4)), ("PixelUnshuffle", (2,), {}, (2, 2, 4, 6)), ("ChannelShuffle", (2,), {}, (2, 6, 3, 4)),
    ("Upsample", (), {"scale_factor": 2, "mode": "bilinear"}, (2, 3, 4, 5)), ("Upsample", ((3, 7),), {}, (2, 3, 4, 5)),
    ("UpsamplingNearest2d", (), {"scale_factor": (2, 3)}, (1, 2, 3, 4)), ("UpsamplingBilinear2d", ((5, 6),), {}, (1, 2, 3, 4)),
    ("Unfold", ((2, 3),), {"padding": 1, "stride": 2}, (2, 3, 5, 6)), ("Fold", ((5, 6), 2), {}, (2, 12, 20)),
    ("MaxPool2d", (3,), {"stride": 2, "padding": 1, "return_indices": True, "ceil_mode": True}, (2, 3, 6, 7)),
    ("AdaptiveMaxPool2d", ((3, None),), {"return_indices": True}, (2, 3, 7, 4)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "args", "params", "shape"), OTHERS)
def test_other_layers(name, args, params, shape):
    seed_torch(2)
    theirs, ours = (getattr(t.nn, name)(*args, **params) for t in (torch, lamina))
    _layers_agree(theirs.double(), ours.double(), [torch.randn(shape, dtype=torch.float64)], "float64")


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_unpooling_layers(rank):
    seed_torch(2)
    x = torch.randn(2, 3, *(8, 6, 4)[:rank], dtype=torch.float64)
    values, positions = getattr(torch.nn, f"MaxPool{rank}d")(2, 2, return_indices=True)(x)
    layers = [getattr(t.nn, f"MaxUnpool{rank}d")(2, stride=2) for t in (torch, lamina)]
    _layers_agree(*layers, [values, positions], "float64")
    sizes = [to_torch(layers[1](to_lamina(values), to_lamina(positions), x.shape)), layers[0](values, positions, x.shape)]
    assert torch.equal(*sizes)


def test_output_size_of_transposed_layers():
    theirs, ours = (t.nn.ConvTranspose2d(2, 3, 3, stride=3) for t in (torch, lamina))
    ours.load_state_dict({name: to_lamina(value) for name, value in theirs.state_dict().items()})
    x = torch.randn(1, 2, 4, 4)
    _same(ours(to_lamina(x), (14, 12)), theirs(x, (14, 12)), "float32")
    for layer, given in ((theirs, x), (ours, to_lamina(x))):
        with pytest.raises(ValueError, match="requested an output size"):
            layer(given, (15, 12))


@pytest.mark.parametrize("name", ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"])
def test_initial_values_are_those_of_pytorch(name):
    seed_torch(5)
    theirs = getattr(torch.nn, name)(4, 6, 3, groups=2)
    lamina.manual_seed(5)
    ours = getattr(lamina.nn, name)(4, 6, 3, groups=2)
    for own, wanted in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert np.array_equal(own.detach().numpy(), wanted.detach().numpy())


@pytest.mark.parametrize(("name", "args", "params"), [
    ("Conv2d", (3, 4, 3), {"groups": 2}), ("Conv2d", (4, 3, 3), {"groups": 2}), ("Conv2d", (4, 4, 3), {"groups": 0}),
    ("Conv2d", (4, 4, 3), {"padding": "some"}), ("Conv2d", (4, 4, 3), {"padding": "same", "stride": 2}),
    ("Conv2d", (4, 4, 3), {"padding_mode": "some"}), ("ConvTranspose2d", (4, 4, 3), {"padding_mode": "reflect"}),
    ("FractionalMaxPool2d", (2,), {}),
])  # fmt: skip
def test_what_layers_refuse(name, args, params):
    for t in (torch, lamina):
        with pytest.raises(ValueError):
            getattr(t.nn, name)(*args, **params)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("length", [1, 2])
def test_the_order_of_sequences_whose_channels_are_innermost(transposed, length):
    """Those of one item are contiguous, and yet their strides tell the order; those of weights always do."""

    def told(t, n, channels, kernel, orders):
        parts = ((n, channels, length), (channels, 4, kernel) if transposed else (4, channels, kernel))
        x, weight = (
            (t.arange(float(a * b * c)).reshape(a, c, b).mT if innermost else t.arange(float(a * b * c)).reshape(a, b, c)).requires_grad_()
            for (a, b, c), innermost in zip(parts, orders, strict=True)
        )
        F = t.nn.functional
        y = F.conv_transpose1d(x, weight) if transposed else F.conv1d(x, weight, padding=1)
        y.square().sum().backward()
        return [
            (z.tolist(), [s for size, s in zip(z.shape, z.stride(), strict=True) if size > 1]) for z in (y.detach(), x.grad, weight.grad)
        ]

    for case in itertools.product((1, 2), (1, 3), (1, 2), itertools.product((False, True), repeat=2)):
        assert told(lamina, *case) == told(torch, *case), case
