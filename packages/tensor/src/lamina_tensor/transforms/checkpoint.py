"""Checkpointing: memory for time. What a function's ops would save is computed again when the gradient wants it.

T. Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016, https://arxiv.org/abs/1604.06174
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from lamina_flatarray import AutogradError
from lamina_flatarray.modes import NO_GRAD, word
from lamina_flatarray.random import default_generator

from ..autograd.modes import enable_grad
from ..autograd.saving import saved_tensors_hooks
from ..tensor_fields import TensorFields, tensor_of

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["checkpoint", "checkpoint_sequential"]


class _Recomputed:
    """What one call of a checkpointed function would have saved, by the order in which it was saved."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], preserve: bool) -> None:
        self.function, self.args, self.kwargs = function, args, kwargs
        self.state = default_generator.get_state() if preserve else None
        self.kinds: list[tuple[Any, Any]] = []
        self.values: dict[int, Tensor] = {}

    def pack(self, x: Tensor) -> int:
        self.kinds.append((x.shape, x.dtype))
        return len(self.kinds) - 1

    def unpack(self, place: int) -> Tensor:
        if place not in self.values:
            self._run_again()
        return self.values.pop(place)

    def _run_again(self) -> None:
        after = default_generator.get_state() if self.state is not None else None
        if self.state is not None:
            default_generator.set_state(self.state)
        found: list[Tensor] = []

        def keep(x: Tensor) -> None:
            found.append(tensor_of(x.array))

        args = [_detached(x) for x in self.args]
        kwargs = {name: _detached(x) for name, x in self.kwargs.items()}
        with enable_grad(), saved_tensors_hooks(keep, _refuse):
            self.function(*args, **kwargs)
        if after is not None:
            default_generator.set_state(after)
        kinds = [(x.shape, x.dtype) for x in found]
        if kinds != self.kinds:
            raise AutogradError(
                "checkpoint: A different number of tensors was saved during the original forward and recomputation, or of "
                f"other shapes or dtypes: {self.kinds} then, {kinds} now; the function must do the same each time"
            )
        self.values = dict(enumerate(found))


def _detached(x: Any) -> Any:
    if not isinstance(x, TensorFields):
        return x
    made = tensor_of(x.array)
    made.requires_grad = x.requires_grad
    return made


def _refuse(packed: Any) -> Tensor:
    raise AutogradError("checkpoint: the recomputed graph itself was differentiated")


def checkpoint(
    function: Callable[..., Any], *args: Any, use_reentrant: bool = False, preserve_rng_state: bool = True,
    context_fn: Any = None, determinism_check: str = "default", debug: bool = False, **kwargs: Any,
) -> Any:  # fmt: skip
    """Call a function without keeping what its ops save; it is called once more in the backward pass.

    Args:
        function: what to call; it must do the same each time.
        args, kwargs: what to call it with; tensors among them must not be changed in place before the backward pass.
        use_reentrant: accepted; there is one implementation, which is not reentrant.
        preserve_rng_state: whether random ops draw the same numbers when called again.
        context_fn: gives two context managers, for the first call and for the second.
        determinism_check, debug: accepted.
    """
    if word.get() & NO_GRAD:
        return function(*args, **kwargs)
    first, again = context_fn() if context_fn is not None else (nullcontext(), nullcontext())

    def second(*a: Any, **k: Any) -> Any:
        with again:
            return function(*a, **k)

    kept = _Recomputed(second, args, kwargs, preserve_rng_state)
    with saved_tensors_hooks(kept.pack, kept.unpack), first:
        return function(*args, **kwargs)


def checkpoint_sequential(functions: Sequence[Callable[..., Any]], segments: int, input: Any, **options: Any) -> Any:
    """Call functions one after another, in segments of which all but the last are checkpointed.

    Args:
        functions: a Sequential module, or a list.
        segments: how many segments; at least 1.
        input: what the first is called with.
        options: as for `checkpoint`.
    """
    steps = list(functions)
    size = max(len(steps) // segments, 1)

    def run(begin: int, end: int) -> Callable[[Any], Any]:
        def segment(x: Any) -> Any:
            for step in steps[begin:end]:
                x = step(x)
            return x

        return segment

    begin = 0
    for _ in range(segments - 1):
        input = checkpoint(run(begin, begin + size), input, **options)
        begin += size
    return run(begin, len(steps))(input)
