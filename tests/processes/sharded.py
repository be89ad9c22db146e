"""Models in shards and in parts, as one of several processes: `sharded.py RESULTS CHECKPOINT [FORMER CHECKPOINT]`.

Writes losses and weights as JSON. Whatever must be equal within one run is looked at here.
"""

import json
import sys
from contextlib import contextmanager
from pathlib import Path

from gpt import GPT, Block

import lamina as torch
from lamina.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
from lamina.distributed.fsdp import FSDPModule, fully_shard
from lamina.distributed.tensor import DTensor, Replicate, Shard
from lamina.distributed.tensor.experimental import context_parallel
from lamina.distributed.tensor.parallel import (
    ColwiseParallel,
    PrepareModuleInput,
    PrepareModuleOutput,
    RowwiseParallel,
    SequenceParallel,
    parallelize_module,
)
from lamina_nn.sharding import prefetching

d, nn = torch.distributed, torch.nn
STEPS = 3
PLAN = {
    "words": RowwiseParallel(input_layouts=Replicate()), "places": ColwiseParallel(output_layouts=Replicate()),
    "blocks.*.[qkv]": ColwiseParallel(), "blocks.*.out": RowwiseParallel(),
    "blocks.*.up": ColwiseParallel(), "blocks.*.down": RowwiseParallel(), "head": ColwiseParallel(output_layouts=Replicate()),
}  # fmt: skip
SEQUENCE_PLAN = {  # between the layers in parts, each process has a slice of the sequence
    "words": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1)),
    "places": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(0)),
    "blocks.*.before": SequenceParallel(), "blocks.*.between": SequenceParallel(),
    "blocks.*.[qkv]": ColwiseParallel(input_layouts=Shard(1)), "blocks.*.out": RowwiseParallel(output_layouts=Shard(1)),
    "blocks.*.up": ColwiseParallel(input_layouts=Shard(1)), "blocks.*.down": RowwiseParallel(output_layouts=Shard(1)),
    "blocks.0": PrepareModuleOutput(output_layouts=Shard(1), desired_output_layouts=Replicate()),
    "blocks.1": PrepareModuleInput(input_layouts=(Replicate(),), desired_input_layouts=(Shard(1),)),
    "head": ColwiseParallel(input_layouts=Shard(1), output_layouts=Replicate()),
}  # fmt: skip
d.init_process_group("gloo", timeout=120)
rank, size = d.get_rank(), d.get_world_size()


def made(kind):
    torch.manual_seed(0)
    if kind == "gpt":
        return GPT()
    return nn.Sequential(nn.Linear(10, 67), nn.Tanh(), nn.Linear(67, 67), nn.Tanh(), nn.Linear(67, 3))  # 67 rows: uneven shards


def batches(kind):
    torch.manual_seed(1)
    if kind == "gpt":
        text = torch.randint(0, 17, (STEPS, 8, 13))
        return list(zip(text[:, :, :-1], text[:, :, 1:], strict=True))
    return list(zip(torch.randn(STEPS, 8, 10), torch.randint(0, 3, (STEPS, 8)), strict=True))


def sharded(model, **options):
    for part in model.modules():
        if isinstance(part, Block) or (type(part) is nn.Linear and isinstance(model, nn.Sequential)):
            fully_shard(part, **options)
    return fully_shard(model, **options)


def told_ahead(model, ahead):
    """Each sharded module but the model itself begins to gather so many of the next ones in each pass."""
    every = [part for part in model.modules() if isinstance(part, FSDPModule)]
    for i, part in enumerate(every[1:], 1):
        part.set_modules_to_forward_prefetch(every[i + 1 : i + 1 + ahead])
        part.set_modules_to_backward_prefetch(every[max(1, i - ahead) : i][::-1])
    every[0].set_modules_to_forward_prefetch(every[1 : 1 + ahead])
    every[0].set_modules_to_backward_prefetch(every[-1:-1 - ahead:-1])
    return model


@contextmanager
def counted(counts):
    """Count what is gathered when it is wanted, and what is begun ahead of time."""
    before = {name: getattr(prefetching, name) for name in counts}
    for name in counts:

        def noted(*args, name=name):
            counts[name] += 1
            return before[name](*args)

        setattr(prefetching, name, noted)
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(prefetching, name, function)


def whole(tensor):
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor.detach()


def trained(model, kind, *, apart=True, clips=True, halves=False):
    """Losses, norms of gradients, the weights and the optimizer; each process has its share of a batch, or all have the same."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.003)
    found = []
    for x, y in batches(kind):
        x, y = (x[rank::size], y[rank::size]) if apart else (x, y)
        optimizer.zero_grad()
        total = torch.zeros(())
        for part in [slice(0, 1), slice(1, len(x))] if halves else [slice(0, len(x))]:
            if halves:
                model.set_requires_gradient_sync(part.start == 1)
            scores = model(x[part])
            loss = nn.functional.cross_entropy(scores.flatten(0, -2), y[part].flatten()) * (len(x[part]) / len(x))
            loss.backward()
            total += loss.detach()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 0.1) if clips else torch.zeros(())
        optimizer.step()
        if apart:
            d.all_reduce(total, d.ReduceOp.AVG)
        found.append([total.item(), norm.item()])
    return found, [whole(p).tolist() for p in model.parameters()], optimizer


def trained_on_slices(model):
    """Losses, norms of gradients and the weights, where each process has a slice of every text."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.003)
    mesh = d.init_device_mesh("cpu", (size,))
    found = []
    for x, y in batches("gpt"):
        at = torch.arange(x.shape[1])
        optimizer.zero_grad()
        with context_parallel(mesh, buffers=[x, y, at], buffer_seq_dims=[1, 1, 0]):
            assert x.shape == (8, 12 // size)
            loss = nn.functional.cross_entropy(model(x, at).flatten(0, -2), y.flatten())
            loss.backward()
        assert x.shape == (8, 12)
        norm = nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
        total = loss.detach()
        d.all_reduce(total, d.ReduceOp.AVG)
        found.append([total.item(), norm.item()])
    return found, [p.tolist() for p in model.parameters()]


def of_attention(is_causal):
    """Attention over slices and its gradients, put together."""
    torch.manual_seed(2)
    q, k, v, g = torch.randn(4, 2, 3, 12, 8)
    mesh = d.init_device_mesh("cpu", (size,))
    with context_parallel(mesh, buffers=[q, k, v, g], buffer_seq_dims=[2] * 4):
        q, k, v = (x.clone().requires_grad_() for x in (q, k, v))
        output = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
        output.backward(g)
    wholes = [torch.empty(size, *x.shape) for x in (q, k, v, output)]
    for whole, part in zip(wholes, (output.detach(), q.grad, k.grad, v.grad), strict=True):
        d.all_gather_into_tensor(whole, part)
    return [torch.cat(list(whole), 2).tolist() for whole in wholes]


results = {}
transposed = torch.arange(6.0).reshape(2, 3).t().clone() * (rank + 1)
d.all_reduce(transposed)
assert transposed.tolist() == (torch.arange(6.0).reshape(2, 3).t() * sum(range(1, size + 1))).tolist()

for kind in ("mlp", "gpt"):
    results[kind] = trained(sharded(made(kind)), kind)[:2]
    if size > 1:
        averaged = trained(nn.parallel.DistributedDataParallel(made(kind)), kind, clips=False)
        stage3 = trained(sharded(made(kind)), kind, clips=False)
        stage2 = trained(sharded(made(kind), reshard_after_forward=False), kind, clips=False)
        assert averaged[:2] == stage3[:2] == stage2[:2]  # the same sums in the same order
        for ahead in (0, 2) if kind == "mlp" else ():
            counts = {"gathered": 0, "gathered_ahead": 0}
            with counted(counts):
                assert trained(told_ahead(sharded(made(kind)), ahead), kind, clips=False)[:2] == averaged[:2]
            first = counts["gathered"]  # of each pass, which nothing comes before
            assert sum(counts.values()) == STEPS * 5  # nothing before the first layer wants a gradient
            assert (counts["gathered_ahead"] > first) == bool(ahead)
results["mlp in halves"] = trained(sharded(made("mlp")), "mlp", halves=True)[:2]
results["parts"] = trained(parallelize_module(made("gpt"), parallelize_plan=PLAN), "gpt", apart=False)[:2]
results["sequence"] = trained(parallelize_module(made("gpt"), parallelize_plan=SEQUENCE_PLAN), "gpt", apart=False)[:2]
results["slices"] = trained_on_slices(nn.parallel.DistributedDataParallel(made("gpt")))
attention = {f"{causal=}": of_attention(causal) for causal in (False, True)}

# Bytes: each process has its rows of parameters, gradients and states, and nothing else.
model = sharded(made("mlp"))
_, _, optimizer = trained(model, "mlp")
for p in model.parameters():
    rows = max(0, min(-(-p.shape[0] // size), p.shape[0] - rank * -(-p.shape[0] // size)))
    expected = rows * (p.numel() // p.shape[0]) * 4
    state = optimizer.state[p]
    assert [t.to_local().nbytes for t in (p, p.grad, state["exp_avg"], state["exp_avg_sq"])] == [expected] * 4

# Checkpoints: what other processes wrote is loaded into a model that was never trained.
if len(sys.argv) > 3:
    model = sharded(made("mlp"))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1.0)
    weights, steps = get_state_dict(model, optimizer)
    state = {"model": weights, "optimizer": steps, "epoch": -1}
    d.checkpoint.load(state, checkpoint_id=sys.argv[3])
    set_state_dict(model, optimizer, model_state_dict=state["model"], optim_state_dict=state["optimizer"])
    assert (state["epoch"], optimizer.param_groups[0]["lr"]) == (7, 0.003)
weights, steps = get_state_dict(model, optimizer)
d.checkpoint.save({"model": weights, "optimizer": steps, "epoch": 7}, checkpoint_id=sys.argv[2])
if rank == 0:
    Path(sys.argv[1]).write_text(json.dumps([results, attention]))
d.barrier()
