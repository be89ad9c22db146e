"""Writes the functions of map ops, and of activations, from the op table: one `def` for each, in the files named here.

    python generate/ndarray_elementwise.py            # writes the files
    python generate/ndarray_elementwise.py --check    # exits with an error where they differ, as `tests/packaging` asks

What has a signature of its own is
written by hand: `where` and `clip` in `elementwise/choosing.py`, `conj` in `elementwise/complex_parts.py`.
"""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path
from typing import Any, Final

from lamina_flatarray.backends import use_backend
from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.ops import OPS, Op

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "packages" / "ndarray" / "src" / "lamina_ndarray" / "elementwise"
BY_HAND: Final = ("where", "clip", "conj")

FILES: Final = {
    "arithmetic": "Sums, products, quotients, extremes and other arithmetic, item by item",
    "exponential": "Exponentials, logarithms, and trigonometric and hyperbolic functions, item by item",
    "rounding": "Rounding to integers, item by item",
    "comparison": "Comparisons, questions and logic, item by item: their results are boolean",
    "bits": "Operations on the bits of integers, item by item",
    "special_functions": "Special functions, item by item",
    "activations": "Activations, item by item, some of which take numbers beside the array",
    "activation_gradients": "Gradients of activations, item by item, each from the gradient of the result",
}
"""File to its first sentence."""

FIRST: Final = {
    "add": "arithmetic", "exp": "exponential", "erf": "special_functions", "floor": "rounding", "equal": "comparison",
    "bitwise_and": "bits", "relu": "activations", "xlogy": "special_functions",
}  # fmt: skip
"""Where the map ops go: the one named and those behind it in the table, up to the next that is named here."""

CORRECTED: Final = {
    "floor_divide": "Where one of them is infinite, and so is no multiple of anything, the result is that of `floor(a / b)`.",
    "remainder": "A remainder of 0 has the sign of the divisor, as any other.",
    "sign": "NaN stays NaN.",
}
"""Ops whose results at infinities, zeros and NaN the Array API standard wants otherwise than the kernels, and how."""

ONE_DTYPE: Final = ("complex", "heaviside", "polar")
"""Ops of two arrays that are not promoted."""

RETURNED: Final = {
    "promote": "in the dtype of the operands together",
    "arithmetic": "in the dtype of the operands together",
    "number": "in x's dtype, int64 for bool",
    "real": "in the dtype of the operands together",
    "real_arithmetic": "in the dtype of the operands together",
    "float": "in the dtype of the operands together, which is the default one for integers",
    "float_real": "in the dtype of the operands together, which is the default one for integers",
    "floating": "in the dtype of the operands together",
    "inexact": "in the dtype of the operands together",
    "angle": "real, in x's precision or the default dtype",
    "magnitude": "real, in x's precision",
    "compare": "of booleans",
    "compare_real": "of booleans",
    "bitwise": "in the dtype of the operands together",
    "integer": "in the dtype of the operands together",
    "real_to_complex": "of complex numbers, in the precision of the operands",
}
"""Dtype rule to what is said of the result's dtype."""

NUMBERS: Final = {
    "bitwise": "int", "integer": "int", "real": "float", "real_arithmetic": "float", "float_real": "float", "floating": "float",
    "compare_real": "float",
}  # fmt: skip
"""Dtype rule to the type of numbers that may stand for an array, where that is not any."""

OPERANDS: Final = {
    # What an example is given, by the op or by its dtype rule and arity.
    "acosh": "nd.asarray([1.0, 2.0, 3.0])",
    "addcdiv": "nd.asarray([1.0, 2.0]), nd.asarray([1.0, 3.0]), nd.asarray([2.0, 2.0]), value=0.5",
    "addcmul": "nd.asarray([1.0, 2.0]), nd.asarray([1.0, 3.0]), nd.asarray([2.0, 2.0]), value=0.5",
    "angle": "nd.asarray([1.0, -1.0, 1j])",
    "bitwise_invert": "nd.asarray([0, 5, -1])",
    "bitwise_left_shift": "nd.asarray([1, 2, 3]), 2",
    "bitwise_right_shift": "nd.asarray([8, -8, 9]), 2",
    "ceil": "nd.asarray([-1.5, 0.4, 1.5])",
    "divide": "nd.asarray([1.0, 2.0, 3.0]), 2",
    "erfcx": "nd.asarray([0.0, 1.0, 100.0])",
    "floor": "nd.asarray([-1.5, 0.4, 1.5])",
    "floor_divide": "nd.asarray([7, -7, 8]), 2",
    "fmax": "nd.asarray([1.0, nd.nan, 3.0]), 2.0",
    "fmin": "nd.asarray([1.0, nd.nan, 3.0]), 2.0",
    "fmod": "nd.asarray([7, -7, 8]), 3",
    "gcd": "nd.asarray([12, 18, 0]), 8",
    "heaviside": "nd.asarray([-1.0, 0.0, 2.0]), nd.asarray([0.5, 0.5, 0.5])",
    "isfinite": "nd.asarray([1.0, nd.inf, nd.nan])",
    "isinf": "nd.asarray([1.0, nd.inf, nd.nan])",
    "isnan": "nd.asarray([1.0, nd.inf, nd.nan])",
    "lerp": "nd.asarray([1.0, 2.0]), nd.asarray([3.0, 6.0]), 0.5",
    "logical_and": "nd.asarray([True, True, False]), nd.asarray([True, False, False])",
    "logical_not": "nd.asarray([True, False])",
    "logical_or": "nd.asarray([True, True, False]), nd.asarray([True, False, False])",
    "logical_xor": "nd.asarray([True, True, False]), nd.asarray([True, False, False])",
    "nextafter": "nd.asarray([1.0, 2.0]), 3.0",
    "polar": "nd.asarray([1.0, 2.0]), nd.asarray([0.0, 3.0])",
    "complex": "nd.asarray([1.0, 2.0]), nd.asarray([0.0, 3.0])",
    "polygamma": "1, nd.asarray([0.5, 1.0, 2.0])",
    "remainder": "nd.asarray([7, -7, 8]), 3",
    "round": "nd.asarray([-1.5, 0.5, 1.5])",
    "trunc": "nd.asarray([-1.5, 0.4, 1.5])",
    "where_finite": "nd.asarray([1.0, nd.nan, nd.inf]), 0.0, 9.0, -9.0",
    "zeta": "nd.asarray([2.0, 3.0, 4.0]), 1.0",
    "scaled_softplus": "nd.asarray([-1.0, 0.0, 2.0]), 1.0, 20.0",
    "elu": "nd.asarray([-1.0, 0.0, 2.0]), 1.0, 1.0, 1.0",
    "bitwise 2": "nd.asarray([5, 6, 7]), nd.asarray([3, 3, 3])",
    "integer 2": "nd.asarray([5, 6, 7]), nd.asarray([3, 3, 3])",
    "inexact 2": "nd.asarray([1.0, 2.0, 3.0]), 2.0",
    "1": "nd.asarray([0.25, 0.5, 1.0])",
    "2": "nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0])",
    "activations 1": "nd.asarray([-1.0, 0.0, 2.0])",
    "activations 2": "nd.asarray([-1.0, 0.0, 2.0]), 0.5",
    "arithmetic 1": "nd.asarray([-1.0, 4.0, 9.0])",
    "activation_gradients 2": "nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0])",
    "activation_gradients 3": "nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]), 0.5",
    "activation_gradients 4": "nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]), -1.0, 1.0",
    "activation_gradients 5": "nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]), 1.0, 1.0, 1.0",
}


def sections() -> dict[str, list[Op]]:
    """File to the ops whose functions it holds."""
    found: dict[str, list[Op]] = {name: [] for name in FILES}
    section = ""
    for op in OPS.values():
        if op.family == "map":
            section = FIRST.get(op.name, section)
            if op.name not in BY_HAND:
                found[section].append(op)
    found["activations"] += sorted((op for op in OPS.values() if op.is_activation), key=lambda op: op.name)
    slopes = [op for op in OPS.values() if op.name.endswith("_gradient") and op.inputs[0] == "gradient" and is_slope(op)]
    found["activation_gradients"] = sorted(slopes, key=lambda op: op.name)
    return found


def is_slope(op: Op) -> bool:
    """Whether an op is the gradient of an activation: item by item, and without parameters."""
    return op.family == "fused" and not op.params and op.outputs == 1 and op.inputs[1] in ("x", "result") and "weight" not in op.inputs


def first_sentence(op: Op, section: str) -> str:
    """What a function does, from the op's own line."""
    if op.doc.endswith("."):
        return op.doc
    what, semicolon, rest = op.doc.partition(";")
    if op.rule.startswith("compare"):
        what = f"Tell whether {what}"
    elif section == "rounding":
        what = f"Round {what}"
    else:
        article = "the " if re.match(r"[A-Za-z-]{2,}( (?![*/]|where)|$)", what) and not what.startswith("the ") else ""
        what = f"Compute {article}{what}"
    return f"{what}, item by item{semicolon}{rest}".rstrip(".") + "."


def arguments(op: Op, section: str) -> list[tuple[str, str, str]]:
    """Name, type and description of what a function takes by position."""
    if section.startswith("activation") and op.family == "fused":
        arrays = 2 if section == "activation_gradients" else 1
        meaning = {"gradient": "of the activation's result", "result": "the activation's result, of the same shape"}
        names = [(name, "NDArray", meaning.get(name, "the activation's argument" + ", of the same shape" * (arrays == 2)))
                 for name in op.inputs[:arrays]]  # fmt: skip
        return names + [(name, "NDArray | float", "a number, or an array that broadcasts to x's shape") for name in op.inputs[arrays:]]
    if op.name == "polygamma":
        return [("n", "int", "the order of the derivative, 0 or more"), ("x", "NDArray", "an array")]
    if op.arity == 1 or op.name in ONE_DTYPE:
        return [(name, "NDArray", "an array") for name in op.inputs]
    number = NUMBERS.get(op.rule, "Scalar")
    names = ("input", "tensor1", "tensor2") if op.params else op.inputs
    return [(name, f"NDArray | {number}", "an array or a number") for name in names]


def call(op: Op, section: str, names: list[str]) -> tuple[str, str]:
    """The function of the dispatcher that does the work, and its call."""
    given = ", ".join(names)
    constant = f"_{op.name.upper()}"
    if op.family == "fused":
        worker = "activation_gradient" if section == "activation_gradients" else "activation"
        arrays = 2 if section == "activation_gradients" else 1
        numbers = ", ".join(names[arrays:]) + ("," if len(names) == arrays + 1 else "")
        return worker, f'{worker}("{op.name}", {", ".join(names[:arrays])}, ({numbers}))'
    if op.name in CORRECTED:
        return op.name, f"array_api_edges.{op.name}({constant}, {given}, out)"
    if op.name in ONE_DTYPE:
        return "of_one_dtype", f"of_one_dtype({constant}, {given}, out)"
    if op.name == "polygamma":
        return "polygamma_of_order", f"polygamma_of_order({constant}, {given}, out)"
    if op.params:
        return "ternary", f"ternary({constant}, {given}, out, value=value)"
    worker = {1: "unary", 2: "binary", 3: "ternary"}[op.arity]
    return worker, f"{worker}({constant}, {given}, out)"


def refusals(op: Op) -> str:
    """Which dtypes an op is not defined for."""
    refused = {d.kind for d in DTYPES.values() if DTYPE_RULES[op.rule](d) is None}
    if {"f", "c"} <= refused:
        return "the operands are not integers" + (" or bool" if "b" not in refused else "")
    if {"b", "i", "u"} <= refused:
        return "the operands are not floating-point" + (" or complex" if "c" not in refused else " numbers")
    kinds = [name for kind, name in (("b", "bool"), ("c", "complex")) if kind in refused]
    return f"the operands are {' or '.join(kinds)}" if kinds else ""


def raised(op: Op, several: bool) -> list[str]:
    """What a function raises, and when."""
    reasons = [refusals(op)] if refusals(op) else []
    if op.name in ONE_DTYPE:
        allowed = "float32 or float64" if op.rule == "real_to_complex" else "not complex"
        reasons = [f"the operands are not arrays of one dtype, {allowed}"]
    if op.name == "polygamma":
        reasons.append("n is not a Python integer")
    if op.domain == "power":
        reasons.append("an exponent is beyond what integers hold")
    if op.family != "fused":
        reasons.append("the result cannot be cast to out's dtype")
    lines = [f"DTypeError: {', '.join(reasons[:-1])}{', or ' if len(reasons) > 1 else ''}{reasons[-1]}."]
    if op.name == "polygamma":
        lines.append("UsageError: n is negative.")
    if op.domain == "power":
        lines.append("NegativeIntegerPower: the exponent of integers is a negative number.")
    if several:
        lines.append("DeviceError: the operands are on different devices.")
    if op.family == "fused":
        if several:
            lines.append("ShapeError: the shapes do not fit each other.")
    else:
        lines.append(f"ShapeError: {'the shapes do not broadcast, or ' if several else ''}`out` has another shape.")
    return lines


class Functions:
    """What `nd` is in an example: the package, and the ops that it has no functions for yet."""

    def __getattr__(self, name: str) -> Any:
        import lamina_ndarray
        from lamina_ndarray.elementwise import dispatcher

        if hasattr(lamina_ndarray, name):
            return getattr(lamina_ndarray, name)
        if OPS[name].family == "fused":
            from lamina_ndarray.elementwise.operands import activations as fused

            gradient = name.endswith("_gradient")
            return lambda x, *rest: fused.activation_gradient(name, x, rest[0], rest[1:]) if gradient else fused.activation(name, x, rest)
        return partial({1: dispatcher.unary, 2: dispatcher.binary, 3: dispatcher.ternary}[OPS[name].arity], dispatcher.MapOp(name))


def example(op: Op, section: str) -> list[str]:
    """A call, and what it gives."""
    keys = (op.name, f"{op.rule} {op.arity}", f"{section} {op.arity}", str(op.arity))
    operands = next(OPERANDS[key] for key in keys if key in OPERANDS)
    shown = repr(eval(f"nd.{op.name}({operands})", {"nd": Functions()})).split("\n")
    if op.family == "fused":
        return [f">>> from lamina_ndarray.elementwise.{section} import {op.name}", f">>> {op.name}({operands})", *shown]
    return [f">>> nd.{op.name}({operands})", *shown]


def function(op: Op, section: str) -> str:
    """The source of one function."""
    given = arguments(op, section)
    names = [name for name, _, _ in given]
    several = len(given) > 1 and op.name != "polygamma"
    header = ", ".join(f"{name}: {kind}" for name, kind, _ in given)
    documented = [f"{name}: {text}." for name, _, text in given]
    if op.family == "map":
        if op.params == ("value",):
            header += ", *, value: Scalar = 1, out: NDArray | None = None"
            documented.append("value: a number.")
        else:
            header += ", /, out: NDArray | None = None"
        documented.append("out: where the result goes, if not to a new array.")
    signature = f"def {op.name}({header}) -> NDArray:"
    if len(signature) > 120:
        signature = f"def {op.name}(\n    {header}\n) -> NDArray:"
    shape = "An array of the broadcast shape" if several and op.family == "map" else "An array of the same shape"
    text = first_sentence(op, section) + (f" {CORRECTED[op.name]}" if op.name in CORRECTED else "")
    returned = RETURNED[op.rule]
    if not several:
        returned = returned.replace("the dtype of the operands together", "x's dtype" if "x" in names else "their dtype")
    lines = [
        *wrapped(text), "", "Args:", *[f"    {line}" for line in documented], "", "Returns:",
        f"    {shape}, {returned}.", "", "Raises:", *[f"    {line}" for line in raised(op, several)],
        "", *example(op, section),
    ]  # fmt: skip
    lines[0] = f'"""{lines[0]}'
    constant = f'_{op.name.upper()}: Final = {kind(op)}("{op.name}")\n\n\n' if op.family == "map" else ""
    body = "\n".join(f"    {line}" if line else "" for line in [*lines, '"""', f"return {call(op, section, names)[1]}"])
    return f"{constant}{signature}\n{body}\n"


def kind(op: Op) -> str:
    """The class of dispatcher that an op is."""
    return "PowerOp" if op.domain == "power" else "MapOp"


def wrapped(text: str, width: int = 120) -> list[str]:
    """A paragraph as lines."""
    lines = [""]
    for word in text.split(" "):
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


def imports(ops: list[Op], section: str) -> list[str]:
    """The lines of a file that import what its functions call."""
    workers = {call(op, section, [name for name, _, _ in arguments(op, section)])[0] for op in ops}
    lines = []
    if workers & set(CORRECTED):
        lines.append("from .operands import array_api_edges")
    fused = sorted(workers & {"activation", "activation_gradient"})
    if fused:
        lines.append(f"from .operands.activations import {', '.join(fused)}")
    ours = sorted(workers & {"unary", "binary", "ternary"})
    if any(op.family == "map" for op in ops):
        kinds = sorted({kind(op) for op in ops if op.family == "map"})
        lines.append(f"from .dispatcher import {', '.join([*kinds, *ours])}")
    checked = sorted(workers & {"of_one_dtype", "polygamma_of_order"})
    if checked:
        lines.append(f"from .operands.checked import {', '.join(checked)}")
    return sorted(lines)


def source(section: str, ops: list[Op]) -> str:
    """The text of one file."""
    names = "\n".join(f"    {line}" for line in wrapped(", ".join(f'"{op.name}"' for op in sorted(ops, key=lambda op: op.name)) + ",", 118))
    typing = "TYPE_CHECKING, Final" if any(op.family == "map" for op in ops) else "TYPE_CHECKING"
    functions = [function(op, section) for op in ops]
    scalar = "\n    from ..dispatch.operands import Scalar" if any("Scalar" in text for text in functions) else ""
    head = f'''"""{FILES[section]}.

Written by `generate/ndarray_elementwise.py` from the op table: change it there.
"""

from __future__ import annotations

from typing import {typing}

{chr(10).join(imports(ops, section))}

if TYPE_CHECKING:
    from ..array import NDArray{scalar}

__all__ = [
{names}
]  # fmt: skip
'''
    return "\n\n".join([head, *functions])


def files() -> dict[Path, str]:
    """Every file and its text."""
    use_backend("numpy")
    return {FOLDER / f"{section}.py": source(section, ops) for section, ops in sections().items()}


def main() -> None:
    """Write the files, or with `--check` only compare them."""
    for path, text in files().items():
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            sys.exit(f"{path.relative_to(ROOT)} is not what its generator writes; run {Path(__file__).relative_to(ROOT)}")


if __name__ == "__main__":
    main()
