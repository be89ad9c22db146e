"""What an exchange costs, measured here; what steps of training cost by that, beside what they take; and where each scheme stops to scale.

    python benchmarks/processes/scaling.py [--write benchmarks/results/scaling.md]
    python benchmarks/processes/scaling.py --draw --latency 2e-6 --bandwidth 12.5e9 --compute 0.25 --parameters 5e8

The model is `costs.py` beside this. Each time is the least of some steps and of some turns, each of which starts the processes anew.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import costs
import one_process as measured
from costs import SCHEDULES, SCHEMES, Exchange, Machine, Work

PROCESSES = [2**i for i in range(11)]
CHECKED = ("data parallel", "ZeRO-1", "ZeRO-2", "ZeRO-3", "layers in parts", "parts and slices", "slices of texts")
PIPELINES = (("GPipe", 1), ("1F1B", 1), ("LoopedBFS", 2), ("Interleaved1F1B", 2))
"""Of each schedule, how many stages a process has where they are measured."""
SERVERS = Machine(latency=10e-6, bandwidth=3.1e9, sums=10e9, overlap=0.9)
"""CPU servers on a network of 25 Gbit/s, of which one core of many drives the exchange."""
GPT = Work(compute=12.0, backward=0.67, parameters=0.5e9, tensors=148, activations=100e6, blocks=12)
"""One of 124 million parameters, for 32 texts of 1,024 tokens in each process: 24 TFLOP, at 2 TFLOP/s."""
ONE_TEXT = 71.0
"""Seconds for one text of 32,768 tokens: 142 TFLOP, of which attention is 118."""
WITHIN_A_TEXT = ("layers in parts", "slices of texts")
HELD, MICROBATCHES = 3, 32
"""Stages in each process and micro-batches, where pipelines are drawn."""


def launched(size, scheme):
    """What the processes have written, of each number the greatest; of a bandwidth the least."""
    from lamina_flatarray import process_groups

    with tempfile.TemporaryDirectory() as folder:
        own = [sys.executable, measured.__file__, scheme, folder]
        command = own if size == 1 else [*process_groups.transport("mpi").command(size), *own]
        alone = {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29655"} if size == 1 else {}
        subprocess.run(command, env={**os.environ, **alone, "OMP_NUM_THREADS": "1"}, check=True, stdout=subprocess.DEVNULL)
        told = [json.loads(path.read_text()) for path in sorted(Path(folder).glob("*.json"))]
    return {key: (min if key in ("bandwidth", "sums") else max)(one[key] for one in told) for key in told[0]}


class Measured:
    """What was measured, of each number the best of some turns."""

    def __init__(self, turns):
        self.turns, self._known = turns, {}

    def __call__(self, size, scheme):
        if (size, scheme) not in self._known:
            print(f"measuring {scheme}, processes: {size}", file=sys.stderr, flush=True)
            found = [launched(size, scheme) for _ in range(self.turns)]
            self._known[size, scheme] = {
                key: (max if key in ("bandwidth", "sums") else min)(one[key] for one in found) for key in found[0]
            }  # fmt: skip
        return self._known[size, scheme]


def checked(turns, sizes):
    """Measure, and give the machine, the work, and the rows of what steps should take and do take."""
    measure = Measured(turns)
    machine = Machine(**measure(2, "machine"), overlap=0)
    alone = measure(1, "none")
    activations = measured.BATCH * measured.WIDTH * 4
    work = Work(
        alone["step"], 1 - alone["forward"] / alone["step"], measured.PARAMETERS, 4 * measured.BLOCKS, activations, measured.BLOCKS
    )  # fmt: skip
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    rows = []
    for scheme in CHECKED:
        for p in sizes:
            baseline = measure(p, "texts" if scheme == "slices of texts" else "none")["step"]  # beside one another, as they share cores
            computed = baseline / (p if scheme in CHECKED[4:] else 1)
            exchanged = here(scheme, p, work, machine) if p > 1 else Exchange(0)
            crowded = max(1, p / cores)  # processes that take turns on a core
            rows.append((scheme, p, computed + exchanged.whole * crowded, measure(p, scheme)["step"]))
    whole = measure(1, "micro-batches")
    for schedule, held in PIPELINES:
        for p in sizes:
            if p * held > measured.BLOCKS:
                continue
            each = 1 / (measured.MICROBATCHES * p * held)
            forward, backward = whole["forward"] * each, (whole["step"] - whole["forward"]) * each
            played = costs.pipelined(
                schedule, p, held, measured.MICROBATCHES, forward, backward, activations / measured.MICROBATCHES, machine
            )  # fmt: skip
            busy = whole["step"] / min(p, cores)  # where processes share cores, others compute while one waits
            rows.append((schedule, p, max(played, busy), measure(p, f"{schedule}:{held}")["step"]))
    return machine, work, rows


def here(scheme, p, work, machine):
    """What is exchanged in what is measured here, where it is not what is drawn."""
    if scheme == "slices of texts":
        return costs.slices(p, 1, measured.HEADS * measured.WORDS * measured.FEATURES * 4, machine)
    if scheme in ("layers in parts", "parts and slices"):  # a pair of layers exchanges twice a step, a block of GPT four times
        return Exchange(2 * work.blocks * costs.summed(p, work.activations, machine))
    return costs.exchange(scheme, p, work, machine)


def table(head, rows):
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def written(machine, work, schemes=SCHEMES):
    rows = [(f"{p:,}", *(f"{costs.efficiency(scheme, p, work, machine):.0%}" for scheme in schemes)) for p in PROCESSES]
    told = f"A step of {work.compute * 1e3:,.0f} ms, {work.parameters / 1e6:,.0f} MB of parameters in {work.tensors} tensors, "
    told += f"{work.activations / 1e6:.1f} MB between {work.blocks} blocks; {machine.latency * 1e6:.1f} us a message, "
    told += f"{machine.bandwidth / 1e9:.1f} GB/s sent, {machine.sums / 1e9:.1f} GB/s added up, {machine.overlap:.0%} beside kernels."
    return f"{told}\n\n{table(('processes', *schemes), rows)}"


def stages_drawn(machine, work):
    """A model that grows with the processes: each has the blocks of `work`, and a batch goes through all of them."""
    sent = work.activations / MICROBATCHES
    rows = []
    for p in PROCESSES:
        cells = []
        for schedule in SCHEDULES:
            held = HELD if schedule in SCHEDULES[2:] else 1
            each = work.compute / (MICROBATCHES * held)
            taken = costs.pipelined(schedule, p, held, MICROBATCHES, each * (1 - work.backward), each * work.backward, sent, machine)
            cells += [f"{work.compute / taken:.0%}", f"{costs.kept(schedule, p, held, MICROBATCHES) / (MICROBATCHES * held):.0%}"]
        rows.append((f"{p:,}", *cells))
    head = [cell for schedule in SCHEDULES for cell in (schedule, "kept")]
    told = f"{MICROBATCHES} micro-batches, {sent / 1e6:.1f} MB each, {costs.message(sent, machine) * 1e3:.1f} ms a message; "
    told += f"one stage in each process, or {HELD} of a third each. Kept: by the first process, of the activations of the whole batch "
    told += "in its stages."
    return f"{told}\n\n{table(('processes', *head), rows)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--write", type=Path)
    parser.add_argument("--draw", action="store_true", help="measure nothing: the numbers are given")
    for name, default in {**SERVERS._asdict(), **GPT._asdict()}.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    parser.add_argument("--one-text", type=float, default=ONE_TEXT, help="seconds of a step of one text as long as a batch")
    chosen = parser.parse_args()
    machine, work = (kind(*(getattr(chosen, name) for name in kind._fields)) for kind in (Machine, Work))
    parts = []
    if not chosen.draw:
        before = os.getloadavg()[0]
        found, mine, rows = checked(chosen.turns, chosen.processes)
        told = [(s, str(p), f"{model * 1e3:.1f}", f"{taken * 1e3:.1f}", f"{taken / model:.2f}") for s, p, model, taken in rows]
        load = f"Least of {chosen.turns} turns of {measured.STEPS} steps, on {os.cpu_count()} cores. "
        load += f"Load of the machine before and at the end: {before:.1f} and {os.getloadavg()[0]:.1f}."
        parts.append(f"## Here\n\n{load}\n\n" + table(("scheme", "processes", "model, ms", "taken, ms", "taken / model"), told))
        parts.append("## Here, if there were as many cores\n\n" + written(found, mine))
    parts.append("## Elsewhere, as given\n\n" + written(machine, work))
    parts.append("## Elsewhere, one long text\n\n" + written(machine, work._replace(compute=chosen.one_text), WITHIN_A_TEXT))
    parts.append("## Elsewhere, a model that grows with the processes, in stages\n\n" + stages_drawn(machine, work))
    text = "\n\n".join(parts)
    print(text)
    if chosen.write:
        chosen.write.write_text("# Where several processes stop to scale\n\n`python benchmarks/processes/scaling.py`\n\n" + text + "\n")


if __name__ == "__main__":
    main()
