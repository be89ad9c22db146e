"""Tensor's methods and their in-place twins agree with PyTorch's over PyTorch's own op database."""

import tomllib
from pathlib import Path

import pytest
from databases import method_database, op_database

HERE = Path(__file__)
FUNCTIONS = tomllib.loads(HERE.with_name("known_differences.toml").read_text())
METHODS = tomllib.loads(HERE.with_name("known_method_differences.toml").read_text())


def _cases(infos):
    """A method differs where its function does, or as is said of the method itself: "" says that it does not."""
    for name, info in infos.items():
        function = f"{info.name}.{info.variant_test_name}" if info.variant_test_name else info.name
        for dtype in method_database.dtypes(info):
            reason = METHODS.get(name, {}).get(dtype, FUNCTIONS.get(function, {}).get(dtype))
            marks = [pytest.mark.xfail(reason=reason, strict=True, raises=op_database.Difference)] if reason else []
            yield pytest.param(name, info, dtype, id=f"{name}-{dtype}", marks=marks)


@pytest.mark.parametrize(("name", "info", "dtype"), list(_cases(method_database.methods())))
def test_method(name, info, dtype):
    assert method_database.check_method(name, info, dtype) > 0


@pytest.mark.parametrize(("name", "info", "dtype"), list(_cases(method_database.twins())))
def test_in_place_twin(name, info, dtype):
    assert method_database.check_twin(name, info, dtype) > 0
