"""Every array op of tiers A and B agrees with PyTorch over PyTorch's own op database: values, dtypes, shapes, errors."""

import tomllib
from pathlib import Path

import pytest
from databases import op_database, op_errors

KNOWN = tomllib.loads(Path(__file__).with_name("known_differences.toml").read_text())
INFOS = {  # tier C is only asked where it is there
    f"{info.name}{'.' + info.variant_test_name if info.variant_test_name else ''}": info
    for infos in op_database.database().values()
    for info in infos
    if op_database.tier(info) != "C" or op_database.exists(info.name)
}


def _case(name, what):
    reason = KNOWN.get(name, {}).get(what)
    marks = [pytest.mark.xfail(reason=reason, strict=True, raises=op_database.Difference)] if reason else []
    return pytest.param(name, what, id=f"{name}-{what}", marks=marks)


VALUES = [_case(n, d) for n, info in INFOS.items() for d in (*op_database.DTYPES, *op_database.OTHER_DTYPES) if op_database.serves(info, d)]
ERRORS = [
    _case(name, "errors")
    for name, info in INFOS.items()
    if info.error_inputs_func and any(op_database.seeded(info.error_inputs_func(info, "cpu")))
]


@pytest.mark.parametrize(("name", "dtype"), VALUES)
def test_values(name, dtype):
    assert op_database.check_values(INFOS[name], dtype) > 0


@pytest.mark.parametrize("name", ["exp", "matmul", "matrix_exp", "linalg.inv", "linalg.det"])
def test_half_of_the_digits_are_too_few(name, monkeypatch):
    """Though inputs nearby are granted to what magnifies roundings."""
    whole = op_database.counterpart

    def rounded(x):
        return x * 4097 - (x * 4097 - x)  # Veltkamp's: the upper 12 bits

    monkeypatch.setattr(op_database, "counterpart", lambda info: lambda *args, **params: rounded(whole(info)(*args, **params)))
    with pytest.raises(op_database.Difference, match="not close"):
        op_database.check_values(INFOS[name], "float32")


@pytest.mark.parametrize(("name", "_"), ERRORS)
def test_errors(name, _):
    assert op_errors.check_errors(INFOS[name]) > 0
