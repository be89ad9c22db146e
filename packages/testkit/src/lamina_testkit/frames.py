"""What one call costs in Python frames, counted: fixed in tests, so that it cannot grow unseen."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, Final

__all__ = ["CONSTRUCTORS", "frames"]

CONSTRUCTORS: Final = frozenset({"empty_of", "tensor_of", "view_of"})
"""The functions that make arrays and tensors."""

_NOT_COUNTED: Final = CONSTRUCTORS | {"item", "tolist", "node", "requires_grad", "<listcomp>"}
"""What has compiled twins that are no functions; and comprehensions, which Python runs in place from 3.12 on."""

_OUTSIDE: Final = ("_backend", "tests", os.path.join("lamina_flatarray", "random"))
"""Where kernels are, the streams that the reference draws from, and who asks."""


def frames(function: Callable[[], Any]) -> list[str]:
    """Return the names of the Python functions of the storeys that one call enters, without those of backends."""
    entered: list[str] = []

    def watch(frame: Any, event: str, argument: Any) -> None:
        file = frame.f_code.co_filename
        inside = "lamina_" in file and not any(part in file for part in _OUTSIDE)
        if event == "call" and inside and frame.f_code.co_name not in _NOT_COUNTED:
            entered.append(frame.f_code.co_qualname)

    function()  # what is looked up once, is by now
    sys.setprofile(watch)
    try:
        function()
    finally:
        sys.setprofile(None)
    return entered
