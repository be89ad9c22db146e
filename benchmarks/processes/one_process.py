"""One process of a measurement: what steps in a scheme take, or what messages and sums take, written to a folder as JSON.

    python benchmarks/processes/one_process.py SCHEME FOLDER
"""

import json
import sys
from pathlib import Path
from time import perf_counter

import lamina as torch
from lamina.distributed import pipelining
from lamina.distributed.tensor import Shard
from lamina.distributed.tensor.experimental import context_parallel
from lamina.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

d, nn = torch.distributed, torch.nn

WIDTH, BLOCKS, BATCH = 512, 8, 64
MICROBATCHES = 8
HEADS, WORDS, FEATURES = 4, 2048, 64
STEPS, WARM = 8, 2
PARAMETERS = BLOCKS * 4 * (8 * WIDTH * WIDTH + 5 * WIDTH)
"""Bytes of those of all blocks."""


def blocks():
    torch.manual_seed(0)
    return [nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.ReLU(), nn.Linear(4 * WIDTH, WIDTH)) for _ in range(BLOCKS)]


def timed(times, act):
    """The least seconds of some calls, which all processes begin together."""
    found = []
    for _ in range(times):
        d.barrier()
        began = perf_counter()
        act()
        found.append(perf_counter() - began)
    return min(found)


def machine():
    """Seconds of a message, bytes a second that two processes send each other, and that one adds up."""
    rank = d.get_rank()
    small, large = torch.zeros(64), torch.zeros(4 << 20)
    halves, other = [torch.zeros(2 << 20) for _ in range(2)], [torch.zeros(2 << 20) for _ in range(2)]

    def there_and_back():
        for _ in range(50):
            (d.send if rank == 0 else d.recv)(small, 1 - rank)
            (d.recv if rank == 0 else d.send)(small, 1 - rank)

    latency = timed(20, there_and_back) / 100
    exchanged = timed(20, lambda: d.all_to_all(other, halves))  # each sends a half, and keeps one
    adding = timed(20, lambda: torch.add(large, large, out=large))
    return {"latency": latency, "bandwidth": halves[0].nbytes / exchanged, "sums": large.nbytes / adding}


def trained(scheme):
    """A step of an MLP with a batch for each process, or with layers in parts."""
    model = nn.Sequential(*blocks())
    if scheme in ("data parallel", "ZeRO-1"):
        model = nn.parallel.DistributedDataParallel(model)
    if scheme in ("ZeRO-2", "ZeRO-3"):
        for part in (*model, model):
            d.fsdp.fully_shard(part, reshard_after_forward=scheme == "ZeRO-3")
    if scheme in ("layers in parts", "parts and slices"):
        sliced = scheme == "parts and slices"
        plan = {}
        for i in range(BLOCKS):
            plan |= {f"{i}.0": ColwiseParallel(input_layouts=Shard(0) if sliced else None)}
            plan |= {f"{i}.2": RowwiseParallel(output_layouts=Shard(0) if sliced else None)}
        parallelize_module(model, parallelize_plan=plan)
    if scheme == "ZeRO-1":
        optimizer = d.optim.ZeroRedundancyOptimizer(model.parameters(), torch.optim.SGD, lr=0.01)
    else:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    rows = BATCH // d.get_world_size() if scheme == "parts and slices" else BATCH
    chunks = torch.randn(rows, WIDTH).chunk(MICROBATCHES if scheme == "micro-batches" else 1)
    with torch.no_grad():
        forward = timed(STEPS, lambda: [model(x) for x in chunks])

    def whole():
        optimizer.zero_grad()
        for x in chunks:
            model(x).square().mean().backward()
        optimizer.step()

    return {"forward": forward, "step": steps(whole)}


def piped(schedule, held):
    """A batch through a pipeline, of so many stages in each process."""
    rank, size = d.get_rank(), d.get_world_size()
    each = BLOCKS // (size * held)
    own = {i: nn.Sequential(*blocks()[i * each : (i + 1) * each]) for i in range(rank, size * held, size)}
    stages = [pipelining.PipelineStage(part, i, size * held, torch.device("cpu")) for i, part in own.items()]
    kind = getattr(pipelining, f"Schedule{schedule}")
    several = schedule in ("Interleaved1F1B", "LoopedBFS")
    passing = kind(stages if several else stages[0], MICROBATCHES, loss_fn=nn.functional.mse_loss)
    optimizer = torch.optim.SGD(nn.ModuleList(own.values()).parameters(), lr=0.01)
    x = torch.randn(BATCH, WIDTH)

    def whole():
        optimizer.zero_grad()
        passing.step(*([x] if rank == 0 else []), **({"target": x} if rank == size - 1 else {}))
        optimizer.step()

    return {"step": steps(whole)}


def attended(in_slices):
    """Attention of one text forward and back, without parameters."""
    torch.manual_seed(0)
    mesh = d.init_device_mesh("cpu", (d.get_world_size(), 1), mesh_dim_names=("all", "alone"))["all" if in_slices else "alone"]
    x = [torch.randn(1, HEADS, WORDS, FEATURES) for _ in range(3)]

    def whole():
        with context_parallel(mesh, buffers=x, buffer_seq_dims=[2] * 3):
            q, k, v = (each.detach().requires_grad_() for each in x)
            nn.functional.scaled_dot_product_attention(q, k, v).sum().backward()

    return {"step": steps(whole)}


def steps(act):
    for _ in range(WARM):
        act()
    return timed(STEPS, act)


def main(scheme, folder):
    torch.set_num_threads(1)
    d.init_process_group("mpi")
    if scheme == "machine":
        told = machine()
    elif scheme in ("slices of texts", "texts"):
        told = attended(scheme == "slices of texts")
    elif ":" in scheme:
        schedule, _, held = scheme.partition(":")
        told = piped(schedule, int(held))
    else:
        told = trained(scheme)
    Path(folder, f"{d.get_rank()}.json").write_text(json.dumps(told))
    d.barrier()


if __name__ == "__main__":
    main(*sys.argv[1:])
