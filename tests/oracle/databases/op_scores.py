"""How many entries of PyTorch's op database agree, of each tier and in each facet, and what differs, on numpy and on cpp:

    cd tests/oracle && python -m databases.op_scores [part of a name] [facet ...]

LAMINA_BACKEND=NAME asks one backend alone. The facets are function, method, in-place, out, errors, strides, requires_grad; of all entries
each but the first three takes a few minutes, these about a quarter of an hour together. An entry that is listed in
known_differences.toml or known_method_differences.toml is counted apart: 153+6/163 are 153 that agree, 6 that are known to differ, of 163.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from databases import method_database, op_database, op_errors, op_gradients, op_out, op_strides

__all__ = ["FACETS", "score"]

Cases = Iterator[tuple[str | None, Callable[[], int]]]
"""Why a case is known to differ, or None, and its check, which tells how many samples were compared."""


@cache
def _known(file: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(file).read_text())


def _name(info: Any) -> str:
    return f"{info.name}{'.' + info.variant_test_name if info.variant_test_name else ''}"


def _values(info: Any) -> Cases:
    known = _known("known_differences.toml").get(_name(info), {})
    for dtype in (*op_database.DTYPES, *op_database.OTHER_DTYPES):
        if op_database.serves(info, dtype):
            yield known.get(dtype), lambda d=dtype: op_database.check_values(info, d)


def _methods(infos: dict[str, Any], check: Callable[[str, Any, str], int]) -> Callable[[Any], Cases]:
    def cases(info: Any) -> Cases:
        for name in (name for name, entry in infos.items() if entry is info):
            known = {**_known("known_differences.toml").get(_name(info), {}), **_known("known_method_differences.toml").get(name, {})}
            for dtype in method_database.dtypes(info):
                yield known.get(dtype) or None, lambda n=name, d=dtype: check(n, info, d)

    return cases


def _one(check: Callable[[Any], int], section: Callable[[dict[str, Any], str], str | None]) -> Callable[[Any], Cases]:
    return lambda info: iter([(section(_known("known_differences.toml"), _name(info)), lambda: check(info))])


FACETS: dict[str, Callable[[Any], Cases]] = {
    "function": _values,
    "method": _methods(method_database.methods(), method_database.check_method),
    "in-place": _methods(method_database.twins(), method_database.check_twin),
    "out": _one(op_out.check, lambda known, name: known.get("out", {}).get(name)),
    "errors": _one(op_errors.check_errors, lambda known, name: known.get(name, {}).get("errors")),
    "strides": _one(lambda info: op_strides.check(_name(info)), lambda known, name: known["strides"].get(name)),
    "requires_grad": _one(op_gradients.check_history, lambda known, name: known.get("history", {}).get(name)),
}
"""Facet -> an entry's cases of it: why one is known to differ, and its check."""


def score(only: str = "", *facets: str) -> None:
    """Print what differs, and the counts of each tier and facet: agreed, known to differ, asked."""
    counts = {(tier, facet): [0, 0, 0] for tier in "ABC" for facet in FACETS}
    for name, info in op_database.everything().items():
        if only not in name:
            continue
        start, tier = time.monotonic(), op_database.tier(info)
        absent = _known("known_differences.toml")["absent"].get(name)
        for facet in facets or FACETS:
            differs, known, compared = [], 0, 0
            for reason, check in FACETS[facet](info):
                try:
                    compared += check()
                except (op_database.Difference, op_database.Missing) as error:
                    known += bool(reason or absent)
                    differs += [] if reason or absent else [error]
                except Exception as error:
                    known += bool(absent)
                    differs += [] if absent else [f"{type(error).__name__}: {error}"]
            count = counts[tier, facet]
            count[0] += bool(compared and not differs and not known)
            count[1] += bool(known and not differs)
            count[2] += bool(compared or differs or known)
            for error in differs:
                print(f"{tier} {facet} {name}: {' '.join(str(error).split())[:400]}", flush=True)
        if time.monotonic() - start > 20:
            print(f"# {name}: {time.monotonic() - start:.0f} s", flush=True)
    print(f"{os.environ.get('LAMINA_BACKEND', '')} | " + " | ".join(facets or FACETS))
    for tier in "ABC":
        shown = (counts[tier, facet] for facet in facets or FACETS)
        print(f"{tier} | " + " | ".join(f"{good}+{known}/{total} {100 * good / max(total, 1):.1f} %" for good, known, total in shown))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if "LAMINA_BACKEND" in os.environ:
        score(*sys.argv[1:])
    else:
        for backend in ("numpy", "cpp"):
            command = [sys.executable, "-m", "databases.op_scores", *sys.argv[1:]]
            subprocess.run(command, env={**os.environ, "LAMINA_BACKEND": backend}, check=True)
