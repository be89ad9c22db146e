"""No module of lamina's is refused in strict mode: with it on, all of them agree with PyTorch as ever, backwards, too."""

import pytest
from modules import module_database

import lamina

GIVEN_FUNCTIONS = {"TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer"}  # by the database: PyTorch's own


@pytest.mark.parametrize("name", sorted({*module_database.names()} - GIVEN_FUNCTIONS))
def test_a_module_within_strict_mode(name):
    with lamina.strict():
        assert module_database.check(name, "float64", True) > 0
