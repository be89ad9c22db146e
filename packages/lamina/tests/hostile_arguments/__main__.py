"""The command line; `--child` is what it runs itself by."""

import argparse
import sys
import time

from .running import Find, child, run

if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(*map(int, sys.argv[2:]))
        sys.exit()
    parser = argparse.ArgumentParser(prog="hostile_arguments")
    parser.add_argument("--count", type=int, default=10_000, help="how many calls")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first call")
    parser.add_argument("--limit", type=float, default=30.0, help="seconds that a call may take")
    parser.add_argument("--unlimited-memory", action="store_true", help="for sanitizers, which take addresses by the terabyte")
    options = parser.parse_args()
    begin = time.perf_counter()
    memory = None if options.unlimited_memory else 3 << 30

    def tell(find: Find) -> None:
        print(f"{find.kind} in call {find.number}: {find.told}", flush=True)

    finds, worked = run(options.count, options.seed, options.first, options.limit, memory, tell)
    print(
        f"{options.count} calls of seed {options.seed}: {worked} worked, {len(finds)} finds, {time.perf_counter() - begin:.0f} s"
    )
    sys.exit(bool(finds))
