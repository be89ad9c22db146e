"""Checkpointing: memory for time. What a function's ops would save is computed again when the gradient wants it.

T. Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016, https://arxiv.org/abs/1604.06174
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from lamina_flatarray import ArgumentValueError, AutogradError
from lamina_flatarray.modes import NO_GRAD, word
from lamina_ndarray.creation.generators import DefaultStates

from ..autograd.modes import enable_grad
from ..autograd.saving import saved_tensors_hooks
from ..tensor_fields import AnyTensor, tensor_of

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["checkpoint", "checkpoint_sequential"]

Result = TypeVar("Result")


class _Recomputed:
    """What one call of a checkpointed function would have saved, by the order in which it was saved."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], preserve: bool) -> None:
        self.function, self.args, self.kwargs = function, args, kwargs
        self.states = DefaultStates() if preserve else None
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
        after = DefaultStates() if self.states is not None else None
        if self.states is not None:
            self.states.restore()
        saved: list[Tensor] = []

        def keep(x: Tensor) -> None:
            saved.append(tensor_of(x.array))

        args = [_detached(x) for x in self.args]
        kwargs = {name: _detached(x) for name, x in self.kwargs.items()}
        with enable_grad(), saved_tensors_hooks(keep, _refuse):
            self.function(*args, **kwargs)
        if after is not None:
            after.restore()
        kinds = [(x.shape, x.dtype) for x in saved]
        if kinds != self.kinds:
            raise AutogradError(
                "checkpoint: A different number of tensors was saved during the original forward and recomputation, or of "
                f"other shapes or dtypes: {self.kinds} then, {kinds} now; the function must do the same each time"
            )
        self.values = dict(enumerate(saved))


def _detached(x: Any) -> Any:
    if not isinstance(x, AnyTensor):
        return x
    result = tensor_of(x.array)
    result.requires_grad = x.requires_grad
    return result


def _refuse(packed: Any) -> Tensor:
    raise AutogradError("checkpoint: the recomputed graph itself was differentiated")


def checkpoint(
    function: Callable[..., Result],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[AbstractContextManager[Any], AbstractContextManager[Any]]] | None = None,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Result:
    """Call a function without keeping what its ops save; it is called once more in the backward pass.

    Args:
        function: the function; it must do the same each time.
        args, kwargs: its arguments; tensors among them must not be changed in place before the backward pass.
        use_reentrant: accepted; there is one implementation, which is not reentrant.
        context_fn: makes two context managers, for the first call and for the second.
        determinism_check: "default" to compare what both calls save, which is always done, or "none".
        debug: accepted.
        early_stop: accepted; the second call runs to its end.
        preserve_rng_state: whether the second call gets the same random numbers.

    Returns:
        What the function returns.

    Raises:
        ArgumentValueError: `determinism_check` is something else.
        AutogradError: in the backward pass: the second call saves something else.

    >>> from lamina.utils.checkpoint import checkpoint
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> checkpoint(torch.exp, x, use_reentrant=False).backward()
    >>> x.grad
    tensor(7.3891)
    """
    if determinism_check not in ("default", "none"):
        raise ArgumentValueError(f"determinism_check should be one of ('default', 'none') but got {determinism_check}")
    if word.get() & NO_GRAD:
        return function(*args, **kwargs)
    first, again = context_fn() if context_fn is not None else (nullcontext(), nullcontext())

    def second(*a: Any, **k: Any) -> Any:
        with again:
            return function(*a, **k)

    kept = _Recomputed(second, args, kwargs, preserve_rng_state)
    with saved_tensors_hooks(kept.pack, kept.unpack), first:
        return function(*args, **kwargs)


def checkpoint_sequential(
    functions: Iterable[Callable[..., Any]],
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
    *,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """Call functions one after another, in segments that are checkpointed, but for the last.

    Args:
        functions: a Sequential module, or a list.
        segments: how many segments; at least 1.
        input: the argument of the first function.
        use_reentrant, preserve_rng_state: as for `checkpoint`.
        **kwargs: none: the functions take one argument.

    Returns:
        What the last function returns.

    Raises:
        ArgumentValueError: there are further keyword arguments.

    >>> from lamina.utils.checkpoint import checkpoint_sequential
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> checkpoint_sequential([torch.exp, torch.log], 2, x).backward()
    >>> x.grad
    tensor(1.)
    """
    if kwargs:
        raise ArgumentValueError(f"Unexpected keyword arguments: {', '.join(kwargs)}")
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
        input = checkpoint(run(begin, begin + size), input, preserve_rng_state=preserve_rng_state)
        begin += size
    return run(begin, len(steps))(input)
