"""Which backend and device serve: by priority, environment, default or `with` block."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from lamina_flatarray import Backend, BackendError, Device, FlatArray, UnknownBackend, backends, float32


def test_the_cpu_is_served_by_the_highest_priority(site: Any) -> None:
    site.good("fast", "cpu", 10)
    site.good("slow", "cpu", -1)
    program = """
        import json, sys
        import lamina_flatarray as lf
        before = "plugin_fast" in sys.modules
        x = lf.FlatArray.full(2, 1.0)
        with lf.backends.use_backend("numpy"):
            inside = lf.FlatArray.full(2, 1.0).backend.name
        print(json.dumps([before, x.backend.name, str(x.device), inside, lf.backends.backend_for("cpu").name,
                          lf.backends.explain("add").reason]))
    """
    assert site.run(program) == [False, "fast", "cpu", "numpy", "fast", "its priority is the highest"]
    chosen = site.run(program, LAMINA_BACKEND="slow")
    assert chosen == [False, "slow", "cpu", "numpy", "slow", "LAMINA_BACKEND chose it"]


def test_the_chosen_backend_is_not_replaced(site: Any) -> None:
    site.add("fast", "raise OSError('libfast.so')\n", declared="v1_0:cpu")
    found = site.run(
        """
        import json
        import lamina_flatarray as lf
        try: lf.FlatArray.empty(1); outcome = "made"
        except lf.BackendFailedToLoad: outcome = "refused"
        print(json.dumps(outcome))
        """,
        LAMINA_BACKEND="fast",
    )
    assert found == "refused"


def test_use_backend_wants_one_for_the_cpu(remote: Backend) -> None:
    with pytest.raises(BackendError, match="serves 'far'"):
        backends.use_backend("remote")
    with pytest.raises(BackendError, match="serves 'far'"):
        backends.set_default_backend("remote")
    with pytest.raises(UnknownBackend):
        backends.use_backend("nobody")


def served() -> str:
    return backends.kernels(None, float32).backend.name


def test_choices_nest_and_end(quick: Backend) -> None:
    usual = served()
    with backends.use_backend("quick"):
        assert served() == "quick"
        with backends.use_backend("numpy"):
            assert served() == "numpy"
        assert served() == "quick"
    assert served() == usual
    backends.set_default_backend("quick")
    assert served() == "quick"
    assert backends.explain("add").reason == "set_default_backend chose it"
    with pytest.raises(ZeroDivisionError), backends.use_backend("numpy"):
        raise ZeroDivisionError
    assert served() == "quick"


def test_use_backend_as_a_statement_holds_for_its_context(quick: Backend) -> None:
    usual = served()

    def program() -> str:
        backends.use_backend("quick")
        return served()

    assert contextvars.copy_context().run(program) == "quick"
    assert served() == usual


def test_choices_are_seen_by_their_own_thread_and_task_only(quick: Backend) -> None:
    usual = served()
    meet = threading.Barrier(2)

    def in_thread(name: str) -> str:
        with backends.use_backend(name):
            meet.wait(10)
            return served()

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(in_thread, ["quick", "numpy"])) == ["quick", "numpy"]

    async def in_task(name: str) -> str:
        with backends.use_backend(name):
            await asyncio.sleep(0.01)
            return served()

    async def both() -> list[str]:
        return list(await asyncio.gather(in_task("quick"), in_task("numpy")))

    assert asyncio.run(both()) == ["quick", "numpy"]
    assert served() == usual
    with backends.use_backend("quick"), ThreadPoolExecutor(1) as pool:  # a thread of its own begins with what the process chose
        assert pool.submit(served).result() == usual


def test_default_device(remote: Backend) -> None:
    assert backends.get_default_device() is Device("cpu")
    with backends.on_device("far:1") as device:
        assert device is Device("far:1")
        assert FlatArray.empty(2).device is device
        with backends.on_device("cpu"):
            assert FlatArray.empty(2).device is Device("cpu")
        assert backends.explain("add").device == "far:1"
    backends.set_default_device("far")
    try:
        assert FlatArray.empty(2).device is Device("far:0")
    finally:
        backends.set_default_device(None)
    assert FlatArray.empty(2).device is Device("cpu")
    with pytest.raises(UnknownBackend):
        backends.on_device("nowhere")
