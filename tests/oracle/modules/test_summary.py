"""A summary counts what PyTorch's own counters count: parameters, and floating-point operations of products."""

import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

import lamina


def convolutions(nn):
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 8, 3, groups=4, dilation=2),
        nn.ConvTranspose2d(8, 6, 3, stride=2), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(24, 10),
    )  # fmt: skip


MODELS = {
    "perceptron": (lambda nn: nn.Sequential(nn.Linear(7, 9), nn.Tanh(), nn.Linear(9, 2, bias=False)), (4, 7)),
    "convolutions": (convolutions, (2, 3, 16, 16)),
    "convolution of sequences": (lambda nn: nn.Sequential(nn.Conv1d(4, 6, 5), nn.ConvTranspose1d(6, 4, 3)), (3, 4, 20)),
    "volumes": (lambda nn: nn.Conv3d(2, 4, 3), (1, 2, 6, 5, 5)),
    "transformer": (lambda nn: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), (2, 5, 8)),
    "attention decoder": (lambda nn: nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0), [(5, 2, 8), (4, 2, 8)]),
    "bilinear": (lambda nn: nn.Sequential(nn.Linear(6, 6), nn.LayerNorm(6), nn.GELU()), (3, 6)),
}


@pytest.mark.parametrize("name", MODELS)
def test_parameters_and_operations(name):
    make, shapes = MODELS[name]
    found = lamina.summary(make(lamina.nn), input_size=shapes)
    theirs = make(torch.nn)
    assert found.parameters == sum(p.numel() for p in theirs.parameters())
    assert found.parameter_bytes == sum(p.nbytes for p in theirs.parameters())
    counter = FlopCounterMode(display=False)
    with counter, sdpa_kernel(SDPBackend.MATH):  # of its fused attention, PyTorch counts nothing on the CPU
        theirs(*(torch.ones(shape) for shape in (shapes if isinstance(shapes, list) else [shapes])))
    assert 2 * found.multiply_adds == counter.get_total_flops()
