"""Calls in which NumPy does not warn: overflow, division by zero and NaN are results here, not surprises."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context
from typing import Any, Final

import numpy as np

__all__ = ["quiet", "quiet_context"]

_silent: Final = Context()
_silent.run(np.seterr, all="ignore")

quiet_context: Final = _silent.copy
"""`quiet_context().run(function, ...)` calls without warnings. A context cannot be entered twice at a time, so each
call takes a copy: that costs no more than a ufunc's argument, whereas `np.errstate` costs as much as five ufuncs."""


def quiet(function: Callable[..., Any]) -> Callable[..., None]:
    """A kernel that runs without warnings."""

    def kernel(*operands: Any, **params: Any) -> None:
        quiet_context().run(function, *operands, **params)

    kernel.__name__ = function.__name__
    kernel.__doc__ = function.__doc__
    return kernel
