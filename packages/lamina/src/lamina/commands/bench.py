"""Time some ops and a training step on this machine, with one backend or several side by side."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from time import perf_counter
from typing import Final, NamedTuple

__all__ = ["arguments", "command"]


class Case(NamedTuple):
    """Something that is timed.

    Attributes:
        name: what it is.
        make: gives the call that is timed.
        amount: how much one call does, in billions of `unit`.
        unit: bytes moved or multiply-adds, twice; "" where time is all there is to tell.
    """

    name: str
    make: Callable[[], Callable[[], object]]
    amount: float = 0.0
    unit: str = ""


def arguments(parser: ArgumentParser) -> None:
    """Say what `lamina bench` takes.

    Args:
        parser: the subcommand's own.
    """
    parser.add_argument("--backend", action="append", metavar="NAME", help="a backend that serves the CPU; may be given again")
    parser.add_argument("--threads", type=int, metavar="N", help="how many threads kernels use")
    parser.add_argument("--seconds", type=float, default=0.3, help="how long each case is run (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print the times as JSON")


def command(options: Namespace) -> int:
    """Time each case with each backend, and print the least time of a call.

    Args:
        options: what `arguments` asked for.

    Returns:
        1 if a backend does not serve the CPU here.
    """
    import lamina
    from lamina_flatarray import BackendError

    from .tables import show

    if options.threads:
        lamina.set_num_threads(options.threads)
    names = options.backend or [lamina.backends.backend_for("cpu").name]
    times: dict[str, dict[str, float]] = {case.name: {} for case in CASES}
    for name in names:
        try:
            with lamina.backends.use_backend(name):
                for case in CASES:
                    times[case.name][name] = least(case.make(), options.seconds)
        except BackendError as error:
            print(f"lamina bench: {error}", file=sys.stderr)
            return 1
    if options.json:
        print(json.dumps({"threads": lamina.get_num_threads(), "microseconds": times}, indent=1))
        return 0
    print(f"microseconds for a call, the least of many; threads: {lamina.get_num_threads()}")
    head = ["case"]
    for name in names:
        head += [name, ""]
    rows = [[case.name, *(cell for name in names for cell in _told(times[case.name][name], case))] for case in CASES]
    show(head, rows, numbers=range(1, len(head)))
    return 0


def least(call: Callable[[], object], seconds: float) -> float:
    """Time a call again and again.

    Args:
        call: what is timed.
        seconds: for how long; it is called five times at least.

    Returns:
        The least time, in microseconds.
    """
    best, end, calls = float("inf"), perf_counter() + seconds, 0
    while calls < 5 or perf_counter() < end:
        begin = perf_counter()
        call()
        best = min(best, perf_counter() - begin)
        calls += 1
    return best * 1e6


def _told(microseconds: float, case: Case) -> tuple[str, str]:
    rate = f"{case.amount / microseconds * 1e6:,.0f} G{case.unit}/s" if case.unit else ""
    return f"{microseconds:,.1f}", rate


def _add(items: int) -> Callable[[], object]:
    import lamina

    x, y = lamina.ones(items), lamina.ones(items)
    return lambda: x + y


def _product() -> Callable[[], object]:
    import lamina

    x, y = lamina.randn(512, 512), lamina.randn(512, 512)
    return lambda: x @ y


def _convolution() -> Callable[[], object]:
    import lamina

    x, weight = lamina.randn(8, 32, 32, 32), lamina.randn(32, 32, 3, 3)
    return lambda: lamina.nn.functional.conv2d(x, weight, padding=1)


def _training_step() -> Callable[[], object]:
    import lamina
    from lamina import nn

    model = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
    optimizer = lamina.optim.Adam(model.parameters())
    x, y = lamina.randn(64, 784), lamina.randint(0, 10, (64,))

    def step() -> None:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


CASES: Final = (
    Case("add, 10 items", lambda: _add(10)),
    Case("add, 4 million items", lambda: _add(4_000_000), 3 * 4 * 4e6 / 1e9, "B"),
    Case("product of 512 x 512", _product, 2 * 512**3 / 1e9, "FLOP"),
    Case("3 x 3 convolution of 8 x 32 x 32 x 32", _convolution, 2 * 8 * 32 * 32 * 32 * 32 * 9 / 1e9, "FLOP"),
    Case("training step of a 784-128-10 MLP, 64 rows", _training_step),
)
"""What is timed, in order."""
