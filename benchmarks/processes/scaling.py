"""What an exchange costs, measured here; what steps of training cost by that, beside what they take; and where each scheme stops to scale.

    python benchmarks/processes/scaling.py [--write benchmarks/results/scaling.md]
    python benchmarks/processes/scaling.py --draw --latency 2e-6 --bandwidth 12.5e9 --compute 0.25 --parameters 5e8

The model: a message of n bytes takes `latency + n / bandwidth`, adding up n bytes takes `n / sums`. With p processes

    reduce to shares   (p - 1) * latency + (p-1)/p * n / bandwidth + (p-1)/p * n / sums
    gather             log2(p) * latency + (p-1)/p * n / bandwidth

as each process sends a share to each other one, and gathers in doubling steps. Of these are made: data parallel, both for each bucket, of
which all but the last may go beside the backward pass; shards (ZeRO, stage 3), two gathers and a reduction for each parameter; layers in
parts, both for the activations of a block four times a step. `overlap` is the part of an exchange that goes on while kernels run: 0 where
the processes' own cores copy, as on one machine, 1 where a network card does. Each process has a batch of its own, but with layers in
parts, and where "one batch" is shared out.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from math import ceil, log2
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

WIDTH, LAYERS, BATCH = 512, 8, 64
BUCKET = 25 << 20
STEPS, WARM = 8, 2
SCHEMES = ("data parallel", "shards", "layers in parts")
DRAWN = (*SCHEMES, "data parallel, one batch")
SHARED = DRAWN[2:]
"""Where the work of one batch is shared out."""


class Machine(NamedTuple):
    """Seconds for a message, bytes a second sent and added up, and which part of an exchange goes beside kernels."""

    latency: float
    bandwidth: float
    sums: float
    overlap: float


class Work(NamedTuple):
    """What one process would do alone: seconds of a step, and the part of it that is backward; bytes of parameters, and how many tensors
    these are; bytes of what a block gives, and how many blocks there are."""

    compute: float
    backward: float
    parameters: float
    tensors: int
    activations: float
    blocks: int


def reduced(p, n, machine):
    share = (p - 1) / p * n
    return (p - 1) * machine.latency + share / machine.bandwidth + share / machine.sums


def gathered(p, n, machine):
    return log2(p) * machine.latency + (p - 1) / p * n / machine.bandwidth


def exchange(scheme, p, work, machine):
    """Seconds of a step that a scheme exchanges for, and how many of them nothing can go beside."""
    if scheme.startswith("data parallel"):
        buckets = ceil(work.parameters / BUCKET)
        each = work.parameters / buckets
        one = reduced(p, each, machine) + gathered(p, each, machine)
        return buckets * one, one
    if scheme == "shards":
        each = work.parameters / work.tensors
        all_ = work.tensors * (2 * gathered(p, each, machine) + reduced(p, each, machine))
        return all_, all_
    one = reduced(p, work.activations, machine) + gathered(p, work.activations, machine)
    return 4 * work.blocks * one, 4 * work.blocks * one


def step(scheme, p, work, machine):
    """Seconds of a step of p processes."""
    if p == 1:
        return work.compute
    compute = work.compute / p if scheme in SHARED else work.compute
    whole, bare = exchange(scheme, p, work, machine)
    beside = machine.overlap * min(whole - bare, compute * work.backward)
    return compute + whole - beside


def efficiency(scheme, p, work, machine):
    """Which part of the processes' time is spent computing."""
    return work.compute / (p if scheme in SHARED else 1) / step(scheme, p, work, machine)


SERVERS = Machine(latency=10e-6, bandwidth=3.1e9, sums=10e9, overlap=0.9)
"""CPU servers on a network of 25 Gbit/s, of which one core of many drives the exchange."""
GPT = Work(compute=12.0, backward=0.67, parameters=0.5e9, tensors=148, activations=100e6, blocks=12)
"""One of 124 million parameters, for 32 texts of 1,024 tokens in each process: 24 TFLOP, at 2 TFLOP/s."""


# -- what is measured ------------------------------------------------------------------------------------------------------------


def model_of(torch, scheme):
    nn = torch.nn
    torch.manual_seed(0)
    pairs = [nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.ReLU(), nn.Linear(4 * WIDTH, WIDTH)) for _ in range(LAYERS // 2)]
    model = nn.Sequential(*pairs)
    if scheme == "data parallel":
        return nn.parallel.DistributedDataParallel(model)
    if scheme == "shards":
        for pair in (*pairs, model):
            torch.distributed.fsdp.fully_shard(pair)
    if scheme == "layers in parts":
        from lamina.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

        plan = {f"{i}.{place}": style() for i in range(len(pairs)) for place, style in (("0", ColwiseParallel), ("2", RowwiseParallel))}
        parallelize_module(model, parallelize_plan=plan)
    return model


def timed(torch, times, act):
    """The least seconds of some calls, which all processes begin together."""
    found = []
    for _ in range(times):
        torch.distributed.barrier()
        began = perf_counter()
        act()
        found.append(perf_counter() - began)
    return min(found)


def process(scheme, folder):
    """One process: what its steps take, or, for `machine`, what messages and sums take; written to the folder."""
    import lamina as torch

    torch.set_num_threads(1)
    d = torch.distributed
    d.init_process_group("mpi")
    rank = d.get_rank()
    if scheme == "machine":
        small, large = torch.zeros(64), torch.zeros(4 << 20)
        halves, other = [torch.zeros(2 << 20) for _ in range(2)], [torch.zeros(2 << 20) for _ in range(2)]

        def there_and_back():
            for _ in range(50):
                (d.send if rank == 0 else d.recv)(small, 1 - rank)
                (d.recv if rank == 0 else d.send)(small, 1 - rank)

        latency = timed(torch, 20, there_and_back) / 100
        exchanged = timed(torch, 20, lambda: d.all_to_all(other, halves))  # each sends a half, and keeps one
        adding = timed(torch, 20, lambda: torch.add(large, large, out=large))
        told = {"latency": latency, "bandwidth": halves[0].nbytes / exchanged, "sums": large.nbytes / adding}
    else:
        model = model_of(torch, scheme)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        x = torch.randn(BATCH, WIDTH)
        with torch.no_grad():
            forward = timed(torch, STEPS, lambda: model(x))

        def whole():
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()

        for _ in range(WARM):
            whole()
        told = {"step": timed(torch, STEPS, whole), "forward": forward}
    Path(folder, f"{rank}.json").write_text(json.dumps(told))
    d.barrier()


def launched(size, scheme):
    """What the processes have written, of each number the greatest; of a bandwidth the least."""
    from lamina_flatarray import process_groups

    with tempfile.TemporaryDirectory() as folder:
        own = [sys.executable, __file__, "--process", scheme, folder]
        command = own if size == 1 else [*process_groups.transport("mpi").command(size), *own]
        alone = {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29655"} if size == 1 else {}
        subprocess.run(command, env={**os.environ, **alone, "OMP_NUM_THREADS": "1"}, check=True, stdout=subprocess.DEVNULL)
        told = [json.loads(path.read_text()) for path in sorted(Path(folder).glob("*.json"))]
    return {key: (min if key in ("bandwidth", "sums") else max)(one[key] for one in told) for key in told[0]}


def check(turns, sizes):
    """Measure, and give the rows of what steps should take and do take."""
    found = [launched(2, "machine") for _ in range(turns)]
    machine = Machine(*(statistics.median(one[key] for one in found) for key in ("latency", "bandwidth", "sums")), overlap=0)
    alone = {p: [launched(p, "none") for _ in range(turns)] for p in sizes}  # beside one another, as they share cores and memory
    compute, forward = (min(one[key] for one in alone[sizes[0]]) for key in ("step", "forward"))
    parameters = LAYERS // 2 * 4 * (8 * WIDTH * WIDTH + 5 * WIDTH)
    work = Work(compute, 1 - forward / compute, parameters, 4 * (LAYERS // 2), BATCH * WIDTH * 4, LAYERS // 2)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    rows = []
    for scheme in SCHEMES:
        for p in sizes:
            taken = min(launched(p, scheme)["step"] for _ in range(turns))
            crowded = max(1, p / cores)  # processes that take turns on a core
            half = 2 / 4 if scheme == "layers in parts" else 1  # a pair of layers exchanges twice a step, a block four times
            exchanged = 0 if p == 1 else exchange(scheme, p, work, machine)[0] * half
            computed = min(one["step"] for one in alone[p]) / (p if scheme == "layers in parts" else 1)
            rows.append((scheme, p, computed + exchanged * crowded, taken))
    return machine, work, rows


def drawn(work, machine):
    """Rows of the efficiency of each scheme, from 1 to 1,024 processes."""
    return [(p, *(efficiency(scheme, p, work, machine) for scheme in DRAWN)) for p in (2**i for i in range(11))]


def table(head, rows):
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def written(machine, work):
    rows = [(str(p), *(f"{part:.0%}" for part in parts)) for p, *parts in drawn(work, machine)]
    told = f"A step of {work.compute * 1e3:.0f} ms, {work.parameters / 1e6:,.0f} MB of parameters in {work.tensors} tensors, "
    told += f"{work.activations / 1e6:.1f} MB between {work.blocks} blocks; {machine.latency * 1e6:.1f} us a message, "
    told += f"{machine.bandwidth / 1e9:.1f} GB/s sent, {machine.sums / 1e9:.1f} GB/s added up, {machine.overlap:.0%} beside kernels."
    return f"{told}\n\n{table(('processes', *DRAWN), rows)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--process", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--write", type=Path)
    parser.add_argument("--draw", action="store_true", help="measure nothing: the numbers are given")
    for name, default in {**SERVERS._asdict(), **GPT._asdict()}.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    chosen = parser.parse_args()
    if chosen.process:
        return process(*chosen.process)
    given = Machine(*(getattr(chosen, name) for name in Machine._fields)), Work(*(getattr(chosen, name) for name in Work._fields))
    parts = []
    if not chosen.draw:
        machine, work, rows = check(chosen.turns, chosen.processes)
        told = [(s, str(p), f"{model * 1e3:.1f}", f"{taken * 1e3:.1f}", f"{taken / model:.2f}") for s, p, model, taken in rows]
        parts.append("## Here\n\n" + table(("scheme", "processes", "model, ms", "taken, ms", "taken / model"), told))
        parts.append("## Here, if there were as many cores\n\n" + written(machine, work))
    parts.append("## Elsewhere, as given\n\n" + written(*given))
    text = "\n\n".join(parts)
    print(text)
    if chosen.write:
        chosen.write.write_text("# Where several processes stop to scale\n\n`python benchmarks/processes/scaling.py`\n\n" + text + "\n")


if __name__ == "__main__":
    main()
