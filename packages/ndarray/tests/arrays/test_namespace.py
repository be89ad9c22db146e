"""What `lamina_ndarray` shows: what users use, each name once, and nothing of its inside."""

import types

import lamina_ndarray as nd

PARTS = {"fft", "linalg", "special"}


def test_the_namespace_shows_what_is_public():
    shown = {name for name in dir(nd) if not name.startswith("__")}
    assert shown == {name for name in nd.__all__ if not name.startswith("__")}
    assert {name for name in shown if isinstance(getattr(nd, name), types.ModuleType)} == PARTS
    assert len(nd.__all__) == len(set(nd.__all__))


def test_every_public_name_is_documented_where_it_is_defined():
    for name in nd.__all__:
        value = getattr(nd, name)
        if isinstance(value, (types.FunctionType, type)):
            assert value.__doc__ and value.__module__.startswith(("lamina_ndarray.", "lamina_flatarray.")), name
