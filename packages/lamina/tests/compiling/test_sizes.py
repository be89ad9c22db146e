"""Functions that were compiled at some sizes: at a size between these, no Python runs, and results are those of eager calls."""

import copy
import re

import pytest
from compiling.outcomes import same, ways

import lamina as torch
from lamina import nn
from lamina.nn import functional as F

RECORDED = (2, 9, 30, 64)
BETWEEN = (3, 17, 40, 63)


def learnt(compiled, made, sizes=RECORDED):
    """Have a function compiled at some sizes."""
    for size in sizes:
        for _ in range(9):
            compiled(*made(size))


def derived(compiled):
    return [way for way in ways(compiled) if way.sizes is not None]


def mask(x):
    n = x.shape[0]
    return torch.ones(n, n).tril() * (x @ x.T)


def attention(x):
    heads = x.view(x.size(0), 2, 3).transpose(0, 1)
    return F.scaled_dot_product_attention(heads, heads, heads, is_causal=True).transpose(0, 1).reshape(x.shape)


FUNCTIONS = {
    "chain": lambda x: ((x * 1.5 + 2) * x - x).exp(),
    "softmax of columns": lambda x: x.softmax(0),
    "norm by hand": lambda x: (x - x.mean(0)) * (x.var(0) + 1e-5).rsqrt(),
    "mean by hand": lambda x: x.sum(0) / x.shape[0],
    "positions": lambda x: x + torch.arange(x.shape[0])[:, None] * 0.5,
    "mask": mask,
    "attention": attention,
    "parts put together": lambda x: torch.cat([x.flip(0), x.roll(1, 0), x[1:], x[:-1]]),
    "padded": lambda x: F.pad(x, (1, 1, 2, 0)).T.contiguous(),
    "windows": lambda x: x.unfold(0, 2, 1).sum(-1),
    "order": lambda x: x.sort(0).values + x.cumsum(0),
    "einsum": lambda x: torch.einsum("ni,nj->ij", x, x),
    "pooled": lambda x: F.avg_pool1d(x.T[None], 2, 1),
    "drawn": lambda x: F.dropout(x, 0.5) + torch.rand(x.shape[0], 1),
    "repeated": lambda x: x.repeat(2, 1).view(2, -1, 6).sum(0),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_between(name):
    function = FUNCTIONS[name]
    compiled = torch.compile(function)
    learnt(compiled, lambda size: (torch.randn(size, 6),))
    for size in BETWEEN:
        x = torch.randn(size, 6)
        for _ in range(2):
            torch.manual_seed(size)
            got = compiled(x)
            torch.manual_seed(size)
            assert same(got, function(x))
    assert len(derived(compiled)) == len(BETWEEN), ways(compiled)[3].other_sizes


def test_a_network_learns_at_all_sizes():
    def step(model, optimizer):
        def train(x, y):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            return loss

        return train

    model = nn.Sequential(
        nn.Conv1d(2, 4, 3, padding=1), nn.BatchNorm1d(4), nn.GELU(), nn.MaxPool1d(2), nn.Flatten(), nn.Dropout(0.2), nn.Linear(12, 3)
    )
    other = copy.deepcopy(model)
    compiled = torch.compile(step(model, torch.optim.AdamW(model.parameters())))
    eager = step(other, torch.optim.AdamW(other.parameters()))
    for size in (*RECORDED, *BETWEEN):
        for turn in range(4):
            x, y = torch.randn(size, 2, 6), torch.randint(0, 3, (size,))
            torch.manual_seed(turn)
            got = compiled(x, y)
            torch.manual_seed(turn)
            assert same(got, eager(x, y))
    assert all(map(same, model.state_dict().values(), other.state_dict().values()))
    assert [way.calls for way in derived(compiled)] == [4] * len(BETWEEN)


def test_gradients_of_lengths():
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
    compiled = torch.compile(layer)
    learnt(compiled, lambda size: (torch.randn(2, size, 8),))
    x = torch.randn(2, 33, 8)
    gradients = [torch.autograd.grad(function(x).square().sum(), [*layer.parameters()]) for function in (compiled, layer)]
    assert all(map(same, *gradients))
    assert len(derived(compiled)) == 1


def test_python_runs_no_more():
    calls = []

    def function(x):
        calls.append(None) if is_counting else None
        return x * 2

    is_counting = False
    compiled = torch.compile(function)
    learnt(compiled, lambda size: (torch.randn(size),))
    for size in BETWEEN:
        compiled(torch.randn(size))
    is_counting = True  # another way, which is recorded in turn
    compiled(torch.randn(5))
    assert len(calls) == 1
    assert len(derived(compiled)) == len(BETWEEN)


def halves(x):
    return x[: x.shape[0] // 2] * 1


def groups(x):
    return torch.cat([part.softmax(0) for part in x.split(20)])


def test_order_decides_alike_between():
    compiled = torch.compile(lambda x: x * 2 if x.shape[0] < 100 else x * 3)
    learnt(compiled, lambda size: (torch.ones(size),))
    assert compiled(torch.ones(101)).tolist() == [3.0] * 101  # beyond: recorded by itself
    assert compiled(torch.ones(50)).tolist() == [2.0] * 50
    assert len(derived(compiled)) == 1


def interpolated(x):
    return F.interpolate(x.T[None], scale_factor=2, mode="linear")


def distances(x):
    return torch.cdist(x, x)


@pytest.mark.parametrize("function", [halves, groups, interpolated, distances])
def test_what_is_no_polynomial(function):
    compiled = torch.compile(function)
    learnt(compiled, lambda size: (torch.randn(size, 2),))
    for size in BETWEEN:
        x = torch.randn(size, 2)
        assert same(compiled(x), function(x))
    assert not derived(compiled)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda x: x * 3 if x.shape[0] == 40 else x * 2, "reads sizes, and .* may choose by =="),
        (lambda x: x * 3 if len(x) % 8 else x * 2, "reads sizes, and .* may choose by %"),
        (lambda x: x * 3 if x.numel() in (3, 17) else x * 2, "reads sizes, and .* may choose by in"),
        (lambda x: x * 3 if 10 < x.shape[0] < 20 else x * 2, "reads sizes, and .* may choose by"),
        (lambda x: x * 3 if abs(x.shape[0] - 17) < 3 else x * 2, "reads sizes, and .* may choose by"),
        (lambda x: x * float(x.shape[0]) ** 0.5, "no polynomial of the size"),
        (lambda x: x * (1e-310 * x.shape[0]), "no polynomial of the size"),
    ],
)
def test_what_picks_sizes_out(function, reason):
    compiled = torch.compile(function)
    learnt(compiled, lambda size: (torch.ones(size),), (5, 9, 30, 64))
    for size in (8, 17, 40):  # 17 is in the interval that no recorded size is in
        assert same(compiled(torch.ones(size)), function(torch.ones(size)))
    assert not derived(compiled)
    assert re.search(reason, " ".join(way.other_sizes or "" for way in ways(compiled)))


def test_one_is_no_size_between():
    compiled = torch.compile(lambda x: x + torch.ones(3, 1))
    learnt(compiled, lambda size: (torch.randn(size),), (1, *RECORDED))
    assert compiled(torch.ones(1)).shape == (3, 1)
    assert not derived(compiled)
    assert compiled(torch.ones(17)).shape == (3, 17)
    assert len(derived(compiled)) == 1


def test_two_sizes_of_which_one_follows_the_other():
    compiled = torch.compile(lambda x, y: x.sum(0) + y.sum(0))
    learnt(compiled, lambda size: (torch.ones(size), torch.ones(70 - size)))
    assert compiled(torch.ones(17), torch.ones(17)).item() == 34
    assert not derived(compiled)
    compiled(torch.ones(17), torch.ones(53))
    assert len(derived(compiled)) == 1


RECORDED_PAIRS = ((2, 5), (30, 7), (8, 40), (16, 16), (3, 30), (20, 9), (25, 35), (11, 3))
PAIRS_BETWEEN = ((5, 6), (9, 9), (10, 20), (20, 30), (24, 8), (15, 35), (28, 7), (13, 13))


def batched_attention(x):
    batch, length, _ = x.shape
    heads = x.view(batch, length, 2, 3).transpose(1, 2)
    return F.scaled_dot_product_attention(heads, heads, heads, is_causal=True).transpose(1, 2).reshape(x.shape)


def loss_of_all(x):
    return F.cross_entropy(x.reshape(-1, 6), torch.arange(x.shape[0] * x.shape[1]).clamp(max=5))


TWO_SIZES = {
    "chain": FUNCTIONS["chain"],
    "attention": batched_attention,
    "loss": loss_of_all,
    "variance of all": lambda x: x.var((0, 1)),
    "positions": lambda x: x + torch.arange(x.shape[1])[:, None] * 0.5,
    "padded": lambda x: F.pad(x, (0, 0, 1, 1, 2, 0)).contiguous(),
    "dropped": lambda x: F.dropout(x, 0.5),
    "product": lambda x: x.reshape(-1, 6) @ torch.ones(6, 3),
}


@pytest.mark.parametrize("name", TWO_SIZES)
def test_two_sizes_that_go_their_own_ways(name):
    function = TWO_SIZES[name]
    compiled = torch.compile(function)
    learnt(compiled, lambda pair: (torch.randn(*pair, 6),), RECORDED_PAIRS)
    before = {way.given for way in derived(compiled)}
    for pair in PAIRS_BETWEEN:
        x = torch.randn(*pair, 6)
        for _ in range(2):
            torch.manual_seed(1)
            got = compiled(x)
            torch.manual_seed(1)
            assert same(got, function(x))
    new = [way for way in derived(compiled) if way.given not in before]
    assert len(new) + len(before & {f"float32[{a}, {b}, 6]" for a, b in PAIRS_BETWEEN}) == len(PAIRS_BETWEEN)
    assert {way.sizes for way in new} <= {((2, 3), (30, 40))}


def test_the_last_batch_of_an_epoch():
    """Batches of 32, and a last one of 17, each as long as its longest item."""
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
    compiled = torch.compile(layer)
    learnt(compiled, lambda pair: (torch.randn(*pair, 8),), ((32, 10), (32, 40), (32, 20), (32, 15), (17, 12), (17, 30)))
    before = len(derived(compiled))
    for pair in ((17, 20), (32, 33), (17, 25)):
        x = torch.randn(*pair, 8)
        assert same(compiled(x), layer(x))
    assert len(derived(compiled)) == before + 3
    x = torch.randn(24, 20, 8)  # a square of 32 and 17 is not told from a multiple: recorded by itself
    assert same(compiled(x), layer(x))


def test_the_smaller_of_two_sizes():
    compiled = torch.compile(lambda x: x[:, : x.shape[0]] * 2)
    wide = ((2, 30), (9, 64), (30, 40), (12, 64), (20, 45), (16, 33), (5, 50), (25, 31))
    learnt(compiled, lambda pair: (torch.ones(*pair),), wide)
    assert compiled(torch.ones(15, 42)).shape == (15, 15)
    assert len(derived(compiled)) == 1
    assert compiled(torch.ones(30, 29)).shape == (30, 29)  # no recording is as tall, and no wider
    assert len(derived(compiled)) == 1


def test_three_sizes():
    compiled = torch.compile(lambda x: x * 2)
    learnt(compiled, lambda n: (torch.ones(n, n * n % 11 + 2, n * n * n % 13 + 2),), range(2, 9))
    assert not derived(compiled)
    assert any("more than 2 sizes change" in (way.other_sizes or "") for way in ways(compiled))


def test_static_shapes():
    compiled = torch.compile(lambda x: x * 2, dynamic=False)
    learnt(compiled, lambda size: (torch.randn(size),))
    compiled(torch.randn(17))
    assert not derived(compiled)


def test_verified_too():
    compiled = torch.compile(FUNCTIONS["norm by hand"], options={"verify": True})
    learnt(compiled, lambda size: (torch.randn(size, 6),))
    compiled(torch.randn(17, 6))
    assert len(derived(compiled)) == 1


def test_another_mode_is_another_way():
    model = nn.Dropout(0.5)
    compiled = torch.compile(model)
    learnt(compiled, lambda size: (torch.ones(size),))
    model.eval()
    assert compiled(torch.ones(17)).tolist() == [1.0] * 17
    assert not derived(compiled)


def test_there_is_a_bound():
    compiled = torch.compile(lambda x: x * 2)
    learnt(compiled, lambda size: (torch.ones(size),), (2, 3, 4, 200))
    for size in range(5, 150):
        assert compiled(torch.ones(size)).tolist() == [2.0] * size
    assert len(derived(compiled)) == 64
    assert len(ways(compiled)) == 64 + 8
