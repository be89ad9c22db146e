"""What a check asks of the learner's code, and how it tells that something else came."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

__all__ = ["NOTHING", "Wrong", "close", "expect", "expect_error"]

NOTHING: Final = "nothing was returned: a function that ends without `return` gives None"


class Wrong(AssertionError):
    """Something else came than was expected.

    Args:
        asked: what was called.
        came, expected: what came of it, and what should have.
        mistake: the mistake that would have this result, if there is one that is often made.
        drawing: how what was expected lies in memory, where that helps.

    >>> raise Wrong("size_of((2, 3))", "5", "6", "lengths are multiplied, not added")
    Traceback (most recent call last):
    lamina_course.expecting.Wrong: size_of((2, 3)): expected 6, came 5: lengths are multiplied, not added
    """

    def __init__(self, asked: str, came: str, expected: str, mistake: str = "", drawing: str = "") -> None:
        super().__init__(f"{asked}: expected {expected}, came {came}" + (f": {mistake}" if mistake else ""))
        self.asked, self.came, self.expected, self.mistake, self.drawing = asked, came, expected, mistake, drawing


def same(one: Any, other: Any) -> bool:
    """Return whether two values are equal, and neither of them only looks so.

    Args:
        one, other: the values.

    >>> same([1, 2], [1, 2]), same(1, None)
    (True, False)
    """
    return bool(one == other)


def close(one: Any, other: Any) -> bool:
    """Return whether two numbers, or sequences of numbers, are the same but for rounding in float64.

    Sums of some hundred terms in another order differ by that many units in the last place, 2e-16 each; terms may cancel.

    Args:
        one, other: the numbers.

    >>> close([1.0, 0.1 + 0.2], [1.0, 0.3]), close([1.0], [1.0, 2.0]), close(None, 1.0)
    (True, False, False)
    """
    if isinstance(one, Sequence) and isinstance(other, Sequence):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return (math.isnan(one) and math.isnan(other)) or math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-11)
    return same(one, other)


def expect(
    asked: str, came: Any, expected: Any, mistakes: Mapping[str, Any] | None = None, *, alike: Callable[[Any, Any], bool] = same,
    drawing: str = "",
) -> None:  # fmt: skip
    """Compare what came with what was expected.

    Args:
        asked: what was called, as one would write it.
        came: what the learner's code returned.
        expected: what is right.
        mistakes: from a sentence about a mistake to what would have come of it.
        alike: whether two values count as equal.
        drawing: how what is expected lies in memory.

    Raises:
        Wrong: something else came. If it is what a known mistake gives, that is told.

    >>> expect("1 + 1", 3, 2, {"that is one more": 3})
    Traceback (most recent call last):
    lamina_course.expecting.Wrong: 1 + 1: expected 2, came 3: that is one more
    """
    if alike(came, expected):
        return
    known = [sentence for sentence, result in (mistakes or {}).items() if alike(came, result)]
    nothing = NOTHING if came is None else ""
    raise Wrong(asked, _shown(came), _shown(expected), known[0] if known else nothing, drawing)


def expect_error(asked: str, kind: type[Exception], mistake: str, call: Callable[..., Any], *arguments: Any) -> None:
    """See that a call raises.

    Args:
        asked: what is called, as one would write it.
        kind: the error that is right.
        mistake: what is wrong if nothing is raised.
        call, arguments: what is called, and with what.

    Raises:
        Wrong: nothing was raised.

    >>> expect_error("int('x')", ValueError, "that is no number", int, "x")
    """
    try:
        came = call(*arguments)
    except kind:
        return
    raise Wrong(asked, _shown(came), f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}", mistake)


def _shown(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(item, float) for item in value):
        value = [float(f"{item:.6g}") for item in value]
    text = repr(value)
    return text if len(text) <= 240 else f"{text[:220]} ... ({len(text)} characters)"
