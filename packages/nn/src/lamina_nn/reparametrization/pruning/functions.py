"""Functions that prune a parameter of a module, and end that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, ArgumentValueError
from lamina_tensor import Tensor

from ...module import Module
from .masks import CustomFromMask, Identity, L1Unstructured, LnStructured, RandomStructured, RandomUnstructured
from .method import BasePruningMethod, PruningContainer

__all__ = [
    "custom_from_mask", "global_unstructured", "identity", "is_pruned", "l1_unstructured", "ln_structured", "random_structured",
    "random_unstructured", "remove",
]  # fmt: skip


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
