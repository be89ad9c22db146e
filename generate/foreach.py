"""Write the files of `lamina_tensor/foreach/`: a function over a list of tensors for each of PyTorch's `_foreach_*`, and its form in place.

    python generate/foreach.py           # write them
    python generate/foreach.py --check   # say whether they are what would be written

A row says what a function takes beside the list, and what it does with one tensor `x`, and the operand `y` that goes along with it.
"""

# ruff: noqa: E501  rows of the table
from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[1] / "packages" / "tensor" / "src" / "lamina_tensor" / "foreach"

HEAD = '''"""{about}: a generated file, see `generate/foreach.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

{imports}

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = [
{names}
]
'''

UNARY = ["abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "erf", "erfc", "exp", "expm1", "floor", "frac", "lgamma", "log", "log10", "log1p", "log2", "neg", "reciprocal", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"]


class Row(NamedTuple):
    """One function: its further parameters, how they go along with the tensors, the call for each, and the example's arguments."""

    name: str
    parameters: str
    pairs: str
    call: str
    example: str
    about: str
    in_place: bool = True
    at_once: str = ""  # of the function of `at_once` that changes all by one number, and what it is given beside


ONE = 'parallel("{op}", self)'
TWO = 'zip(checked("{op}", self), along("{op}", self, ({operands}){tensor}), strict=True)'
THREE = 'zip(parallel("{op}", self, tensor1, tensor2), along("{op}", self, (_numbers(scalars, self, value),)), strict=True)'
NUMBERS = "other: Any = None, *, scalar: Any = None, scalars: Any = None"
ALPHA = f"{NUMBERS}, alpha: Any = 1"

ROWS = (
    *(Row(name, "", ONE, f"x.{name}()", "", f"Compute `{name}`") for name in UNARY),
    Row("zero", "", ONE, "x.zero()", "", "Set all items to zero"),
    Row("clone", "memory_format: Any = None", ONE, "x.clone(memory_format=memory_format)", "", "Copy each tensor", False),
    Row("max", "", ONE, "x.max()", "", "Find the largest item", False),
    Row("norm", "ord: Any = 2, dtype: Any = None", ONE, "vector_norm(x, ord, dtype=dtype)", "", "Compute the norm of all items", False),
    Row("powsum", "ord: Any = 2, dtype: Any = None", ONE, "x.abs().pow(ord).sum(dtype=dtype)", "",
        "Sum the absolute values of the items, each to a power", False),
    Row("copy", "src: Any, non_blocking: bool = False", 'parallel("{op}", self, src)', "x.copy(y)", "[torch.ones(2)]", "Take over the items of `src`"),
    Row("mm", "mat2: Any", 'parallel("{op}", self, mat2)', "x.mm(y)", "", "Multiply matrices", False),
    Row("add", ALPHA, TWO.replace("{tensor}", ", tensor=True"), "x.add(y, alpha=alpha)", "1.0", "Add the operand, times `alpha`", at_once="added, alpha"),
    Row("sub", ALPHA, TWO.replace("{tensor}", ""), "x.sub(y, alpha=alpha)", "1.0", "Subtract the operand, times `alpha`", at_once="subtracted, alpha"),
    Row("mul", NUMBERS, TWO.replace("{tensor}", ", tensor=True"), "x.mul(y)", "2.0", "Multiply by the operand", at_once="multiplied"),
    Row("div", NUMBERS, TWO.replace("{tensor}", ", tensor=True"), "x.div(y)", "2.0", "Divide by the operand"),
    *(
        Row(name, NUMBERS, TWO.replace("{tensor}", ""), f"x.{method}(y)", "1.5", f"Take the {which} of each item and the operand", at_once="held_below" if which == "lesser" else "held_above")
        for name, method, which in (
            ("clamp_max", "clamp_max", "lesser"), ("minimum", "clamp_max", "lesser"),
            ("clamp_min", "clamp_min", "greater"), ("maximum", "clamp_min", "greater"),
        )
    ),
    Row("pow", "exponent: Any", TWO.replace("{operands}", "exponent,").replace("{tensor}", ""), "x.pow(y)", "2.0", "Raise to the power of the operand"),
    *(
        Row(name, "tensor1: Any, tensor2: Any, scalars: Any = None, *, value: Any = 1", THREE, f"x.{name}(a, b, value=y)",
            "[torch.ones(2)], [torch.ones(2)]", f"Add `value` times the {what} of two tensors")
        for name, what in (("addcmul", "product"), ("addcdiv", "quotient"))
    ),
    Row("lerp", "tensors1: Any, weight: Any = None, *, weights: Any = None",
        'zip(parallel("{op}", self, tensors1), along("{op}", self, (weight, weights)), strict=True)', "x.lerp(a, y)",
        "[torch.ones(2)], 0.5", "Go from each item a part of the way to another tensor's"),
)  # fmt: skip
"""PyTorch's functions over lists; `zero` and `copy` are there in place only."""

ONLY_IN_PLACE = ("zero", "copy")


def function(row: Row, in_place: bool) -> str:
    """The definition of one function."""
    name = f"_foreach_{row.name}{'_' if in_place else ''}"
    parameters = f"self: Sequence[Tensor], {row.parameters}" if row.parameters else "self: Sequence[Tensor]"
    if row.name == "clone":
        parameters = parameters.replace("memory_format", "*, memory_format", 1)
    swapped = row.name == "pow" and not in_place
    if swapped:
        parameters = parameters.replace("self: Sequence[Tensor]", "self: Any")
    head = f"def {name}({parameters}) -> {'Sequence[Tensor]' if in_place else 'tuple[Tensor, ...]'}:"
    operands = "other, scalar, scalars"
    pairs = row.pairs.replace("{op}", name).replace("{operands}", operands)
    targets = {ONE: "(x,)", THREE: "(x, a, b), y"}.get(row.pairs, "(x, a), y" if row.name == "lerp" else "x, y")
    call = row.call.replace("(", "_(", 1) if in_place else row.call
    if row.name == "copy":
        call = "x.copy_(y, non_blocking)"
    result = "The list that was given, whose tensors are changed" if in_place else "A tuple of tensors, one for each of the list"
    matrix = row.name == "mm"
    first = "[torch.ones(1, 1)]" if matrix else "[torch.tensor([1.0, 2.0])]"
    arguments = ", ".join(filter(None, [first, first if matrix else row.example]))
    example = [f">>> torch.{name}({arguments})"]
    if in_place:
        example = [f">>> x = {first}", f">>> torch.{name}({', '.join(filter(None, ['x', row.example]))}) is x", "True"]
    else:
        example = [f">>> len(torch.{name}({arguments}))", "1"]
    meanings = [f"    {piece.split(':')[0]}: {MEANINGS[piece.split(':')[0]]}" for piece in row.parameters.split(", ") if ":" in piece]
    body = [
        f'"""{row.about}, for each tensor of a list{" in place" if in_place else ""}.', "", "Args:", "    self: the tensors.", *meanings, "",
        "Returns:", f"    {result}.", "", "Raises:", "    TypeError: the arguments are not of the kinds above.",
        "    RuntimeError: a list is empty, or of another length than the first.", "", *example, '"""',
    ]  # fmt: skip
    lines = "\n".join(f"    {line}".rstrip() for line in body)
    if swapped:
        lines += f'\n    if isinstance(self, (int, float, complex)):\n        return tuple(pow(self, y) for y in checked("{name}", exponent))'
    if len(head) > 120:
        head = head.replace("(", "(\n    ", 1).replace(") -> ", "\n) -> ")
    if in_place and row.at_once:
        at_once, *beside = row.at_once.split(", ")
        tensors, operands = pairs.removeprefix("zip(").removesuffix(", strict=True)").split(", along")
        done = f"{at_once}({', '.join(['tensors', 'operands', *beside])})"
        return (
            f"\n\n{head}\n{lines}\n    tensors = {tensors}\n    operands = along{operands}\n    if {done}:\n        return self\n"
            f"    for {targets} in zip(tensors, operands, strict=True):\n        {call}\n    return self\n"
        )
    if len(pairs) > 70:
        pairs = pairs.replace("zip(", "zip(\n        ", 1).replace("), along", "),\n        along").replace(", strict=True)", ",\n        strict=True,\n    )")
        if not in_place:
            return f"\n\n{head}\n{lines}\n    pairs = {pairs}\n    return tuple({call} for {targets} in pairs)\n"
        return f"\n\n{head}\n{lines}\n    pairs = {pairs}\n    for {targets} in pairs:\n        {call}\n    return self\n"
    if in_place:
        return f"\n\n{head}\n{lines}\n    for {targets} in {pairs}:\n        {call}\n    return self\n"
    return f"\n\n{head}\n{lines}\n    return tuple({call} for {targets} in {pairs})\n"


MEANINGS = {
    "other": "the operand: a number or a tensor for all, or a list of one for each.", "scalar": "the operand, if it is a number.",
    "scalars": "numbers, one for each tensor.", "alpha": "a factor of the operand.", "exponent": "the operand: a number for all, or a list of one for each.",
    "tensor1": "a tensor for each.", "tensor2": "a tensor for each.", "value": "a factor for all.", "tensors1": "a tensor for each.",
    "weight": "how far to go: a number, or a list of one for each.", "weights": "how far to go: a list of tensors.", "src": "a tensor for each.",
    "non_blocking": "accepted and ignored, as for `copy_`.", "memory_format": "the order of the copies in memory; None for each own.",
    "ord": "the order.", "dtype": "the dtype to compute in; None for each tensor's own.", "mat2": "a matrix for each.", "*": "",
}  # fmt: skip
"""What parameters are."""

NUMBERS_OF = '''

def _numbers(scalars: Any, tensors: Sequence[Tensor], value: Any) -> Any:
    """A factor for each tensor: those given, which may be a tensor of them, or the same one."""
    if scalars is None:
        return [value] * len(tensors)
    return scalars if isinstance(scalars, (list, tuple, int, float, complex)) else scalars.tolist()
'''


def files() -> dict[str, str]:
    """The text of each file."""
    texts, names_of = {}, {}
    for in_place in (False, True):
        for unary in (True, False):
            rows = [
                row for row in ROWS
                if (row.name in UNARY) == unary and (row.in_place if in_place else row.name not in ONLY_IN_PLACE)
            ]  # fmt: skip
            functions = "".join(function(row, in_place) for row in rows)
            helpers = [name for name in ("along", "checked", "parallel") if f"{name}(" in functions]
            imports = f"from .lists import {', '.join(helpers)}"
            for_all = sorted({row.at_once.split(", ")[0] for row in rows if row.at_once}) if in_place else []
            if for_all:
                imports = f"from .at_once import {', '.join(for_all)}\n{imports}"
            if "vector_norm(" in functions:
                imports = f"from ..functions.elementwise.binary import pow\nfrom ..linalg.norms import vector_norm\n{imports}"
            file = f"{'of_items' if unary else 'with_operands'}{'_in_place' if in_place else ''}"
            names = sorted(f"_foreach_{row.name}{'_' if in_place else ''}" for row in rows)
            names_of[file] = names
            about = f"Functions {'item by item' if unary else 'with operands'} over lists of tensors{', in place' if in_place else ''}"
            text = HEAD.format(about=about, imports=imports, names="\n".join(f'    "{name}",' for name in names))
            text += (NUMBERS_OF if "_numbers(" in functions else "") + functions
            texts[f"{file}.py"] = text.replace("import TYPE_CHECKING, Any", "import TYPE_CHECKING") if "Any" not in functions else text
    init = '"""PyTorch\'s `_foreach_*`: one call for a list of tensors. A generated file, see `generate/foreach.py`.\n\n'
    init += 'One number added, subtracted, multiplied or held to in place is one kernel call for all tensors of a dtype, as a step of an\n'
    init += 'optimizer is; all else is a loop over the op for one tensor: it has no kernel for many.\n"""\n\n# ruff: noqa: I001\n'
    init += "".join(
        f"from .{file} import (\n" + "".join(f"    {name},\n" for name in names) + ")\n" for file, names in sorted(names_of.items())
    )
    init += "\n__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(n for names in names_of.values() for n in names)) + "]\n"
    return {**texts, "__init__.py": init}


def main() -> None:
    """Write the files, or with `--check` say which differ."""
    texts = files()
    if "--check" in sys.argv:
        stale = [name for name, text in texts.items() if not (FOLDER / name).exists() or (FOLDER / name).read_text() != text]
        if stale:
            raise SystemExit(f"{', '.join(stale)} of {FOLDER}: not what generate/foreach.py writes; run it")
        return
    FOLDER.mkdir(exist_ok=True)
    for name, text in texts.items():
        (FOLDER / name).write_text(text)


if __name__ == "__main__":
    main()
