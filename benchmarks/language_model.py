"""Tokens per second of a language model of 100 million parameters, lamina beside PyTorch, in floats and with weights of few bits.

    python benchmarks/language_model.py [--threads 2] [--rounds 7] [--only lamina:int8,torch:float32]

Each row is a process of its own; they take turns. A round reads a prompt, and decodes greedily from it; the fastest prompt and the fastest
token of each row count, as machines are shared, and of one thread the seconds that a processor worked for it. PyTorch's int8 is
`torch.ao.quantization.quantize_dynamic`, which rounds activations, too.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
import time
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from cases.language_model import decode, llama, prefill

PROMPT, TOKENS = 64, 16
ROWS = ("torch:float32", "torch:bfloat16", "torch:int8", "lamina:float32", "lamina:bfloat16", "lamina:int8", "lamina:int4")


def made(name: str, threads: int) -> tuple[Any, Any]:
    """The library of a row, and its model."""
    module, _, form = name.partition(":")
    library = importlib.import_module(module)
    library.set_num_threads(threads)
    warnings.simplefilter("ignore")
    model = llama(library)
    if form == "bfloat16":
        model.to(library.bfloat16)
    elif name == "torch:int8":
        model = library.ao.quantization.quantize_dynamic(model, {library.nn.Linear}, dtype=library.qint8)
    elif form == "int8":
        library.quantization.quantize_(model, library.quantization.Int8WeightOnlyConfig())
    elif form == "int4":
        library.quantization.quantize_(model, library.quantization.Int4WeightOnlyConfig())
    return library, model


def serve(name: str, threads: int) -> None:
    """Do a round for each line of the standard input, and tell its seconds and tokens."""
    library, model = made(name, threads)
    clock = time.process_time if threads == 1 else time.perf_counter
    with library.no_grad():
        for _ in sys.stdin:
            times, tokens = [clock()], []
            token = prefill(library, model, PROMPT)
            times.append(clock())
            for found in decode(model, token, PROMPT, TOKENS):
                tokens.append(found)
                times.append(clock())
            of_prompt, *of_tokens = (after - before for before, after in pairwise(times))
            print(json.dumps({"prefill": of_prompt, "decode": min(of_tokens), "tokens": tokens}), flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default=",".join(ROWS))
    parser.add_argument("--serve", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        return serve(given.serve, given.threads)
    names = given.only.split(",")
    command = [sys.executable, __file__, "--threads", str(given.threads), "--serve"]
    workers = {n: subprocess.Popen([*command, n], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for n in names}
    best: dict[str, dict[str, float]] = {name: {"prefill": float("inf"), "decode": float("inf")} for name in names}
    said = {}
    for _ in range(given.rounds + 1):  # the first warms up
        for name, worker in workers.items():
            assert worker.stdin is not None and worker.stdout is not None
            worker.stdin.write("\n")
            worker.stdin.flush()
            told = json.loads(worker.stdout.readline())
            said[name] = told["tokens"]
            for part, seconds in best[name].items():
                best[name][part] = min(seconds, told[part])
    for worker in workers.values():
        assert worker.stdin is not None
        worker.stdin.close()
        worker.wait()
    base = best[names[0]]
    print(f"Threads: {given.threads}. Tokens per second of a prompt of {PROMPT}, and of decoding; ratios to the first row.\n")
    print("| model | prompt | ratio | decoding | ratio |\n|---|---:|---:|---:|---:|")
    for name in names:
        rates = PROMPT / best[name]["prefill"], 1 / best[name]["decode"]
        ratios = base["prefill"] / best[name]["prefill"], base["decode"] / best[name]["decode"]
        print(f"| {name.replace(':', ', ')} | {rates[0]:.0f} | {ratios[0]:.2f} | {rates[1]:.1f} | {ratios[1]:.2f} |")
    if {"torch:float32", "lamina:float32"} <= said.keys():
        alike = said["torch:float32"] == said["lamina:float32"]
        print(f"\nIn float32 both libraries decode {'the same tokens' if alike else 'other tokens'}.")


if __name__ == "__main__":
    main()
