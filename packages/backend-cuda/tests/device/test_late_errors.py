"""Positions outside and targets that are no class: found by kernels, and told when the host waits, or at once where that is wanted."""

import pytest
from emulated import EmulatedPort
from emulated.nvrtc import available
from standin import HostPort

from lamina_backend_cuda import CudaBackend
from lamina_flatarray.backends import registry

torch = pytest.importorskip("lamina")


@pytest.fixture(params=["standin", "emulated"])
def registered(request):
    """The backend on either pretended device."""
    if request.param == "emulated" and not available():
        pytest.skip("NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12")
    yield registry.register(CudaBackend(HostPort() if request.param == "standin" else EmulatedPort()))
    registry.unregister("cuda")


def at(*places):
    return torch.tensor(places, device="cuda")


CALLS = {
    "index: index 7 is out of bounds for size 4": lambda x: x[at(0, 7)],
    "index: index -5 is out of bounds for size 4": lambda x: x[at(-5)],
    "index: index -1 is out of bounds for size 3": lambda x: x.index_select(1, at(-1)),
    "index: index 4 is out of bounds for size 4": lambda x: torch.nn.functional.embedding(at(4), x),
    "index_put: index 9 is out of bounds for size 4": lambda x: x.clone().index_put_((at(9, 0),), torch.ones(3, device="cuda")),
    "gather: index -2 is out of bounds for size 3": lambda x: x.gather(1, at(0, -2)[None]),
    "scatter: index 3 is out of bounds for size 3": lambda x: x.scatter(1, at(0, 3)[None], 1.0),
    "scatter_add: index -1 is out of bounds for size 4": lambda x: x.scatter_add(0, at(-1, 2, 0)[None], x),
    "cross_entropy: index 3 is out of bounds for 3 classes": lambda x: torch.nn.functional.cross_entropy(x, at(0, 1, 3, 2)),
    "nll_loss: index -7 is out of bounds for 3 classes": lambda x: torch.nn.functional.nll_loss(x, at(0, 1, -7, 2)),
}


@pytest.mark.parametrize("told", CALLS)
def test_the_next_read_tells_of_it_once(told, registered):
    """What was there before is untouched, and the device goes on."""
    x = torch.arange(12.0, device="cuda").reshape(4, 3)
    CALLS[told](x)
    op, _, what = told.partition(": ")
    with pytest.raises(IndexError, match=f"{what} in an earlier call of {op}; .*CUDA_LAUNCH_BLOCKING=1"):
        x.tolist()
    assert x.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]


def loss(x, target):
    return torch.nn.functional.binary_cross_entropy(torch.tensor(x, device="cuda"), torch.tensor(target, device="cuda"))


def test_what_is_no_probability(registered):
    """The greatest is told, as bits are compared."""
    assert loss([0.0, 0.5], [0.0, 1.0]).item() == pytest.approx(0.34657359)
    for x, target, told in (([0.5, 1.5], [1.0, 0.0], "1.5"), ([0.5, 0.5], [1.0, -0.25], "-0.25"), ([0.5, float("nan")], [1.0, 0.0], "nan")):
        result = loss(x, target)
        with pytest.raises(RuntimeError, match=f"all elements of input and target should be between 0 and 1, but one is {told} in an"):
            result.item()
        assert torch.ones(2, device="cuda").tolist() == [1.0, 1.0]


def test_which_of_several_is_told_does_not_depend_on_the_threads(registered):
    torch.arange(4.0, device="cuda")[at(5, -30, 17, 9)]
    with pytest.raises(IndexError, match="index -30 is out of bounds"):
        torch.cuda.synchronize()


def test_a_stream_tells_its_own(registered):
    side = torch.cuda.Stream()
    x = torch.arange(4.0, device="cuda")
    side.wait_stream(torch.cuda.default_stream())
    with torch.cuda.stream(side):
        x[at(5)]
    assert (x + 1).tolist() == [1.0, 2.0, 3.0, 4.0]
    with pytest.raises(IndexError, match="index 5 is out of bounds"):
        side.synchronize()


def test_the_call_itself_raises_where_kernels_are_waited_for(monkeypatch):
    monkeypatch.setenv("CUDA_LAUNCH_BLOCKING", "1")
    registry.register(CudaBackend(HostPort()))
    try:
        x = torch.arange(12.0, device="cuda").reshape(4, 3)
        with pytest.raises(IndexError, match=r"gather: index -2 is out of bounds for dimension 1 with size 3"):
            x.gather(1, at(0, -2)[None])
        with pytest.raises(IndexError, match=r"cross_entropy: .*3 is out of bounds"):
            torch.nn.functional.cross_entropy(x, at(0, 1, 3, 2))
        assert x.sum().item() == 66.0
    finally:
        registry.unregister("cuda")


def test_negative_positions_along_an_axis_are_counted_without_waiting(registered, monkeypatch):
    x = torch.arange(6.0, device="cuda").reshape(2, 3)
    places, waits = torch.tensor([[-1], [0]], device="cuda"), []
    real = registered.port.copy_out
    monkeypatch.setattr(registered.port, "copy_out", lambda *given: waits.append(given) or real(*given))
    y = torch.take_along_dim(x, places, 1)
    assert not waits and y.tolist() == [[2.0], [3.0]]
