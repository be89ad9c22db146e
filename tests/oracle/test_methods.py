"""Tensor's methods and their in-place twins agree with PyTorch's over PyTorch's own op database."""

import tomllib
from pathlib import Path

import method_database
import pytest

HERE = Path(__file__)
FUNCTIONS = tomllib.loads(HERE.with_name("known_differences.toml").read_text())
METHODS = tomllib.loads(HERE.with_name("known_method_differences.toml").read_text())


def _cases(infos):
    """A method differs where its function does, or where it is said of the method itself."""
    for name, info in infos.items():
        function = f"{info.name}.{info.variant_test_name}" if info.variant_test_name else info.name
        for dtype in method_database.dtypes(info):
            own, inherited = METHODS.get(name, {}).get(dtype), FUNCTIONS.get(function, {}).get(dtype)
            # fewer samples are asked than of the function, so that what differs there need not show here
            marks = [pytest.mark.xfail(reason=own or inherited, strict=own is not None, raises=AssertionError)] if own or inherited else []
            yield pytest.param(name, info, dtype, id=f"{name}-{dtype}", marks=marks)


@pytest.mark.parametrize(("name", "info", "dtype"), list(_cases(method_database.methods())))
def test_method(name, info, dtype):
    method_database.check_method(name, info, dtype)


@pytest.mark.parametrize(("name", "info", "dtype"), list(_cases(method_database.twins())))
def test_in_place_twin(name, info, dtype):
    method_database.check_twin(name, info, dtype)
