"""Scalars of NumPy in the place of Python's numbers: everywhere a number is taken, with PyTorch's results."""

import numpy as np
import pytest
import torch

import lamina

X = np.arange(1.0, 13.0, dtype=np.float32).reshape(3, 4)
IMAGE = np.arange(36.0, dtype=np.float32).reshape(1, 1, 6, 6)

OF_INTEGERS = {
    "sum": lambda t, x, n: x.sum(n(1)),
    "mean of dims": lambda t, x, n: x.mean((n(0), n(1))),
    "std": lambda t, x, n: x.std(n(1), correction=n(1)),
    "vector_norm": lambda t, x, n: t.linalg.vector_norm(x, n(2), n(1)),
    "max": lambda t, x, n: x.max(n(1)).indices,
    "softmax": lambda t, x, n: t.nn.functional.softmax(x, dim=n(1)),
    "chunk": lambda t, x, n: t.cat(x.chunk(n(2), n(1))),
    "split": lambda t, x, n: t.cat(x.split([n(1), n(2)])),
    "roll": lambda t, x, n: x.roll(n(1), n(0)),
    "reshape": lambda t, x, n: x.reshape(n(4), n(3)),
    "repeat_interleave": lambda t, x, n: x.repeat_interleave(n(2), n(0)),
    "tensor_split": lambda t, x, n: x.tensor_split(n(2))[0],
    "index": lambda t, x, n: x[n(1), n(0) : n(2)],
    "narrow": lambda t, x, n: x.narrow(n(0), n(1), n(2)),
    "scatter": lambda t, x, n: x.scatter(n(1), t.zeros(3, 1, dtype=t.int64), n(5)),
    "index_fill": lambda t, x, n: x.index_fill(n(0), t.tensor([1]), n(7)),
    "masked_fill": lambda t, x, n: x.masked_fill(x > 3, n(0)),
    "clamp": lambda t, x, n: x.clamp(n(2), n(5)),
    "pow": lambda t, x, n: x ** n(2),
    "a scaled sum": lambda t, x, n: t.add(x, n(2), alpha=n(3)),
    "sums of integers": lambda t, x, n: t.tensor([1, 2], dtype=t.int8) + n(3),
    "zeros": lambda t, x, n: t.zeros(n(2), n(3)),
    "eye": lambda t, x, n: t.eye(n(2)),
}  # fmt: skip
OF_IMAGES = {
    "conv2d": lambda f, x, w, n: f.conv2d(x, w, stride=n(2), padding=n(1), dilation=n(1), groups=n(1)),
    "conv_transpose2d": lambda f, x, w, n: f.conv_transpose2d(x, w, stride=n(2), output_padding=n(1)),
    "max_pool2d": lambda f, x, w, n: f.max_pool2d(x, n(2), n(2), n(0)),
    "avg_pool2d": lambda f, x, w, n: f.avg_pool2d(x, n(2), stride=(n(2), n(1))),
    "lp_pool2d": lambda f, x, w, n: f.lp_pool2d(x, n(2), n(2)),
    "interpolate": lambda f, x, w, n: f.interpolate(x, size=n(3)),
    "interpolate by a factor": lambda f, x, w, n: f.interpolate(x, scale_factor=n(2)),
    "unfold": lambda f, x, w, n: f.unfold(x, n(3), stride=n(2)),
    "pad": lambda f, x, w, n: f.pad(x, (n(1), n(1)), value=n(2)),
}
OF_FLOATS = {
    "clamp": lambda t, x, a: x.clamp(a(3)),
    "clamp between": lambda t, x, a: x.clamp(min=a(1), max=a(5)),
    "masked_fill": lambda t, x, a: x.masked_fill(x > 3, a(1)),
    "scatter": lambda t, x, a: x.scatter(1, t.zeros(3, 1, dtype=t.int64), a(1)),
    "leaky_relu": lambda t, x, a: t.nn.functional.leaky_relu(x, a(0.5)),
    "elu": lambda t, x, a: t.nn.functional.elu(-x, a(0.5)),
    "hardtanh": lambda t, x, a: t.nn.functional.hardtanh(x, a(0), a(2)),
    "huber_loss": lambda t, x, a: t.nn.functional.huber_loss(x, x * 2, delta=a(1)),
    "quantile": lambda t, x, a: x.quantile(a(0.5)),
    "products": lambda t, x, a: x * a(2),
    "quotients": lambda t, x, a: a(2) / x,
    "where": lambda t, x, a: t.where(x > 3, x, a(1)),
    "full": lambda t, x, a: t.full((2,), a(1)),
    "addcmul": lambda t, x, a: t.addcmul(x, x, x, value=a(0.5)),
    "layer_norm": lambda t, x, a: t.nn.functional.layer_norm(x, (4,), eps=a(1)),
}


def _agree(ours, theirs):
    assert str(ours.dtype).partition(".")[2] == str(theirs.dtype).partition(".")[2]
    np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-6)


@pytest.mark.parametrize("number", [np.int64, np.int32, np.uint8])
@pytest.mark.parametrize("name", OF_INTEGERS)
def test_integers(name, number):
    _agree(*(OF_INTEGERS[name](t, t.tensor(X), number) for t in (lamina, torch)))


@pytest.mark.parametrize("number", [np.int64, np.uint8])
@pytest.mark.parametrize("name", OF_IMAGES)
def test_integers_of_windows(name, number):
    _agree(*(OF_IMAGES[name](t.nn.functional, t.tensor(IMAGE), t.ones(1, 1, 3, 3), number) for t in (lamina, torch)))


@pytest.mark.parametrize("number", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize("name", OF_FLOATS)
def test_floats(name, number):
    _agree(*(OF_FLOATS[name](t, t.tensor(X), number) for t in (lamina, torch)))


def test_they_are_numbers_in_modes_too():
    x = lamina.tensor(X)
    with lamina.autocast("cpu", dtype=lamina.bfloat16):
        assert x.sum(np.int64(1)).tolist() == [10, 26, 42]
    mapped = lamina.func.vmap(lambda row: row.clamp(np.float32(3)).sum(np.int64(0)))(x)
    assert mapped.tolist() == [13, 26, 42]


@pytest.mark.parametrize("data", [
    np.float64(3), np.float32(3), np.float16(3), np.int32(3), np.bool_(True), np.complex128(1j), [np.float64(3)],
    [np.float16(1), np.float16(2)], [np.float64(1), 1], [np.float16(1), 1.0], [np.float32(1), np.float64(2)],
    [[np.float16(1)], [np.float16(1)]], (np.int16(1), np.int16(2)), [np.complex128(1), 1.0], [np.array([1.0, 2.0]), np.array([1.0, 2.0])],
], ids=repr)  # fmt: skip
@pytest.mark.filterwarnings("ignore:Creating a tensor from a list of numpy.ndarrays")
def test_the_dtype_of_data(data):
    ours, theirs = lamina.tensor(data), torch.tensor(data)
    assert (ours.dtype.name, ours.tolist()) == (str(theirs.dtype).partition(".")[2], theirs.tolist())
    assert lamina.as_tensor(data).dtype is ours.dtype


def test_the_dtype_of_tensors_in_lists():
    for kind in ("float64", "float16"):
        found = [str(t.tensor([t.tensor(1.0, dtype=getattr(t, kind))] * 2).dtype).partition(".")[2] for t in (lamina, torch)]
        assert found == [kind, kind]


MODULES = {
    "Conv2d": lambda nn, n: nn.Conv2d(n(1), n(2), n(3), n(1), n(1)),
    "ConvTranspose1d": lambda nn, n: nn.ConvTranspose1d(n(1), n(2), n(3)),
    "LayerNorm": lambda nn, n: nn.LayerNorm(n(4)),
    "RMSNorm": lambda nn, n: nn.RMSNorm(n(4)),
    "ZeroPad2d": lambda nn, n: nn.ZeroPad2d(n(1)),
    "ReflectionPad1d": lambda nn, n: nn.ReflectionPad1d(n(1)),
    "MaxUnpool2d": lambda nn, n: nn.MaxUnpool2d(n(2)),
    "Linear": lambda nn, n: nn.Linear(n(4), n(3)),
}


@pytest.mark.parametrize("name", MODULES)
def test_modules(name):
    ours, plain = MODULES[name](lamina.nn, np.int64), MODULES[name](lamina.nn, int)
    assert {k: v.shape for k, v in ours.state_dict().items()} == {k: v.shape for k, v in plain.state_dict().items()}


def test_parameters_of_distributions():
    assert lamina.distributions.Normal(np.float64(0), np.float32(1)).sample((2,)).shape == (2,)
