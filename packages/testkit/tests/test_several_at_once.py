"""Several backends in one process: operands on two devices are refused in words that name both, and what mends it."""

import pytest

import lamina_tensor as lt
from lamina_flatarray import BackendError, DeviceError, backends, dtypes
from lamina_flatarray.backends import registry
from lamina_testkit.hostile import HostileBackend
from lamina_testkit.toy import ToyBackend


@pytest.fixture(scope="module")
def everywhere():
    """A matrix on each device that there is."""
    for backend in (ToyBackend(), HostileBackend()):
        registry.register(backend)
    yield {device: lt.ones(2, 2, device=device) for device in ("cpu", "toy", "hostile:0", "hostile:1")}
    for name in ("toy", "hostile"):
        registry.unregister(name)


def places(x):
    """Positions on the device of a matrix, and of its shape."""
    return lt.zeros(2, 2, dtype=dtypes.int64, device=x.device)


CALLS = {
    "add": lambda a, b: a + b,
    "add_": lambda a, b: a.clone().add_(b),
    "mul": lambda a, b: lt.mul(a, b),
    "maximum": lambda a, b: lt.maximum(a, b),
    "equal": lambda a, b: lt.equal(a, b),
    "less": lambda a, b: a < b,
    "matmul": lambda a, b: a @ b,
    "bmm": lambda a, b: lt.bmm(a[None], b[None]),
    "einsum": lambda a, b: lt.einsum("ij,jk->ik", a, b),
    "cat": lambda a, b: lt.cat([a, b]),
    "stack": lambda a, b: lt.stack([a, b]),
    "where": lambda a, b: lt.where(a > 0, a, b),
    "a condition": lambda a, b: lt.where(b > 0, a, a),
    "clamp": lambda a, b: lt.clamp(a, b),
    "lerp": lambda a, b: lt.lerp(a, b, a),
    "addmm": lambda a, b: lt.addmm(a, b, b),
    "searchsorted": lambda a, b: lt.searchsorted(a, b),
    "masked_fill": lambda a, b: lt.masked_fill(a, b > 0, 1.0),
    "scatter": lambda a, b: lt.scatter(a, 0, (b * 0).to(dtypes.int64), a),
    "index_add": lambda a, b: lt.index_add(a, 0, lt.zeros(2, dtype=dtypes.int64, device=a.device), b),
    "bincount": lambda a, b: lt.bincount(lt.zeros(2, dtype=dtypes.int64, device=a.device), b[0]),
    "gather": lambda a, b: lt.gather(a, 0, places(b)),
    "take_along_dim": lambda a, b: lt.take_along_dim(a, places(b), 0),
    "take": lambda a, b: lt.take(a, places(b)),
    "index_select": lambda a, b: lt.index_select(a, 0, places(b)[0]),
    "index_add, positions": lambda a, b: lt.index_add(a, 0, places(b)[0], a),
    "index_copy": lambda a, b: lt.index_copy(a, 0, places(b)[0], a),
    "index_fill": lambda a, b: lt.index_fill(a, 0, places(b)[0], 1.0),
    "masked_select": lambda a, b: lt.masked_select(a, b > 0),
    "repeat_interleave": lambda a, b: lt.repeat_interleave(a, places(b)[0], 0),
    "setitem": lambda a, b: a.clone().__setitem__(places(a)[0], b),
    "meshgrid": lambda a, b: lt.meshgrid(a[0], b[0]),
    "histogram": lambda a, b: lt.histogram(a, b.cumsum(0)[:, 0]),
    "out=": lambda a, b: lt.add(a, a, out=b.clone()),
    "a gradient": lambda a, b: setattr(a.clone(), "grad", b.clone()),
    "backward": lambda a, b: (a.clone().requires_grad_() * 2).backward(b),
}

PAIRS = (("cpu", "toy"), ("toy", "cpu"), ("hostile:0", "hostile:1"), ("hostile:1", "toy"))


def named(device):
    """A device as errors write it."""
    return str(lt.ones(1, device=device).device)


def assert_names_both(error, one, other):
    text = str(error)
    a, b = named(one), named(other)
    assert f" on {a}" in text and f" on {b}" in text, text
    assert f".to({a!r})" in text or f".to({b!r})" in text, text
    assert isinstance(error, RuntimeError)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_two_devices(call, pair, everywhere):
    one, other = pair
    with pytest.raises(DeviceError) as caught:
        CALLS[call](everywhere[one], everywhere[other])
    assert_names_both(caught.value, one, other)


INDEXED = {
    "x[i]": lambda x, i, v: x[i],
    "x[:, i]": lambda x, i, v: x[:, i],
    "x[mask]": lambda x, i, v: x[i.T > 0],
    "x[i] = v": lambda x, i, v: x.__setitem__(i, v),
    "x[mask] = 1": lambda x, i, v: x.__setitem__(i > 0, 1.0),
}


@pytest.mark.parametrize("call", INDEXED)
def test_indices_in_brackets_may_be_the_host_s(call, everywhere):
    """As in PyTorch; those of another device are refused."""
    for one, other in (("cpu", "toy"), ("hostile:0", "hostile:1"), ("hostile:1", "toy")):
        with pytest.raises(DeviceError) as caught:
            INDEXED[call](everywhere[one].clone(), places(everywhere[other]), everywhere[one])
        assert_names_both(caught.value, one, other)
        results = []
        for device in (one, "cpu"):
            x = everywhere[one].clone() * 3
            results.append((INDEXED[call](x, places(everywhere[device])[0], everywhere[one]) if call != "x[mask]" else None, x))
        (ours, x), (theirs, y) = results
        assert x.tolist() == y.tolist() and (ours is None or ours.tolist() == theirs.tolist())


def test_copies_go_from_one_device_to_another_of_a_backend(everywhere):
    """Whatever their dtypes, and into what is strided."""
    x = everywhere["hostile:0"].clone()
    x[:, 1].copy_(everywhere["hostile:1"][0] * 5)
    assert x.tolist() == [[1.0, 5.0], [1.0, 5.0]]
    x.copy_(places(everywhere["hostile:1"]))
    assert x.tolist() == [[0.0, 0.0], [0.0, 0.0]] and str(x.device) == "hostile:0"


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_layers_and_optimizers(pair, everywhere):
    nn = pytest.importorskip("lamina_nn", reason="layers are those of nn")
    one, other = pair
    layer = nn.Linear(2, 2).to(one)
    with pytest.raises(DeviceError, match="linear") as caught:
        layer(everywhere[other])
    assert_names_both(caught.value, one, other)
    with pytest.raises(DeviceError) as caught:
        nn.functional.cross_entropy(everywhere[one], lt.zeros(2, dtype=dtypes.int64, device=other))
    assert_names_both(caught.value, one, other)
    with pytest.raises(DeviceError) as caught:
        nn.functional.layer_norm(everywhere[one], (2,), lt.ones(2, device=other))
    assert_names_both(caught.value, one, other)
    for optimizer in (nn.optim.Adam(layer.parameters()), nn.optim.SGD(layer.parameters(), lr=0.1, momentum=0.9)):
        layer.to(one)
        layer.zero_grad()
        layer(everywhere[one]).sum().backward()
        optimizer.step()
        layer.to(other)  # its moments stay behind
        layer.zero_grad()
        layer(everywhere[other]).sum().backward()
        with pytest.raises(DeviceError) as caught:
            optimizer.step()
        assert_names_both(caught.value, one, other)
        assert f"in {type(optimizer).__name__}.step()" in caught.value.__notes__


def test_all_are_alive_together(everywhere):
    """Each computes in its own memory, one after another, and none disturbs another's results."""
    results = {device: x * (i + 2) for i, (device, x) in enumerate(everywhere.items())}
    for i, (device, result) in enumerate(results.items()):
        assert result.tolist() == [[i + 2.0] * 2] * 2, device
        assert str(result.device) == named(device)


def test_backends_of_one_device_share_it(everywhere):
    """NumPy's and the compiled one's arrays are both on the CPU."""
    try:
        backends.backend("cpp")
    except BackendError as why:
        pytest.skip(f"the compiled backend is not there: {why}")
    with backends.use_backend("numpy"):
        a = lt.ones(2, 2)
    with backends.use_backend("cpp"):
        b = lt.ones(2, 2)
    assert (a + b).tolist() == (b + a).tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert lt.cat([a, b]).shape == (4, 2) and (a @ b).tolist() == [[2.0, 2.0], [2.0, 2.0]]


class Failing(ToyBackend):
    """A backend whose own code is wrong."""

    name = device_type = "failing"

    def kernel(self, op):
        def kernel(out, *inputs, **params):
            raise ZeroDivisionError("division by zero")

        return kernel if op == "exp" else super().kernel(op)


def test_an_exception_of_a_kernel_says_whose_it_is():
    registry.register(Failing())
    try:
        x = lt.ones(2, device="failing")
        for call in (lambda: x.exp(), lambda: lt.expm1(x), lambda: x.T.exp()):
            with pytest.raises(ZeroDivisionError) as caught:
                call()
            assert "in the kernel 'exp' of backend 'failing'" in caught.value.__notes__
    finally:
        registry.unregister("failing")
