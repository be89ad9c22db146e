"""ModuleRegressor: a module as a regressor of scikit-learn."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from ..functional import mse_loss
from .fitting import FLOATS, ModuleEstimator

from sklearn.base import RegressorMixin  # isort: skip  # behind fitting, which says what to install
from sklearn.utils.validation import validate_data  # isort: skip

__all__ = ["ModuleRegressor"]


class ModuleRegressor(RegressorMixin, ModuleEstimator):  # type: ignore[misc]
    """A module as a regressor of scikit-learn, of one target or of several.

    It computes in the dtype of X, float32 or float64, and where the module is.

    Args:
        module: called with the numbers of features and of targets, gives the module, whose answers are (n, targets); by default
            `Linear`.
        loss: of answers and targets, both (n, targets); by default `mse_loss`.
        optimizer: called with the parameters and `lr`; by default `Adam`.
        lr: the size of steps.
        max_epochs: how often it goes over the data.
        batch_size: how many samples go into a step.
        random_state: of the first weights, of the order of samples, and of what the module draws: as scikit-learn takes it.

    Attributes:
        module_: the fitted module, in evaluation mode.
        losses_: the mean loss of each epoch.
        n_features_in_: the number of features.

    >>> from lamina_nn.estimators import ModuleRegressor
    >>> model = ModuleRegressor(lr=0.1, random_state=0).fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> model.predict([[1.5]]).round(1).tolist()
    [4.0]
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Train a new module.

        Args:
            X: (n, features), numbers.
            y: (n,) or (n, targets), numbers.

        Returns:
            The estimator.

        Raises:
            ValueError: X or y holds what is not finite, or they do not fit together.

        >>> from lamina_nn.estimators import ModuleRegressor
        >>> len(ModuleRegressor(max_epochs=3).fit([[0.0], [1.0]], [0.0, 1.0]).losses_)
        3
        """
        items, targets = validate_data(self, X, y, dtype=FLOATS, multi_output=True, y_numeric=True)
        self._flat = targets.ndim == 1
        columns = targets.reshape(len(targets), -1).astype(items.dtype)
        return self._fitted(items, columns, columns.shape[1], self.loss or mse_loss)

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """Give the module's answers.

        Args:
            X: (n, features).

        Returns:
            (n,) or (n, targets), as `fit` was given them.

        Raises:
            NotFittedError: `fit` has not been called.
            ValueError: X does not fit.

        >>> from lamina_nn.estimators import ModuleRegressor
        >>> ModuleRegressor(max_epochs=1).fit([[0.0], [1.0]], [[0.0, 1.0], [1.0, 0.0]]).predict([[0.5]]).shape
        (1, 2)
        """
        answers = self._answers(X).numpy(force=True)
        return answers[:, 0] if self._flat else answers

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
