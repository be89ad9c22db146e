"""Writes `lamina_flatarray/random/known_answers.py` with what PyTorch draws; run by hand for a new one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

SEEDS = (0, 42, 2**40 + 7)
WEIGHTS = (0.1, 0.0, 2.5, 0.4, 1.0, 3.0, 0.25)
TARGET = Path(__file__).parents[3] / "packages/flatarray/src/lamina_flatarray/random/known_answers.py"
HEADER = '''"""Known answers: what PyTorch {version} draws on the CPU (x86-64, AVX2); a generated file."""

# ruff: noqa: E501

from __future__ import annotations

from typing import Any, Final, NamedTuple

__all__ = ["KNOWN_ANSWERS", "PHILOX_ANSWERS", "KnownAnswer"]


class KnownAnswer(NamedTuple):
    """After `manual_seed(seed)`, `op(out, generator, **parameters)` gives `values` in an `out` of `dtype`.

    For `multinomial` the parameters hold one row of probabilities, of `dtype`; the values are the indices.
    `size` is out's; where it is larger than the number of values, these are the last ones.
    """

    op: str
    dtype: str
    seed: int
    size: int
    parameters: dict[str, Any]
    values: tuple[float, ...]


PHILOX_ANSWERS: Final = (
    # counter, key, words: the vectors that Random123 publishes for philox4x32-10
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
)

'''


def cases() -> Iterator[tuple[str, str, int, dict[str, Any]]]:
    """op, dtype, size, parameters."""
    for dtype in ("float32", "float64", "float16", "bfloat16"):
        yield "uniform", dtype, 12, {}
        yield "uniform", dtype, 12, {"low": -0.1, "high": 0.3}
        yield "normal", dtype, 12, {}
        yield "normal", dtype, 16, {}
        yield "normal", dtype, 1003, {"mean": 0.7, "std": 2.3}
        yield "exponential", dtype, 12, {"lambd": 2.5}
    for dtype in ("float32", "float64"):
        yield "log_normal", dtype, 12, {"mean": 0.5, "std": 0.25}
        yield "cauchy", dtype, 12, {"median": 0.5, "sigma": 2.0}
        yield "multinomial", dtype, 12, {"probabilities": WEIGHTS, "n": 12, "replacement": True}
        yield "multinomial", dtype, 6, {"probabilities": WEIGHTS, "n": 6, "replacement": False}
    for dtype in ("bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64"):
        yield "random_full", dtype, 12, {}
    for low, high in ((0, 10), (-5, 2**28 - 6), (0, 2**28), (-(2**40), 2**50)):
        yield "random_integers", "int64", 12, {"low": low, "high": high}
    yield "bernoulli", "float32", 1000, {"p": 0.3}
    yield "geometric", "int64", 12, {"p": 0.3}
    yield "permutation", "int64", 12, {}
    yield "permutation", "int64", 1000, {}


def answer(op: str, dtype: str, seed: int, size: int, parameters: dict[str, Any]) -> tuple[float, ...]:
    """What PyTorch gives, at most the last 16 values."""
    source = torch.Generator().manual_seed(seed)
    kind = getattr(torch, dtype)
    out = torch.empty(size, dtype=kind)
    given = tuple(parameters.values())
    match op:
        case "permutation":
            out = torch.randperm(size, generator=source)
        case "multinomial":
            weights = torch.tensor(parameters["probabilities"], dtype=kind)
            out = torch.multinomial(weights, parameters["n"], parameters["replacement"], generator=source)
        case "random_full" | "random_integers":
            out.random_(*given, generator=source)
        case _:
            getattr(out, op + "_")(*given, generator=source)
    return tuple(out[-16:].tolist())


def text() -> str:
    """The whole file."""
    lines = [HEADER.format(version=torch.__version__.split("+")[0]), "# fmt: off\nKNOWN_ANSWERS: Final = (\n"]
    for op, dtype, size, parameters in cases():
        for seed in SEEDS:
            values = answer(op, dtype, seed, size, parameters)
            head = f"    KnownAnswer({op!r}, {dtype!r}, {seed}, {size}, {parameters!r}, (\n"
            lines.append(head.replace("'", '"'))
            for start in range(0, len(values), 4):
                lines.append("        " + ", ".join(map(repr, values[start : start + 4])) + ",\n")
            lines.append("    )),\n")
    return "".join(lines) + ")\n# fmt: on\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
