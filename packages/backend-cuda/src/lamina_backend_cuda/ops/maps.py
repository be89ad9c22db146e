"""Kernels item by item: a source for each op, dtypes, and which inputs are numbers; copies and fills are such, too."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES, DType
from lamina_flatarray.errors import NegativeIntegerPower
from lamina_flatarray.ops import OPS

from .expressions import EXPRESSIONS
from .operands import address, blank, device_of, dtype_of, in_units, is_array, unit_of, units, walks_of
from .sources import FORMATS, TYPES, source, wide_number
from .walks import walk_format, walks

__all__ = ["MapKernel", "clip", "copy", "fill", "mapped", "program_of_items", "row_major", "served", "together"]

_NAMES: Final = "abcde"
_EXACT: Final = ("add", "subtract", "multiply", "divide", "addcmul", "addcdiv")
"""Ops that take a number next to 16-bit items as it is, as PyTorch does; others round it to the dtype first."""


class Program(NamedTuple):
    """A source and what its two kernels take.

    Attributes:
        text: the source.
        signatures: the formats of the parameters of `dense` and `strided`.
        together: how many items `dense` reads and writes at once.
    """

    text: str
    signatures: dict[str, tuple[str, ...]]
    together: int


def served(op: str) -> tuple[str, ...]:
    """Return the dtypes that an op of EXPRESSIONS is computed in here."""
    rule, kinds = DTYPE_RULES[OPS[op].rule], "".join(EXPRESSIONS[op])
    return tuple(d.name for d in DTYPES.values() if d.kind in kinds and (to := rule(d)) is not None and to[0] is d)


class MapKernel:
    """The kernel of an op of EXPRESSIONS.

    Args:
        op: its name.
    """

    def __init__(self, op: str) -> None:
        self.__name__ = self.op = op

    def __call__(self, out: Any, *inputs: Any, **numbers: Any) -> None:
        """Compute each item of `out` from those of the inputs, which are operands of its shape or numbers."""
        inputs = (*inputs, *numbers.values())  # an op of EXPRESSIONS has one parameter at most
        arrays = [x for x in inputs if is_array(x)]
        computed = dtype_of(arrays[-1]) if arrays else dtype_of(out)
        if self.op == "where":
            computed = dtype_of(out)
        if self.op == "pow" and not is_array(inputs[1]):
            if computed.kind in "ui" and inputs[1] < 0:
                raise NegativeIntegerPower(
                    f"pow: {computed.name} to the power {inputs[1]}: Integers to negative integer powers are not allowed; "
                    "cast to a float first"
                )
            shorter = {2: "square", -0.5: "rsqrt"}.get(inputs[1]) if computed.is_floating_point else None
            if shorter is not None:  # exact, and of -0 and -inf, too
                mapped(_program_of(shorter, computed, dtype_of(out), (True,)), out, inputs[:1], computed)
                return
        program = _program_of(self.op, computed, dtype_of(out), tuple(map(is_array, inputs)))
        mapped(program, out, inputs, computed, exact=self.op in _EXACT)


def mapped(
    program: Program, out: Any, inputs: tuple[Any, ...], computed: DType, exact: bool = False, beside: tuple[int, ...] = ()
) -> None:
    """Queue a program over a result and its inputs.

    Args:
        program: what is computed.
        out: the result.
        inputs: operands of its shape, and numbers.
        computed: the dtype that numbers are cast to.
        exact: whether 16-bit dtypes take numbers as they are.
        beside: what the program takes beside its inputs.
    """
    arrays = [x for x in inputs if is_array(x)]
    device = device_of(out)
    functions = device.functions(program.text, program.signatures)
    for walk in walks_of(out, *arrays):
        begins = iter(walk.begins)
        values: list[Any] = [address(out, next(begins))]
        aligned = walk.dense and values[0] % (program.together * out.flat.dtype.itemsize) == 0
        for i, x in enumerate(inputs):
            if is_array(x):
                values.append(address(x, next(begins)))
                aligned = aligned and values[-1] % (program.together * x.flat.dtype.itemsize) == 0
            else:
                values += wide_number(x, computed if program.signatures["dense"][i + 1] != "?" else DTYPES["bool"], exact)
        values += beside
        if aligned:
            device.launch(functions["dense"], -(-walk.size // program.together), (*values, walk.size))
        else:
            device.launch(functions["strided"], walk.size, (*values, *walk.values))


# -- programs -------------------------------------------------------------------------------------------------------


@lru_cache(4096)
def _program_of(op: str, computed: DType, result: DType, arrays: tuple[bool, ...]) -> Program:
    (expression,) = (text for kinds, text in EXPRESSIONS[op].items() if computed.kind in kinds)
    types = [TYPES[computed.name]] * len(arrays)
    if op == "where":
        types[0] = "bool"
    wide = f"typedef Item<{TYPES[computed.name]}>::Wide W;"
    own = ", ".join(f"Item<{kind}>::Wide {name}" for kind, name in zip(types, _NAMES, strict=False))
    function = f"{wide}\nLAMINA auto op({own}) {{ return {expression}; }}"
    reads = [f"widened({{{name}}})" if is_one else f"{{{name}}}" for name, is_one in zip(_NAMES, arrays, strict=False)]
    formats = tuple("?" if kind == "bool" else FORMATS[computed.name] for kind in types)
    return program_of_items(function, f"op({', '.join(reads)})", TYPES[result.name], types, arrays, formats, together(computed, result))


def together(*dtypes: DType) -> int:
    """Return how many items of these dtypes are read and written at once: 16 bytes of the widest."""
    return max(1, 16 // max(dtype.itemsize for dtype in dtypes))


def program_of_items(
    function: str, item: str, out: str, types: list[str], arrays: tuple[bool, ...], formats: tuple[str, ...], together: int,
    beside: tuple[str, ...] = (), files: tuple[str, ...] = (),
) -> Program:  # fmt: skip
    """Return a program whose result is one expression.

    Args:
        function: C++ that the expression calls.
        item: the expression, where `{a}` is an item of the first input, and so on.
        out, types: what an item of the result is called, and of each input.
        arrays: which inputs are operands; the others are numbers.
        formats: the format of each input's number.
        together: how many items are read and written at once.
        beside: pointers that the expression wants beside its inputs.
        files: of kernels, which it wants beside those of all maps.
    """
    operands = [(name, kind, one) for name, kind, one in zip(_NAMES, types, arrays, strict=False)]
    parameters = [f"{out}* out"] + [f"const {kind}* {name}" if one else f"Item<{kind}>::Wide {name}" for name, kind, one in operands]
    parameters += beside
    places = {name: f"{name}[place.at[{1 + sum(arrays[:i])}]]" if one else name for i, (name, _, one) in enumerate(operands)}
    packs = {name: f"pack_{name}.items[j]" if one else name for name, _, one in operands}
    single = {name: f"{name}[i]" if one else name for name, _, one in operands}
    loads = "".join(
        f"    Pack<{kind}, N> pack_{name} = ((const Pack<{kind}, N>*){name})[i];\n" for name, kind, one in operands if one
    )
    count = 1 + sum(arrays)
    text = f"""{source("numbers", "walks", "maps", *files)}
{function}
extern "C" __global__ void strided({", ".join(parameters)}, Walk<{count}> walk) {{
  for (i64 i = first(); i < walk.size; i += stride()) {{
    Place<{count}> place = place_of(walk, i);
    out[place.at[0]] = Cast<{out}>::of({item.format(**places)});
  }}
}}
extern "C" __global__ void dense({", ".join(parameters)}, i64 size) {{
  enum {{ N = {together} }};
  i64 whole = size / N;
  for (i64 i = first(); i < whole; i += stride()) {{
    Pack<{out}, N> made;
{loads}#pragma unroll
    for (int j = 0; j < N; ++j) made.items[j] = Cast<{out}>::of({item.format(**packs)});
    ((Pack<{out}, N>*)out)[i] = made;
  }}
  for (i64 i = whole * N + first(); i < size; i += stride()) out[i] = Cast<{out}>::of({item.format(**single)});
}}
"""
    operand_formats = ("P", *("P" if one else format for format, one in zip(formats, arrays, strict=True)), *("P" for _ in beside))
    return Program(text, {"strided": (*operand_formats, walk_format(count)), "dense": (*operand_formats, "q")}, together)


# -- copies and fills -----------------------------------------------------------------------------------------------


@lru_cache(512)
def _copying(source_dtype: DType, result: DType) -> Program:
    types = [TYPES[source_dtype.name]]
    return program_of_items("", "{a}", TYPES[result.name], types, (True,), ("P",), together(source_dtype, result))


@lru_cache(64)
def _filling(result: DType) -> Program:
    types = [TYPES[result.name]]
    return program_of_items("", "{a}", TYPES[result.name], types, (False,), (FORMATS[result.name],), together(result))


def copy(out: Any, x: Any) -> None:
    """Cast each item of x to out's dtype: from complex to real the imaginary part is dropped, and a number is true unless it is 0."""
    if dtype_of(x) is dtype_of(out) and _moved(out, x):
        return
    mapped(_copying(dtype_of(x), dtype_of(out)), out, (x,), dtype_of(x))


def _moved(out: Any, x: Any) -> bool:
    """Copy items of one dtype in units, where rows lie without gaps; False, and nothing done, where they do not."""
    if out.layout.contiguous and x.layout.contiguous:
        return False  # which is read in packs as it is
    shape, strides = tuple(out.layout.shape), [tuple(operand.layout.strides) for operand in (out, x)]
    each = units(shape, (out, x), strides)
    if each == 1:
        return False
    unit, device = unit_of(dtype_of(out), each), device_of(out)
    program = _copying(unit, unit)
    strided = device.functions(program.text, program.signatures)["strided"]
    for walk in walks((*shape[:-1], shape[-1] // each), tuple(in_units(own, each) for own in strides)):
        firsts = [address(operand) + begin * unit.itemsize for operand, begin in zip((out, x), walk.begins, strict=True)]
        device.launch(strided, walk.size, (*firsts, *walk.values))
    return True


def fill(out: Any, value: Any) -> None:
    """Set every item of out to a number."""
    mapped(_filling(dtype_of(out)), out, (value,), dtype_of(out))


def clip(out: Any, x: Any, min: Any = None, max: Any = None) -> None:
    """Hold each item between two bounds, either of which may be None; NaN stays, and of bounds that cross the upper one wins."""
    if min is None and max is None:
        copy(out, x)
    elif max is None:
        MapKernel("maximum")(out, x, min)
    elif min is None:
        MapKernel("minimum")(out, x, max)
    else:
        MapKernel("clip")(out, x, min, max)


def row_major(x: Any) -> Any:
    """Return an operand of the same items in row-major order, without gaps: x itself if it is one.

    Args:
        x: an operand.

    Returns:
        An operand.
    """
    if x.layout.contiguous:
        return x
    result = blank(x, tuple(x.layout.shape))
    copy(result, x)
    return result
