"""Backends registered in this process: their contract, their tables, and what is told of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lamina_flatarray import (
    PROTOCOL,
    Backend,
    BackendError,
    Device,
    DeviceError,
    FlatArray,
    ProtocolMismatch,
    UnknownBackend,
    backends,
    float32,
)
from lamina_flatarray.errors import BackendRefused


def test_register_and_unregister(tiny: Any) -> None:
    made = backends.register(tiny())
    try:
        assert backends.backend("tiny") is made
        assert backends.kernels("tiny:0", float32).backend is made
        assert "tiny" in backends.names()
        with pytest.raises(BackendError, match="wants another name"):
            backends.register(tiny())
    finally:
        backends.unregister("tiny")
    with pytest.raises(UnknownBackend):
        backends.kernels("tiny:0", float32)
    with pytest.raises(UnknownBackend):
        backends.unregister("tiny")
    with pytest.raises(UnknownBackend):
        backends.unregister("numpy")


def test_register_checks_the_contract(tiny: Any) -> None:
    with pytest.raises(BackendRefused):
        backends.register(object())  # type: ignore[arg-type]
    newer = tiny()
    newer.protocol = (PROTOCOL[0] + 1, 0)
    with pytest.raises(ProtocolMismatch):
        backends.register(newer)
    named = tiny()
    named.name = "not a name"
    with pytest.raises(BackendRefused, match="its name is"):
        backends.register(named)


def test_tables_are_cached_and_indices_checked(remote: Backend) -> None:
    table = backends.kernels("far:1", float32)
    assert backends.kernels(Device("far:1"), float32) is table
    assert backends.kernels("far:1", float32) is table
    assert table.device is Device("far:1")
    assert table.backend is remote
    with pytest.raises(DeviceError, match="finds 2 device"):
        backends.kernels("far:2", float32)


def test_explain(remote: Backend) -> None:
    here, there = FlatArray.empty(2), FlatArray.empty(2, device="far")
    assert backends.explain("add", here, 2.0).origin == "native" or here.backend.extends
    told = backends.explain("add", there, there)
    assert (told.backend, told.device, told.dtype, told.origin) == ("remote", "far:0", "float32", "missing")
    assert "add in float32 on far:0: remote (missing)" in str(told)
    assert backends.explain("divide", FlatArray.empty(2, "int32")).dtype == "float32"
    with pytest.raises(DeviceError, match=r"cpu .* far:0 .*\.to\('cpu'\)"):
        backends.explain("add", here, there)
    with pytest.raises(NotImplementedError):
        backends.explain("no_such_op")


def test_capabilities_are_plain_data(quick: Backend) -> None:
    quick.extends = "numpy"
    found = backends.capabilities("quick")
    assert json.loads(json.dumps(found)) == found
    assert found["ops"]["add"]["float32"] == "native"
    assert found["ops"]["add"]["float64"] == "inherited from numpy"
    assert "bool" not in found["ops"]["subtract"]  # not defined there, by the op's dtype rule
    quick.extends = None
    assert backends.capabilities("quick")["ops"]["matmul"]["float32"] == "missing"
