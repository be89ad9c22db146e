"""Pruning: items of a parameter held at zero by a mask, chosen at random, by size, or by whole slices."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, ArgumentValueError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from ..module import Module

__all__ = [
    "BasePruningMethod", "CustomFromMask", "Identity", "L1Unstructured", "LnStructured", "PruningContainer",
    "RandomStructured", "RandomUnstructured", "custom_from_mask", "global_unstructured", "identity", "is_pruned",
    "l1_unstructured", "ln_structured", "random_structured", "random_unstructured", "remove",
]  # fmt: skip


def _count(amount: float, size: int) -> int:
    """How many of `size` are pruned, for a share or a number of them.

    Raises:
        TypeError: it is no number.
        ValueError: it is out of range.
    """
    if isinstance(amount, bool) or not isinstance(amount, (int, float)):
        raise ArgumentTypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if amount < 0 or (isinstance(amount, float) and amount > 1):
        raise ArgumentValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")
    if isinstance(amount, float):
        return round(amount * size)
    if amount > size:
        raise ArgumentValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")
    return amount


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


class Identity(BasePruningMethod):
    """Prune nothing.

    >>> torch.nn.utils.prune.Identity().prune(torch.tensor([1.0, -3.0]))
    tensor([ 1., -3.])
    """

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """Return the mask so far.

        Args:
            t: without effect.
            default_mask: the mask so far.

        Returns:
            The same mask.
        """
        return default_mask


class CustomFromMask(BasePruningMethod):
    """Prune the items where a mask is 0.

    Args:
        mask: the mask, of the parameter's shape.

    >>> torch.nn.utils.prune.CustomFromMask(torch.tensor([0, 1])).prune(torch.tensor([1.0, -3.0]))
    tensor([ 0., -3.])
    """

    PRUNING_TYPE = "global"

    def __init__(self, mask: Tensor) -> None:
        self.mask = mask

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """Multiply the mask so far by the method's own.

        Args:
            t: without effect.
            default_mask: the mask so far.

        Returns:
            The new mask.
        """
        return default_mask * self.mask.to(default_mask.dtype)


class _ByAmount(BasePruningMethod):
    def __init__(self, amount: float) -> None:
        _count(amount, 2**62)
        self.amount = amount

    def _places(self, t: Tensor, count: int) -> Tensor:
        """Which of `t`'s items, counted as one row, are pruned."""
        raise NotImplementedError(f"{type(self).__name__} does not say which items it prunes")

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """Zeros at as many items as are to be pruned."""
        count = _count(self.amount, t.numel())
        mask = default_mask.clone().reshape([-1])
        if count:
            mask[self._places(t, count)] = 0
        return mask.reshape(default_mask.shape)


class RandomUnstructured(_ByAmount):
    """Prune items at random.

    Args:
        amount: the number of items (int), or a fraction of them (float).

    Raises:
        ArgumentTypeError: amount is not a number.
        ArgumentValueError: amount is negative, or a fraction above 1.

    >>> torch.nn.utils.prune.RandomUnstructured(2).prune(torch.ones(3)).sum()
    tensor(1.)
    """

    def _places(self, t: Tensor, count: int) -> Tensor:
        return lt.topk(lt.rand_like(t).reshape([-1]), count).indices


class L1Unstructured(_ByAmount):
    """Prune the items with the smallest absolute values.

    Args:
        amount: the number of items (int), or a fraction of them (float).

    Raises:
        ArgumentTypeError: amount is not a number.
        ArgumentValueError: amount is negative, or a fraction above 1.

    >>> torch.nn.utils.prune.L1Unstructured(1).prune(torch.tensor([1.0, -3.0, 2.0]))
    tensor([ 0., -3.,  2.])
    """

    def _places(self, t: Tensor, count: int) -> Tensor:
        return lt.topk(af.abs(t).reshape([-1]), count, largest=False).indices


class _Slices(BasePruningMethod):
    PRUNING_TYPE = "structured"

    def __init__(self, amount: float, dim: int = -1) -> None:
        _count(amount, 2**62)
        self.amount, self.dim = amount, dim

    def _kept(self, t: Tensor, pruned: int) -> Tensor:
        """Which slices of `t` stay, by their numbers."""
        raise NotImplementedError(f"{type(self).__name__} does not say which slices it keeps")

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """Zeros at as many slices along the dim as are to be pruned."""
        length = t.shape[self.dim]
        pruned = _count(self.amount, length)
        if not pruned:
            return default_mask
        mask = lt.zeros(length, dtype=default_mask.dtype, device=t.device)
        mask[self._kept(t, pruned)] = 1
        return default_mask * mask.reshape([length if d == self.dim % t.ndim else 1 for d in range(t.ndim)])


class RandomStructured(_Slices):
    """Prune slices at random.

    Args:
        amount: the number of slices (int), or a fraction of them (float).
        dim: the dim of the slices.

    Raises:
        ArgumentTypeError: amount is not a number.
        ArgumentValueError: amount is negative, or a fraction above 1.

    >>> torch.nn.utils.prune.RandomStructured(1, dim=0).prune(torch.ones(2, 3)).sum()
    tensor(3.)
    """

    def _kept(self, t: Tensor, pruned: int) -> Tensor:
        scores = lt.rand(t.shape[self.dim])
        return lt.topk(scores, t.shape[self.dim] - pruned).indices


class LnStructured(_Slices):
    """Prune the slices with the smallest n-norm.

    Args:
        amount: the number of slices (int), or a fraction of them (float).
        n: the order of the norm.
        dim: the dim of the slices.

    Raises:
        ArgumentTypeError: amount is not a number.
        ArgumentValueError: amount is negative, or a fraction above 1.

    >>> torch.nn.utils.prune.LnStructured(1, n=2, dim=0).prune(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[0., 0.],
            [3., 4.]])
    """

    def __init__(self, amount: float, n: Any, dim: int = -1) -> None:
        super().__init__(amount, dim)
        self.n = n

    def _kept(self, t: Tensor, pruned: int) -> Tensor:
        lengths = lt.norm(t, self.n, [d for d in range(t.ndim) if d != self.dim % t.ndim])
        return lt.topk(lengths, t.shape[self.dim] - pruned, largest=True).indices


def identity(module: Module, name: str) -> Module:
    """Give a parameter a mask of ones.

    Args:
        module: the module.
        name: of the parameter.

    Returns:
        The module itself.

    >>> layer = torch.nn.utils.prune.identity(torch.nn.Linear(1, 2), "bias")
    >>> layer.bias_mask
    tensor([1., 1.])
    """
    Identity.apply(module, name)
    return module


def random_unstructured(module: Module, name: str, amount: float) -> Module:
    """Prune items of a parameter at random.

    Args:
        module: the module.
        name: of the parameter.
        amount: the number of items (int), or a fraction of them (float).

    Returns:
        The module itself.

    >>> layer = torch.nn.utils.prune.random_unstructured(torch.nn.Linear(2, 2), "weight", 0.5)
    >>> layer.weight_mask.sum()
    tensor(2.)
    """
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: Module, name: str, amount: float, importance_scores: Tensor | None = None) -> Module:
    """Prune the items of a parameter with the smallest absolute values.

    Args:
        module: the module.
        name: of the parameter.
        amount: the number of items (int), or a fraction of them (float).
        importance_scores: are compared instead of the items; of the parameter's shape.

    Returns:
        The module itself.

    >>> layer = torch.nn.Linear(3, 1)
    >>> _ = torch.nn.init.constant_(layer.weight, 2.0)
    >>> layer.weight.data[0, 0] = 1.0
    >>> torch.nn.utils.prune.l1_unstructured(layer, "weight", 1).weight.detach()
    tensor([[0., 2., 2.]])
    """
    L1Unstructured.apply(module, name, amount, importance_scores=importance_scores)
    return module


def random_structured(module: Module, name: str, amount: float, dim: int) -> Module:
    """Prune slices of a parameter at random.

    Args:
        module: the module.
        name: of the parameter.
        amount: the number of slices (int), or a fraction of them (float).
        dim: the dim of the slices.

    Returns:
        The module itself.

    >>> layer = torch.nn.utils.prune.random_structured(torch.nn.Linear(3, 2), "weight", 1, dim=0)
    >>> layer.weight_mask.sum()
    tensor(3.)
    """
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: Module, name: str, amount: float, n: Any, dim: int, importance_scores: Tensor | None = None
) -> Module:
    """Prune the slices of a parameter with the smallest n-norm.

    Args:
        module: the module.
        name: of the parameter.
        amount: the number of slices (int), or a fraction of them (float).
        n: the order of the norm.
        dim: the dim of the slices.
        importance_scores: are compared instead of the items; of the parameter's shape.

    Returns:
        The module itself.

    >>> layer = torch.nn.utils.prune.ln_structured(torch.nn.Linear(3, 2), "weight", 1, n=2, dim=0)
    >>> layer.weight_mask.sum()
    tensor(3.)
    """
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module: Module, name: str, mask: Tensor) -> Module:
    """Prune a parameter where a mask is 0.

    Args:
        module: the module.
        name: of the parameter.
        mask: the mask, of the parameter's shape.

    Returns:
        The module itself.

    >>> layer = torch.nn.Linear(3, 1)
    >>> _ = torch.nn.init.constant_(layer.weight, 2.0)
    >>> layer.weight.data[0, 0] = 1.0
    >>> torch.nn.utils.prune.custom_from_mask(layer, "weight", torch.tensor([[0, 1, 1]])).weight.detach()
    tensor([[0., 2., 2.]])
    """
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(
    parameters: Iterable[tuple[Module, str]], pruning_method: Any, importance_scores: Any = None, **kwargs: Any
) -> None:
    """Prune several parameters as if they were one.

    Args:
        parameters: pairs of module and name.
        pruning_method: the class of an unstructured method.
        importance_scores: a mapping from such pairs to scores that are compared instead of the items.
        kwargs: the arguments of the class.

    Raises:
        ArgumentTypeError: the method is not unstructured.

    >>> layer = torch.nn.Linear(2, 2)
    >>> pairs = [(layer, "weight"), (layer, "bias")]
    >>> torch.nn.utils.prune.global_unstructured(pairs, torch.nn.utils.prune.L1Unstructured, amount=3)
    >>> layer.weight_mask.sum() + layer.bias_mask.sum()
    tensor(3.)
    """
    pairs = list(parameters)
    scores = [((importance_scores or {}).get(pair, getattr(*pair))).detach() for pair in pairs]
    masks = [getattr(m, f"{name}_mask", lt.ones_like(getattr(m, name).detach())) for m, name in pairs]
    joined = PruningContainer()
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise ArgumentTypeError('Only "unstructured" PRUNING_TYPE supported for the `pruning_method`.')
    method._tensor_name = "temp"
    joined.add_pruning_method(method)
    flat = [lt.cat([x.reshape([-1]) for x in xs]) for xs in (scores, masks)]
    mask_of_all = joined.compute_mask(*flat)
    at = 0
    for (module, name), mask in zip(pairs, masks, strict=True):
        custom_from_mask(module, name, mask_of_all[at : at + mask.numel()].reshape(mask.shape))
        at += mask.numel()


def is_pruned(module: Module) -> bool:
    """Tell whether a parameter of a module, or of one below, is pruned.

    Args:
        module: the module.

    Returns:
        A bool.

    >>> torch.nn.utils.prune.is_pruned(torch.nn.Linear(3, 2))
    False
    """
    return any(isinstance(h, BasePruningMethod) for m in module.modules() for h in m._forward_pre_hooks.values())


def remove(module: Module, name: str) -> Module:
    """Make a pruned parameter an ordinary one, with zeros where it was pruned.

    Args:
        module: the module.
        name: of the parameter.

    Returns:
        The module itself.

    Raises:
        ArgumentValueError: the parameter is not pruned.

    >>> layer = torch.nn.utils.prune.identity(torch.nn.Linear(1, 2), "weight")
    >>> sorted(torch.nn.utils.prune.remove(layer, "weight").state_dict())
    ['bias', 'weight']
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ArgumentValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")
