"""A pipeline, and a GPT in parts and slices of the sequence, with one library, as one of two processes: `... lamina|torch FOLDER`."""

import json
import sys
from importlib import import_module
from pathlib import Path

library, folder = sys.argv[1], Path(sys.argv[2])
torch = import_module(library)
pipelining = import_module(f"{library}.distributed.pipelining")
parallel = import_module(f"{library}.distributed.tensor.parallel")
placements = import_module(f"{library}.distributed.tensor")
d, nn, F = torch.distributed, torch.nn, torch.nn.functional
d.init_process_group("gloo")
rank, size = d.get_rank(), d.get_world_size()
found = {}

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 16), nn.Linear(16, 3))
x, y = torch.randn(12, 4), torch.randint(0, 3, (12,))
for kind in ("ScheduleGPipe", "Schedule1F1B", "ScheduleInterleaved1F1B", "ScheduleLoopedBFS"):
    several = kind in ("ScheduleInterleaved1F1B", "ScheduleLoopedBFS")
    parts = {i: model[i] for i in (rank, rank + 2)} if several else {rank: model[2 * rank : 2 * rank + 2]}
    stages = [pipelining.PipelineStage(part, i, len(parts) * size, torch.device("cpu")) for i, part in parts.items()]
    schedule = getattr(pipelining, kind)(stages if several else stages[0], 4, loss_fn=F.cross_entropy)
    parameters = [p for part in parts.values() for p in part.parameters()]
    optimizer = torch.optim.SGD(parameters, lr=0.1)
    for step in range(2):
        losses = []
        optimizer.zero_grad()
        output = schedule.step(x) if rank == 0 else schedule.step(target=y, losses=losses)
        found[f"{kind} {step}"] = [[loss.item() for loss in losses], None if output is None else output.tolist()]
        found[f"gradients of {kind} {step}"] = [p.grad.tolist() for p in parameters]
        optimizer.step()
    output = schedule.eval(x) if rank == 0 else schedule.eval(target=y)
    found[f"{kind}.eval"] = None if output is None else output.tolist()


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Linear(16, 16) for _ in range(4))

    def forward(self, y):
        q, k, v = (layer(y).unflatten(-1, (-1, 4)).transpose(1, 2) for layer in (self.q, self.k, self.v))
        return self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.attention, self.before, self.between = nn.Embedding(20, 16), Attention(), nn.LayerNorm(16), nn.RMSNorm(16)
        self.up, self.down, self.norm, self.head = nn.Linear(16, 64), nn.Linear(64, 16), nn.LayerNorm(16), nn.Linear(16, 20)

    def forward(self, x):
        y = self.words(x)
        y = y + self.attention(self.before(y))
        return self.head(self.norm(y + self.down(F.gelu(self.up(self.between(y))))))


Shard, Replicate = placements.Shard, placements.Replicate
Columns, Rows, Sequence = parallel.ColwiseParallel, parallel.RowwiseParallel, parallel.SequenceParallel
torch.manual_seed(1)
model = parallel.parallelize_module(GPT(), d.init_device_mesh("cpu", (size,)), {
    "words": Rows(input_layouts=Replicate(), output_layouts=Shard(1)), "before": Sequence(), "between": Sequence(), "norm": Sequence(),
    "attention": parallel.PrepareModuleInput(input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),)),
    "attention.[qkv]": Columns(), "attention.out": Rows(output_layouts=Shard(1)),
    "up": Columns(input_layouts=Shard(1)), "down": Rows(output_layouts=Shard(1)),
    "head": Columns(input_layouts=Shard(1), output_layouts=Replicate()),
})  # fmt: skip
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
text = torch.randint(0, 20, (3, 9))
for step in range(3):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(text[:, :-1]).flatten(0, 1), text[:, 1:].flatten())
    loss.backward()
    optimizer.step()
    found[f"parts and slices {step}"] = loss.item()
(folder / f"{library}-{rank}.json").write_text(json.dumps(found))
d.barrier()
if library == "torch":
    d.destroy_process_group()
