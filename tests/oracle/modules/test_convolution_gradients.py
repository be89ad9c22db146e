"""The functions of `nn.grad` against PyTorch's: every parameter, first and second gradients, and what is refused."""

import pytest
import torch
from databases.op_database import to_lamina, to_torch
from seeds import seed_torch

import lamina
import lamina.nn.grad

NUMBERS = {
    "plain": {},
    "strided": {"stride": 2, "padding": 1},
    "dilated": {"padding": 2, "dilation": 2},
    "in groups": {"padding": 1, "groups": 2},
    "all": {"stride": 2, "padding": 3, "dilation": 3, "groups": 2},
}
LENGTHS, KERNEL = (9, 8, 7), (2, 3, 1)
DTYPES = {"float32": 1e-5, "float64": 1e-12}  # and what is tolerated


def operands(rank, dtype, **numbers):
    """An input, a weight and the gradient of their convolution, in PyTorch's tensors."""
    seed_torch()
    x = torch.randn(2, 4, *LENGTHS[:rank], dtype=dtype)
    weight = torch.randn(6, 4 // numbers.get("groups", 1), *KERNEL[:rank], dtype=dtype)
    return x, weight, torch.randn_like(getattr(torch.nn.functional, f"conv{rank}d")(x, weight, **numbers))


def of_input(library, x, weight, gradient, **numbers):
    return getattr(library.nn.grad, f"conv{x.ndim - 2}d_input")(x.shape, weight, gradient, **numbers)


def of_weight(library, x, weight, gradient, **numbers):
    return getattr(library.nn.grad, f"conv{x.ndim - 2}d_weight")(x, weight.shape, gradient, **numbers)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("function", [of_input, of_weight])
def test_values_and_gradients(function, rank, numbers, dtype):
    """The gradients, and those that the other operand and the gradient get from them in turn."""
    tolerance = {"rtol": DTYPES[dtype], "atol": 10 * DTYPES[dtype]}
    theirs = operands(rank, getattr(torch, dtype), **NUMBERS[numbers])
    ours = [to_lamina(t).requires_grad_() for t in theirs]
    wanted = function(torch, *[t.requires_grad_() for t in theirs], **NUMBERS[numbers])
    observed = function(lamina, *ours, **NUMBERS[numbers])
    torch.testing.assert_close(to_torch(observed.detach()), wanted.detach(), **tolerance)
    seed = torch.randn_like(wanted)
    wanted.backward(seed)
    observed.backward(to_lamina(seed))
    for t, o in zip(theirs, ours, strict=True):
        assert (o.grad is None) is (t.grad is None)
        if t.grad is not None:
            torch.testing.assert_close(to_torch(o.grad), t.grad, **tolerance)


@pytest.mark.parametrize("function", [of_input, of_weight])
def test_one_number_for_each_dim(function):
    numbers = {"stride": (3, 2), "padding": [1, 0], "dilation": (1, 2)}
    theirs = operands(2, torch.float64, **numbers)
    observed = function(lamina, *map(to_lamina, theirs), **numbers)
    torch.testing.assert_close(to_torch(observed), function(torch, *theirs, **numbers))


@pytest.mark.parametrize("function", [of_input, of_weight])
def test_channels_last(function):
    theirs = [t.to(memory_format=torch.channels_last) for t in operands(2, torch.float32)]
    ours = [to_lamina(t).to(memory_format=lamina.channels_last) for t in theirs]
    torch.testing.assert_close(to_torch(function(lamina, *ours)), function(torch, *theirs), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize(("function", "place"), [(of_input, 0), (of_weight, 1)])
def test_complex(function, place):
    """PyTorch has no such functions of complex numbers; what its autograd gives is theirs."""
    x, weight, gradient = operands(2, torch.complex128)
    leaves = x.requires_grad_(), weight.requires_grad_()
    (wanted,) = torch.autograd.grad(torch.nn.functional.conv2d(*leaves), leaves[place], gradient)
    observed = function(lamina, *[to_lamina(t.detach()) for t in (x, weight, gradient)])
    torch.testing.assert_close(to_torch(observed), wanted)


@pytest.mark.parametrize("function", [of_input, of_weight])
def test_no_examples(function):
    x, weight, gradient = operands(2, torch.float32)
    theirs = x[:0], weight, gradient[:0]
    torch.testing.assert_close(to_torch(function(lamina, *map(to_lamina, theirs))), function(torch, *theirs))


REFUSED = {
    "input of other lengths": lambda t, x, w, g: t.nn.grad.conv2d_input((2, 4, 9, 9), w, g),
    "input of more examples": lambda t, x, w, g: t.nn.grad.conv2d_input((3, 4, 9, 8), w, g),
    "input of more channels": lambda t, x, w, g: t.nn.grad.conv2d_input((2, 5, 9, 8), w, g),
    "input without a batch": lambda t, x, w, g: t.nn.grad.conv2d_input((4, 9, 8), w, g[0]),
    "input of floats": lambda t, x, w, g: t.nn.grad.conv2d_input((2, 4, 9.0, 8), w, g),
    "no input": lambda t, x, w, g: t.nn.grad.conv2d_input(None, w, g),
    "weight for other outputs": lambda t, x, w, g: t.nn.grad.conv2d_input(x.shape, w[:5], g),
    "weight of other kernels": lambda t, x, w, g: t.nn.grad.conv2d_weight(x, (6, 4, 2, 4), g),
    "weight of fewer channels": lambda t, x, w, g: t.nn.grad.conv2d_weight(x, (6, 3, 2, 3), g),
    "weight without outputs": lambda t, x, w, g: t.nn.grad.conv2d_weight(x, (4, 2, 3), g),
    "no stride": lambda t, x, w, g: t.nn.grad.conv2d_input(x.shape, w, g, stride=0),
    "three strides": lambda t, x, w, g: t.nn.grad.conv2d_weight(x, w.shape, g, stride=(1, 1, 1)),
    "negative padding": lambda t, x, w, g: t.nn.grad.conv2d_weight(x, w.shape, g, padding=-1),
    "no groups": lambda t, x, w, g: t.nn.grad.conv2d_input(x.shape, w, g, groups=0),
    "outputs that no groups share": lambda t, x, w, g: t.nn.grad.conv2d_weight(x, (6, 1, 2, 3), g, groups=4),
    "two dtypes, of the input": lambda t, x, w, g: t.nn.grad.conv2d_input(x.shape, w.double(), g),
    "two dtypes, of the weight": lambda t, x, w, g: t.nn.grad.conv2d_weight(x.double(), w.shape, g),
    "integers": lambda t, x, w, g: t.nn.grad.conv2d_input(x.shape, w.long(), g.long()),
    "volumes": lambda t, x, w, g: t.nn.grad.conv3d_weight(x, w.shape, g),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    """Errors are of PyTorch's kind, and name the function."""
    theirs = operands(2, torch.float32)
    with pytest.raises((RuntimeError, TypeError)) as wanted:
        REFUSED[name](torch, *theirs)
    with pytest.raises(wanted.type, match=r"^conv\dd_(input|weight)\b"):
        REFUSED[name](lamina, *map(to_lamina, theirs))
