"""Layers of float16 and bfloat16, forward and backward, beside PyTorch's of float32 on the same numbers: as if rounded at the end."""

import numpy as np
import pytest
import torch

import lamina

STEPS = {"float16": 2.0**-11, "bfloat16": 2.0**-8}


def _attention(library, q, k, v):
    return library.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)


def _convolution(library, x, weight):
    return library.nn.functional.conv2d(x, weight, padding=1, stride=(2, 1), groups=2)


CASES = {  # name: shapes of the inputs, and what is made of them; modules are made by a function of the library
    "BatchNorm2d": ([(4, 6, 9, 5)], lambda t: t.nn.BatchNorm2d(6)),
    "BatchNorm2d, evaluated": ([(4, 6, 9, 5)], lambda t: t.nn.BatchNorm2d(6).eval()),
    "GroupNorm": ([(4, 6, 9, 5)], lambda t: t.nn.GroupNorm(3, 6)),
    "LayerNorm": ([(8, 70)], lambda t: t.nn.LayerNorm(70)),
    "RMSNorm": ([(8, 70)], lambda t: t.nn.RMSNorm(70, eps=1e-5)),
    "nll_loss": ([(8, 70)], lambda t: lambda x: t.nn.functional.nll_loss(x, t.arange(8) * 7)),
    "attention": ([(2, 3, 40, 16)] * 3, lambda t: lambda q, k, v: _attention(t, q, k, v)),
    "LSTM": ([(5, 4, 8)], lambda t: lambda x, m=t.nn.LSTM(8, 12, bidirectional=True): m(x)[0]),
    "conv2d": ([(3, 4, 9, 8), (6, 2, 3, 2)], lambda t: lambda x, w: _convolution(t, x, w)),
    "conv2d, turned": ([(3, 4, 9, 8), (2, 6, 3, 2)], lambda t: lambda x, w: _convolution(t, x.transpose(2, 3), w.transpose(0, 1))),
    "conv2d, channels last": (
        [(3, 4, 9, 8), (6, 2, 3, 2)], lambda t: lambda x, w: _convolution(t, x.contiguous(memory_format=t.channels_last), w)),
    "conv2d of one image for all": ([(1, 4, 9, 8), (6, 2, 3, 2)], lambda t: lambda x, w: _convolution(t, x.expand(5, 4, 9, 8), w)),
    "conv2d of a part": ([(3, 4, 9, 24), (6, 2, 3, 2)], lambda t: lambda x, w: _convolution(t, x[..., 1:8], w)),
    "conv_transpose2d": ([(3, 4, 5, 6), (4, 3, 3, 2)], lambda t: lambda x, w: t.nn.functional.conv_transpose2d(x, w, stride=2)),
    "max_pool2d": ([(3, 4, 9, 8)], lambda t: lambda x: t.nn.functional.max_pool2d(x, 3, 2, 1)),
    "avg_pool2d": ([(3, 4, 9, 8)], lambda t: lambda x: t.nn.functional.avg_pool2d(x.transpose(2, 3), 3, 2, 1)),
    "adaptive_max_pool2d": ([(3, 4, 9, 8)], lambda t: lambda x: t.nn.functional.adaptive_max_pool2d(x, (4, 3))),
    "embedding": ([(7, 12)], lambda t: lambda x: t.nn.functional.embedding(t.arange(40) % 5, x)),
    "scatter_add": ([(7, 12), (20, 12)], lambda t: lambda x, y: x.scatter_add(0, (t.arange(240) % 7).reshape(20, 12), y)),
    "index_put": ([(7, 12), (20, 12)], lambda t: lambda x, y: x.index_put((t.arange(20) % 3,), y, accumulate=True)),
    "matmul": ([(3, 5, 7), (7, 4)], lambda t: lambda x, y: x @ y),
    "matmul, turned": ([(3, 41, 33), (3, 40, 41)], lambda t: lambda x, y: x.mT @ y.mT),
    "linear": ([(21, 33), (20, 33), (20,)], lambda t: t.nn.functional.linear),
    "GRU": ([(4, 5, 8)], lambda t: lambda x, m=t.nn.GRU(8, 12, batch_first=True): m(x)[0]),
}


def _results(library, name, dtype, numbers):
    library.manual_seed(0)
    shapes, make = CASES[name]
    f = make(library)
    module = next((m for m in [f, *(getattr(f, "__defaults__", None) or ())] if isinstance(m, library.nn.Module)), None)
    if module is not None:  # the parameters of both are numbers of 16 bits
        module.to(getattr(library, dtype))
        if library is torch:
            module.float()
    inputs = [library.tensor(x).to(getattr(library, dtype)) for x in numbers[: len(shapes)]]
    inputs = [(x.float() if library is torch else x).requires_grad_() for x in inputs]
    made = f(*inputs)
    slope = library.tensor(numbers[-1].reshape(-1)[: made.numel()].reshape(tuple(made.shape))).to(made.dtype)
    made.backward(slope)
    leaves = [*inputs, *(module.parameters() if module is not None else ())]
    return [x.detach().double().tolist() for x in (made, *(leaf.grad for leaf in leaves))], made.dtype


@pytest.mark.parametrize("dtype", STEPS)
@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients(name, dtype):
    rng = np.random.default_rng(0)
    kind = {"float16": np.float16, "bfloat16": np.float32}[dtype]
    numbers = [np.round(rng.standard_normal(s) * 32).astype(kind) / 32 for s in (*CASES[name][0], 9000)]
    numbers = [x.astype(np.float32) for x in numbers]
    (found, kept), (wanted, _) = (_results(library, name, dtype, numbers) for library in (lamina, torch))
    assert kept is getattr(lamina, dtype)
    for x, y in zip(found, wanted, strict=True):
        scale = max(1.0, float(np.abs(y).max()))
        np.testing.assert_allclose(x, y, rtol=2 * STEPS[dtype], atol=4 * STEPS[dtype] * scale)


def test_group_norm_keeps_channels_innermost():
    def program(library):
        x = library.arange(96.0).sin().reshape(2, 6, 4, 2).to(memory_format=library.channels_last).requires_grad_()
        made = library.nn.functional.group_norm(x, 3)
        made.backward(made.detach().cos())
        return made.stride(), x.grad.stride(), made.detach().reshape(-1).tolist(), x.grad.reshape(-1).tolist()

    found, wanted = program(lamina), program(torch)
    assert found[:2] == wanted[:2]
    for x, y in zip(found[2:], wanted[2:], strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-4, atol=1e-5)
