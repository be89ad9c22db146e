"""What optimizers that others wrote import from PyTorch's `torch.optim.optimizer`, beside the class itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeAlias

from lamina_flatarray import DType
from lamina_flatarray.dtypes import float32
from lamina_flatarray.modes import NO_GRAD, switched
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from ..parameter import Parameter
from .hooks import hooked
from .memory.settings import scalar_dtype

__all__ = ["ParamsT", "SubclassMethods", "params_t"]

ParamsT: TypeAlias = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]
"""What an optimizer takes as its parameters."""

params_t: TypeAlias = ParamsT  # as it was called before PyTorch 2.4


def _use_grad_for_differentiable(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a `step`: it is recorded where the optimizer's default `differentiable` says so, else not."""

    @wraps(func)
    def use_grad(*args: Any, **kwargs: Any) -> Any:
        with switched(NO_GRAD, not args[0].defaults["differentiable"]):
            return func(*args, **kwargs)

    return use_grad


def _get_value(x: Any) -> Any:
    """Return the number that a tensor of one item holds; anything else as it is."""
    return x.item() if isinstance(x, Tensor) else x


def _stack_if_compiling(x: Any) -> Any:
    """Return the argument: programs run eagerly, so nothing is ever stacked for a compiler."""
    return x


def _dispatch_sqrt(x: Any) -> Any:
    """Return the square root of a number or of a tensor."""
    return af.sqrt(x) if isinstance(x, Tensor) else math.sqrt(x)


def _to_scalar(x: Any) -> Any:
    """Return a tensor of one item without its dims; anything else as it is."""
    return x.squeeze() if isinstance(x, Tensor) and x.dim() != 0 else x


def _get_scalar_dtype(is_fused: bool | None = None) -> DType:
    """Return the dtype that steps are counted in: float32 for fused kernels, else float64 where that is the default."""
    return float32 if is_fused else scalar_dtype()


def _view_as_real(params: list[Tensor], *state_and_grads: list[Tensor]) -> None:
    """Replace complex parameters by views of their parts, in the list itself, and their state and gradients likewise."""
    for i, p in enumerate(params):
        if p.is_complex():
            for tensors in (params, *state_and_grads):
                tensors[i] = af.view_as_real(tensors[i])


def _default_to_fused_or_foreach(params: list[Tensor], differentiable: bool, use_fused: bool = False) -> tuple[bool, bool]:
    """Return whether to take the fused form of a step, and else that over lists; neither where the step is recorded.

    As in PyTorch, the fused form wants floating-point parameters, and is only taken if it is asked for; lists pay on CUDA only.
    """
    if differentiable:
        return False, False
    plain = all(p is None or type(p) in (Tensor, Parameter) for p in params)
    fused = use_fused and plain and all(p is None or p.is_floating_point() for p in params)
    return fused, not fused and plain and all(p is None or p.device.type == "cuda" for p in params)


class SubclassMethods:
    """The methods of Optimizer that optimizers of others call, or override.

    >>> issubclass(torch.optim.Optimizer, SubclassMethods)
    True
    """

    __slots__ = ()

    @staticmethod
    def profile_hook_step(func: Callable[..., Any]) -> Callable[..., Any]:
        """Let a `step` call the hooks of its optimizer; where a subclass's step calls its base's, they are called once.

        Args:
            func: the `step`, a function of an optimizer.

        Returns:
            A function of the same arguments.

        Raises (when called):
            RuntimeError: a hook before the step returns something else than None or a pair.

        >>> torch.optim.Optimizer.profile_hook_step(lambda self: None).__name__
        '<lambda>'
        """
        return hooked(func)

    def _accelerator_graph_capture_health_check(self) -> None:
        """Return None: no graph of a device's calls is ever captured here, so that none can lack what a step needs."""

    def _cuda_graph_capture_health_check(self) -> None:
        """Do as `_accelerator_graph_capture_health_check`, whose older name this is."""
        self._accelerator_graph_capture_health_check()

    def _patch_step_function(self) -> None:
        """Let the class's `step` call the hooks, if it does not yet; `__setstate__` of older optimizers asks for it."""
        kind: Any = type(self)
        if not hasattr(kind.step, "hooked"):
            kind.step = hooked(kind.step)

    @staticmethod
    def _process_value_according_to_param_policy(
        param: Tensor, value: Tensor, param_id: int, param_groups: list[dict[str, Any]], key: Any = None
    ) -> Tensor:
        """Return a tensor of a loaded state as the parameter's device and dtype want it.

        Args:
            param: the parameter.
            value: the tensor of the state.
            param_id: the parameter's number in the saved groups.
            param_groups: the saved groups.
            key: the entry of the state; "step" keeps dtype and device, unless the group is `fused` or `capturable`.

        Returns:
            The tensor itself where it fits, else a copy.
        """
        group = next((group for group in param_groups if param_id in group["params"]), {})
        if key == "step":
            counts_on_device = group.get("capturable") or group.get("fused")
            return value.to(dtype=float32, device=param.device) if counts_on_device else value
        return value.to(dtype=param.dtype if param.is_floating_point() else value.dtype, device=param.device)

    @staticmethod
    def _group_tensors_by_device_and_dtype(
        tensorlistlist: list[list[Tensor | None]], with_indices: bool = False
    ) -> dict[tuple[Any, DType], tuple[list[list[Tensor | None]], list[int]]]:
        """Return parallel lists in parts of one device and dtype, by the first list.

        Args:
            tensorlistlist: lists of one length; the first holds no None.
            with_indices: whether the parts come with the places of their items, else with an empty list.

        Returns:
            (device, dtype) -> (the lists' parts, the places).
        """
        groups: dict[tuple[Any, DType], tuple[list[list[Tensor | None]], list[int]]] = {}
        for place, tensors in enumerate(zip(*tensorlistlist, strict=True)):
            first = tensors[0]
            assert first is not None
            lists, places = groups.setdefault((first.device, first.dtype), ([[] for _ in tensorlistlist], []))
            for part, tensor in zip(lists, tensors, strict=True):
                part.append(tensor)
            if with_indices:
                places.append(place)
        return groups
