"""Ops that users write: a forward in any code, and a backward to go with it, as PyTorch's `autograd.Function`."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, AutogradError
from lamina_flatarray.modes import NO_GRAD, word

from ..autograd.modes import no_grad
from ..autograd.node import made_node, output_node
from ..autograd.rules import JointPlan, Rule
from ..methods.in_place.history import check_writable, rewritten
from ..tensor_fields import AnyTensor, tensor_of
from .function_context import FunctionCtx
from .mapping.function_vmap import mapped_call

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["Function", "once_differentiable"]

F = TypeVar("F", bound=Callable[..., Any])


class Function:
    """An op that a user defines, by a class derived from this one, and calls by `apply(*args)`.

    The class has static methods `forward(ctx, *args)` and `backward(ctx, *grad_outputs)`; or `forward(*args)`,
    `setup_context(ctx, inputs, output)` and `backward`.
    https://docs.pytorch.org/docs/stable/notes/extending.html

    >>> class Square(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...     @staticmethod
    ...     def backward(ctx, g):
    ...         (x,) = ctx.saved_tensors
    ...         return 2 * x * g
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> Square.apply(x).backward()
    >>> x.grad
    tensor(6.)
    """

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the op. Nothing in it is recorded.

        Args:
            args, kwargs: the context, where there is no `setup_context`, and the arguments of `apply`.

        Returns:
            A tensor, or a tuple of results.

        Raises:
            NotImplementedError: the derived class has no `forward`.
        """
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: FunctionCtx, inputs: tuple[Any, ...], output: Any) -> None:
        """Keep what backward needs, where forward has no `ctx`.

        Args:
            ctx: the context of the call.
            inputs: the arguments of `apply`.
            output: what forward returned.

        Raises:
            NotImplementedError: the derived class has none.
        """
        raise NotImplementedError("setup_context is not implemented")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any, **kwargs: Any) -> Any:
        """Compute the gradients of the arguments.

        Args:
            ctx: the context of the call.
            grad_outputs: the gradients of the results.
            kwargs: none; type checkers take what has them for overridden by a function of any arguments.

        Returns:
            A gradient for each argument, or None.

        Raises:
            NotImplementedError: the derived class has no `backward`.
        """
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any, **kwargs: Any) -> Any:
        """Compute the tangents of the results. Without it, forward mode transposes backward.

        Args:
            ctx: the context of the call.
            grad_inputs: the tangents of the arguments.
            kwargs: none, as for `backward`.

        Returns:
            A tangent for each result.

        Raises:
            NotImplementedError: the derived class has no `jvp`.
        """
        raise NotImplementedError("jvp is not implemented")

    @staticmethod
    def vmap(info: Any, in_dims: tuple[Any, ...], *args: Any) -> Any:
        """Compute the op for all slices of stacks. Without it, forward runs on batches.

        Args:
            info: `batch_size` and `randomness`.
            in_dims: for each argument, the dim that is mapped over, or None.
            args: the arguments of `apply`, with all slices.

        Returns:
            The results with all slices, and the dims of these.

        Raises:
            NotImplementedError: the derived class has no `vmap`.
        """
        raise NotImplementedError("vmap is not implemented")

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Run forward, and record the op if an argument wants gradients.

        Args:
            args: the arguments of forward.

        Returns:
            What forward returns.

        Raises:
            AutogradError: an argument that forward changed is a leaf that requires gradients.
        """
        if cls.vmap is not Function.vmap:
            mapped = mapped_call(cls.vmap, args)
            if mapped is not None:
                return mapped[0]
        ctx = FunctionCtx()
        needs_grad = tuple(isinstance(x, AnyTensor) and x.requires_grad for x in args)
        ctx.needs_input_grad = needs_grad
        with no_grad():
            if cls.setup_context is Function.setup_context:
                output = cls.forward(ctx, *args)
            else:
                output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
        several = isinstance(output, tuple)
        returned = list(output) if several else [output]
        dirty = {id(x) for x in ctx._dirty}
        own = {id(x) for x in args}
        outputs = [tensor_of(x.array) if isinstance(x, AnyTensor) and id(x) in own - dirty else x for x in returned]
        if not word.get() & NO_GRAD and True in needs_grad:
            _record(cls, ctx, args, needs_grad, outputs, returned)
        elif ctx._to_save:
            ctx._pack(())
        ctx._to_save = ctx._dirty = ctx._without_gradient = ()  # results among them would hold themselves
        return tuple(outputs) if several else outputs[0]


def _record(
    cls: type[Function], ctx: FunctionCtx, args: tuple[Any, ...], needs_grad: tuple[bool, ...], outputs: list[Any],
    returned: list[Any],
) -> None:  # fmt: skip
    """Give the results of a Function their node."""
    without = {id(x) for x in ctx._without_gradient}
    places = [
        i for i, (x, was) in enumerate(zip(outputs, returned, strict=True))
        if isinstance(x, AnyTensor) and x.array.dtype.is_inexact and id(was) not in without
    ]  # fmt: skip
    results = [outputs[i] for i in places]
    ctx._results = [_kind(x) for x in outputs]
    ctx._places = places
    ctx._pack(results)
    if not results:
        return
    rule = Rule(cls.__name__, (), f"{cls.__name__}Backward", {})
    args_count = len(args)
    pushed = None
    if cls.jvp is not Function.jvp:
        ctx._given = [_kind(x) for x in args]
        pushed = lambda values, tangents: _tangents(cls, values[0], tangents)
    joint = lambda g, values: _gradients(cls, values[0], g, args_count)
    wanted = [i for i, want in enumerate(needs_grad) if want]
    plan = JointPlan(rule, joint, wanted, "ctx", pushed=pushed, saves_values=bool(ctx._to_save))
    edges = tuple([(x.node or x) if want else None for x, want in zip(args, needs_grad, strict=True)])
    for x in ctx._dirty:
        check_writable(cls.__name__, x)
    node = made_node(plan, edges, (ctx,), results[0].array)
    ctx._made = weakref.ref(node)
    if len(results) > 1:
        node.results = tuple(map(_kind, results))
    dirty = {id(x) for x in ctx._dirty}
    for i, x in enumerate(results):
        own = output_node(node, i, len(results), x.array) if len(results) > 1 else node
        if id(x) in dirty:
            rewritten(x, own)
        else:
            x.node, x.requires_grad = own, True


def _kind(x: Any) -> Any:
    """Shape, dtype and device of a tensor; None for anything else."""
    return (x.array.shape, x.array.dtype, x.array.device) if isinstance(x, AnyTensor) else None


def _filled(tensors: Sequence[Any], kinds: Sequence[Any]) -> list[Any]:
    """Zeros in the places of tensors that are missing."""
    return [
        tensor_of(nd.zeros(kind[0], dtype=kind[1], device=kind[2])) if x is None and kind else x
        for x, kind in zip(tensors, kinds, strict=True)
    ]


def _tangents(cls: type[Function], ctx: FunctionCtx, tangents: list[Any]) -> Any:
    """Call jvp: the tangents of the results that carry gradients, or the one of the only such result."""
    answer = cls.jvp(ctx, *(_filled(tangents, ctx._given) if ctx._materialize else tangents))
    answers = answer if isinstance(answer, tuple) else (answer,)
    if len(answers) != len(ctx._results):
        raise AutogradError(
            f"function {cls.__name__}Backward returned an incorrect number of tangents (expected {len(ctx._results)}, got "
            f"{len(answers)})"
        )
    results = [answers[place] for place in ctx._places]
    return results if len(results) > 1 else results[0]


def _gradients(cls: type[Function], ctx: FunctionCtx, g: Any, count: int) -> list[Any]:
    """Call backward, and check what it gives."""
    tensors: list[Any] = [None] * len(ctx._results)
    for place, x in zip(ctx._places, g if isinstance(g, list) else [g], strict=True):
        tensors[place] = x if x is None or isinstance(x, AnyTensor) else tensor_of(x)
    if ctx._materialize:
        tensors = _filled(tensors, ctx._results)
    answer = cls.backward(ctx, *tensors)
    answers = list(answer) if isinstance(answer, tuple) else [answer]
    while len(answers) > count and answers[-1] is None:
        answers.pop()
    if len(answers) != count:
        raise AutogradError(
            f"function {cls.__name__}Backward returned an incorrect number of gradients (expected {count}, got "
            f"{len(answers)})"
        )
    for i, (x, want) in enumerate(zip(answers, ctx.needs_input_grad, strict=True)):
        if x is not None and not isinstance(x, AnyTensor) and want:
            raise ArgumentTypeError(f"{cls.__name__}Backward: expected a Tensor or None as gradient {i}, got {type(x).__name__}")
    return answers if not word.get() & NO_GRAD else [x.array if isinstance(x, AnyTensor) else x for x in answers]


def once_differentiable(fn: F) -> F:
    """Decorate a backward that is not made of recorded ops: to differentiate its results again is an error.

    Args:
        fn: the static method `backward(ctx, *grad_outputs)`.

    Returns:
        It, run without recording.

    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return 2 * x
    ...     @staticmethod
    ...     @torch.autograd.function.once_differentiable
    ...     def backward(ctx, g):
    ...         return 2 * g
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> torch.autograd.grad(Double.apply(x), x)
    (tensor(2.),)
    """

    @wraps(fn)
    def wrapper(ctx: FunctionCtx, *grad_outputs: Any) -> Any:
        with no_grad():
            answer = fn(ctx, *grad_outputs)
        if word.get() & NO_GRAD or not any(isinstance(g, AnyTensor) and g.requires_grad for g in grad_outputs):
            return answer
        answers = answer if isinstance(answer, tuple) else (answer,)
        sealed = tuple(_Sealed.apply(x, *grad_outputs) if isinstance(x, AnyTensor) else x for x in answers)
        return sealed if isinstance(answer, tuple) else sealed[0]

    return wrapper  # type: ignore[return-value]


class _Sealed(Function):
    """Passes a tensor through, and refuses to be differentiated."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, *others: Any) -> Tensor:
        return x

    @staticmethod
    def backward(ctx: FunctionCtx, *grad_outputs: Any) -> Any:
        raise AutogradError("trying to differentiate twice a function that was marked with @once_differentiable")
