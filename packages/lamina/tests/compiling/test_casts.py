"""Casts: steps of the kernel around them, to the bit of what they give alone."""

from itertools import permutations

import pytest
from compiling.outcomes import kernels_of_repetitions

import lamina as torch
from lamina.backends import backend_for

REAL = (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.bool, torch.uint8, torch.int8, torch.int32, torch.int64)
FUSES = backend_for("cpu").fuses("copy", torch.float32)


def of(dtype, *shape):
    """Numbers that a cast rounds, or of which it keeps whether they are 0."""
    return (torch.randn(*shape, dtype=torch.float64) * 50).to(dtype)


@pytest.mark.parametrize(("dtype", "to"), [*permutations(REAL, 2)], ids=str)
def test_from_and_to(dtype, to):
    count = kernels_of_repetitions(lambda x, y: ((x * y).to(to), (x.to(to) == y.to(to)).float()), of(dtype, 1100), of(dtype, 1100))
    fuses = backend_for("cpu").fuses
    assert count == 1 or not (FUSES and fuses("multiply", dtype) and fuses("equal", to))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_a_softmax_of_16_bits(dtype):
    def masked(x, scale, mask):
        x = (x * scale + 0.1).float()
        e = (x - x.amax(-1, keepdim=True)).exp() * mask.float()
        return (e / e.sum(-1, keepdim=True)).to(dtype)

    count = kernels_of_repetitions(masked, torch.randn(40, 70).to(dtype), torch.randn(70).to(dtype), torch.rand(40, 70) > 0.2)
    assert count == 1 or not FUSES


def test_a_loss_of_16_bits():
    def loss(x, y):
        return (x.float() - y.float()).square().mean()

    assert kernels_of_repetitions(loss, torch.randn(20_000).bfloat16(), torch.randn(20_000).bfloat16()) == 1 or not FUSES


def test_numbers_beside_16_bits():
    def scaled(x):
        return (x + 0.1) * 1.0001, torch.where(x > 0.3, x, 0.1), torch.lerp(x, x * 2, 0.3)

    for dtype in (torch.float16, torch.bfloat16):
        kernels_of_repetitions(scaled, torch.randn(3000).to(dtype))


def test_casts_of_what_is_written():
    def step(x):
        y = x * 2
        half = y.half()
        half.mul_(0.1)
        y.copy_(half)
        return y + 1, half, y

    assert kernels_of_repetitions(step, torch.randn(600)) == 1 or not FUSES


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_weights_of_16_bits_are_cast_before_the_kernel(dtype):
    def layer_norm(x, w, b):
        centred = x.float() - x.float().mean(-1, keepdim=True)
        return (centred * (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt() * w.float() + b.float()).to(dtype)

    count = kernels_of_repetitions(layer_norm, torch.randn(30, 70).to(dtype), torch.randn(70).to(dtype), torch.randn(70).to(dtype))
    assert count == 2 or not FUSES  # one casts both weights


def test_what_is_written_before_stays_before():
    def step(x, w):
        x = x * 2
        w = x[0].half()
        y = x + w.float()
        x[0] = w
        return x * y, w

    kernels_of_repetitions(step, torch.randn(30, 70), torch.randn(70))


def test_casts_of_other_layouts():
    def turned(x, row):
        return x.T.double() * 2, row.expand(40, 30).float() + x

    kernels_of_repetitions(turned, torch.randn(40, 30), torch.randn(30).half())


def test_a_training_step_with_autocast():
    def losses(compile):
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.GELU(), torch.nn.LayerNorm(16), torch.nn.Linear(16, 4))
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
        x, y = torch.randn(32, 8), torch.randn(32, 4)

        def step():
            optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss = torch.nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            return loss.detach()

        called = torch.compile(step, fullgraph=True) if compile else step
        return [called().item() for _ in range(6)], [p.tolist() for p in model.parameters()]

    assert losses(compile=True) == losses(compile=False)
