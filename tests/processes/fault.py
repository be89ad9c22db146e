"""A process that misbehaves, and others that tell what they are told: `fault.py KIND`."""

import os
import signal
import sys
from time import monotonic

import lamina as torch

kind = sys.argv[1]
d = torch.distributed
d.init_process_group(timeout=8 if kind == "stuck" else 100)
x = torch.ones(5000)
last = monotonic()
try:
    for i in range(10**6 if kind != "none" else 10):
        if i == 20 and d.get_rank() == 1:
            if kind == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            if kind == "stop":
                os.kill(os.getpid(), signal.SIGSTOP)
            if kind == "exit":
                sys.exit(0)
            if kind == "disagree":
                d.all_reduce(torch.ones(3))
            while kind == "stuck":
                pass
        d.all_reduce(x)
        last = monotonic()
except RuntimeError as error:
    print(f"told after {monotonic() - last:.1f} s: {error}", flush=True)
    sys.exit(3)
print("done", flush=True)
