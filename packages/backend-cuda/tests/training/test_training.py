"""A network trained on the stand-in reaches the reference's losses, and moves nothing to the host but what the program reads."""

import pytest
from networks import convolutional, perceptron, transformer

from lamina_flatarray import backends
from lamina_flatarray.backends import registry
from lamina_flatarray.backends.fallback import fallbacks, reset_fallbacks


@pytest.fixture
def registered(cuda):
    registry.register(cuda)
    yield cuda
    registry.unregister("cuda")


def losses(device):
    """Of a small network, fifteen steps of plain gradient descent."""
    import lamina_tensor as lt

    lt.manual_seed(3)
    x, y = lt.randn(20, 3).to(device), lt.randn(20, 1).to(device)
    w1, w2 = (lt.randn(3, 8) * 0.5).to(device), (lt.randn(8, 1) * 0.5).to(device)
    for w in (w1, w2):
        w.requires_grad_()
    seen = []
    for _ in range(15):
        loss = ((lt.Tensor.tanh(x @ w1) @ w2 - y) ** 2).mean()
        loss.backward()
        seen.append(loss.item())
        with lt.no_grad():
            for w in (w1, w2):
                w -= w.grad * 0.1
                w.grad = None
    return seen


def test_the_same_losses_as_on_the_reference(registered):
    reset_fallbacks()
    with backends.use_backend("numpy"):
        expected = losses("cpu")
    assert losses("cuda") == pytest.approx(expected, rel=1e-5)
    assert expected[-1] < 0.7 * expected[0]
    assert not fallbacks()


def masked_transformer():
    """The same, with dropout, a mask that is given, a loss that ignores some tokens, and one of probabilities."""
    import lamina_nn as nn
    import lamina_tensor as lt

    model, (tokens, places), loss = transformer()
    seen = lt.ones(6, 6).tril() > 0

    def masked(tokens, places, seen):
        embedded = nn.functional.dropout(model[0](tokens[:, :-1]) + model[1](places), 0.1)
        heads = embedded.reshape(3, 6, 2, 4).transpose(1, 2)
        attended = nn.functional.scaled_dot_product_attention(heads, heads, heads, attn_mask=seen).transpose(1, 2).reshape(18, 8)
        more = nn.functional.nll_loss(model[-1](attended).log_softmax(-1), tokens[:, 1:].reshape(-1), ignore_index=0)
        picked = lt.gather(attended, 1, tokens[:, :6].reshape(18, 1) % 8).mean() + attended[places].mean()
        probable = nn.functional.binary_cross_entropy(attended.sigmoid(), lt.zeros_like(attended))
        return loss(tokens, places) + more + picked + probable

    return model, (tokens, places, seen), masked


@pytest.mark.parametrize("make", [perceptron, convolutional, masked_transformer])
def test_no_step_waits_for_the_device_but_where_the_program_reads(make, registered, monkeypatch):
    """Positions, classes and the norm of gradients are looked at by kernels; what they find is told when a loss is read."""
    import lamina_nn as nn

    model, data, loss_of = make()
    model.to("cuda")
    data = [x.to("cuda") for x in data]
    optimizer, port, waits = nn.optim.AdamW(model.parameters(), lr=0.02), registered.port, []

    def step():
        optimizer.zero_grad()
        loss = loss_of(*data)
        loss.backward()
        nn.gradient_clipping.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.detach()

    step()
    for waiting in ("copy_out", "synchronize", "finish"):
        real = getattr(port, waiting)
        monkeypatch.setattr(port, waiting, lambda *given, waiting=waiting, real=real: waits.append(waiting) or real(*given))
    total = sum(step() for _ in range(3))
    assert not waits
    assert total.item() > 0 and waits


def test_random_numbers_are_made_on_the_device(registered, monkeypatch):
    """The same ones for the same seed, and no bytes come from the host."""
    import lamina_tensor as lt

    lt.rand(1, device="cuda")  # a device's generator exists from its first draw on, and is seeded from then on
    copied = []
    real = registered.port.copy_in
    monkeypatch.setattr(registered.port, "copy_in", lambda *given: copied.append(given) or real(*given))
    drawn = []
    for _ in range(2):
        lt.manual_seed(11)
        drawn.append([fill(6, device="cuda") for fill in (lt.rand, lt.randn)] + [lt.randint(0, 9, (6,), device="cuda")])
    assert not copied
    first, second = ([x.tolist() for x in fills] for fills in drawn)
    assert first == second
    assert all(0 <= u < 1 for u in first[0]) and all(0 <= n < 9 for n in first[2])
