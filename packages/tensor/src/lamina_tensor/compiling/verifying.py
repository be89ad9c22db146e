"""Verifying: a repetition beside an eager call that begins at the same; the first of their results that differs is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import UsageError
from lamina_flatarray.random import Generator
from lamina_ndarray import NDArray
from lamina_ndarray.programs.recorder import Recorder

from ..autograd.backward import grad
from ..tensor_fields import AnyTensor, tensor_of
from .plan import Compiled
from .recordings.effects import Effects
from .recordings.recording import Recording
from .recordings.state import State
from .recordings.trees import flattened

__all__ = ["verified"]

_Item: TypeAlias = tuple[str, NDArray | np.ndarray[Any, Any] | float | None]


def verified(
    name: str, compiled: Compiled, recording: Recording, arguments: Sequence[AnyTensor], inner: Sequence[AnyTensor], grads: bool,
    eager: Callable[[], Any],
) -> Any:  # fmt: skip
    """Repeat a call, and make it eagerly from the same beginning.

    Args:
        name: how the function is called.
        compiled: what repeats the call.
        recording: what it was made of.
        arguments: the tensors among the call's arguments.
        inner: those that the eager call is given: the same, or views of them.
        grads: whether gradients may be wanted of the results.
        eager: makes the call.

    Returns:
        What the repetition gives, whose backward passes are compared as well.

    Raises:
        UsageError: something differs.
    """
    begun = _Moment(recording, arguments)
    result = compiled.run(arguments, grads)
    repeated = [*_results(result), *_Moment(recording, arguments).items()]
    begun.restore()
    expected = eager()
    _compare(name, repeated, [*_results(expected), *_Moment(recording, arguments).items()])
    compiled.verify_backward(flattened(result)[1], lambda seeds, made: _passed(name, compiled, flattened(expected)[1], inner, seeds, made))
    return result


class _Moment:
    """What a call may change, as it is now: tensors, their gradients, what owners of methods hold, and random generators."""

    def __init__(self, recording: Recording, arguments: Sequence[AnyTensor]) -> None:
        owners = [action.owner for action in recording.effects.actions]
        state = State(owners, {}, (), Effects(Recorder(), (), 0))
        tensors = {id(x): x for x in (*arguments, *recording.state.tensors, *state.tensors)}
        self._names = {id(x): f"argument {i}" for i, x in enumerate(arguments)}
        for mapping, keys, values in (*recording.state.mappings(), *state.mappings()):
            self._names.update((id(x), str(key)) for key, x in zip(keys, values, strict=True) if isinstance(x, AnyTensor) and mapping)
        self._tensors = [(x, nd.copy(x.array)) for x in tensors.values()]
        self._gradients = [(x, x._grad, None if x._grad is None else nd.copy(x._grad.array)) for x in tensors.values()]
        self._mappings = state.mappings()
        drawn = {id(x): x for call in recording.recorder.calls for x in call.params.values() if isinstance(x, Generator)}
        self._generators = [(x, np.array(x.get_state())) for x in drawn.values()]

    def items(self) -> Iterator[_Item]:
        """All, each with what it is called."""
        for x, array in self._tensors:
            yield self._called(x), array
        for x, _, gradient in self._gradients:
            yield f"the gradient of {self._called(x)}", gradient
        for _, keys, values in self._mappings:
            yield from ((f"the setting {key}", x) for key, x in zip(keys, values, strict=True) if isinstance(x, (int, float)))
        for _, state in self._generators:
            yield "the state of a random generator", state

    def restore(self) -> None:
        """Make all as it was."""
        for x, array in self._tensors:
            _put(x.array, array)
        for x, gradient, items in self._gradients:
            x._grad = gradient
            if gradient is not None and items is not None:
                _put(gradient.array, items)
        for mapping, keys, values in self._mappings:
            mapping.clear()
            mapping.update(zip(keys, values, strict=True))
        for generator, state in self._generators:
            generator.set_state(state)

    def _called(self, x: AnyTensor) -> str:
        return self._names.get(id(x), "a tensor that it refers to")


def _put(array: NDArray, items: NDArray) -> None:
    if _bytes(array) != _bytes(items):
        array.flat.kernels["copy"](array, items)
        array.flat.version += 1


def _results(result: Any) -> list[_Item]:
    return [(f"result {i}", nd.copy(x.array)) for i, x in enumerate(flattened(result)[1])]


def _passed(
    name: str, compiled: Compiled, expected: Sequence[AnyTensor], inner: Sequence[AnyTensor], seeds: Sequence[NDArray | None],
    made: Sequence[NDArray | None],
) -> None:  # fmt: skip
    """Compare a repeated backward pass with that of the eager call."""
    wanting = compiled.wanting(inner)
    pairs = [(expected[i], seed) for i, seed in zip(compiled.carrying, seeds, strict=True) if seed is not None]
    outputs, given = [x for x, _ in pairs], [tensor_of(seed) for _, seed in pairs]
    gradients = grad(outputs, wanting, given, retain_graph=True, allow_unused=True)
    arrays = [None if g is None else g.array for g in gradients]
    _compare(name, [(f"gradient {i}", x) for i, x in enumerate(made)], [(f"gradient {i}", x) for i, x in enumerate(arrays)])


def _compare(name: str, repeated: Sequence[_Item], expected: Sequence[_Item]) -> None:
    for (what, x), (_, y) in zip(repeated, expected, strict=True):
        if _bytes(x) != _bytes(y):
            raise UsageError(f"compile: {name}: a repetition differs from an eager call in {what}{_where(x, y)}")


def _host(x: Any) -> Any:
    return tensor_of(x).cpu().numpy() if isinstance(x, NDArray) else x


def _bytes(x: Any) -> Any:
    """Dtype, shape and bytes of an array; a number as it is written."""
    x = _host(x)
    return (x.dtype, x.shape, x.tobytes()) if isinstance(x, np.ndarray) else repr(x)


def _where(x: Any, y: Any) -> str:
    x, y = _host(x), _host(y)
    if not (isinstance(x, np.ndarray) and isinstance(y, np.ndarray) and (x.dtype, x.shape) == (y.dtype, y.shape)):
        return f": {_kind(x)} instead of {_kind(y)}"
    apart = [np.frombuffer(z.tobytes(), np.uint8).reshape(z.size, z.itemsize) for z in (x, y)]
    places = np.flatnonzero((apart[0] != apart[1]).any(1))
    first = tuple(int(i) for i in np.unravel_index(places[0], x.shape))
    return f", at {len(places)} of {x.size} items, first at {first}: {x[first]} instead of {y[first]}"


def _kind(x: Any) -> str:
    return f"{x.dtype}{list(x.shape)}" if isinstance(x, np.ndarray) else str(x)
