"""Declarations: plain data about known ops, true in both directions, and with all that a backend has to bring."""

import json

import pytest

from lamina_flatarray.contract import PROTOCOL, Backend
from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES, NAMED, dtype_of
from lamina_flatarray.ops import OPS

from ..cases import Case
from ..checking import serves
from ..declared import declares

pytestmark = pytest.mark.conformance(level="core")


def test_protocol(backend: Backend) -> None:
    """The backend speaks this contract's major version and no newer minor one."""
    assert backend.protocol[0] == PROTOCOL[0]
    assert backend.protocol <= PROTOCOL


def test_capabilities_are_plain_data_about_known_ops(backend: Backend) -> None:
    """Declarations go into JSON, and name only ops and dtypes of the tables."""
    declared = dict(backend.capabilities())
    json.dumps({op: list(names) for op, names in declared.items()})
    assert set(declared) <= set(OPS)
    for names in declared.values():
        assert set(names) <= set(NAMED)


def test_every_declared_kernel_is_there(backend: Backend) -> None:
    """Every op that is declared has a kernel that can be called."""
    for op in backend.capabilities():
        assert callable(backend.kernel(op))


def test_every_required_op_is_there(backend: Backend) -> None:
    """Every op that nothing else is made of has a kernel, for one dtype at least."""
    required = [op for op, row in OPS.items() if row.required]
    lacking = [op for op in required if not any(declares(backend, op, dtype) for dtype in DTYPES.values())]
    assert not lacking, f"{backend.name} has no kernel of {', '.join(lacking)}, which it has to bring"


def test_dtypes_are_those_that_an_op_is_defined_for(backend: Backend) -> None:
    """Nothing is declared that can never be asked for."""
    for op, names in backend.capabilities().items():
        for name in names:
            dtype = dtype_of(name)
            computed = DTYPE_RULES[OPS[op].rule](dtype)
            assert computed is not None and computed[0] is dtype, f"{op} is not defined in {name}"
            assert op == "copy" or not dtype.stored_only, f"{op} is declared in {name}, which no op computes in"


@pytest.mark.parametrize("op", [op for op, row in OPS.items() if row.samples != "apart"])
def test_nothing_is_left_undeclared(op: str, backend: Backend, request: pytest.FixtureRequest) -> None:
    """A kernel that is right in a dtype that it is not declared for is no failure: the report lists it."""
    declared = backend.capabilities().get(op, ())
    for case in (Case(op, dtype) for dtype in DTYPES.values()):
        computed = DTYPE_RULES[OPS[op].rule](case.dtype)
        defined = computed is not None and computed[0] is case.dtype
        if declared and defined and case.dtype.name not in declared and serves(case, backend):
            request.node.user_properties.append(("lamina_serves_more", str(case)))
