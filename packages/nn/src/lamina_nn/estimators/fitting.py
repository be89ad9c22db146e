"""What a classifier and a regressor share: their parameters, the passes over the data, and the module's answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

try:
    from sklearn.base import BaseEstimator
    from sklearn.utils import check_random_state
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError(
        "lamina_nn.estimators: scikit-learn is not installed here; install it with: pip install 'lamina-nn[sklearn]'"
    ) from error

import lamina_tensor as lt
from lamina_tensor import Tensor, no_grad
from lamina_tensor.devices.random_state import fork_rng

from ..data import DataLoader, TensorDataset
from ..layers import Linear
from ..module import Module
from ..optim import Adam, Optimizer
from ..training import Trainer

__all__ = ["ModuleEstimator"]

FLOATS = (np.float64, np.float32)
"""The dtypes that are computed in: X's own, else the first."""


class ModuleEstimator(BaseEstimator):  # type: ignore[misc]
    """A module that is fitted to arrays. Its parameters are kept as they are given, as scikit-learn asks; `fit` reads them."""

    def __init__(
        self,
        module: Callable[[int, int], Module] | None = None,
        *,
        loss: Callable[[Tensor, Tensor], Tensor] | None = None,
        optimizer: Callable[..., Optimizer] | None = None,
        lr: float = 0.02,
        max_epochs: int = 100,
        batch_size: int = 32,
        random_state: Any = None,
    ) -> None:
        self.module = module
        self.loss = loss
        self.optimizer = optimizer
        self.lr = lr
        self.max_epochs = max_epochs
        self.batch_size = batch_size
        self.random_state = random_state

    def _fitted(
        self, items: np.ndarray[Any, Any], targets: np.ndarray[Any, Any], outputs: int, loss: Callable[[Tensor, Tensor], Tensor]
    ) -> Self:
        """Make the module and train it. The program's own random numbers stay as they are.

        Raises:
            ValueError: there are no epochs, or no samples to a batch.
        """
        for name in ("max_epochs", "batch_size"):
            if getattr(self, name) < 1:
                raise ValueError(f"{type(self).__name__}: {name} must be at least 1, got {getattr(self, name)}")
        with fork_rng():
            lt.manual_seed(int(check_random_state(self.random_state).randint(2**31 - 1)))
            module = (self.module or Linear)(items.shape[1], outputs).to(lt.from_numpy(items[:0].copy()).dtype)
            optimizer = (self.optimizer or Adam)(module.parameters(), lr=self.lr)
            samples = TensorDataset(*(lt.tensor(part, device=_device(module)) for part in (items, targets)))
            batches = DataLoader(samples, self.batch_size, shuffle=True)
            history = Trainer(module, optimizer, loss).fit(batches, self.max_epochs)
        self.module_, self.losses_ = module.eval(), [record["loss"] for record in history]
        return self

    def _answers(self, X: Any) -> Tensor:
        """What the fitted module gives for checked samples, batch by batch."""
        check_is_fitted(self)
        items = validate_data(self, X, dtype=FLOATS, reset=False)
        first = next(self.module_.parameters())
        rows = lt.tensor(items, dtype=first.dtype, device=first.device)
        with no_grad():
            return lt.cat([self.module_(part) for part in lt.split(rows, self.batch_size)])


def _device(module: Module) -> Any:
    """Where the module is; None for one without parameters."""
    parameters: Sequence[Tensor] = list(module.parameters())
    return parameters[0].device if parameters else None
