"""Spectral normalisation by a hook: a weight that is divided by its greatest singular value before each forward."""

from __future__ import annotations

from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, UsageError
from lamina_tensor import Tensor, no_grad

from .. import functional as F
from ..lazy_parameter import is_lazy
from ..module import Module
from ..parameter import Parameter

__all__ = ["SpectralNorm", "remove_spectral_norm", "spectral_norm"]


class SpectralNorm:
    """Divide a weight by its largest singular value before each forward of its module: a hook.

    In training, steps of power iteration follow the singular vectors.

    Args:
        name: of the weight.
        n_power_iterations: the number of steps before each forward.
        dim: the dim of the weight that is the rows of the matrix.
        eps: the lower bound of the norms of vectors.

    Raises:
        ArgumentValueError: n_power_iterations is not positive.
    """

    _version = 1

    def __init__(self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        if n_power_iterations <= 0:
            raise ArgumentValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.name, self.dim, self.n_power_iterations, self.eps = name, dim, n_power_iterations, eps

    def reshape_weight_to_matrix(self, weight: Tensor) -> Tensor:
        """Return the weight as a matrix, whose rows are its slices along the dim.

        Args:
            weight: the weight.

        Returns:
            (slices, items of a slice).
        """
        if self.dim:
            weight = lt.permute(weight, (self.dim, *(d for d in range(weight.ndim) if d != self.dim)))
        return weight.reshape([weight.shape[0], -1])

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Tensor:
        """Divide the weight by its largest singular value.

        Args:
            module: the module, with the parameter `NAME_orig` and the buffers `NAME_u` and `NAME_v`.
            do_power_iteration: whether the singular vectors are updated first.

        Returns:
            The weight.
        """
        weight, u, v = (getattr(module, f"{self.name}_{part}") for part in ("orig", "u", "v"))
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(F.normalize(matrix.t() @ u, dim=0, eps=self.eps))
                    u.copy_(F.normalize(matrix @ v, dim=0, eps=self.eps))
                u, v = u.clone(), v.clone()  # a gradient is not to see the next step
        result: Tensor = weight / lt.sum(u * (matrix @ v))
        return result

    def remove(self, module: Module) -> None:
        """Replace the original weight by the one that it is now.

        Args:
            module: the module.
        """
        with no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for name in (self.name, *(f"{self.name}_{part}" for part in ("u", "v", "orig"))):
            delattr(module, name)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))

    @staticmethod
    def apply(module: Module, name: str, n_power_iterations: int, dim: int, eps: float) -> SpectralNorm:
        """Draw the first singular vectors of a module's weight, and hook the module.

        Args:
            module: the module.
            name, n_power_iterations, dim, eps: those of the class.

        Returns:
            The hook.

        Raises:
            UsageError: there is such a hook already.
            ArgumentValueError: there is no weight, or it has no shape yet.
        """
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, SpectralNorm) and hook.name == name:
                raise UsageError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
        result = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ArgumentValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        if is_lazy(weight):
            raise ArgumentValueError(
                "The module passed to `SpectralNorm` can't have uninitialized parameters. Make sure to run the dummy forward "
                "before applying spectral normalization"
            )
        with no_grad():
            shape = result.reshape_weight_to_matrix(weight).shape
            u, v = (
                F.normalize(lt.empty(n, dtype=weight.dtype, device=weight.device).normal_(0, 1), dim=0, eps=eps) for n in shape
            )
        delattr(module, name)
        module.register_parameter(f"{name}_orig", weight)
        setattr(module, name, weight.detach())
        module.register_buffer(f"{name}_u", u)
        module.register_buffer(f"{name}_v", v)
        module.register_forward_pre_hook(result)
        module._register_state_dict_hook(result._note_version)
        return result

    def _note_version(self, module: Module, state_dict: Any, prefix: str, local_metadata: Any) -> None:
        local_metadata.setdefault("spectral_norm", {})[f"{self.name}.version"] = self._version


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Divide a weight by its largest singular value before each forward (Miyato et al. 2018); it is kept as
    `NAME_orig`.

    Args:
        module: the module.
        name: of the weight.
        n_power_iterations: the number of steps of power iteration before each forward in training.
        eps: the lower bound of the norms of vectors.
        dim: the dim that is the rows of the matrix; by default the one of the layer's outputs.

    Returns:
        The module itself.

    Raises:
        UsageError: it was done already.
        ArgumentValueError: there is no weight, or it has no shape yet.

    >>> layer = torch.nn.utils.spectral_norm(torch.nn.Linear(3, 2))
    >>> sorted(layer.state_dict())
    ['bias', 'weight_orig', 'weight_u', 'weight_v']
    """
    if dim is None:
        dim = int(getattr(module, "transposed", False) is True)
    SpectralNorm.apply(module, name, n_power_iterations, dim, eps)
    return module


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """Undo `spectral_norm`: the weight keeps its value.

    Args:
        module: the module.
        name: of the weight.

    Returns:
        The module itself.

    Raises:
        ArgumentValueError: there is nothing to undo.

    >>> layer = torch.nn.utils.spectral_norm(torch.nn.Linear(3, 2))
    >>> sorted(torch.nn.utils.remove_spectral_norm(layer).state_dict())
    ['bias', 'weight']
    """
    for key, hook in list(module._forward_pre_hooks.items()):
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            for note, other in list(module._state_dict_hooks.items()):
                if getattr(other, "__self__", None) is hook:
                    del module._state_dict_hooks[note]
            return module
    raise ArgumentValueError(f"spectral_norm of '{name}' not found in {module}")
