"""What programs do: the digits' network learns on the device as it does on the host, and kernels refuse what they must."""

import pytest

torch = pytest.importorskip("lamina")
nn, F = torch.nn, torch.nn.functional

pytestmark = pytest.mark.usefixtures("opencl")


class Block(nn.Module):
    """One layer of a transformer: causal attention of two heads and a network, each beside what it is added to."""

    def __init__(self, width):
        super().__init__()
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.network = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        batch, time, width = x.shape
        q, k, v = (part.view(batch, time, 2, width // 2).transpose(1, 2) for part in self.qkv(self.before(x)).chunk(3, -1))
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).reshape(batch, time, width))
        return x + self.network(self.between(x))


class Gpt(nn.Module):
    """Which of 16 tokens comes next, after each of 12."""

    def __init__(self, width=16):
        super().__init__()
        self.tokens, self.places = nn.Embedding(16, width), nn.Embedding(12, width)
        self.blocks, self.norm, self.head = nn.Sequential(Block(width), Block(width)), nn.LayerNorm(width), nn.Linear(width, 16)

    def forward(self, tokens):
        x = self.tokens(tokens) + self.places(torch.arange(12, device=tokens.device))
        return self.head(self.norm(self.blocks(x))).flatten(0, 1)


def _mlp():
    return nn.Sequential(nn.Flatten(), nn.Linear(196, 48), nn.ReLU(), nn.Linear(48, 10))


def _lenet():
    pooled = [nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 3), nn.ReLU(), nn.AvgPool2d(5)]
    return nn.Sequential(*pooled, nn.Flatten(), nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 10))


def _images(*shape):
    return torch.rand(32, *shape), torch.randint(0, 10, (32,))


def _text():
    starts, steps = torch.randint(0, 16, (16, 1)), torch.randint(1, 4, (16, 1))
    tokens = (starts + steps * torch.arange(13)) % 16
    return tokens[:, :-1].contiguous(), tokens[:, 1:].flatten()


MODELS = {"mlp": (_mlp, lambda: _images(14, 14)), "lenet": (_lenet, lambda: _images(1, 14, 14)), "gpt": (Gpt, _text)}


def _losses(name, device, steps=12):
    torch.manual_seed(0)  # on the host: weights and data are the same on every device
    make, draw = MODELS[name]
    model, (given, labels) = make(), draw()
    model, given, labels = model.to(device), given.to(device), labels.to(device)
    optimizer, losses = torch.optim.Adam(model.parameters(), lr=1e-2), []
    for _ in range(steps):
        loss = F.cross_entropy(model(given), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize("name", MODELS)
def test_a_network_has_the_reference_s_losses(name):
    """Sums in another order differ by some ulps, and Adam's quotients of small gradients carry these on from step to step."""
    with torch.backends.use_backend("numpy"):
        expected = _losses(name, "cpu")
    assert _losses(name, "opencl") == pytest.approx(expected, rel=1e-5)
    assert expected[-1] < 0.95 * expected[0]


def test_a_convolution_learns_with_dropout():
    torch.manual_seed(1)
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Dropout(0.1), nn.Flatten(), nn.Linear(144, 3)).to("opencl")
    x, y = torch.rand(32, 1, 8, 8).to("opencl"), torch.randint(0, 3, (32,)).to("opencl")
    optimizer, losses = torch.optim.SGD(model.parameters(), lr=0.2), []
    for _ in range(25):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.9 * losses[0]


def test_equal_positions_are_added_in_order_each_time():
    torch.manual_seed(2)
    places, values = torch.randint(0, 7, (4000,)).to("opencl"), torch.randn(4000, 3).to("opencl")
    sums = [torch.zeros(7, 3, device="opencl").index_put_((places,), values, accumulate=True).tolist() for _ in range(3)]
    assert sums[0] == sums[1] == sums[2]
    host = torch.zeros(7, 3).index_put_((places.cpu(),), values.cpu(), accumulate=True)
    assert torch.allclose(torch.tensor(sums[0]), host, atol=1e-3)


def test_positions_outside_are_refused_before_anything_is_written():
    x = torch.arange(5.0, device="opencl")
    with pytest.raises(IndexError):
        x[torch.tensor([1, 9], device="opencl")] = 0.0
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_whole_numbers_are_not_divided_by_zero():
    x = torch.arange(4, device="opencl")
    for divisor in (0, x):
        with pytest.raises(ZeroDivisionError):
            x // divisor
    with pytest.raises(RuntimeError, match="negative integer powers"):
        x**-1
    assert (torch.tensor([-(2**31)], dtype=torch.int32).to("opencl") // -1).tolist() == [-(2**31)]


def test_mixed_devices_are_named_with_what_mends_it():
    with pytest.raises(RuntimeError, match=r"opencl.*cpu|cpu.*opencl"):
        torch.ones(2, device="opencl") + torch.ones(2)


def test_an_awkward_address_and_too_many_axes_are_refused_in_words():
    from lamina_flatarray import FlatArray, OpNotImplemented

    odd = FlatArray.empty(9, "uint8", "opencl")[1:].reinterpret("float32")
    with pytest.raises(OpNotImplemented, match="multiple of 4"):
        odd.fill(1.0)
    with pytest.raises(MemoryError, match="opencl:0"):
        FlatArray.empty(2**60, "uint8", "opencl")


def test_threads_share_a_device():
    """Kernels keep their arguments between being given and being queued, so this fails without the queue's lock."""
    from concurrent.futures import ThreadPoolExecutor

    def total(value):
        sums = []
        for _ in range(20):
            a = torch.full((17, 33), float(value), device="opencl")
            sums.append((a @ a.t() + a.sum(1, keepdim=True)).sum().item())
        return set(sums)

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(total, range(1, 7))) == [{17.0 * 17 * 33 * (v * v + v)} for v in range(1, 7)]
