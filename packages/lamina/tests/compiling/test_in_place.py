"""Results in the memory of what is read for the last time: the bits of results that have memory of their own, and less of it."""

import pytest
from compiling.outcomes import kernels_of_repetitions, ways

import lamina as torch
from lamina.backends import backend_for
from lamina.nn import functional as F

FUSES = backend_for("cpu").fuses("relu", torch.float32)
X, W, ROW = (200, 30), (30, 40), (40,)


def scratch_of(function, *arguments):
    """How many bytes a call keeps for what is over with it, whose results have the bits of the function's."""
    kernels_of_repetitions(function, *arguments)
    compiled = torch.compile(function)
    for _ in range(4):
        compiled(*arguments)
    return ways(compiled)[0].scratch_bytes[0]


@pytest.mark.parametrize(
    "tail",
    [torch.relu, lambda t: (t * 0.5 + 1).tanh(), lambda t: torch.softmax(t, -1) if not FUSES else (t - t.amax(-1, keepdim=True)).exp(),
     lambda t: t + t, lambda t: t.mul_(2).add_(1), lambda t: t.float().relu()],
)  # fmt: skip
def test_what_follows_a_product(tail):
    assert scratch_of(lambda x, w: tail(x @ w), torch.randn(X), torch.randn(W)) == 0 or not FUSES


def test_a_network():
    def network(x, w, b):
        for _ in range(3):
            x = F.relu(F.linear(x, w, b)) + x
        return x

    scratch = scratch_of(network, torch.randn(64, 40), torch.randn(40, 40), torch.randn(40))
    assert scratch == 2 * 64 * 40 * 4 or not FUSES  # of x and of the next one; the product is where that will be


def test_what_is_read_later():
    def later(x, w, v):
        t = x @ w
        y = t.relu()
        return y @ v, (t @ v).sigmoid()

    scratch_of(later, torch.randn(X), torch.randn(W), torch.randn(40, 50))


def test_what_is_a_result_itself():
    scratch_of(lambda x, w: (lambda t: (t, t.relu(), t * 2))(x @ w), torch.randn(X), torch.randn(W))


def test_what_is_read_after_a_result_was_made():
    def step(x, w, y):
        t = x @ w
        first = y * 3
        return first, t * first

    assert scratch_of(step, torch.randn(X), torch.randn(W), torch.randn(200, 40)) == 0 or not FUSES


@pytest.mark.parametrize(
    "tail",
    [lambda t: t + t.T, lambda t: t.flip(0) * t, lambda t: (t * 2).relu() - t.roll(1, 0), lambda t: t - t.rot90(),
     lambda t: torch.where(t > 0, t, t.T), lambda t: t.view(20, 10, 200).transpose(0, 1).reshape(200, 200) + t,
     lambda t: t + t[:1], lambda t: (t.T.exp() + t).tanh() * t],
)  # fmt: skip
def test_what_is_read_in_two_orders(tail):
    for inner in (torch.sin, lambda x: x @ x):
        scratch_of(lambda x, inner=inner: tail(inner(x)), torch.randn(200, 200))


def test_what_a_total_is_of():
    def step(x, w):
        t = x @ w
        total = t.sum(0)
        return t * 2, total

    scratch_of(step, torch.randn(X), torch.randn(W))


def test_memory_that_was_used_before():
    def step(x, w, y):
        t = x @ w
        result = y * 2
        product = result.T @ y
        torch.add(t, 1, out=result)
        return result, product

    scratch_of(step, torch.randn(X), torch.randn(W), torch.randn(200, 40))


def test_what_rows_come_to():
    def normed(x, w):
        t = x @ w
        centred = t - t.mean(-1, keepdim=True)
        return centred * (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt()

    assert scratch_of(normed, torch.randn(X), torch.randn(W)) == 0 or not FUSES


def test_other_layouts_and_parts():
    def step(x, w):
        t = x @ w
        s = x @ w
        return t.T.relu(), s[:50] * 2, s[50:].exp()

    scratch_of(step, torch.randn(X), torch.randn(W))


def test_memory_that_stays():
    kept = torch.ones(200, 40)

    def step(x, w):
        t = x @ w
        product = kept.T @ x
        torch.add(t, 1, out=kept)
        return product

    compiled = torch.compile(step)
    for _ in range(5):
        x, w, before = torch.randn(X), torch.randn(W), kept.clone()
        assert torch.equal(compiled(x, w), before.T @ x)
        assert torch.equal(kept, x @ w + 1)


def test_gradients():
    def losses(compile):
        torch.manual_seed(0)
        layers = torch.nn.Linear(30, 40), torch.nn.ReLU(), torch.nn.Linear(40, 40), torch.nn.Sigmoid(), torch.nn.Linear(40, 3)
        model = torch.nn.Sequential(*layers)
        called = torch.compile(model, fullgraph=True) if compile else model
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        found = []
        for step in range(6):
            torch.manual_seed(step)
            loss = called(torch.randn(64, 30)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            found.append(loss.item())
        return found, [p.tolist() for p in model.parameters()]

    assert losses(compile=True) == losses(compile=False)
