"""What a pruning method is: a mask of a parameter, and several of them one after another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, ArgumentValueError
from lamina_tensor import Tensor

from ...module import Module

__all__ = ["BasePruningMethod", "PruningContainer"]


class BasePruningMethod(ABC):
    """Choose the items of a parameter that are held at zero; as a hook, set the masked parameter before each forward.

    Attributes:
        PRUNING_TYPE: "unstructured", "structured" or "global": which items that earlier methods left `compute_mask` is
            called with.

    >>> issubclass(torch.nn.utils.prune.L1Unstructured, torch.nn.utils.prune.BasePruningMethod)
    True
    """

    PRUNING_TYPE: ClassVar[str] = "unstructured"
    _tensor_name: str
    dim: int

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """Compute the mask; a subclass defines it.

        Args:
            t: the scores of the items.
            default_mask: the mask so far, of the same shape.

        Returns:
            The new mask: 0 for items that are pruned, else 1.

        >>> method = torch.nn.utils.prune.L1Unstructured(1)
        >>> method.compute_mask(torch.tensor([1.0, -3.0, 2.0]), torch.ones(3))
        tensor([0., 1., 1.])
        """

    def apply_mask(self, module: Module) -> Tensor:
        """Multiply a parameter by its mask.

        Args:
            module: the module, with `NAME_orig` and `NAME_mask`.

        Returns:
            The masked parameter.

        >>> layer = torch.nn.Linear(3, 1)
        >>> _ = torch.nn.init.constant_(layer.weight, 2.0)
        >>> layer.weight.data[0, 0] = 1.0
        >>> method = torch.nn.utils.prune.L1Unstructured.apply(layer, "weight", 1)
        >>> method.apply_mask(layer).detach()
        tensor([[0., 2., 2.]])
        """
        mask = getattr(module, f"{self._tensor_name}_mask")
        original = getattr(module, f"{self._tensor_name}_orig")
        result: Tensor = mask.to(original.dtype) * original
        return result

    @classmethod
    def apply(cls, module: Module, name: str, *args: Any, importance_scores: Tensor | None = None, **kwargs: Any) -> Any:
        """Prune a parameter of a module; what was pruned before stays so.

        Args:
            module: the module.
            name: of the parameter.
            args, kwargs: the arguments of the class.
            importance_scores: of the items, of the parameter's shape; by default the items themselves.

        Returns:
            The method, or a `PruningContainer` of several.

        Raises:
            ArgumentValueError: importance_scores has another shape.

        >>> layer = torch.nn.Linear(3, 1)
        >>> _ = torch.nn.init.constant_(layer.weight, 2.0)
        >>> layer.weight.data[0, 0] = 1.0
        >>> _ = torch.nn.utils.prune.L1Unstructured.apply(layer, "weight", 1)
        >>> layer.weight.detach()
        tensor([[0., 2., 2.]])
        """
        method = cls(*args, **kwargs)
        method._tensor_name = name
        before = None
        for key, hook in list(module._forward_pre_hooks.items()):
            if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
                before = hook
                del module._forward_pre_hooks[key]
        original = getattr(module, name)
        scores = original.detach() if importance_scores is None else importance_scores
        if tuple(scores.shape) != tuple(original.shape):
            raise ArgumentValueError("importance_scores should have the same shape as the parameter to prune")
        if before is None:
            mask = lt.ones_like(original.detach())
            module.register_parameter(f"{name}_orig", module._parameters.pop(name))
        else:
            mask = getattr(module, f"{name}_mask").clone()
            method = _joined(before, method)
        module.register_buffer(f"{name}_mask", method.compute_mask(scores, mask))
        setattr(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    def prune(self, t: Tensor, default_mask: Tensor | None = None, importance_scores: Tensor | None = None) -> Tensor:
        """Prune a tensor.

        Args:
            t: the tensor.
            default_mask: the mask so far; by default ones.
            importance_scores: of the items, of its shape; by default the items themselves.

        Returns:
            The tensor times its mask.

        >>> torch.nn.utils.prune.L1Unstructured(1).prune(torch.tensor([1.0, -3.0, 2.0]))
        tensor([ 0., -3.,  2.])
        """
        mask = lt.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(t if importance_scores is None else importance_scores, mask)

    def remove(self, module: Module) -> None:
        """Make the masked parameter an ordinary one.

        Args:
            module: the module.

        >>> layer = torch.nn.Linear(3, 1)
        >>> _ = torch.nn.init.constant_(layer.weight, 2.0)
        >>> layer.weight.data[0, 0] = 1.0
        >>> method = torch.nn.utils.prune.L1Unstructured.apply(layer, "weight", 1)
        >>> method.remove(layer)
        >>> list(layer.state_dict())
        ['bias', 'weight']
        """
        name = self._tensor_name
        weight = self.apply_mask(module)
        delattr(module, name)
        original: Tensor = getattr(module, f"{name}_orig")
        del module._parameters[f"{name}_orig"]
        original.array = weight.array
        del module._buffers[f"{name}_mask"]
        setattr(module, name, original)


class PruningContainer(BasePruningMethod):
    """Hold several methods, each of which prunes what those before have left.

    Args:
        args: the methods, all for one parameter.

    >>> len(torch.nn.utils.prune.PruningContainer())
    0
    """

    def __init__(self, *args: Any) -> None:
        self._methods: list[Any] = []
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Add a method.

        Args:
            method: a `BasePruningMethod`.

        Raises:
            ArgumentTypeError: it is something else.
            ArgumentValueError: it is for another parameter.

        >>> layer = torch.nn.Linear(3, 1)
        >>> _ = torch.nn.init.constant_(layer.weight, 2.0)
        >>> layer.weight.data[0, 0] = 1.0
        >>> method = torch.nn.utils.prune.L1Unstructured.apply(layer, "weight", 1)
        >>> container = torch.nn.utils.prune.PruningContainer()
        >>> container.add_pruning_method(method)
        >>> len(container)
        1
        """
        if not isinstance(method, BasePruningMethod):
            raise ArgumentTypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if self._methods and self._tensor_name != method._tensor_name:
            raise ArgumentValueError(
                "Can only add pruning methods acting on the parameter named "
                f"'{self._tensor_name}' to PruningContainer {self}. Found '{method._tensor_name}'"
            )
        self._tensor_name = method._tensor_name
        self._methods.append(method)

    def __len__(self) -> int:
        return len(self._methods)

    def __iter__(self) -> Any:
        return iter(self._methods)

    def __getitem__(self, at: int) -> Any:
        return self._methods[at]

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """Apply the latest method to what the others have left.

        Args:
            t: the scores of the items.
            default_mask: the mask so far, of the same shape.

        Returns:
            The new mask.
        """
        method = self._methods[-1]
        mask = default_mask.clone()
        if method.PRUNING_TYPE == "unstructured":
            chosen: Any = mask == 1
        elif method.PRUNING_TYPE == "structured":
            others = [d for d in range(t.ndim) if d != method.dim % t.ndim]
            chosen = [slice(None)] * t.ndim
            chosen[method.dim] = lt.sum(mask, others) != 0
            chosen = tuple(chosen)
        else:
            chosen = ...
        mask[chosen] = method.compute_mask(t[chosen], mask[chosen]).to(mask.dtype)
        return mask


def _joined(before: BasePruningMethod, method: BasePruningMethod) -> PruningContainer:
    result = before if isinstance(before, PruningContainer) else PruningContainer(before)
    result.add_pruning_method(method)
    return result
