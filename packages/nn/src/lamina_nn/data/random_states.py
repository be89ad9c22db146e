"""The states of random generators as plain values: of a loader's own ones, and of those that samples are drawn with."""

from __future__ import annotations

import base64
import random
from typing import Any, NamedTuple

import numpy as np

from lamina_flatarray import ArgumentValueError
from lamina_flatarray.random import Generator, default_generator

__all__ = ["DrawnWith", "generators_of", "restore", "states_of"]


def generators_of(*holders: Any) -> list[Generator]:
    """The default generator, and after it those that the holders, or the samplers in them, have as `generator`."""
    result = [default_generator]
    for holder in holders:
        while holder is not None:
            generator = holder if isinstance(holder, Generator) else getattr(holder, "generator", None)
            if isinstance(generator, Generator) and all(generator is not known for known in result):
                result.append(generator)
            holder = getattr(holder, "sampler", None)
    return result


def _text(state: np.ndarray[Any, Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(state).tobytes()).decode()


def _array(text: str, dtype: Any) -> np.ndarray[Any, Any]:
    return np.frombuffer(bytearray(base64.b64decode(text)), dtype)


class DrawnWith(NamedTuple):
    """What samples are drawn with: the default generator, Python's and NumPy's."""

    default: Any
    python: Any
    numpy: Any

    @classmethod
    def now(cls) -> DrawnWith:
        """The states as they are."""
        return cls(default_generator.get_state(), random.getstate(), np.random.get_state())

    def set(self) -> None:
        """Go on from here."""
        default_generator.set_state(self.default)
        random.setstate(self.python)
        np.random.set_state(self.numpy)

    def told(self) -> list[Any]:
        """As lists of numbers and text."""
        version, words, spare = self.python
        kind, key, *rest = self.numpy
        return [_text(self.default), [version, _text(np.array(words, "<u4")), spare], [kind, _text(key.astype("<u4")), *rest]]

    @classmethod
    def from_told(cls, told: list[Any]) -> DrawnWith:
        """From what `told` gave."""
        default, (version, words, spare), (kind, key, *rest) = told
        python = (version, tuple(_array(words, "<u4").tolist()), spare)
        return cls(_array(default, np.uint8), python, (kind, _array(key, "<u4"), *rest))


def states_of(generators: list[Generator]) -> dict[str, Any]:
    """The states of generators, the default one first, and of Python's and NumPy's, as lists of numbers and text."""
    return {"drawn_with": DrawnWith.now().told(), "generators": [_text(own.get_state()) for own in generators[1:]]}


def restore(generators: list[Generator], states: dict[str, Any]) -> None:
    """Let generators go on from where `states_of` found them.

    Raises:
        ValueError: there are not as many states as generators.
        RandomError: a text is no state.
    """
    own = generators[1:]
    if len(own) != len(states["generators"]):
        raise ArgumentValueError(
            f"load_state_dict: generators saved beside the default one: {len(states['generators'])}, those of the loader:"
            f" {len(own)}"
        )
    DrawnWith.from_told(states["drawn_with"]).set()
    for generator, state in zip(own, states["generators"], strict=True):
        generator.set_state(_array(state, np.uint8))
