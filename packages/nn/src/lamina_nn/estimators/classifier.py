"""ModuleClassifier: a module as a classifier of scikit-learn."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

import lamina_tensor as lt

from ..functional import cross_entropy
from .fitting import FLOATS, ModuleEstimator

from sklearn.base import ClassifierMixin  # isort: skip  # behind fitting, which says what to install
from sklearn.utils.multiclass import check_classification_targets  # isort: skip
from sklearn.utils.validation import validate_data  # isort: skip

__all__ = ["ModuleClassifier"]


class ModuleClassifier(ClassifierMixin, ModuleEstimator):  # type: ignore[misc]
    """A module as a classifier of scikit-learn.

    It computes in the dtype of X, float32 or float64, and where the module is.

    Args:
        module: called with the numbers of features and of classes, gives the module, whose answers are (n, classes), unnormalized; by
            default `Linear`.
        loss: of answers and class numbers, int64 (n,); by default `cross_entropy`.
        optimizer: called with the parameters and `lr`; by default `Adam`.
        lr: the size of steps.
        max_epochs: how often it goes over the data.
        batch_size: how many samples go into a step.
        random_state: of the first weights, of the order of samples, and of what the module draws: as scikit-learn takes it.

    Attributes:
        classes_: the labels, in order.
        module_: the fitted module, in evaluation mode.
        losses_: the mean loss of each epoch.
        n_features_in_: the number of features.

    >>> from lamina_nn.estimators import ModuleClassifier
    >>> model = ModuleClassifier(random_state=0).fit([[0.0], [1.0], [2.0], [3.0]], ["low", "low", "high", "high"])
    >>> model.predict([[-1.0], [4.0]]).tolist()
    ['low', 'high']
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Train a new module.

        Args:
            X: (n, features), numbers.
            y: (n,), labels of any kind.

        Returns:
            The estimator.

        Raises:
            ValueError: X or y holds what is not finite, they do not fit together, or y is no labels.

        >>> from lamina_nn.estimators import ModuleClassifier
        >>> ModuleClassifier(max_epochs=1).fit([[0.0], [1.0]], [3, 5]).classes_.tolist()
        [3, 5]
        """
        items, labels = validate_data(self, X, y, dtype=FLOATS)
        check_classification_targets(labels)
        self.classes_, numbers = np.unique(labels, return_inverse=True)
        return self._fitted(items, numbers.astype(np.int64), len(self.classes_), self.loss or cross_entropy)

    def predict_proba(self, X: Any) -> np.ndarray[Any, Any]:
        """Give each class's probability: `softmax` of the module's answers.

        Args:
            X: (n, features).

        Returns:
            (n, classes), in the order of `classes_`.

        Raises:
            NotFittedError: `fit` has not been called.
            ValueError: X does not fit.

        >>> from lamina_nn.estimators import ModuleClassifier
        >>> ModuleClassifier(max_epochs=1).fit([[0.0], [1.0]], [3, 5]).predict_proba([[0.5]]).shape
        (1, 2)
        """
        return lt.softmax(self._answers(X), 1).numpy(force=True)

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """Give the label of the greatest answer.

        Args:
            X: (n, features).

        Returns:
            (n,), labels as `fit` was given them.

        Raises:
            NotFittedError: `fit` has not been called.
            ValueError: X does not fit.

        >>> from lamina_nn.estimators import ModuleClassifier
        >>> ModuleClassifier(max_epochs=1).fit([[0.0], [1.0]], [3, 3]).predict([[0.5]]).tolist()
        [3]
        """
        numbers = lt.argmax(self._answers(X), 1).numpy(force=True)
        return self.classes_[numbers]  # type: ignore[no-any-return]
