"""Reductions of the first axes, or of all: steps of the kernel before them, to the bit of what they give alone; what needs no memory."""

import pytest
from compiling.outcomes import kernels_of_repetitions

import lamina as torch
from lamina.backends import backend_for


@pytest.mark.parametrize("shape", [(200, 40), (65, 17), (3, 70, 33), (129, 2048)])
@pytest.mark.parametrize("op", ["sum", "mean", "amax", "var", "logsumexp"])
def test_columns(op, shape):
    axes = tuple(range(len(shape) - 1))
    count = kernels_of_repetitions(lambda x, bias: getattr((x + bias).tanh(), op)(axes), torch.randn(shape), torch.randn(shape[-1]))
    assert count == 1 or not backend_for("cpu").fuses("add", torch.float32)


@pytest.mark.parametrize("size", [8193, 70_001, 300_000])
def test_everything(size):
    def huber(x, y):
        d = (x - y).abs()
        return torch.where(d < 1, 0.5 * d * d, d - 0.5).mean(), d.max()

    kernels_of_repetitions(huber, torch.randn(size), torch.randn(size))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64])
@pytest.mark.parametrize("op", ["sum", "amax", "amin", "var", "logsumexp"])
def test_long_totals(op, dtype):
    """Parts of them are reduced one after the other, and come to what all items come to at once."""
    if dtype is torch.int64 and op in ("var", "logsumexp"):
        pytest.skip("of floats only")
    x, y = ((torch.randn(100_003) * 9).to(dtype) for _ in range(2))
    kernels_of_repetitions(lambda x, y: getattr(x * y - x, op)(0), x, y)
    kernels_of_repetitions(lambda x, y: getattr(x * y - x, op)((0, 1)), x[:65_536].reshape(128, 512), y[:65_536].reshape(128, 512))


def test_a_gradient_of_a_norm():
    def loss(x, w):
        centred = x - x.mean(-1, keepdim=True)
        normed = centred * (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt()
        return (normed * w).sum(0), (normed * x).sum(0)

    assert kernels_of_repetitions(loss, torch.randn(150, 48), torch.randn(48)) == 1 or not backend_for("cpu").fuses("add", torch.float32)


def test_a_total_that_is_read():
    kernels_of_repetitions(lambda x: (x * 2 - (x * 2).sum(0)).exp(), torch.randn(100, 30))


def test_what_is_reduced_is_written_later():
    def step(x):
        y = x * 2
        total = y.sum(0)
        y.mul_(0.5)
        return y, total

    kernels_of_repetitions(step, torch.randn(100, 30))


def test_a_total_into_memory_that_was_read():
    def step(x):
        total = x[0] * 3
        y = x + total
        torch.sum(x * 2, 0, out=total)
        return y, total

    kernels_of_repetitions(step, torch.randn(100, 30))


def test_a_backward_pass_makes_cheap_values_again():
    """What one multiplication makes of what is kept is not kept; a gradient that is such a value is."""

    def normed(x, w):
        centred = x - x.mean(-1, keepdim=True)
        return centred * (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt() * w

    compiled = torch.compile(normed)
    x, w = (torch.randn(*shape, requires_grad=True) for shape in ((6, 40), (40,)))
    for _ in range(5):
        got = torch.autograd.grad(compiled(x, w).sum(), (x, w))
    expected = torch.autograd.grad(normed(x, w).sum(), (x, w))
    assert [g.tolist() for g in got] == [g.tolist() for g in expected]
    forward, backward = torch.viz.compiled(compiled).data[0].steps
    if backend_for("cpu").fuses("multiply", torch.float32):
        assert [len(forward), len(backward)] == [1, 1]
        assert forward[0].nbytes == 4 * (3 * 240 + 6 + 40)  # x, what is centred, the result; one over the deviation; w


def test_a_backward_pass_makes_several_cheap_steps_again():
    """Of what is made of a difference and of a sigmoid, only these are kept, and a logarithm."""

    def huber(x, y):
        d = (x - y).abs()
        return torch.where(d < 1, 0.5 * d * d, d - 0.5).mean()

    def focal(x, y):
        p = torch.sigmoid(x)
        q = p * y + (1 - p) * (1 - y)
        return -(((1 - q) ** 2) * (q + 1e-6).log()).mean()

    for loss, kept in ((huber, 1), (focal, 2)):
        compiled = torch.compile(loss)
        x, y = torch.randn(300, requires_grad=True), (torch.rand(300) > 0.5).float()
        for _ in range(5):
            (got,) = torch.autograd.grad(compiled(x, y), x)
        (expected,) = torch.autograd.grad(loss(x, y), x)
        assert got.tolist() == expected.tolist()
        forward, _ = torch.viz.compiled(compiled).data[0].steps
        if backend_for("cpu").fuses("multiply", torch.float32):
            assert forward[0].nbytes == 4 * ((2 + kept) * 300 + 1)


def test_what_is_made_again_needs_no_argument_that_eager_calls_do_not_keep():
    """Arguments may be written into before a backward pass that does not read them."""

    def loss(x, y):
        d = (x - y).abs()
        return (d * d).mean()

    compiled = torch.compile(loss)
    x = torch.randn(30, requires_grad=True)
    for _ in range(5):
        y = torch.randn(30)
        (expected,) = torch.autograd.grad(loss(x, y), x)
        result = compiled(x, y)
        y.zero_()
        (got,) = torch.autograd.grad(result, x)
        assert got.tolist() == expected.tolist()
