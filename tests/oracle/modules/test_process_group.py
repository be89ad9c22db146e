"""A group of one process beside PyTorch's own: what it tells, its operations, its errors, and training in it."""

import pytest
import torch

import lamina


@pytest.fixture
def grouped(tmp_path):
    """Both libraries with a group."""
    for t in (torch, lamina):
        t.distributed.init_process_group("gloo", init_method=f"file://{tmp_path}/meeting", world_size=1, rank=0)
    yield
    for t in (torch, lamina):
        if t.distributed.is_initialized():
            t.distributed.destroy_process_group()


def _reached(program):
    """What a program makes in each library, or the type of its error."""
    found = []
    for t in (torch, lamina):
        try:
            found.append(program(t, t.distributed))
        except Exception as error:
            found.append(type(error))
    return found


def _same(program):
    theirs, ours = _reached(program)
    if isinstance(theirs, type):
        assert isinstance(ours, type) and issubclass(ours, theirs), (ours, theirs)
    else:
        assert ours == theirs


OPERATIONS = {
    "questions": lambda t, d: (d.get_rank(), d.get_world_size(), d.get_backend(), d.is_initialized()),
    "all_reduce": lambda t, d: [(x := t.tensor([1.0, 2.0]), d.all_reduce(x))[1], x.tolist()],
    "all_reduce of a kind": lambda t, d: [(x := t.tensor([3, 2]), d.all_reduce(x, op=d.ReduceOp.MAX))[1], x.tolist()],
    "waited for": lambda t, d: (work := d.all_reduce(t.ones(2), async_op=True), work.wait(), work.is_completed())[1:],
    "all_reduce of a number": lambda t, d: d.all_reduce(3),
    "reduce": lambda t, d: d.reduce(t.ones(2), 0),
    "broadcast": lambda t, d: d.broadcast(t.ones(2), 0),
    "broadcast from nobody": lambda t, d: d.broadcast(t.ones(2), 1),
    "broadcast by the index in the group": lambda t, d: d.broadcast(t.ones(2), group_src=0),
    "broadcast from both": lambda t, d: d.broadcast(t.ones(2), 0, group_src=0),
    "broadcast without a source": lambda t, d: d.broadcast(t.ones(2)),
    "reduce by the index in the group": lambda t, d: d.reduce(t.ones(2), group_dst=0),
    "reduce to nobody": lambda t, d: d.reduce(t.ones(2)),
    "gather by the index in the group": lambda t, d: (d.gather(t.ones(2), found := [t.zeros(2)], group_dst=0), found[0].tolist()),
    "gather to both": lambda t, d: d.gather(t.ones(2), [t.zeros(2)], dst=0, group_dst=0),
    "scatter by the index in the group": lambda t, d: (d.scatter(x := t.zeros(2), [t.ones(2)], group_src=0), x.tolist()),
    "objects by the index in the group": lambda t, d: (d.broadcast_object_list(found := [3], group_src=0), found),
    "a group of a backend": lambda t, d: d.get_backend(d.new_group([0], backend="gloo", group_desc="data")),
    "barrier": lambda t, d: d.barrier(),
    "all_gather": lambda t, d: (d.all_gather(found := [t.zeros(2)], t.ones(2)), found[0].tolist()),
    "all_gather into nothing": lambda t, d: d.all_gather([], t.ones(2)),
    "all_gather of another shape": lambda t, d: d.all_gather([t.zeros(3)], t.ones(2)),
    "all_gather_into_tensor": lambda t, d: (d.all_gather_into_tensor(x := t.zeros(2), t.ones(2)), x.tolist()),
    "gather": lambda t, d: (d.gather(t.ones(2), found := [t.zeros(2)]), found[0].tolist()),
    "gather into a number": lambda t, d: d.gather(t.ones(2), [3]),
    "gather of another dtype": lambda t, d: d.gather(t.ones(2), [t.zeros(2).long()]),
    "gather nowhere": lambda t, d: d.gather(t.ones(2)),
    "scatter": lambda t, d: (d.scatter(x := t.zeros(2), [t.ones(2)]), x.tolist()),
    "scatter numbers": lambda t, d: d.scatter(t.zeros(2), [3]),
    "scatter nothing": lambda t, d: d.scatter(t.zeros(2)),
    "reduce_scatter": lambda t, d: (d.reduce_scatter(x := t.zeros(2), [t.ones(2)]), x.tolist()),
    "reduce_scatter_tensor": lambda t, d: (d.reduce_scatter_tensor(x := t.zeros(2), t.ones(2)), x.tolist()),
    "all_to_all": lambda t, d: (d.all_to_all(found := [t.zeros(2)], [t.ones(2)]), found[0].tolist()),
    "all_gather_object": lambda t, d: (d.all_gather_object(found := [None], {"a": 1}), found),
    "broadcast_object_list": lambda t, d: (d.broadcast_object_list(found := [3]), found),
    "a further group": lambda t, d: (d.get_rank(d.new_group([0])), d.get_world_size(d.new_group())),
    "a second one": lambda t, d: d.init_process_group("gloo"),
    "all_gather into a leaf": lambda t, d: d.all_gather([t.zeros(2, requires_grad=True)], t.ones(2)),
    "gather into a leaf": lambda t, d: d.gather(t.ones(2), [t.zeros(2, requires_grad=True)]),
    "scatter into a leaf": lambda t, d: (d.scatter(x := t.zeros(2, requires_grad=True), [t.ones(2)]), x.tolist()),
    "bits of floats": lambda t, d: d.reduce(t.ones(2), 0, d.ReduceOp.BAND),
    "bits of floats everywhere": lambda t, d: d.all_reduce(t.ones(2), d.ReduceOp.BOR),
    "bits of floats scattered": lambda t, d: d.reduce_scatter(t.zeros(2), [t.ones(2)], d.ReduceOp.BXOR),
    "bits": lambda t, d: (d.all_reduce(x := t.tensor([1, 2]), d.ReduceOp.BAND), x.tolist()),
    "no sampler's shares": lambda t, d: list(t.utils.data.DistributedSampler(range(3), shuffle=False)),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", OPERATIONS)
def test_operations(name, grouped):
    _same(OPERATIONS[name])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [
    n for n in OPERATIONS if n not in ("questions", "a second one") and "number" not in n  # which of the two is wrong first
])  # fmt: skip
def test_without_a_group_they_are_refused(name):
    _same(OPERATIONS[name])


@pytest.mark.parametrize("program", [
    lambda t, d: d.get_rank(), lambda t, d: d.destroy_process_group(), lambda t, d: d.init_process_group("gloo"),
    lambda t, d: d.init_process_group("gloo", init_method="file:///tmp/nothing", world_size=1),
    lambda t, d: t.nn.parallel.DistributedDataParallel(t.nn.Linear(1, 1)),
])  # fmt: skip
def test_errors_before_there_is_one(program, monkeypatch):
    for name in ("RANK", "WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)
    _same(program)


def test_the_environment_tells_how_many(monkeypatch):
    d = lamina.distributed
    monkeypatch.setenv("RANK", "0")
    monkeypatch.setenv("WORLD_SIZE", "1")
    d.init_process_group("nccl")
    assert d.get_backend() == "nccl"
    d.destroy_process_group()
    assert not d.is_initialized()
    monkeypatch.setenv("WORLD_SIZE", "4")
    with pytest.raises(NotImplementedError, match=r"several processes are not served by .ucc. here"):
        d.init_process_group("ucc")
    if not d.is_nccl_available():
        with pytest.raises(RuntimeError, match=r"process group 'nccl'.*(run|install)"):
            d.init_process_group("nccl")
    assert not d.is_initialized()


def _model(t):
    t.manual_seed(0)
    return t.nn.Sequential(t.nn.Linear(3, 4), t.nn.BatchNorm1d(4), t.nn.ReLU(), t.nn.Linear(4, 1))


@pytest.mark.filterwarnings("ignore")
def test_training(grouped):
    found = []
    for t in (torch, lamina):
        model = t.nn.parallel.DistributedDataParallel(_model(t))
        optimizer = t.optim.SGD(model.parameters(), lr=0.1)
        x = t.randn(8, 3)
        for _ in range(3):
            with model.no_sync():
                model(x).sum().backward()
                synced = model.require_backward_grad_sync
            model(x).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()
        state = {name: value.tolist() for name, value in model.state_dict().items()}
        told = (repr(model), synced, model.require_backward_grad_sync, model.device_ids, str(model.device), model.dim)
        found.append((told, list(state), [n for n, _ in model.named_parameters()], state, type(model.module).__name__))
    (told, names, parameters, state, kind), (our_told, our_names, our_parameters, our_state, our_kind) = found
    assert (our_told, our_names, our_parameters, our_kind) == (told, names, parameters, kind)
    assert all(name.startswith("module.") for name in names)
    for name, value in state.items():
        torch.testing.assert_close(torch.tensor(our_state[name]), torch.tensor(value), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("program", [
    lambda t, d: t.nn.parallel.DistributedDataParallel(t.nn.ReLU()),
    lambda t, d: t.nn.parallel.DistributedDataParallel(t.nn.Linear(1, 1), device_ids=[0]),
])  # fmt: skip
def test_what_cannot_be_wrapped(program, grouped):
    _same(program)
