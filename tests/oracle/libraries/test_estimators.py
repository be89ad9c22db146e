"""Estimators around a module: scikit-learn's own checks, and its pipelines, searches and cross-validation."""

import pickle

import numpy as np
import pytest

import lamina
from lamina import nn

pytest.importorskip("sklearn", reason="scikit-learn is not installed")
from sklearn.base import clone
from sklearn.datasets import make_classification, make_regression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from lamina_nn.estimators import ModuleClassifier, ModuleRegressor


def hidden(features, outputs):
    """A network with one hidden layer."""
    return nn.Sequential(nn.Linear(features, 8), nn.Tanh(), nn.Linear(8, outputs))


@parametrize_with_checks([made(lr=0.1, max_epochs=12) for made in (ModuleClassifier, ModuleRegressor)])
@pytest.mark.filterwarnings("ignore")  # the checks warn of what they hand over
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_a_search_through_a_pipeline():
    x, y = make_classification(80, 6, random_state=0)
    names = np.array(["no", "yes"])[y]
    search = GridSearchCV(
        make_pipeline(StandardScaler(), ModuleClassifier(hidden, max_epochs=20, random_state=0)),
        {"moduleclassifier__lr": [1e-5, 0.02]}, cv=2,
    )  # fmt: skip
    search.fit(x, names)
    assert search.best_params_ == {"moduleclassifier__lr": 0.02} and search.score(x, names) > 0.85
    again = pickle.loads(pickle.dumps(search))
    assert np.array_equal(again.predict_proba(x), search.predict_proba(x))


def test_regression_finds_the_weights():
    x, y, weights = make_regression(60, 3, coef=True, random_state=0)
    model = ModuleRegressor(optimizer=lamina.optim.SGD, lr=0.1, max_epochs=30, random_state=0).fit(x, y)
    np.testing.assert_allclose(model.module_.weight.detach().numpy()[0], weights, rtol=1e-3)  # 30 epochs do not go all the way
    assert cross_val_score(clone(model), x, y, cv=3).min() > 0.99
    assert model.predict(x).dtype == np.float64 and clone(model).fit(x.astype(np.float32), y).predict(x).dtype == np.float32


def test_the_programs_random_numbers_stay_as_they_are():
    x, y = make_classification(20, 4, random_state=0)
    state = lamina.get_rng_state()
    twice = [ModuleClassifier(max_epochs=2, random_state=7).fit(x, y).losses_ for _ in range(2)]
    assert twice[0] == twice[1] and lamina.get_rng_state().equal(state)


def test_parameters_that_make_no_sense():
    for name in ("max_epochs", "batch_size"):
        with pytest.raises(ValueError, match=f"ModuleClassifier: {name} must be at least 1, got 0"):
            ModuleClassifier(**{name: 0}).fit([[0.0], [1.0]], [0, 1])
