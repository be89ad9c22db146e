"""Modules as estimators of scikit-learn: for its pipelines, searches and cross-validation. `pip install 'lamina-nn[sklearn]'`."""

from .classifier import ModuleClassifier
from .regressor import ModuleRegressor

__all__ = ["ModuleClassifier", "ModuleRegressor"]
