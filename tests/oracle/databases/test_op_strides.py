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
    "Conv2d": lambda nn: nn.Conv2d(3, 4, 3),
    "ConvTranspose2d": lambda nn: nn.ConvTranspose2d(3, 4, 3),
    "MaxPool2d": lambda nn: nn.MaxPool2d(2), "AvgPool2d": lambda nn: nn.AvgPool2d(2),
    "AdaptiveAvgPool2d": lambda nn: nn.AdaptiveAvgPool2d(3),
    "BatchNorm2d": lambda nn: nn.BatchNorm2d(3), "GroupNorm": lambda nn: nn.GroupNorm(3, 3), "ReLU": lambda nn: nn.ReLU(),
    "Upsample": lambda nn: nn.Upsample(scale_factor=2), "bilinear": lambda nn: nn.Upsample(scale_factor=2, mode="bilinear"),
    "ZeroPad2d": lambda nn: nn.ZeroPad2d(1), "ReplicationPad2d": lambda nn: nn.ReplicationPad2d(1), "Dropout": lambda nn: nn.Dropout(),
    "LocalResponseNorm": lambda nn: nn.LocalResponseNorm(2), "PReLU": lambda nn: nn.PReLU(3), "Softmax2d": lambda nn: nn.Softmax2d(),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYERS)
def test_layers_of_channels_last_images(name):
    """Results, and gradients of what they are given, which are drawn and dropped alike then."""
    strides, drawn = [], []
    for t in (lamina, torch):
        t.manual_seed(0)
        x = t.randn(2, 3, 8, 6).to(memory_format=t.channels_last).requires_grad_()
        layer = LAYERS[name](t.nn)
        t.manual_seed(1)
        y = layer(x)
        y.square().sum().backward()
        strides.append((y.stride(), x.grad.stride()))
        drawn.append(y.tolist())
    assert strides[0] == strides[1]
    if name == "Dropout":
        assert drawn[0] == drawn[1]


@pytest.mark.parametrize("pool", ["adaptive_avg_pool2d", "adaptive_max_pool2d"])
@pytest.mark.parametrize("shape", [(1, 2, 5, 1), (2, 3, 1, 4), (2, 1, 4, 1)])
@pytest.mark.parametrize("bins", [(1, 2), (2, 1), 1, 2])
def test_pools_of_one_row_or_column(pool, shape, bins):
    strides = [
        getattr(t.nn.functional, pool)(t.ones(shape).to(memory_format=t.channels_last), bins).stride() for t in (lamina, torch)
    ]
    assert strides[0] == strides[1]
