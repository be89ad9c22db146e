"""Tokens per second of a language model of 100 million parameters, lamina beside PyTorch, in floats and with weights of few bits.

    python benchmarks/language_model.py [--threads 2] [--rounds 7] [--only lamina:int8,torch:float32]

Each row is a process of its own; they take turns, and the fastest round of each counts. A round reads a prompt, and decodes greedily from
it, one token at a time. PyTorch's int8 is `torch.ao.quantization.quantize_dynamic`, which rounds activations, too.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from cases.language_model import decode, llama, prefill

PROMPT, TOKENS = 128, 32
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
    clock = time.perf_counter
    with library.no_grad():
        for _ in sys.stdin:
            begin = clock()
            token = prefill(library, model, PROMPT)
            middle = clock()
            tokens = decode(model, token, PROMPT, TOKENS)
            print(json.dumps({"prefill": middle - begin, "decode": clock() - middle, "tokens": tokens}), flush=True)


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
    base = best.get("torch:float32", best[names[0]])
    print(f"{given.threads} threads; tokens per second of a prompt of {PROMPT}, and of the next {TOKENS}; ratios to the first row\n")
    print("| model | prefill | ratio | decoding | ratio | tokens as the first row's |\n|---|---:|---:|---:|---:|---:|")
    for name in names:
        same = sum(a == b for a, b in zip(said[name], said[names[0]], strict=True))
        rates = PROMPT / best[name]["prefill"], TOKENS / best[name]["decode"]
        ratios = base["prefill"] / best[name]["prefill"], base["decode"] / best[name]["decode"]
        print(f"| {name.replace(':', ', ')} | {rates[0]:.0f} | {ratios[0]:.2f} | {rates[1]:.1f} | {ratios[1]:.2f} | {same} of {TOKENS} |")


if __name__ == "__main__":
    main()
