"""Write `lamina_tensor/functions/elementwise/`: a function of tensors for each map op of the table that PyTorch has, and its in-place twin.

    python generate/tensor_elementwise.py [--check]

What a function is called, takes and says follows from its op's record; its example is what it gave when the file was written.
Ops with further arguments (`add` with `alpha`, `clamp` with its bounds) are written by hand beside these files.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

from lamina_flatarray.ops import OPS, Op

PACKAGE = Path(__file__).parents[1] / "packages" / "tensor" / "src" / "lamina_tensor"
FOLDER = PACKAGE / "functions" / "elementwise"

ONLY_TENSORS = {
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge", "fmod", "copysign"), 1),
    **dict.fromkeys(("maximum", "minimum", "fmax", "fmin", "atan2", "hypot", "logical_and", "logical_or", "logical_xor"), 2),
    **dict.fromkeys(("nextafter", "heaviside", "gcd", "logaddexp", "logaddexp2", "igamma", "igammac"), 2),
}
"""How many leading operands may not be numbers, as in PyTorch."""

ROW_MAJOR = {"pow"}
"""Those whose result is row-major where the first operand is a number, as in PyTorch, whatever order the other lies in."""

SECOND = {"heaviside": "values", "pow": "exponent"}
"""What PyTorch calls the second operand, where it is not `other`."""

WITHOUT_TWIN = {
    "angle", "signbit", "isnan", "isinf", "isfinite", "maximum", "minimum", "fmax", "fmin", "logaddexp", "logaddexp2",
}  # fmt: skip
"""Those of which PyTorch has no in-place form."""

DTYPES = {
    "promote": "of the operands' dtype",
    "arithmetic": "of the operands' dtype",
    "real": "of the operands' dtype",
    "real_arithmetic": "of the operands' dtype",
    "number": "of the operand's dtype, int64 for booleans",
    "float": "floating-point or complex: integers and booleans become the default dtype",
    "float_real": "floating-point: integers and booleans become the default dtype",
    "floating": "of the operands' dtype",
    "inexact": "of the operands' dtype",
    "magnitude": "of the operand's dtype, real for complex numbers",
    "angle": "floating-point",
    "compare": "boolean",
    "compare_real": "boolean",
    "bitwise": "of the operands' dtype",
    "integer": "of the operands' dtype",
    "real_to_complex": "complex",
}
"""Dtype rule -> what the results are."""

REFUSED = {
    "arithmetic": "a boolean", "real": "a complex number", "real_arithmetic": "a boolean or a complex number",
    "float_real": "a complex number", "floating": "not a floating-point number", "inexact": "an integer or a boolean",
    "magnitude": "a boolean", "compare_real": "a complex number", "bitwise": "a floating-point or complex number",
    "integer": "not an integer", "real_to_complex": "not a float32 or float64 number",
}  # fmt: skip
"""Dtype rule -> the operands that it refuses."""

HEAD = '''"""{about}: a generated file, see `generate/tensor_elementwise.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

{imports}

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = [
{names}
]
'''

TENSOR = "    from ...tensor_class import Tensor\n"
NUMBER = f"{TENSOR}    from ...tensor_fields import Number\n"

ABOUT = {
    "unary": "Functions of one tensor, item by item",
    "binary": "Functions of two tensors, item by item",
    "comparison": "Comparisons and logic, item by item",
    "bits": "Functions of whole numbers and of their bits, item by item",
}


def section(row: Op) -> str:
    """The file of an op."""
    if row.rule in ("bitwise", "integer"):
        return "bits"
    if row.rule in ("compare", "compare_real"):
        return "comparison"
    return {1: "unary", 2: "binary"}[row.arity]


def written_by_hand() -> set[str]:
    """The functions that stand elsewhere in the package."""
    names = set()
    for file in (PACKAGE / "functions").rglob("*.py"):
        if file.parent != FOLDER:
            names |= {node.name for node in ast.parse(file.read_text()).body if isinstance(node, ast.FunctionDef)}
    return names


def rows(torch_names: set[str]) -> list[Op]:
    """The map ops that are functions of PyTorch's without further arguments."""
    by_hand = written_by_hand()
    return [
        row for row in OPS.values()
        if row.family == "map" and not row.params and row.arity < 3
        and row.spelling in torch_names and row.spelling not in by_hand
    ]  # fmt: skip


def sentence(row: Op) -> str:
    """What an op does, of the items of its operands."""
    if row.doc.endswith("."):
        return row.doc
    subject, rest = re.match(r"((?:[^,;:([]|\([^)]*\)|\[[^]]*\])*)(.*)", row.doc).groups()  # type: ignore[union-attr]
    subject = subject.strip()
    if row.rule in ("compare", "compare_real"):
        return f"Tell whether {subject}, item by item{rest}."
    if row.arity == 1 and not re.search(r"\bx\b", subject) and not subject.startswith("the "):
        subject = f"the {subject} of x"
    return f"Compute {subject}, item by item{rest}."


def stand_ins(row: Op) -> str:
    """What the letters of the sentence mean."""
    if row.arity == 1:
        return "x is an item of `input`." if re.search(r"\bx\b", sentence(row)) else ""
    first, second = row.inputs
    return f"{first} and {second} are items of `input` and `{SECOND.get(row.spelling, 'other')}`."


def example(row: Op, torch: Any, in_place: bool = False) -> list[str]:
    """A call, of the function or of the method that works in place, and what it printed."""
    candidates: list[tuple[str, ...]]
    if row.rule in ("bitwise", "integer"):
        candidates = [("[5, 6, 7]", "[3, 2, 1]")]
    elif row.rule == "real_to_complex":
        candidates = [("[1.0, 2.0]", "[3.0, 4.0]")]
    elif row.name.startswith("logical"):
        candidates = [("[True, False]", "[True, True]")]
    elif row.rule in ("compare", "compare_real"):
        candidates = [("[1.0, 2.0, float('nan')]", "[2.0, 2.0, 2.0]")]
    else:
        candidates = [(first, "[2.0, 3.0, 0.5]") for first in ("[-1.5, 0.0, 2.0]", "[0.25, 0.5, 0.75]", "[1.0, 2.0, 4.0]")]
    for operands in candidates:
        first, *others = [f"torch.tensor({o})" for o in operands[: row.arity]]
        call = f"{first}.{row.spelling}_({', '.join(others)})" if in_place else f"torch.{row.spelling}({', '.join([first, *others])})"
        if hasattr(torch, row.spelling):
            printed = repr(eval(call, {"torch": torch}))
        else:  # a new op: its function is being written
            from lamina_tensor.dispatch.tensor_functions import FUNCTIONS

            values = [torch.tensor(ast.literal_eval(o)) for o in operands[: row.arity]]
            result = FUNCTIONS[row.name](*values)
            printed = repr(result.to(values[0].dtype) if in_place else result)
        if ("nan" not in printed and "inf" not in printed) or operands is candidates[-1]:
            return [f">>> {call}", *printed.splitlines()]
    raise AssertionError(row.name)


def docstring(row: Op, torch: object) -> str:
    """The docstring of a function, indented."""
    operands = "input" if row.arity == 1 else f"input, {SECOND.get(row.spelling, 'other')}"
    what = "A tensor of any shape." if row.arity == 1 else "tensors of shapes that broadcast together; one of them may be a number."
    if ONLY_TENSORS.get(row.spelling) == 2:
        what = "tensors of shapes that broadcast together."
    elif ONLY_TENSORS.get(row.spelling) == 1:
        what = "a tensor, and a tensor that broadcasts with it or a number."
    shape = "input's shape" if row.arity == 1 else "the shape that the operands broadcast to"
    lines = [
        *textwrap.wrap(sentence(row), 116), "", *([stand_ins(row), ""] if stand_ins(row) else []),
        "Args:", f"    {operands}: {what}", "    out: a tensor to write the result to; it is returned.", "",
        "Returns:", f"    A tensor of {shape}, {DTYPES[row.rule]}.", "",
    ]  # fmt: skip
    raises = []
    if row.rule in REFUSED:
        raises.append(f"    DTypeError: an item is {REFUSED[row.rule]}.")
    if row.arity == 2:
        raises += ["    ShapeError: the shapes do not broadcast together.", "    DeviceError: the operands are on different devices."]
    if row.spelling in ONLY_TENSORS:
        raises.append("    TypeError: a number stands where a tensor is wanted.")
    lines += ["Raises:", *raises, ""] if raises else []
    lines += example(row, torch)
    body = "\n".join(f"    {line}".rstrip() for line in lines)
    return f'    """{body.lstrip()}\n    """'


def function(row: Op, torch: object) -> str:
    """The definition of one function."""
    name, second = row.spelling, SECOND.get(row.spelling, "other")
    tensors = ONLY_TENSORS.get(name, 0)
    if row.arity == 1:
        head = f"def {name}(input: Tensor, *, out: Tensor | None = None) -> Tensor:"
        call = f"    return unary(_{name.upper()}, input, out)"
    else:
        kinds = {0: ("Tensor | Number", "Tensor | Number"), 1: ("Tensor", "Tensor | Number"), 2: ("Tensor", "Tensor")}[tensors]
        head = f"def {name}(input: {kinds[0]}, {second}: {kinds[1]}, *, out: Tensor | None = None) -> Tensor:"
        call = f"    return binary(_{name.upper()}, input, {second}, out)"
    check = []
    if tensors:
        operands = ("input", second)[:tensors]
        check = [f"    if not ({' and '.join(f'isinstance({o}, AnyTensor)' for o in operands)}):"]
        check += [f'        refuse_numbers("{name}", {", ".join(operands)})']
        if tensors == 1:
            check[0] = "    if not isinstance(input, AnyTensor):"
    if name in ROW_MAJOR:
        tensors = 1  # numbers leave the short way
        check += ["    if not isinstance(input, AnyTensor):", f"        {second} = row_major({second})"]
    options = [*(["strict=True"] if row.arity == 2 else []), f"op=_{name.upper()}", *([f"tensors={tensors}"] if tensors else [])]
    strict = f"@torch_function({', '.join(options)})"
    constant = f'_{name.upper()} = elementwise("{row.name}", {row.arity})'
    return "\n".join([constant, "", "", strict, head, docstring(row, torch), *check, call])


def aliases(names: set[str], torch_names: set[str]) -> dict[str, str]:
    """PyTorch's further names of these functions."""
    by_hand = written_by_hand()
    return {
        alias: row.spelling for row in OPS.values() for alias in row.aliases
        if row.spelling in names and alias in torch_names and alias not in by_hand
    }  # fmt: skip


def twin_docstring(row: Op, torch: object) -> str:
    """The docstring of the in-place form of a function, indented."""
    second = SECOND.get(row.spelling, "other")
    what = "a tensor that broadcasts to input's shape" + ("." if ONLY_TENSORS.get(row.spelling) == 2 else ", or a number.")
    lines = [
        *textwrap.wrap(sentence(row).replace("item by item", "item by item and in place", 1), 116), "",
        *([stand_ins(row), ""] if stand_ins(row) else []),
        "Args:", "    input: the tensor to overwrite.", *([f"    {second}: {what}"] if row.arity == 2 else []), "",
        "Returns:", "    `input`.", "",
        "Raises:", "    DTypeError: input's dtype cannot hold the result.",
        *(["    ShapeError: the operands broadcast to another shape than input's."] if row.arity == 2 else []),
        "    AutogradError: `input` is a leaf that requires gradients, or a view of one.", "",
        *example(row, torch, in_place=True),
    ]  # fmt: skip
    body = "\n".join(f"    {line}".rstrip() for line in lines)
    return f'    """{body.lstrip()}\n    """'


def twin(name: str, row: Op, torch: object) -> str:
    """The definition of the in-place form of a function."""
    if row.arity == 1:
        head, call = f"def {name}_(input: Tensor) -> Tensor:", f'unary_(elementwise("{row.name}", 1), input)'
    else:
        second = SECOND.get(row.spelling, "other")
        kind = "Tensor" if ONLY_TENSORS.get(row.spelling) == 2 else "Tensor | Number"
        head, call = f"def {name}_(input: Tensor, {second}: {kind}) -> Tensor:", f'binary_(elementwise("{row.name}", 2), input, {second})'
    strict = "@torch_function(strict=True)" if row.arity == 2 else "@torch_function"
    return f"{strict}\n{head}\n{twin_docstring(row, torch)}\n    return {call}"


def listed(names: list[str]) -> str:
    """Names as lines of a list."""
    return textwrap.fill(", ".join(f'"{name}"' for name in sorted(names)) + ",", 120, initial_indent="    ", subsequent_indent="    ")


def files() -> dict[str, str]:
    """The text of each file of the folder."""
    import torch as pytorch

    import lamina

    names = set(dir(pytorch))
    chosen = rows(names)
    made: dict[str, str] = {}
    for file, about in ABOUT.items():
        here = [row for row in chosen if section(row) == file]
        also = aliases({row.spelling for row in here}, names)
        calls = sorted({"unary" if row.arity == 1 else "binary" for row in here})
        checks = any(row.spelling in ONLY_TENSORS for row in here)
        ordered = any(row.spelling in ROW_MAJOR for row in here)
        dispatch = sorted([*calls, "elementwise", *(["refuse_numbers"] if checks else []), *(["row_major"] if ordered else [])])
        imports = [f"from ...dispatch.elementwise import {', '.join(dispatch)}"]
        imports += ["from ...dispatch.torch_function import torch_function"]
        imports += ["from ...tensor_fields import AnyTensor"] if checks else []
        parts = [HEAD.format(about=about, imports="\n".join(imports), names=listed([*(row.spelling for row in here), *also]))]
        parts += [f"\n{function(row, lamina)}" for row in here]
        parts += ["\n" + "\n".join(f"{alias} = {name}" for alias, name in also.items())] if also else []
        text = "\n\n".join(parts).rstrip() + "\n"
        if "Number" in text.replace("refuse_numbers", ""):
            text = text.replace(TENSOR, NUMBER, 1)
        made[f"{file}.py"] = re.sub(r"\n{4,}", "\n\n\n", text)
    by_hand = written_by_hand()
    twins = [
        row for row in chosen
        if row.spelling not in WITHOUT_TWIN and f"{row.spelling}_" not in by_hand and hasattr(pytorch.Tensor, f"{row.spelling}_")
    ]  # fmt: skip
    also = aliases({row.spelling for row in twins}, {n[:-1] for n in dir(pytorch.Tensor) if n.endswith("_") and n[0] != "_"})
    imports = [
        "from ...dispatch.elementwise import elementwise", "from ...dispatch.torch_function import torch_function",
        "from ...methods.in_place.history import binary_, unary_",
    ]  # fmt: skip
    head = HEAD.format(
        about="Functions item by item, written over their first operand", imports="\n".join(imports),
        names=listed([f"{n}_" for n in (*(row.spelling for row in twins), *also)]),
    )  # fmt: skip
    head = head.replace(TENSOR, NUMBER)
    text = "\n\n".join([head, "\n\n\n".join(twin(row.spelling, row, lamina) for row in twins)])
    text += "\n\n\n" + "\n".join(f"{alias}_ = {name}_" for alias, name in also.items()) + "\n"
    made["in_place.py"] = re.sub(r"\n{4,}", "\n\n\n", text)
    return made


def main() -> None:
    """Write the files, or with `--check` say which differ."""
    texts = files()
    if "--check" in sys.argv:
        stale = [name for name, text in texts.items() if not (FOLDER / name).exists() or (FOLDER / name).read_text() != text]
        if stale:
            raise SystemExit(f"{', '.join(stale)} of {FOLDER}: not what generate/tensor_elementwise.py writes; run it")
        return
    FOLDER.mkdir(exist_ok=True)
    for name, text in texts.items():
        (FOLDER / name).write_text(text)


if __name__ == "__main__":
    main()
