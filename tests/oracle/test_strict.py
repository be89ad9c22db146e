"""No module of lamina's is refused in strict mode: with it on, all of them agree with PyTorch as ever, backwards, too."""

import modules
import pytest

import lamina

GIVEN_FUNCTIONS = {"TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer"}  # by the database: PyTorch's own


@pytest.mark.parametrize("name", sorted({*modules.names()} - GIVEN_FUNCTIONS))
def test_a_module_within_strict_mode(name):
    with lamina.strict():
        assert modules.check(name, "float64", True) > 0
