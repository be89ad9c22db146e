"""A process of several that save a checkpoint again and again, and tell when one is written: `saving.py FOLDER`."""

import os
import sys
from pathlib import Path

import lamina as torch

d = torch.distributed
d.init_process_group("gloo", timeout=60)
folder = Path(sys.argv[1])
folder.mkdir(exist_ok=True)
(folder / f"rank-{d.get_rank()}").write_text(str(os.getpid()))
rows = d.tensor.distribute_tensor(torch.zeros(1001, 300), placements=[d.tensor.Shard(0)])
for step in range(1, 10**6):
    rows.add_(1)
    d.checkpoint.save({"rows": rows, "step": step}, checkpoint_id=folder / "checkpoint")
    if d.get_rank() == 0:
        os.write(1, f"saved {step}\n".encode())
