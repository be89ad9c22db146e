"""The ops item by item: for each an expression in OpenCL C per kind of dtype, of items of the type T."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lamina_flatarray import DType

from ..scalars import computed

__all__ = ["EXPRESSIONS", "EXTREME", "expression", "functions"]

EXPRESSIONS: Final[dict[str, dict[str, str]]] = {
    # kinds: b bool, u unsigned, i signed, f floating, c complex. Whole numbers wrap, so they are added as unsigned ones.
    "add": {"b": "a | b", "ui": "(T)((ulong)a + (ulong)b)", "fc": "a + b"},
    "subtract": {"ui": "(T)((ulong)a - (ulong)b)", "fc": "a - b"},
    "multiply": {"b": "a & b", "ui": "(T)((ulong)a * (ulong)b)", "f": "a * b", "c": "cmul(a, b)"},
    "divide": {"f": "a / b", "c": "cdiv(a, b)"},
    "floor_divide": {"b": "a", "u": "a / b", "i": "floor_quotient(a, b)", "f": "floor_quotient(a, b)"},
    "pow": {"ui": "whole_power(a, b)", "f": "(b == 2 ? a * a : pow(a, b))", "c": "cpow(a, b)"},
    "maximum": {"bui": "max(a, b)", "f": "(isnan(a) || a > b ? a : b)"},
    "minimum": {"bui": "min(a, b)", "f": "(isnan(a) || a < b ? a : b)"},
    "negative": {"ui": "(T)(0 - (ulong)a)", "fc": "-a"},
    "floor": {"bui": "a", "f": "floor(a)"},
    **{name: {"f": f"{name}(a)", "c": f"c{name}(a)"} for name in ("sqrt", "exp", "log", "sin", "cos", "atan", "tanh")},
    "erf": {"f": "erf(a)"},
    "equal": {"buif": "a == b", "c": "a.x == b.x && a.y == b.y"},
    "less": {"buif": "a < b"},
    "less_equal": {"buif": "a <= b"},
    "bitwise_and": {"bui": "a & b"},
    "bitwise_or": {"bui": "a | b"},
    "bitwise_xor": {"bui": "a ^ b"},
    "where": {"buif": "condition ? a : b", "c": "condition ? a.x : b.x, condition ? a.y : b.y"},
}
"""By op and by the kinds that an expression serves. Inputs are called a and b; that of `where` before them, condition."""

EXTREME: Final = {"max": "maximum", "min": "minimum", "sum": "add", "prod": "multiply"}
"""The op of two items that a reduction repeats."""

_FUNCTIONS: Final = {
    ("floor_divide", "i"): """
T floor_quotient(T a, T b) {
    if (b == -1) return (T)(0 - (ulong)a);  /* the processor refuses the least number over -1 */
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
""",
    ("floor_divide", "f"): """
T floor_quotient(T a, T b) {  /* as PyTorch: from the exact remainder, so that no rounding leads to the next number */
    if (b == 0) return a / b;
    const T rest = fmod(a, b);
    T quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return copysign((T)0, a / b);
    const T low = floor(quotient);
    return quotient - low > (T)0.5 ? low + 1 : low;
}
""",
    ("pow", "ui"): """
T whole_power(T a, T b) {  /* below 0 it is the fraction without its digits: 0, but for 1 and -1 */
    if (b < 0) return a == 1 ? 1 : a == (T)-1 ? (b % 2 ? -1 : 1) : 0;
    ulong power = 1, square = (ulong)a;
    for (ulong n = (ulong)b; n; n >>= 1, square *= square) if (n & 1) power *= square;
    return (T)power;
}
""",
}
_COMPLEX: Final = (Path(__file__).parent.parent / "complex.cl").read_text()


def expression(op: str, dtype: DType) -> str:
    """Return the expression of an op.

    Args:
        op: a key of EXPRESSIONS.
        dtype: what its inputs are computed in.

    Raises:
        KeyError: it has none for this dtype.

    >>> from lamina_flatarray import float32
    >>> expression("tanh", float32)
    'tanh(a)'
    """
    for kinds, text in EXPRESSIONS[op].items():
        if dtype.kind in kinds:
            return f"({computed(dtype)})({text})" if "condition" in text and dtype.is_complex else text
    raise KeyError(f"{op} has no expression for {dtype.name}")


def functions(op: str, dtype: DType) -> str:
    """Return the functions in OpenCL C that the expression of an op calls, and the types that these are written with."""
    kind = computed(dtype)
    if dtype.is_complex:
        return f"#define T {kind}\n#define C {kind}\n#define R {kind[:-1]}\n{_COMPLEX}"
    own = (text for (name, kinds), text in _FUNCTIONS.items() if name == op and dtype.kind in kinds)
    return f"#define T {kind}\n{''.join(own)}"
