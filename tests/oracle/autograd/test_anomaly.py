"""Anomaly mode: the same op is blamed, in the same words."""

import re

import pytest
import torch

import lamina

CASES = {
    "sqrt": lambda t, x: x.sqrt().sum(),
    "later op": lambda t, x: (x.sqrt() * 2).exp().sum(),
    "second input": lambda t, x: (t.ones(2) / (x * 0)).sum() * 0,
    "matmul": lambda t, x: (t.full((2, 2), float("nan")) @ x.reshape(2, 1)).sum(),
    "log": lambda t, x: (x - x).log().sum() * 0,
    "where": lambda t, x: t.where(x > 0, x, (x * 0).sqrt() * 0).sum(),
}


@pytest.mark.parametrize("name", CASES)
def test_the_same_op_is_blamed(name):
    said = []
    for t in (lamina, torch):
        x = t.tensor([-1.0, 4.0], requires_grad=True)
        with pytest.warns(UserWarning), t.autograd.detect_anomaly(), pytest.raises(RuntimeError) as caught:
            CASES[name](t, x).backward()
        said.append(re.match(r"Function '(\w+)' returned nan values in its (\d)th output\.", str(caught.value))[0])
    assert said[0] == said[1]


def test_flags():
    for t in (lamina, torch):
        assert not t.is_anomaly_enabled() and t.is_anomaly_check_nan_enabled()
        with t.autograd.set_detect_anomaly(True, check_nan=False):
            assert t.is_anomaly_enabled() and not t.is_anomaly_check_nan_enabled()
        assert not t.is_anomaly_enabled()
