"""Reductions as folds: for each op and kind of dtype, how items are lifted, joined and finished, as C++ expressions."""

from __future__ import annotations

from typing import Final, NamedTuple

from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES, DType
from lamina_flatarray.ops import OPS

__all__ = ["FOLDS", "PARTS", "SCANS", "Fold", "declared", "fold_of", "served"]


class Fold(NamedTuple):
    """A fold, where W is what items are computed in.

    Attributes:
        kinds: of the dtypes that it is for.
        acc: the type of what is kept.
        start: what is kept of no items.
        lift: what is kept of item x, which has the index i.
        join: what is kept of a and b, of which a comes first.
        finish: the result of a, which is of n items.
    """

    kinds: str
    acc: str
    start: str
    lift: str
    join: str
    finish: str = "a"


_GREATEST: Final = Fold("uif", "W", "lowest(W())", "x", "greater(a, b)")
_SMALLEST: Final = Fold("uif", "W", "highest(W())", "x", "smaller(a, b)")
_SOME: Final = Fold("b", "bool", "false", "x", "a || b")
_EVERY: Final = Fold("b", "bool", "true", "x", "a && b")
_WHOLE_SUM: Final = Fold("bui", "u64", "0", "(u64)x", "a + b")
_WHOLE_PRODUCT: Final = Fold("bui", "u64", "1", "(u64)x", "a * b")
_SUM: Final = Fold("fc", "W", "W(0)", "x", "a + b")
_PRODUCT: Final = Fold("fc", "W", "W(1)", "x", "a * b")


def _position(greatest: str) -> tuple[Fold, ...]:
    return (Fold("buif", "Found<W>", "found(W(), -1)", "found(x, i)", f"better<W, {greatest}>(a, b)", "a.index"),)


FOLDS: Final[dict[str, tuple[Fold, ...]]] = {
    "sum": (_WHOLE_SUM, _SUM),
    "prod": (_WHOLE_PRODUCT, _PRODUCT),
    "nansum": (
        _WHOLE_SUM,
        _SUM._replace(kinds="f", lift="x != x ? W(0) : x"),
        _SUM._replace(kinds="c", lift="x == x ? x : W(0)"),
    ),
    "max": (_SOME, _GREATEST),
    "min": (_EVERY, _SMALLEST),
    "mean": (_SUM._replace(finish="a / W(n)"),),
    "two_norm": (
        Fold("f", "W", "0", "x * x", "a + b", "sqrt(a)"),
        Fold("c", "Part<W>::Real", "0", "x.re * x.re + x.im * x.im", "a + b", "sqrt(a)"),
    ),
    "any": (Fold("buifc", "bool", "false", "truth(x)", "a || b"),),
    "all": (Fold("buifc", "bool", "true", "truth(x)", "a && b"),),
    "count_nonzero": (Fold("buifc", "i64", "0", "truth(x)", "a + b"),),
    "argmax": _position("true"),
    "argmin": _position("false"),
}
"""By op, a fold for each kind of dtype."""

SCANS: Final[dict[str, tuple[Fold, ...]]] = {
    "cumsum": FOLDS["sum"],
    "cumprod": FOLDS["prod"],
    "running_max": FOLDS["max"],
    "running_min": FOLDS["min"],
}
"""The same of running folds."""

PARTS: Final[dict[str, tuple[Fold, ...]]] = {
    "squared_distances": (
        Fold("f", "Moments<W>", "moments(W(), W(), 0)", "moments(x, W(0), 1)", "joint(a, b)", "squares_of(a)"),
        Fold("c", "Moments<Part<W>::Real>", "moments(W(0).re, W(0).re, 0)", "moments(x.re, x.im, 1)", "joint(a, b)", "squares_of(a)"),
    ),
}
"""Folds that are no ops, but parts of some."""


def fold_of(op: str, dtype: DType) -> Fold:
    """Return the fold of an op, or of a part of one, for a dtype."""
    (fold,) = (fold for fold in {**FOLDS, **SCANS, **PARTS}[op] if dtype.kind in fold.kinds)
    return fold


def served(op: str) -> tuple[str, ...]:
    """Return the dtypes that an op of FOLDS or SCANS is computed in here."""
    rule, kinds = DTYPE_RULES[OPS[op].rule], "".join(fold.kinds for fold in (FOLDS.get(op) or SCANS[op]))
    return tuple(d.name for d in DTYPES.values() if d.kind in kinds and (to := rule(d)) is not None and to[0] is d)


def declared(fold: Fold, item: str, result: str) -> str:
    """Return a fold in CUDA C++, for items and results of these types."""
    return f"""typedef {item} In;
typedef {result} Out;
typedef Item<In>::Wide W;
typedef {fold.acc} Acc;
LAMINA Acc start() {{ return {fold.start}; }}
LAMINA Acc lift(W x, i64 i) {{ return {fold.lift}; }}
LAMINA Acc join(Acc a, Acc b) {{ return {fold.join}; }}
LAMINA auto finish(Acc a, i64 n) {{ return {fold.finish}; }}
"""
