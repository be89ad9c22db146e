"""Whole models: exported at one size, they answer as their modules do at others."""

import os

import pytest
from against_runtime import compared
from models import ZOO, normalized

import lamina_tensor as lt


@pytest.mark.parametrize("name", ZOO)
def test_models(name, record_property):
    lt.manual_seed(0)
    make, cases, dynamic = ZOO[name]
    record_property("difference", compared(normalized(make()), *cases, dynamic_shapes=dynamic))


WHOLE = "LAMINA_ONNX_WHOLE" in os.environ  # nox -s onnx


@pytest.mark.parametrize("opset", range(17, 24) if WHOLE else [17, 23])
@pytest.mark.parametrize("name", ZOO if WHOLE else ["ResNet", "GRU", "Transformer"])
def test_opsets(name, opset):
    lt.manual_seed(0)
    make, cases, dynamic = ZOO[name]
    compared(normalized(make()), *cases, opset=opset, dynamic_shapes=dynamic)
