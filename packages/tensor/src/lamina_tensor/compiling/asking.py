"""What a function may ask of the call that it is in."""

from __future__ import annotations

from lamina_flatarray.modes import COMPILING, word

__all__ = ["is_compiling"]


def is_compiling() -> bool:
    """Return whether a function is called to be compiled: packages then leave out what could not be, such as checks of values.

    Returns:
        True in the calls that a compiled function makes of it, of which two are recorded; False elsewhere.

    >>> from lamina_tensor.compiling.asking import is_compiling
    >>> is_compiling()
    False
    """
    return bool(word.get() & COMPILING)
