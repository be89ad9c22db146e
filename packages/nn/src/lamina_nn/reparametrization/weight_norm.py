"""Weight normalisation by a hook: a weight that is computed before each forward from its lengths and directions."""

from __future__ import annotations

import warnings
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, UsageError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from ..lazy_parameter import is_lazy
from ..module import Module
from ..parameter import Parameter

__all__ = ["WeightNorm", "norm_except_dim", "remove_weight_norm", "weight_from", "weight_norm"]


def norm_except_dim(v: Tensor, dim: int) -> Tensor:
    """Compute the Euclidean norm over all dims but one.

    Args:
        v: a tensor.
        dim: the dim that stays; -1 for none.

    Returns:
        The norms, the other dims with length 1; for -1 a tensor without dims.
    """
    if dim == -1:
        return lt.norm(v)
    others = [d for d in range(v.ndim) if d != dim % v.ndim]
    result: Tensor = af.sqrt(lt.sum(v * v, others, True)) if others else af.abs(v)
    return result


def weight_from(v: Tensor, g: Tensor, dim: int) -> Tensor:
    """Scale slices of a tensor to given norms: v * g / norm(v).

    Args:
        v: the directions.
        g: the norms, which broadcast to v.
        dim: the dim of the slices; -1 for one norm of all.

    Returns:
        A tensor of the shape of v.
    """
    return v * (g / norm_except_dim(v, dim))


class WeightNorm:
    """Compute a weight from norms and directions before each forward of its module: a hook.

    Args:
        name: of the weight.
        dim: the dim whose slices have norms of their own; None for one norm of all.
    """

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Tensor:
        """Compute the weight.

        Args:
            module: the module, with the parameters `NAME_g` and `NAME_v`.

        Returns:
            The weight.
        """
        return weight_from(getattr(module, f"{self.name}_v"), getattr(module, f"{self.name}_g"), self.dim)

    @staticmethod
    def apply(module: Module, name: str, dim: int | None) -> WeightNorm:
        """Split the weight of a module into norms and directions, and hook the module.

        Args:
            module: the module.
            name: of the weight.
            dim: the dim whose slices have norms of their own; None for one norm of all.

        Returns:
            The hook.

        Raises:
            UsageError: there is such a hook already.
            ArgumentValueError: the weight has no shape yet.
        """
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, WeightNorm) and hook.name == name:
                raise UsageError(f"Cannot register two weight_norm hooks on the same parameter {name}")
        result = WeightNorm(name, dim)
        weight = getattr(module, name)
        if is_lazy(weight):
            raise ArgumentValueError(
                "The module passed to `WeightNorm` can't have uninitialized parameters. Make sure to run the dummy forward "
                "before applying weight normalization"
            )
        del module._parameters[name]
        module.register_parameter(f"{name}_g", Parameter(norm_except_dim(weight.detach(), result.dim)))
        module.register_parameter(f"{name}_v", Parameter(weight.detach()))
        setattr(module, name, result.compute_weight(module))
        module.register_forward_pre_hook(result)
        return result

    def remove(self, module: Module) -> None:
        """Replace norms and directions by the weight.

        Args:
            module: the module.
        """
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[f"{self.name}_g"], module._parameters[f"{self.name}_v"]
        setattr(module, self.name, Parameter(weight.detach()))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Split a weight into norms, `NAME_g`, and directions, `NAME_v`; deprecated, use `parametrizations.weight_norm`.

    Args:
        module: the module.
        name: of the weight.
        dim: the dim whose slices have norms of their own; None for one norm of all.

    Returns:
        The module itself.

    Raises:
        UsageError: it was done already.
        ArgumentValueError: the weight has no shape yet.

    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     layer = torch.nn.utils.weight_norm(torch.nn.Linear(3, 2))
    >>> layer.weight_g.shape, layer.weight_v.shape
    (lamina.Size([2, 1]), lamina.Size([2, 3]))
    """
    warnings.warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
    """Undo `weight_norm`.

    Args:
        module: the module.
        name: of the weight.

    Returns:
        The module itself.

    Raises:
        ArgumentValueError: there is nothing to undo.

    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     layer = torch.nn.utils.weight_norm(torch.nn.Linear(3, 2))
    >>> list(torch.nn.utils.remove_weight_norm(layer).state_dict())
    ['bias', 'weight']
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ArgumentValueError(f"weight_norm of '{name}' not found in {module}")
