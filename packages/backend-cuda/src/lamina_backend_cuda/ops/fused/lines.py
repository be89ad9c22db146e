"""Kernels over lines: what operands are along the axes that count lines and along those of a line, and which threads share one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Final, NamedTuple

from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.dtypes import DTYPES, DType

from ...device import CudaDevice
from ..maps import copy
from ..operands import address, blank, device_of, dtype_of
from ..reductions import nothing
from ..sources import FORMATS, TYPES, source
from ..walks import AXES, Walk, walk_format, walks

__all__ = [
    "FLOATING", "Program", "View", "along", "constant", "few_axes", "in_dtype", "parts_of", "program", "run", "wide",
]  # fmt: skip

FLOATING: Final = tuple(name for name, dtype in DTYPES.items() if dtype.is_floating_point)
"""The dtypes that fused kernels serve."""

_TEAMS: Final = {"alone": 1, "warps": 32, "blocks": 256}
_ANY_AXES: Final = "#define PLAIN 0"
_SHORT: Final = 16  # items of a line that one thread walks over by itself
_OF_A_WARP: Final = 1024  # items of a line that a warp walks over
_MANY: Final = 4096  # lines that keep a device busy with a thread each

Shape = tuple[int, ...]


class Program(NamedTuple):
    """A source and what its kernels take.

    Attributes:
        text: the source.
        signatures: from the name of each kernel to the formats of its parameters.
        plain: the same source for lines of one axis; empty where there are no lines.
    """

    text: str
    signatures: dict[str, tuple[str, ...]]
    plain: str = ""


class View(NamedTuple):
    """An operand as a kernel over lines reads or writes it; None stands for one that is left out.

    Attributes:
        operand: the operand.
        outer: how many items apart neighbours lie along each axis that counts lines; 0 where it is the same for all of them.
        inner: the same along each axis of a line.
    """

    operand: Any
    outer: Shape
    inner: Shape


def along(x: Any, axes: Shape) -> View:
    """Return an operand whose lines run along some of its axes.

    Args:
        x: the operand, or None.
        axes: of a line; the others count lines.
    """
    if x is None:
        return View(None, (), ())
    strides = x.layout.strides
    return View(x, tuple(s for axis, s in enumerate(strides) if axis not in axes), tuple(strides[axis] for axis in axes))


def constant(x: Any, outer: int, inner: int) -> View:
    """Return an operand that has one item for each line, whose axes are those that count lines.

    Args:
        x: the operand, or None.
        outer, inner: how many axes there are of each kind.
    """
    return View(x, (0,) * outer if x is None else tuple(x.layout.strides), (0,) * inner)


# -- programs -----------------------------------------------------------------------------------------------------------


def _format(parameter: str, dtype: DType, structs: Mapping[str, str]) -> str:
    kind = parameter.rpartition(" ")[0].removeprefix("const ")
    if kind.endswith("*"):
        return "P"
    if kind.startswith("Walk<"):
        return walk_format(int(kind[5:-1]))
    return {"W": FORMATS[dtype.name], "i64": "q", "u64": "Q", "int": "i", "double": "d", **structs}[kind]


def program(
    dtype: DType, files: Sequence[str], kernels: Mapping[str, tuple[str, ...]], own: str = "", teams: bool = True,
    structs: Mapping[str, str] | None = None,
) -> Program:  # fmt: skip
    """Return a source and the formats of its kernels, which are read off their parameters.

    Args:
        dtype: of the items, whose type is In.
        files: of `kernels/fused`, which come after numbers and walks.
        kernels: from names to parameters. `lines` is a function template in the files, of which a kernel is made for each size of
            team: `alone`, `warps` and `blocks`; the others are kernels already.
        own: C++ that comes before the files. Items are of the type In, and computed in W.
        teams: whether threads share lines.
        structs: the formats of structs among the parameters, by their names.

    Returns:
        The program.
    """
    before = f"{_ANY_AXES}\ntypedef {TYPES[dtype.name]} In;\ntypedef Item<In>::Wide W;\n{own}\n"
    every = [*(["lines/teams"] if teams else []), *files]
    text = "\n".join((source("numbers", "walks"), before, source(*(f"fused/{name}" for name in every))))
    signatures = {}
    for name, parameters in kernels.items():
        formats = tuple(_format(parameter, dtype, structs or {}) for parameter in parameters)
        if name != "lines":
            signatures[name] = formats
            continue
        names = ", ".join(parameter.rpartition(" ")[2] for parameter in parameters)
        for team, size in _TEAMS.items():
            text += f'\nextern "C" __global__ void {team}({", ".join(parameters)}) {{ lines<{size}>({names}); }}'
            signatures[team] = formats
    return Program(text, signatures, text.replace(_ANY_AXES, "#define PLAIN 1") if "lines" in kernels else "")


# -- launches -----------------------------------------------------------------------------------------------------------


def _team(lines: int, line: Walk, length: int, like: int) -> str:
    """Which threads share a line: one alone where the line is short, or neighbouring lines lie side by side, and there are many."""
    last = line.values[3 + AXES * (1 + like) + line.values[1] - 1]
    if length <= _SHORT or (last != 1 and lines >= _MANY):
        return "alone"
    return "warps" if length <= _OF_A_WARP else "blocks"


def _is_plain(line: Walk, views: int) -> bool:
    """Whether a line has one axis, in which all distances fit into 32 bits, and a step beyond its end does, too."""
    steps = line.values[3 + AXES :: AXES][:views]
    return line.values[1] == 1 and line.size * max(1, *map(abs, steps)) < 2**30


def run(
    made: Program, outer: Shape, inner: Shape, views: Sequence[View], *numbers: Any, beside: Sequence[Any] = (), words: Sequence[int] = (),
    like: int = 1, parts: int = 1,
) -> None:  # fmt: skip
    """Queue a kernel over lines.

    Args:
        made: the program, whose kernels take an address for each view and each operand beside, two walks over the views, and numbers.
        outer: the lengths of the axes that count lines.
        inner: those of the axes of a line.
        views: the operands that are walked over.
        numbers: what the kernel takes behind the walks.
        beside: operands, or None, of which the kernel finds the items by itself.
        words: further addresses, behind those.
        like: which view tells whether a line's items lie side by side.
        parts: into how many parts each line is divided, each of which a team has for itself.
    """
    left_out = View(None, (0,) * len(outer), (0,) * len(inner))
    views = [left_out if view.operand is None else view for view in views]
    over = walks(inner, tuple(view.inner for view in views), True)
    line = over[0] if over else nothing(len(views))
    device = device_of(views[like].operand)
    functions = device.functions(made.plain if _is_plain(line, len(views)) else made.text, made.signatures)
    others = [*(0 if x is None else address(x) for x in beside), *words]
    for walk in walks(outer, tuple(view.outer for view in views), True):
        firsts = [0 if v.operand is None else address(v.operand, begin) for v, begin in zip(views, walk.begins, strict=True)]
        team = _team(walk.size * parts, line, -(-line.size // parts), like)
        threads = walk.size * parts * _TEAMS[team]
        device.launch(functions[team], threads, (*firsts, *others, *walk.values, *line.values, *numbers))


def parts_of(device: CudaDevice, lines: int, length: int, least: int) -> int:
    """Return into how many parts lines are divided, so that there are teams for the whole device.

    Args:
        device: where they are.
        lines, length: how many there are, and of how many items.
        least: how many items a part has at least.
    """
    parts = -(-4 * device.properties.multiprocessors // max(1, lines))
    return max(1, min(parts, length // least))


# -- operands -----------------------------------------------------------------------------------------------------------


def wide(dtype: DType) -> DType:
    """Return the dtype that items are computed in: float32 for those of 16 bits."""
    return DTYPES["float32"] if dtype.itemsize < 4 else dtype


def in_dtype(x: Any, dtype: DType) -> Any:
    """Return an operand of the same items in a dtype: x itself if it has it; None for None."""
    if x is None or dtype_of(x) is dtype:
        return x
    result = blank(x, tuple(x.layout.shape), dtype)
    copy(result, x)
    return result


def few_axes(op: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Leave operands of more axes than a kernel walks over to the op's decomposition."""

    def limited(kernel: Callable[..., None]) -> Callable[..., None]:
        @wraps(kernel)
        def chosen(out: Any, *inputs: Any, **params: Any) -> None:
            outs = out if isinstance(out, tuple) else (out,)
            if any(x is not None and x.layout.ndim >= AXES for x in (*outs, *inputs)):
                decompositions[op](out, *inputs, **params)
            else:
                kernel(out, *inputs, **params)

        return chosen

    return limited
