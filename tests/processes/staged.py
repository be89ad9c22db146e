"""Models in stages, as one of several processes: `staged.py RESULTS`, or `staged.py kill`, where rank 1 dies in the middle of a batch.

Writes losses and weights as JSON. Whatever must be equal, bit for bit, is looked at here: those of all schedules, and those of one process.
"""

import json
import os
import signal
import sys
from pathlib import Path

from gpt import Block

import lamina as torch
from lamina.distributed.fsdp import fully_shard
from lamina.distributed.pipelining import (
    PipelineStage,
    Schedule1F1B,
    ScheduleGPipe,
    ScheduleInterleaved1F1B,
    ScheduleLoopedBFS,
)

d, nn = torch.distributed, torch.nn
STEPS, PARTS = 3, 6
SEVERAL = ScheduleInterleaved1F1B, ScheduleLoopedBFS  # which have two stages in each process here
d.init_process_group("gloo", timeout=100)
rank, size = d.get_rank(), d.get_world_size()


class Beginning(nn.Module):
    """The embeddings of a GPT. What follows is given the activations and, beside them, the indices, which want no gradient."""

    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(17, 32), nn.Embedding(12, 32)

    def forward(self, x):
        return self.words(x) + self.places(torch.arange(x.shape[1])), x


class Both(nn.Module):
    """A block of a GPT that leaves padding, the index 0, as it is."""

    def __init__(self):
        super().__init__()
        self.block = Block(32, 4)

    def forward(self, y, x):
        return torch.where((x == 0).unsqueeze(-1), y, self.block(y)), x


class End(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(32, 17)

    def forward(self, y, x):
        return self.head(y)


class Stage(nn.Sequential):
    """Layers that are given all that the one before them returns."""

    def forward(self, *inputs):
        for layer in self:
            inputs = layer(*inputs)
            inputs = inputs if isinstance(inputs, tuple) else (inputs,)
        return inputs[0] if len(inputs) == 1 else inputs


def layers(kind):
    torch.manual_seed(0)
    if kind == "gpt":
        return [Beginning(), *(Both() for _ in range(6)), End()]
    return [nn.Sequential(nn.Linear(10 if i == 0 else 33, 33), nn.Tanh()) for i in range(7)] + [nn.Linear(33, 3)]


def part(kind, index, count):
    every = layers(kind)
    each = len(every) // count
    return Stage(*every[index * each : (index + 1) * each])


def batches(kind):
    torch.manual_seed(1)
    if kind == "gpt":
        text = torch.randint(0, 17, (STEPS, 10, 13))  # 10 rows: micro-batches of 2 and of 1
        return list(zip(text[:, :, :-1], text[:, :, 1:], strict=True))
    return list(zip(torch.randn(STEPS, 12, 10), torch.randint(0, 3, (STEPS, 12)), strict=True))


def loss_fn(scores, y):
    return nn.functional.cross_entropy(scores.flatten(0, -2), y.flatten())


class Counting(PipelineStage):
    """A stage that notes how many micro-batches were in those of its process at most."""

    every, most = (), 0

    def forward_pass(self, *args):
        output = super().forward_pass(*args)
        self.most = max(self.most, sum(len(stage._inside) for stage in self.every))
        return output


def promised(schedule, index, count, parts):
    if schedule is Schedule1F1B:
        return min(parts, count - index)
    if schedule is ScheduleInterleaved1F1B:
        return min(2 * parts, parts // max(1, parts // count) + 2 * (count - 1 - index) + 1)
    return 2 * parts if schedule is ScheduleLoopedBFS else parts


def trained(kind, schedule, group, wrap=lambda module: module, mesh=None, parts=PARTS):
    """Losses of micro-batches, known to the last stage, and the weights of all stages."""
    index, count = d.get_rank(group), d.get_world_size(group)
    total = 2 * count if schedule in SEVERAL else count
    modules = nn.ModuleDict({str(i): part(kind, i, total) for i in range(index, total, count)})
    stages = [Counting(wrap(module), int(i), total, torch.device("cpu"), group=group) for i, module in modules.items()]
    for stage in stages:
        stage.every = stages
    passes = schedule(stages if schedule in SEVERAL else stages[0], parts, loss_fn=loss_fn)
    optimizer = torch.optim.AdamW(modules.parameters(), lr=0.003)
    found = []
    for x, y in batches(kind):
        if mesh is not None:
            x, y = (t.chunk(2)[mesh.get_local_rank("data")] for t in (x, y))
        losses = []
        optimizer.zero_grad()
        output = passes.step(*([x] if index == 0 else []), target=y, losses=losses)
        assert (output is not None) == (index == count - 1) == (len(losses) == parts)
        optimizer.step()
        found.append([loss.item() for loss in losses])
    most = max(stage.most for stage in stages)
    assert most == promised(schedule, index, count, parts), (schedule, most, promised(schedule, index, count, parts))
    shape = passes.eval(*([x[:7]] if index == 0 else []))  # another size: shapes are told again
    assert shape is None or shape.shape[0] == len(x[:7])
    weights = {i: [(p.full_tensor() if hasattr(p, "full_tensor") else p).tolist() for p in m.parameters()] for i, m in modules.items()}
    every = [None] * count
    d.all_gather_object(every, [found, weights], group)
    of_stages = {int(i): each for _, weights in every for i, each in weights.items()}
    return every[-1][0], [weight for i in range(total) for weight in of_stages[i]]


def whole(kind):
    """A plain loop over whole batches."""
    model = part(kind, 0, 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.003)
    found = []
    for x, y in batches(kind):
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found, [p.tolist() for p in model.parameters()]


def killed():
    stage = PipelineStage(nn.Sequential(nn.Linear(8, 8), nn.Tanh()), rank, size, torch.device("cpu"))
    calls = []
    if rank == 1:
        stage.submod.register_forward_hook(lambda *_: os.kill(os.getpid(), signal.SIGKILL) if len(calls) == 20 else calls.append(1))
    schedule = Schedule1F1B(stage, 8, loss_fn=nn.functional.mse_loss)
    x = torch.ones(16, 8)
    try:
        for _ in range(1000):
            schedule.step(*([x] if rank == 0 else []), target=x)
    except RuntimeError as error:
        print(f"told: {error}", flush=True)
        sys.exit(3)


if sys.argv[1] == "kill":
    killed()
results = {}
alone = [d.new_group([i]) for i in range(size)][rank]
for kind in ("mlp", "gpt"):
    results[kind] = trained(kind, Schedule1F1B, d.group.WORLD)
    for schedule in (ScheduleGPipe, *SEVERAL) if kind == "mlp" else (ScheduleGPipe, ScheduleInterleaved1F1B):
        assert results[kind] == trained(kind, schedule, d.group.WORLD), schedule
    if size == 2:
        for schedule in (Schedule1F1B, ScheduleInterleaved1F1B):
            assert results[kind] == trained(kind, schedule, alone), schedule
        results[f"whole {kind}"] = whole(kind)
one = trained("mlp", ScheduleGPipe, d.group.WORLD, parts=1)  # both stages of a process wait for the same micro-batch
assert one == trained("mlp", ScheduleInterleaved1F1B, d.group.WORLD, parts=1)
if size == 4:
    mesh = d.init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "pipe"))
    pipe, data = mesh.get_group("pipe"), mesh.get_group("data")

    def replicated(module):
        return nn.parallel.DistributedDataParallel(module, process_group=data)

    averaged = trained("mlp", Schedule1F1B, pipe, replicated, mesh)
    assert averaged == trained("mlp", ScheduleInterleaved1F1B, pipe, replicated, mesh)
    for schedule in (ScheduleGPipe, *SEVERAL):
        assert averaged == trained("mlp", schedule, pipe, lambda m: fully_shard(m, mesh=mesh["data"]), mesh), schedule
    every = [None] * 2
    d.all_gather_object(every, averaged, data)
    assert every[0][1] == every[1][1]  # both lines of stages have the same weights
    results["grid"] = [[a + b for a, b in zip(every[0][0], every[1][0], strict=True)], averaged[1]]
if rank == 0:
    Path(sys.argv[1]).write_text(json.dumps(results))
d.barrier()
