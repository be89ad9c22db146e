"""Every deliberate fault is found by the test of the kit that it names, and by nothing that the reference would fail, too."""

import ctypes
import ctypes.util
import signal
import warnings

import numpy as np
import pytest

from lamina_flatarray.backends import registry
from lamina_testkit.broken import FAULTS
from lamina_testkit.declared import NotDeclared


class _Collected:
    def pytest_collection_finish(self, session):
        self.items = {item.nodeid.rpartition("/")[2]: item for item in session.items}


@pytest.fixture(scope="module")
def kit(request):
    """The tests of the kit by file and name."""
    collected = _Collected()
    files = sorted({fault.caught_by.partition(".py")[0] for fault in FAULTS.values()})
    names = [f"lamina_testkit.conformance.{file}" for file in files]
    options = ["--collect-only", "-qqq", "-p", "no:cacheprovider", "--backend", request.config.getoption("--backend")]
    assert pytest.main([*options, "--pyargs", *names], plugins=[collected]) == 0
    return collected.items


def run(item, backend, request):
    """A test of the kit on a backend, with the arguments that it is collected with."""
    arguments = dict(item.callspec.params) if hasattr(item, "callspec") else {}
    if "tmp_path" in item.fixturenames:
        arguments["tmp_path"] = request.getfixturevalue("tmp_path")
    item.obj(backend=backend, **arguments)


def test_there_are_at_least_thirty_faults():
    assert len(FAULTS) >= 30
    assert len({fault.caught_by for fault in FAULTS.values()}) >= 30


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found(name, kit, request):
    """The named test passes on the reference, and fails on the broken backend."""
    fault = FAULTS[name]
    item = kit[fault.caught_by]
    broken = fault.make()
    right = registry.backend("numpy") if fault.right is None else fault.right()
    if broken.device_type == right.device_type:
        run(item, right, request)
    registry.register(broken)
    before = np.geterr(), signal.getsignal(signal.SIGUSR1), np.random.get_state()
    try:
        with warnings.catch_warnings(), pytest.raises((Exception, pytest.fail.Exception)) as caught:
            run(item, broken, request)
        assert not isinstance(caught.value, (pytest.skip.Exception, NotDeclared, NameError))
    finally:
        _restore(*before)
        registry.unregister(broken.name)


def _restore(errors, handler, stream):
    """What the faults of conduct have changed."""
    np.seterr(**errors)
    signal.signal(signal.SIGUSR1, handler)
    np.random.set_state(stream)
    ctypes.CDLL(ctypes.util.find_library("m")).fesetround(0)
