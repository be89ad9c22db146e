"""The running statistics of batch normalization computed anew, as a model with averaged parameters needs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lamina_tensor import no_grad

from ...module import Module

__all__ = ["update_bn"]


@no_grad()
def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Run a model over data once, to set the running mean and variance of every batch normalization in it.

    Args:
        loader: batches, or tuples of which the first is the batch.
        model: the model; its mode stays.
        device: where batches are moved to; None for where they are.

    >>> model = torch.nn.Sequential(torch.nn.BatchNorm1d(1))
    >>> torch.optim.swa_utils.update_bn([torch.tensor([[1.0], [3.0]]), torch.tensor([[5.0], [7.0]])], model)
    >>> model[0].running_mean, model[0].running_var
    (tensor([4.]), tensor([2.]))
    """
    momenta = {module: module.momentum for module in model.modules() if _normalizes_batches(module)}
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.reset_running_stats()
        module.momentum = None  # all batches count alike
    for batch in loader:
        x = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(x if device is None else x.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


def _normalizes_batches(module: Module) -> bool:
    """Whether it is one of the layers BatchNorm; those that normalize single instances keep such statistics too."""
    from ...layers.normalizations.batch import _BatchNorm  # layers are loaded by who has some

    return isinstance(module, _BatchNorm)
