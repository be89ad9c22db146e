"""Steps of DistributedDataParallel, of lamina over MPI and of PyTorch over gloo, in turns.

    python benchmarks/processes/steps.py [PROCESSES]

Each turn starts the processes of one library anew, with one thread each; an MLP of 10.5 million parameters takes steps of SGD on batches of
32. Told is the median time of a step of the slowest process, the median of the turns, and PyTorch's time over ours: above 1 is faster than
PyTorch.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

TURNS, STEPS, WARM = 3, 8, 2
WIDTH, LAYERS, BATCH = 1024, 10, 32


def steps(library, folder):
    """One process: times of its steps, written to the folder."""
    if library == "lamina":
        import lamina as torch

        torch.set_num_threads(1)
    else:
        import torch

        torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo")
    rank = torch.distributed.get_rank()
    torch.manual_seed(0)
    layers = [layer for _ in range(LAYERS) for layer in (torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU())]
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Sequential(*layers, torch.nn.Linear(WIDTH, 10)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x, y = torch.randn(BATCH, WIDTH), torch.randint(0, 10, (BATCH,))
    times = []
    for _ in range(WARM + STEPS):
        torch.distributed.barrier()
        began = perf_counter()
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
        times.append(perf_counter() - began)
    Path(folder, f"{rank}.json").write_text(json.dumps(times[WARM:]))
    torch.distributed.barrier()
    if library == "torch":
        torch.distributed.destroy_process_group()


def turn(library, size, port):
    """The median step of the slowest process."""
    with tempfile.TemporaryDirectory() as folder:
        own = [sys.executable, __file__, library, folder]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        if library == "lamina":
            from lamina_flatarray import process_groups

            subprocess.run([*process_groups.transport("mpi").command(size), *own], env=environment, check=True)
        else:
            meeting = {"WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
            running = [subprocess.Popen(own, env={**environment, **meeting, "RANK": str(rank)}) for rank in range(size)]
            assert [process.wait() for process in running] == [0] * size
        return max(statistics.median(json.loads(path.read_text())) for path in Path(folder).glob("*.json"))


def main(size=2):
    found = {"lamina": [], "torch": []}
    for i in range(TURNS):
        for library, times in found.items():
            times.append(turn(library, size, 29700 + i))
        print(f"turn {i + 1}: " + ", ".join(f"{library} {times[-1] * 1e3:.1f} ms" for library, times in found.items()), flush=True)
    ours, theirs = (statistics.median(times) for times in found.values())
    print(f"{size} processes: lamina {ours * 1e3:.1f} ms, PyTorch {theirs * 1e3:.1f} ms, ratio {theirs / ours:.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] in (["lamina"], ["torch"]):
        steps(*sys.argv[1:])
    else:
        main(*map(int, sys.argv[1:]))
