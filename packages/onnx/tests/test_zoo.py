"""Whole models: exported at one size, they answer as their modules do at others."""

import pytest
from against_runtime import compared
from models import ZOO, normalized

import lamina_tensor as lt


@pytest.mark.parametrize("name", ZOO)
def test_models(name, record_property):
    lt.manual_seed(0)
    make, cases, dynamic = ZOO[name]
    record_property("difference", compared(normalized(make()), *cases, dynamic_shapes=dynamic))


@pytest.mark.parametrize("opset", [17, 18, 21, 22, 23])
@pytest.mark.parametrize("name", ["ResNet", "UNet, interpolated", "GRU", "Transformer", "Llama", "norms"])
def test_opsets(name, opset):
    lt.manual_seed(0)
    make, cases, dynamic = ZOO[name]
    compared(normalized(make()), *cases, opset=opset, dynamic_shapes=dynamic)
