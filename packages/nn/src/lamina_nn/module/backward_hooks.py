"""Hooks of a module's backward pass: two nodes around it, one that its inputs pass through, and one that its outputs do."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from lamina_flatarray import UsageError
from lamina_tensor import Tensor, is_grad_enabled
from lamina_tensor.transforms.function import Function

from .error_places import add_hook

__all__ = ["BackwardHooks"]


class _Passing(Function):
    """Tensors that pass unchanged; their gradients are shown to a function, which may give others."""

    @staticmethod
    def forward(ctx: Any, seen: Any, *tensors: Tensor) -> Any:
        """The tensors."""
        ctx.seen = seen
        ctx.set_materialize_grads(False)
        ctx.mark_non_differentiable(*[t for t in tensors if not t.requires_grad])
        return tensors

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The gradients, or those that the function gives."""
        try:
            return (None, *ctx.seen(grad_outputs))
        except Exception as error:
            add_hook(error, ctx.seen.__self__.module)
            raise


class BackwardHooks:
    """The backward hooks of one call of a module.

    Args:
        module: that is called.
        hooks: to be called with (module, grad_input, grad_output).
        pre_hooks: to be called with (module, grad_output).
    """

    def __init__(self, module: Any, hooks: Sequence[Callable[..., Any]], pre_hooks: Sequence[Callable[..., Any]]) -> None:
        self.module = module
        self.hooks = hooks
        self.pre_hooks = pre_hooks
        self.grad_outputs: tuple[Any, ...] | None = None
        self.input_places: list[int] | None = None
        self.inputs_count = 0
        self.output_places: list[int] = []
        self.outputs_count = 0

    def inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Put a node behind the tensors among the arguments of forward, if one of them requires a gradient.

        Args:
            args: the positional arguments.

        Returns:
            The arguments, tensors among them replaced by the node's outputs.
        """
        self.inputs_count = len(args)
        places, result = _passed(args, self._at_inputs)
        if result is not None:
            self.input_places = places
            return result
        return args

    def outputs(self, output: Any) -> Any:
        """Put a node behind the output of forward, if it requires a gradient.

        Args:
            output: a tensor or a tuple; anything else is returned with a warning.

        Returns:
            The output, tensors in it replaced by the node's outputs.
        """
        if not isinstance(output, (Tensor, tuple)):
            warnings.warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received "
                f"{type(output)}",
                stacklevel=4,
            )
            return output
        results = output if isinstance(output, tuple) else (output,)
        self.outputs_count = len(results)
        self.output_places, values = _passed(results, self._at_outputs)
        if values is None:
            return output
        if not isinstance(output, tuple):
            return values[0]
        return type(output)(*values) if hasattr(output, "_fields") else values

    def _at_outputs(self, gradients: tuple[Any, ...]) -> tuple[Any, ...]:
        whole = _spread(gradients, self.output_places, self.outputs_count)
        for hook in self.pre_hooks:
            other = hook(self.module, whole)
            if other is not None:
                whole = self._replaced(other, len(whole), "Backward pre hook")
        self.grad_outputs = whole
        if self.input_places is None:
            nothing = (None,) * self.inputs_count
            for hook in self.hooks:
                other = hook(self.module, nothing, whole)
                if other is not None and not (isinstance(other, tuple) and all(g is None for g in other)):
                    raise UsageError(
                        "Backward hook for Modules where no input requires gradient should always return None or None for all "
                        "gradients."
                    )
            self.grad_outputs = None
        return tuple(whole[place] for place in self.output_places)

    def _at_inputs(self, gradients: tuple[Any, ...]) -> tuple[Any, ...]:
        places = self.input_places or []
        if self.grad_outputs is None:  # the outputs were not reached
            return gradients
        whole = _spread(gradients, places, self.inputs_count)
        for hook in self.hooks:
            other = hook(self.module, whole, self.grad_outputs)
            if other is not None:
                whole = self._replaced(other, len(whole), "Backward hook")
        self.grad_outputs = None
        return tuple(whole[place] for place in places)

    @staticmethod
    def _replaced(other: Any, count: int, kind: str) -> tuple[Any, ...]:
        gradients = other if isinstance(other, tuple) else (other,)
        if len(gradients) != count:
            raise UsageError(f"{kind} returned an invalid number of grad_input, got {len(gradients)}, but expected {count}")
        return gradients


def _spread(values: Sequence[Any], places: Sequence[int], count: int) -> tuple[Any, ...]:
    """Values at their places among `count`, None elsewhere."""
    at = dict(zip(places, values, strict=True))
    return tuple(at.get(i) for i in range(count))


def _passed(values: tuple[Any, ...], seen: Callable[..., Any]) -> tuple[list[int], tuple[Any, ...] | None]:
    """Where tensors are among values, and the values with those behind a node; None if there is nothing to record."""
    places = [i for i, v in enumerate(values) if isinstance(v, Tensor)]
    tensors = [values[i] for i in places]
    if not (is_grad_enabled() and any(t.requires_grad for t in tensors)):
        return places, None
    by_place = dict(zip(places, _Passing.apply(seen, *tensors), strict=True))
    return places, tuple(by_place.get(i, v) for i, v in enumerate(values))
