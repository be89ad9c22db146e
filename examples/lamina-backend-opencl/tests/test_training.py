"""What programs do: the digits' network learns on the device as it does on the host, and kernels refuse what they must."""

import pytest

torch = pytest.importorskip("lamina")
nn, F = torch.nn, torch.nn.functional

pytestmark = pytest.mark.usefixtures("opencl")


def _losses(device, steps=12):
    torch.manual_seed(0)  # on the host: weights and data are the same on every device
    model = nn.Sequential(nn.Flatten(), nn.Linear(196, 48), nn.ReLU(), nn.Linear(48, 10))
    images, labels = torch.rand(64, 14, 14), torch.randint(0, 10, (64,))
    model, images, labels = model.to(device), images.to(device), labels.to(device)
    optimizer, losses = torch.optim.Adam(model.parameters(), lr=1e-2), []
    for _ in range(steps):
        loss = F.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def test_a_network_has_the_reference_s_losses():
    with torch.backends.use_backend("numpy"):
        expected = _losses("cpu")
    assert _losses("opencl") == pytest.approx(expected, rel=1e-4)
    assert expected[-1] < 0.7 * expected[0]


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
