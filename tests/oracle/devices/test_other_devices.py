"""Operands of two devices: refused wherever PyTorch's kernels for accelerators refuse them, whatever the operand is for.

PyTorch's op database tells which functions take several tensors; each of these in turn is moved to another device. Without an accelerator
PyTorch itself cannot be asked: what it allows is written down here.
"""

import warnings
from itertools import islice

import pytest
import torch
from databases import op_database, op_strides
from torch.utils._pytree import tree_flatten, tree_unflatten

import lamina
from lamina_flatarray import DeviceError, backends
from lamina_testkit.toy import ToyBackend

SAMPLES = 4
ALLOWED = {
    "broadcast_tensors": "each tensor is for itself",
    "index_put": "positions on the host", "tensor_split": "positions on the host, and nowhere else",
    "select_scatter": "values are copied from anywhere", "slice_scatter": "values are copied from anywhere",
    "nn.functional.ctc_loss": "lengths are read on the host",
    "expand_as": "of the other only its shape is read", "reshape_as": "of the other only its shape is read",
    "view_as": "of the other only its shape is read", "resize_as_": "of the other only its shape is read",
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def toy():
    made = backends.register(ToyBackend())
    yield
    backends.unregister(made.name)


def _is_tensor(x):
    return isinstance(x, lamina.Tensor)


def _calls(info, ours):
    """Calls that work on one device: flat arguments, and how to make them anew."""
    dtype = getattr(torch, op_strides._dtype(info))
    for sample in islice(info.sample_inputs_func(info, "cpu", dtype, False), SAMPLES):
        flat, form = tree_flatten(((sample.input, *sample.args), dict(sample.kwargs)))
        if sum(isinstance(x, torch.Tensor) for x in flat) < 2 or "device" in sample.kwargs:
            continue
        try:
            here = [op_database.to_lamina(x) for x in flat]
            args, params = tree_unflatten([x.clone() if _is_tensor(x) else x for x in here], form)
            ours(*args, **params)
        except Exception:
            continue  # other tests ask for the values
        yield here, form


def _apart(here):
    """The same with one tensor on another device, and with all but that one there."""
    for i in [i for i, x in enumerate(here) if _is_tensor(x) and x.ndim]:
        for far in (True, False):
            moved = [x.to("toy") if _is_tensor(x) and (k == i) == far else x for k, x in enumerate(here)]
            if len({x.device for x in moved if _is_tensor(x) and x.ndim}) == 2:
                yield moved


@pytest.mark.parametrize("in_place", [False, True])
def test_every_function_of_several_tensors(in_place):
    asked, in_silence, allowed = 0, {}, set()
    for name in op_strides.cases():
        info = op_strides.entries()[name]
        ours = op_database.counterpart(info)
        if in_place:
            method = f"{info.name}_"
            if not hasattr(lamina.Tensor, method):
                continue
            ours = lambda x, *args, method=method, **params: getattr(x, method)(*args, **params)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for here, form in _calls(info, ours):
                for moved in _apart(here):
                    args, params = tree_unflatten([x.clone() if _is_tensor(x) else x for x in moved], form)
                    asked += 1
                    try:
                        ours(*args, **params)
                    except RuntimeError as error:  # its own, or that the device has no such kernel at all
                        assert isinstance(error, (DeviceError, NotImplementedError)), f"{name}: {error}"
                    else:
                        operands = [(x.dtype, tuple(x.shape), x.device) for x in moved if _is_tensor(x)]
                        (allowed.add(name) if name in ALLOWED else in_silence.setdefault(name, operands))
    assert in_silence == {}
    assert allowed == (ALLOWED.keys() if not in_place else {"index_put"} & ALLOWED.keys())
    assert asked > (100 if in_place else 500)


def _two(device="toy"):
    here = lamina.arange(12.0).reshape(3, 4)
    return here, here.to(device)


@pytest.mark.parametrize(
    "index", [lamina.tensor([2, 0]), (slice(None), lamina.tensor([1, 1])), lamina.tensor([True, False, True]), lamina.tensor(1)]
)
def test_positions_on_the_host_index_any_device(index):
    here, there = _two()
    there.requires_grad_()
    here.requires_grad_()
    results = []
    for x in (here, there):
        read = x[index]
        (read * read).sum().backward()
        assert read.device == x.device
        results.append((read.tolist(), x.grad.tolist()))
        written = x.detach().clone()
        written[index] = 7.0
        written[index] += lamina.tensor(1.0)
        results[-1] += (written.tolist(), x.detach().index_put((lamina.tensor([0, 2]),), lamina.tensor(5.0)).tolist())
    assert results[0] == results[1]


def _refusals():
    at, mask, row = lamina.tensor([0, 2]), lamina.tensor([True, False, True]), lamina.tensor([[0, 1, 2, 0]])
    yield "x[i]", lambda x, y: x[y(at)], "either on cpu or on the same device"
    yield "x[mask]", lambda x, y: x[y(mask)], "either on cpu or on the same device"
    yield "x[i] = number", lambda x, y: x.__setitem__(y(at), 1.0), "either on cpu or on the same device"
    yield "x[i] = values", lambda x, y: x.__setitem__(at.to(x.device), y(lamina.ones(2, 4))), "__setitem__: expected all tensors"
    yield "gather", lambda x, y: x.gather(0, y(row)), "gather: expected all tensors"
    yield "index_select", lambda x, y: x.index_select(0, y(at)), "index_select: expected all tensors"
    yield "of a number", lambda x, y: x.index_select(0, y(lamina.tensor(1))), "index_select: expected all tensors"
    yield "take", lambda x, y: x.take(y(at)), "take: expected all tensors"
    yield "scatter", lambda x, y: x.scatter(0, y(row), 1.0), "scatter: expected all tensors"
    yield "scatter_", lambda x, y: x.scatter_(0, y(row), 1.0), "scatter_: expected all tensors"
    yield "masked_fill", lambda x, y: x.masked_fill(y(x > 3), 0.0), "masked_fill: expected all tensors"
    yield "masked_fill_", lambda x, y: x.masked_fill_(y(x > 3), 0.0), "masked_fill_: expected all tensors"
    yield "embedding", lambda x, y: lamina.nn.functional.embedding(y(at), x), "embedding: expected all tensors"
    yield "where", lambda x, y: lamina.where(lamina.tensor(True), x, y(x.clone())), "where: expected all tensors"
    yield "equal", lambda x, y: lamina.equal(x, y(x.clone()[:1])), "equal: expected all tensors"


@pytest.mark.parametrize(("call", "message"), [(c, m) for _, c, m in _refusals()], ids=[name for name, _, _ in _refusals()])
def test_the_error_names_the_function(call, message):
    here, _ = _two()
    with pytest.raises(RuntimeError, match=message):
        call(here, lambda operand: operand.to("toy"))
    if "either on cpu" not in message:
        with pytest.raises(RuntimeError, match=message):
            call(here.to("toy"), lambda operand: operand.to("cpu"))


def test_values_are_copied_from_anywhere():
    here, there = _two()
    here[0], there[0] = there[1], here[1]
    assert here.tolist() == there.tolist() == [[4.0, 5.0, 6.0, 7.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]
    here[lamina.tensor([0])] = lamina.tensor(3.0).to("toy")  # one without axes
    assert here[0].tolist() == [3.0] * 4
