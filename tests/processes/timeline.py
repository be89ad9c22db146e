"""A step of DistributedDataParallel, and a collective that the last rank comes to late, on one timeline: `timeline.py FOLDER`."""

import json
import sys
from pathlib import Path
from time import sleep

import lamina as torch
from lamina import nn

d = torch.distributed
d.init_process_group(timeout=60)
rank, size = d.get_rank(), d.get_world_size()
torch.manual_seed(0)
layers = nn.Sequential(nn.Linear(64, 128), nn.Tanh(), nn.Linear(128, 8))
model = nn.parallel.DistributedDataParallel(layers, bucket_cap_mb=0.01)
x, y = torch.randn(16, 64), torch.ones(5)
d.barrier()
with torch.profiler.profile() as prof:
    model(x).sum().backward()
    if rank == size - 1:
        sleep(0.5)
    d.all_reduce(y)
    if rank == 0:
        d.send(y, size - 1)
    if rank == size - 1:
        d.recv(y, 0)
timeline = prof.timeline()
timeline.export_chrome_trace(str(Path(sys.argv[1]) / f"trace-{rank}.json"))
found = {
    "table": timeline.table(), "averages": [vars(average) for average in timeline.key_averages()],
    "parameters": sum(4 * p.numel() for p in model.parameters()),
}  # fmt: skip
(Path(sys.argv[1]) / f"found-{rank}.json").write_text(json.dumps(found))
