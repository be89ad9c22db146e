"""Mistakes that beginners make: refused with an error of PyTorch's kind, whose words say what to do."""

import numpy as np
import pytest
import torch

import lamina

LAYERS = [
    lambda nn: nn.Linear(4, 3), lambda nn: nn.Conv1d(2, 2, 1), lambda nn: nn.BatchNorm1d(4), lambda nn: nn.LayerNorm(4),
    lambda nn: nn.ReLU(), lambda nn: nn.LSTM(4, 3), lambda nn: nn.GRUCell(4, 3), lambda nn: nn.RNNCell(4, 3), lambda nn: nn.Embedding(4, 3),
    lambda nn: nn.Dropout(), lambda nn: nn.Softmax(1), lambda nn: nn.InstanceNorm1d(4), lambda nn: nn.MaxPool1d(1),
    lambda nn: nn.Sequential(nn.Linear(4, 3)),
]  # fmt: skip


@pytest.mark.parametrize("make", LAYERS)
@pytest.mark.parametrize("given", [np.ones((2, 4), np.float32), [[1.0, 2.0]], None], ids=["array", "list", "None"])
def test_layers_want_tensors(make, given):
    layer = make(lamina.nn)
    with pytest.raises(TypeError, match=rf"must be Tensor, not {type(given).__name__}"):
        layer(given)
    with pytest.raises((TypeError, AttributeError)):
        make(torch.nn)(given)


@pytest.mark.parametrize(("data", "kind"), [
    ([1, None], "NoneType"), ([None], "NoneType"), (None, "NoneType"), ([1.0, {}], "dict"), ([[1, 2], [3, None]], "NoneType"),
    ([1, "a"], "str"), ([object()], "object"), ({1, 2}, "set"),
])  # fmt: skip
def test_items_that_are_no_numbers_are_named(data, kind):
    with pytest.raises((RuntimeError, TypeError), match=f"items of type {kind} given"):
        lamina.tensor(data)
    with pytest.raises((RuntimeError, TypeError)):
        torch.tensor(data)


@pytest.mark.parametrize("name", [
    "CrossEntropyLoss", "MSELoss", "NLLLoss", "BCELoss", "L1Loss", "SmoothL1Loss", "KLDivLoss", "BCEWithLogitsLoss", "CosineEmbeddingLoss",
    "MarginRankingLoss", "HingeEmbeddingLoss",
])  # fmt: skip
@pytest.mark.parametrize("t", [lamina, torch])
def test_losses_are_made_before_they_are_called(name, t):
    with pytest.raises(RuntimeError, match="made first" if t is lamina else "ambiguous"):
        getattr(t.nn, name)(t.randn(3, 4), t.tensor([0, 1, 2]))


@pytest.mark.parametrize(("module", "name", "nearest"), [
    (lamina.nn, "Relu", "ReLU"), (lamina.nn, "relu", "ReLU"), (lamina.nn, "Conv2D", "Conv2d"), (lamina.nn, "Maxpool2d", "MaxPool2d"),
    (lamina.nn, "linear", "Linear"), (lamina.nn, "Sofmax", "Softmax"), (lamina.optim, "Adamw", "AdamW"), (lamina.optim, "Sgd", "SGD"),
    (lamina, "arrange", "arange"), (lamina, "FloatTensr", "FloatTensor"), (lamina.nn.functional, "Relu", "relu"),
    (lamina.nn.functional, "maxpool2d", "max_pool2d"),
])  # fmt: skip
def test_the_nearest_name_is_told(module, name, nearest):
    with pytest.raises(AttributeError, match=f"the nearest name is '{nearest}'"):
        getattr(module, name)


def test_parameters_are_made_of_tensors():
    with pytest.raises(TypeError, match="'data' must be Tensor, not ndarray"):
        lamina.nn.Parameter(np.ones(2))


@pytest.mark.parametrize("t", [lamina, torch])
def test_kinds_of_errors_of_state_dicts(t):
    layer = t.nn.Linear(2, 2)
    state = layer.state_dict()
    for wrong in ({}, {**state, "x": t.ones(1)}, {**state, "weight": t.ones(3, 2)}, {**state, "weight": 3}):
        with pytest.raises(RuntimeError, match="loading state_dict for Linear") as caught:
            layer.load_state_dict(wrong)
        assert not isinstance(caught.value, ValueError)
    with pytest.raises(TypeError, match="dict-like"):
        layer.load_state_dict(None)
