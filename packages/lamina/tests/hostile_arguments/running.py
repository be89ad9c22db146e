"""Many calls in children, each of which goes on until a call ends it, or takes too long: then the next child goes on behind that."""

from __future__ import annotations

import json
import os
import queue
import resource
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TextIO

__all__ = ["Find", "child", "run"]

MOST_ITEMS = 1 << 15
"""A call on more items than this may take as long as it wants."""
OUT_OF_MEMORY = "AddressSanitizer: out-of-memory"
"""A sanitizer ends the process where C++ would throw."""


class Find(NamedTuple):
    """A call that did what no call may do.

    Attributes:
        number: of the call.
        kind: "crash", "hang" or "error".
        told: the call, what it raised, and where; of a crash what the child said last.
    """

    number: int
    kind: str
    told: str


def run(
    count: int, seed: int, first: int = 0, limit: float = 30.0, memory: int | None = 3 << 30, tell: Callable[[Find], None] | None = None
) -> tuple[list[Find], int]:
    """Make `count` calls.

    Args:
        count: how many.
        seed: which.
        first: the number of the first call.
        limit: how many seconds one call may take.
        memory: how many bytes of addresses a child may have beyond what it has at first; None for any number.
        tell: called with each find at once.

    Returns:
        The finds, and how many calls worked.
    """
    finds: list[Find] = []

    def note(find: Find) -> None:
        finds.append(find)
        if tell is not None:
            tell(find)

    worked, number, last = 0, first, first + count
    while number < last:
        command = [sys.executable, "-m", __package__, "--child", str(seed), str(number), str(last), str(memory or 0)]
        process = subprocess.Popen(command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stdout is not None and process.stderr is not None
        at, told, hung, items = number, "", False, 0
        lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        forwards = threading.Thread(target=_forward, args=(process.stdout, lines), daemon=True)
        forwards.start()
        while True:
            try:
                line = lines.get(timeout=limit if told else limit + 600)
            except queue.Empty:
                hung = True
                process.kill()
                break
            if not line:
                break
            event = json.loads(line)
            if "call" in event:
                at, told, items = event["number"], event["call"], event["items"]
            else:
                worked += event["worked"]
                if event["find"]:
                    note(Find(at, "error", f"{told}\n    {event['find']}"))
        errors = process.stderr.read()
        status = process.wait()
        forwards.join()
        process.stdout.close()
        process.stderr.close()
        if not hung and status == 0:
            break
        if not told:
            raise RuntimeError(f"the child ended before its first call: {errors}")
        if not (hung and items > MOST_ITEMS) and OUT_OF_MEMORY not in errors:
            note(Find(at, "hang" if hung else "crash", f"{told}\n    status {status}: {errors[-3000:]}"))
        number = at + 1
    return finds, worked


def _forward(stream: TextIO, lines: queue.SimpleQueue[str]) -> None:
    """Lines as they come, and an empty one at the end."""
    for line in stream:
        lines.put(line)
    lines.put("")


def child(seed: int, first: int, last: int, memory: int) -> None:
    """Make calls one after another, and say of each that it begins, and what came of it."""
    from .calling import called, described, most_items, prepared
    from .examples import examples

    out = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is printed meanwhile is nobody's
    examples()
    if memory:
        pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 0
        limit = memory + pages * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in range(first, last):
        example, args, kwargs, _ = prepared(seed, number)
        begins = {"number": number, "call": described(example.name, args, kwargs), "items": most_items((*args, *kwargs.values()))}
        print(json.dumps(begins), file=out, flush=True)
        outcome = called(seed, number)
        told = "" if outcome.sound else f"{outcome.error}\n    {outcome.trace}"
        print(json.dumps({"worked": not outcome.error, "find": told}), file=out, flush=True)
