"""The instructions that compute, each as the calls of NumPy that do the same."""

from collections.abc import Callable

import numpy as np

from .memory import LOCAL, SHARED
from .ptx import Instruction
from .words import Words

__all__ = ["CALCULATIONS"]

Calculation = Callable[[Instruction, Words], list[str]]

_COMPARED = {
    "eq": "({a} == {b})", "lt": "({a} < {b})", "le": "({a} <= {b})", "gt": "({a} > {b})", "ge": "({a} >= {b})",
    "lo": "({a} < {b})", "ls": "({a} <= {b})", "hi": "({a} > {b})", "hs": "({a} >= {b})",
    "equ": "~(({a} < {b}) | ({a} > {b}))", "neu": "({a} != {b})", "ltu": "~({a} >= {b})", "leu": "~({a} > {b})",
    "gtu": "~({a} <= {b})", "geu": "~({a} < {b})", "num": "(({a} == {a}) & ({b} == {b}))", "nan": "(({a} != {a}) | ({b} != {b}))",
}  # fmt: skip
_ROUNDINGS = ("rn", "rz", "rm", "rp")


def _put(words: Words, kind: str, value: str) -> list[str]:
    return [f"put({words.row(words.one.operands[0], kind)}, {value}, where=m)"]


def _only(one: Instruction, *allowed: str) -> set[str]:
    """The parts of a name between its first and its type: none but those that are known."""
    parts = set(one.opcode[1:-1])
    if parts - set(allowed):
        raise ValueError(one.text)
    return parts


def _by(name: str, *allowed: str) -> Calculation:
    """A function of NumPy that does the same."""

    def calculation(one: Instruction, words: Words) -> list[str]:
        _only(one, *allowed)
        kind = one.opcode[-1]
        items = ", ".join(words.read(operand, kind) for operand in one.operands[1:])
        return [f"np.{name}({items}, out={words.row(one.operands[0], kind if kind != 'pred' else 'u')}, where=m)"]

    return calculation


def _by_type(for_floats: Calculation, for_integers: Calculation) -> Calculation:
    return lambda one, words: (for_floats if one.opcode[-1][0] == "f" else for_integers)(one, words)


def _expression(text: str, *allowed: str) -> Calculation:
    """An expression of operands a, b, c and d of one type; operands whose letters come after a colon are 32 bits without a sign."""
    text, _, short = text.partition(":")

    def calculation(one: Instruction, words: Words) -> list[str]:
        _only(one, *allowed)
        kind = one.opcode[-1]
        read = {
            letter: words.read(operand, "u32" if letter in short else kind)
            for letter, operand in zip("abcd", one.operands[1:], strict=False)
        }
        return _put(words, kind, text.format(**read, kind=f"np.{words.kind(kind).name}" if kind != "pred" else "bool"))

    return calculation


def _approximate(text: str, head: bool = False) -> Calculation:
    """A quick function, here of double precision; what is asked to is flushed to 0."""

    def calculation(one: Instruction, words: Words) -> list[str]:
        parts, kind = _only(one, "approx", "ftz", "full", "rn"), one.opcode[-1]
        read = [f"np.asarray({words.read(operand, kind)})" for operand in one.operands[1:]]
        if "ftz" in parts:
            read = [f"flushed({operand})" for operand in read]
        value = text.format(*(f"{operand}.astype(float)" for operand in read))
        if kind == "f64" and "approx" in parts:
            value = f"head({value})" if head else value
        value = f"({value}).astype(np.{words.kind(kind).name})"
        return _put(words, kind, f"flushed({value})" if "ftz" in parts and kind == "f32" else value)

    return calculation


def _rounded(name: str, fused: str) -> Calculation:
    """A sum, difference or product of floats: rounded to nearest by NumPy, else with one direction."""

    def calculation(one: Instruction, words: Words) -> list[str]:
        parts, kind = _only(one, *_ROUNDINGS), one.opcode[-1]
        mode = next(iter(parts), "rn")
        a, b = (words.read(operand, kind) for operand in one.operands[1:])
        if mode == "rn":
            return [f"np.{name}({a}, {b}, out={words.row(one.operands[0], kind)}, where=m)"]
        if kind != "f32":
            raise ValueError(one.text)
        return _put(words, kind, f"directed32({fused.format(a=a, b=b)}, {mode!r})")

    return calculation


def _fused(one: Instruction, words: Words) -> list[str]:
    parts, kind = _only(one, *_ROUNDINGS), one.opcode[-1]
    (mode,) = parts
    items = ", ".join(words.read(operand, kind) for operand in one.operands[1:])
    if mode == "rn":
        return _put(words, kind, f"fma{kind[1:]}({items})")
    if kind != "f32":
        raise ValueError(one.text)
    return _put(words, kind, f"directed32({items}, {mode!r})")


def _integer_product(one: Instruction, words: Words) -> list[str]:
    """mul and mad: the lower half, the upper half, or all of it."""
    if "cc" in one.opcode:
        return _carried(one, words)
    (part,), kind = _only(one, "lo", "hi", "wide"), one.opcode[-1]
    a, b = (words.read(operand, kind) for operand in one.operands[1:3])
    wide = f"{kind[0]}{2 * int(kind[1:])}" if part == "wide" else kind
    dtype = f"np.{words.kind(wide).name}"
    if part == "hi":
        product = f"high({a}, {b})"
    else:
        product = f"np.multiply({a}, {b}, dtype={dtype})"
    if len(one.operands) == 4:
        product += f" + {words.read(one.operands[3], wide)}"
    return _put(words, wide, product)


def _carried(one: Instruction, words: Words) -> list[str]:
    name, kind = one.opcode[0], one.opcode[-1]
    if kind not in ("u32", "s32", "b32"):
        raise ValueError(one.text)
    part = next((part for part in one.opcode if part in ("lo", "hi")), "")
    a, b, c = (*(words.read(operand, "u32") for operand in one.operands[1:]), "0")[:3]
    carry = "t.carry" if name in ("addc", "subc", "madc") else words.constant(np.uint64(0))
    lines = [f"total, carry = add_carry({name!r}, {part!r}, {a}, {b}, {c}, {carry})", *_put(words, "u32", "total")]
    return [*lines, "put(t.carry, carry, where=m)"] if "cc" in one.opcode else lines


def _sum(name: str, fused: str) -> Calculation:
    floats, integers = _rounded(name, fused), _by(name)

    def calculation(one: Instruction, words: Words) -> list[str]:
        if "cc" in one.opcode:
            return _carried(one, words)
        return (floats if one.opcode[-1][0] == "f" else integers)(one, words)

    return calculation


def _compare(one: Instruction, words: Words) -> list[str]:
    comparison, *joined = [part for part in one.opcode[1:-1] if part != "ftz"]
    kind = one.opcode[-1]
    if "|" in one.operands[0]:
        raise ValueError(one.text)
    a, b = (words.read(operand, kind) for operand in one.operands[1:3])
    text = "(({a} < {b}) | ({a} > {b}))" if comparison == "ne" and kind[0] == "f" else _COMPARED.get(comparison, "({a} != {b})")
    if comparison not in _COMPARED and comparison != "ne":
        raise ValueError(one.text)
    value = text.format(a=a, b=b)
    if joined:
        sign = {"and": "&", "or": "|", "xor": "^"}[joined[0]]
        operand = one.operands[3]
        value += f" {sign} {'~' * operand.startswith('!')}{words.read(operand.lstrip('!'), 'pred')}"
    return _put(words, "u", value)


def _select(one: Instruction, words: Words) -> list[str]:
    kind = one.opcode[-1]
    a, b = (words.read(operand, kind) for operand in one.operands[1:3])
    return _put(words, kind, f"np.where({words.read(one.operands[3], 'pred')}, {a}, {b})")


def _cast(one: Instruction, words: Words) -> list[str]:
    *modes, to, of = one.opcode[1:]
    if set(modes) - {*_ROUNDINGS, "rni", "rzi", "rmi", "rpi", "sat"}:
        raise ValueError(one.text)
    x, dtype = words.read(one.operands[1], of), f"np.{words.kind(to).name}"
    if of[0] == "f" and to[0] == "f":
        value = f"cast_float({x}, {dtype}, {tuple(modes)!r})"
    elif of[0] == "f":
        (mode,) = modes
        value = f"cast_to_int({x}, {dtype}, {mode!r})"
    elif modes not in ([], ["rn"]):
        raise ValueError(one.text)
    else:
        value = f"np.asarray({x}).astype({dtype})"
    return _put(words, to, value)


def _address_space(one: Instruction, words: Words) -> list[str]:
    """Between an address of its own kind of memory and one among all."""
    space = one.opcode[2] if one.opcode[1] == "to" else one.opcode[1]
    begin = {"global": 0, "const": 0, "shared": SHARED, "local": LOCAL}[space]
    x = words.read(one.operands[1], "u64")
    if not begin:
        return _put(words, "u64", x)
    return _put(words, "u64", f"{x} {'-' if one.opcode[1] == 'to' else '+'} {words.constant(np.uint64(begin))}")


def _table(one: Instruction, words: Words) -> list[str]:
    a, b, c, table = (words.read(operand, "u32") for operand in one.operands[1:])
    return _put(words, "u32", f"logic({a}, {b}, {c}, {table})")


def _funnel(one: Instruction, words: Words) -> list[str]:
    _, side, mode, _ = one.opcode
    low, top, count = (words.read(operand, "u32") for operand in one.operands[1:])
    return _put(words, "u32", f"shifted({low}, {top}, {count}, {side == 'l'}, {mode == 'clamp'})")


def _count(text: str) -> Calculation:
    return lambda one, words: _put(words, "u32", text.format(a=words.read(one.operands[1], one.opcode[-1].replace("b", "u"))))


def _shift(name: str) -> Calculation:
    def calculation(one: Instruction, words: Words) -> list[str]:
        kind = one.opcode[-1]
        x, count = words.read(one.operands[1], kind), words.read(one.operands[2], "u32")
        return _put(words, kind, f"np.{name}({x}, {count})")

    return calculation


CALCULATIONS: dict[str, Calculation] = {
    "add": _sum("add", "{a}, 1.0, {b}"),
    "sub": _sum("subtract", "{b}, -1.0, {a}"),
    "mul": _by_type(_rounded("multiply", "{a}, {b}, -0.0"), _integer_product),
    "mad": _by_type(_fused, _integer_product),
    "fma": _fused,
    "addc": _carried,
    "subc": _carried,
    "madc": _carried,
    "div": _by_type(_approximate("{0} / {1}"), _expression("divide({a}, {b})")),
    "rem": _expression("remainder({a}, {b})"),
    "min": _by_type(_expression("smallest({a}, {b})"), _by("minimum")),
    "max": _by_type(_expression("greatest({a}, {b})"), _by("maximum")),
    "abs": _by("abs"),
    "neg": _by("negative"),
    "copysign": _expression("np.copysign({b}, {a})"),
    "and": _by("bitwise_and"),
    "or": _by("bitwise_or"),
    "xor": _by("bitwise_xor"),
    "not": _by("invert"),
    "shl": _shift("left_shift"),
    "shr": _shift("right_shift"),
    "shf": _funnel,
    "lop3": _table,
    "bfi": _expression("insert({a}, {b}, {c}, {d}):cd"),
    "bfe": _expression("extract({a}, {b}, {c}):bc"),
    "prmt": _expression("bytes_permuted({a}, {b}, {c})"),
    "clz": _count("leading({a})"),
    "popc": _count("set_bits({a})"),
    "brev": _expression("reversed_bits({a})"),
    "setp": _compare,
    "selp": _select,
    "cvt": _cast,
    "cvta": _address_space,
    "sqrt": _approximate("np.sqrt({0})"),
    "rcp": _approximate("1 / {0}", head=True),
    "rsqrt": _approximate("1 / np.sqrt({0})", head=True),
    "ex2": _approximate("np.exp2({0})"),
    "lg2": _approximate("np.log2({0})"),
    "sin": _approximate("np.sin({0})"),
    "cos": _approximate("np.cos({0})"),
    "tanh": _approximate("np.tanh({0})"),
}
"""By the first part of an instruction's name."""
