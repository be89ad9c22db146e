"""What wraps modules, and samplers, of one library, as one of two processes: `wrapped.py lamina|torch FOLDER`."""

import json
import sys
from pathlib import Path

library, folder = sys.argv[1], Path(sys.argv[2])
if library == "lamina":
    import lamina as torch
else:
    import torch
d, nn = torch.distributed, torch.nn
d.init_process_group("gloo")
rank, size = d.get_rank(), d.get_world_size()
found = {}


def weights(*shape, salt=0):
    count = 1
    for n in shape:
        count *= n
    return (((torch.arange(count) * 7 + salt) % 13).float() / 13 - 0.4).reshape(shape)


def set_up(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(weights(*p.shape, salt=i + 5 * rank))  # other ones in each process, until they are wrapped
    return model


def gradients(model):
    return [None if p.grad is None else p.grad.flatten().tolist() for p in model.parameters()]


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared, self.left, self.right, self.never = (nn.Linear(3, 3) for _ in range(4))

    def forward(self, x, way):
        return {"out": [(self.left if way else self.right)(torch.tanh(self.shared(x)))]}


def mlp():
    return set_up(nn.Sequential(nn.Linear(3, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 2)))


x = weights(4, 3, salt=rank)
for options in ({}, {"bucket_cap_mb": 0.001}, {"gradient_as_bucket_view": True}):
    model = nn.parallel.DistributedDataParallel(mlp(), **options)
    model(x).square().sum().backward()
    found[f"gradients {options}"] = gradients(model)
    with model.no_sync():
        model(2 * x).square().sum().backward()
    apart = gradients(model)
    found[f"accumulated {options}"] = apart
    model(x).sum().backward()
    found[f"both {options}"] = gradients(model)

model = nn.parallel.DistributedDataParallel(set_up(Branches()), find_unused_parameters=True)
for step, way in enumerate((rank == 0, True, False)):
    model.zero_grad()
    model(x, way)["out"][0].square().sum().backward()
    found[f"branches {step}"] = gradients(model)

model = nn.parallel.DistributedDataParallel(set_up(Branches()))
model(x, True)["out"][0].sum().backward()
try:
    model(x, True)
    found["unused and not said"] = "accepted"
except RuntimeError as error:
    found["unused and not said"] = "Expected to have finished reduction in the prior iteration" in str(error)

for by_all in (True, False):
    model = nn.parallel.DistributedDataParallel(mlp())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)  # so small that rounding does not grow from step to step
    with model.join(divide_by_initial_world_size=by_all):
        for _ in range(2 + 2 * rank):
            optimizer.zero_grad()
            model(x).square().sum().backward()
            optimizer.step()
    found[f"joined {by_all}"] = [p.detach().flatten().tolist() for p in model.parameters()]

model = nn.parallel.DistributedDataParallel(set_up(nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))))
model(x).sum().backward()
model(x).sum().backward()
found["buffers"] = [b.tolist() for b in model.buffers()] if rank == 0 else model.module[1].num_batches_tracked.item()

if library == "lamina":  # PyTorch's has kernels for devices only: what it should give comes of one process with all samples
    norm = nn.SyncBatchNorm(3)
    rows = [weights(2 + 2 * i, 3, 5, salt=i) for i in range(size)]
    mine = rows[rank].clone().requires_grad_()
    out = norm(mine)
    (out * rows[rank].cos()).sum().backward()
    d.all_reduce(norm.weight.grad)
    synced = [out.detach(), mine.grad, norm.weight.grad, norm.running_mean, norm.running_var]
else:
    norm = nn.BatchNorm1d(3)
    rows = [weights(2 + 2 * i, 3, 5, salt=i) for i in range(size)]
    whole = torch.cat(rows).requires_grad_()
    out = norm(whole)
    (out * torch.cat(rows).cos()).sum().backward()
    part = slice(0, 2) if rank == 0 else slice(2, 6)
    synced = [out.detach()[part], whole.grad[part], norm.weight.grad, norm.running_mean, norm.running_var]
found["synchronized"] = [t.flatten().tolist() for t in synced]
found["sampler"] = list(torch.utils.data.DistributedSampler(range(7), shuffle=False))

(folder / f"{library}-{rank}.json").write_text(json.dumps(found))
d.barrier()
if library == "torch":
    d.destroy_process_group()
