"""Results lie in memory as PyTorch's do, over PyTorch's op database, whatever the order of dims of their operands."""

import tomllib
from pathlib import Path

import pytest
import torch
from databases import op_database, op_strides

import lamina

KNOWN = tomllib.loads(Path(__file__).with_name("known_differences.toml").read_text())["strides"]
NAMES = list(op_strides.cases())


def _case(name):
    reason = KNOWN.get(name)
    marks = [pytest.mark.xfail(reason=reason, strict=True, raises=op_database.Difference)] if reason else []
    return pytest.param(name, id=name, marks=marks)


@pytest.mark.parametrize("name", list(map(_case, NAMES)))
def test_order_of_memory(name):
    op_strides.check(name)


def test_what_is_known_to_differ_is_asked():
    assert set(NAMES) >= KNOWN.keys()


@pytest.mark.parametrize("name", ["add", "exp", "where", "nn.functional.conv2d", "nn.functional.max_pool2d", "cat", "sort"])
def test_orders_are_compared(name):
    assert op_strides.check(name) > 0


def test_another_order_is_noticed(monkeypatch):
    monkeypatch.setattr(op_database, "lamina_function", lambda name: lambda x: x.exp().contiguous())
    with pytest.raises(op_database.Difference, match="instead of"):
        op_strides.check("exp")


LAYERS = {
    "Conv2d": lambda nn, n: nn.Conv2d(n, 4, 3),
    "ConvTranspose2d": lambda nn, n: nn.ConvTranspose2d(n, 4, 3),
    "MaxPool2d": lambda nn, n: nn.MaxPool2d(2), "AvgPool2d": lambda nn, n: nn.AvgPool2d(2),
    "AdaptiveAvgPool2d": lambda nn, n: nn.AdaptiveAvgPool2d(3),
    "BatchNorm2d": lambda nn, n: nn.BatchNorm2d(n), "GroupNorm": lambda nn, n: nn.GroupNorm(n, n), "ReLU": lambda nn, n: nn.ReLU(),
    "Upsample": lambda nn, n: nn.Upsample(scale_factor=2), "bilinear": lambda nn, n: nn.Upsample(scale_factor=2, mode="bilinear"),
    "ZeroPad2d": lambda nn, n: nn.ZeroPad2d(1), "ReplicationPad2d": lambda nn, n: nn.ReplicationPad2d(1),
    "Dropout": lambda nn, n: nn.Dropout(),
    "LocalResponseNorm": lambda nn, n: nn.LocalResponseNorm(2), "PReLU": lambda nn, n: nn.PReLU(n),
    "Softmax2d": lambda nn, n: nn.Softmax2d(),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYERS)
def test_layers_of_channels_last_images(name):
    """Results, and gradients of what they are given, which are drawn and dropped alike then."""
    strides, drawn = [], []
    for t in (lamina, torch):
        t.manual_seed(0)
        x = t.randn(2, 3, 8, 6).to(memory_format=t.channels_last).requires_grad_()
        layer = LAYERS[name](t.nn, 3)
        t.manual_seed(1)
        y = layer(x)
        y.square().sum().backward()
        strides.append((y.stride(), x.grad.stride()))
        drawn.append(y.tolist())
    assert strides[0] == strides[1]
    if name == "Dropout":
        assert drawn[0] == drawn[1]


@pytest.mark.parametrize("name", sorted(LAYERS.keys() - {"PReLU"}))  # a product with an operand whose dims of length 1 PyTorch asks, too
def test_layers_of_channels_last_images_of_one_channel(name):
    strides = [LAYERS[name](t.nn, 1)(t.ones(2, 1, 8, 6).to(memory_format=t.channels_last)).stride() for t in (lamina, torch)]
    assert strides[0] == strides[1]


FORMATTED = {
    "to": lambda t, x: x.to(memory_format=t.channels_last),
    "to and dtype": lambda t, x: x.to(t.float64, memory_format=t.channels_last),
    "to and back": lambda t, x: x.to(memory_format=t.channels_last).to(memory_format=t.contiguous_format),
    "contiguous": lambda t, x: x.contiguous(memory_format=t.channels_last),
    "clone": lambda t, x: x.clone(memory_format=t.channels_last),
    "clone of it": lambda t, x: x.to(memory_format=t.channels_last).clone(),
    "double": lambda t, x: x.double(memory_format=t.channels_last),
    "empty_like": lambda t, x: t.empty_like(x, memory_format=t.channels_last),
    "zeros_like": lambda t, x: t.zeros_like(x.to(memory_format=t.channels_last)),
    "module": lambda t, x: t.nn.Conv2d(x.shape[1], 2, x.shape[2:]).to(memory_format=t.channels_last).weight,
    "cut": lambda t, x: x[:, :, :, :1].clone(),
}


@pytest.mark.parametrize("shape", [(2, 1, 4, 1), (2, 1, 4, 4), (1, 1, 1, 1), (2, 3, 1, 1), (2, 3, 4, 4), (1, 1, 4, 1)])
@pytest.mark.parametrize("how", FORMATTED)
def test_strides_of_dims_of_length_1_are_those_of_the_format(how, shape):
    """They tell channels-last images of one channel, or of one item, from others."""
    strides = [FORMATTED[how](t, t.ones(shape)).stride() for t in (lamina, torch)]
    assert strides[0] == strides[1]


@pytest.mark.parametrize("shape", [(1, 1, 1, 1), (2, 1, 1, 1), (2, 1, 4, 1), (1, 2, 1, 1), (2, 3, 4, 4)])
@pytest.mark.parametrize("how", ["to", "to and back", "contiguous", "float"])
def test_what_lies_in_a_format_is_not_copied(how, shape):
    """But for images of one item, which PyTorch takes for row-major ones."""
    ways = FORMATTED | {"float": lambda t, x: x.float(memory_format=t.channels_last)}
    copied = []
    for t in (lamina, torch):
        x = t.ones(shape)
        once = ways[how](t, x)
        copied.append((once.data_ptr() == x.data_ptr(), ways[how](t, once).data_ptr() == once.data_ptr()))
    assert copied[0] == copied[1]


@pytest.mark.parametrize("pool", ["adaptive_avg_pool2d", "adaptive_max_pool2d"])
@pytest.mark.parametrize("shape", [(1, 2, 5, 1), (2, 3, 1, 4), (2, 1, 4, 1)])
@pytest.mark.parametrize("bins", [(1, 2), (2, 1), 1, 2])
def test_pools_of_one_row_or_column(pool, shape, bins):
    strides = [
        getattr(t.nn.functional, pool)(t.ones(shape).to(memory_format=t.channels_last), bins).stride() for t in (lamina, torch)
    ]
    assert strides[0] == strides[1]


@pytest.mark.parametrize("layer", ["batch_norm", "group_norm", "instance_norm", "max_pool2d"])
@pytest.mark.parametrize("cut", [lambda x: x[:, :2], lambda x: x[:, ::2], lambda x: x[:, :, :, :1], lambda x: x[:, 1:, ::2]])
def test_parts_of_channels_last_images(layer, cut):
    calls = {
        "batch_norm": lambda t, x: t.nn.functional.batch_norm(x, None, None, training=True),
        "group_norm": lambda t, x: t.nn.functional.group_norm(x, 1),
        "instance_norm": lambda t, x: t.nn.functional.instance_norm(x),
        "max_pool2d": lambda t, x: t.nn.functional.max_pool2d(x, 1),
    }

    def result(t):
        x = cut(t.arange(240, dtype=t.float64).view(2, 4, 5, 6).to(memory_format=t.channels_last)).requires_grad_()
        y = calls[layer](t, x)
        y.square().sum().backward()
        return y, x.grad

    (y, g), (wanted, wanted_g) = result(lamina), result(torch)
    assert y.stride() == wanted.stride()
    for ours, theirs in ((y.detach(), wanted.detach()), (g, wanted_g)):
        room = 240 * torch.finfo(torch.float64).eps * (1 + theirs.abs().max().item())  # sums of at most so many items
        assert abs(ours.numpy() - theirs.numpy()).max() <= room
