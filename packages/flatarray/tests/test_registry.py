"""The registry against plug-ins of every kind of brokenness, each in an interpreter of its own."""

from __future__ import annotations

import asyncio
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
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
from lamina_flatarray.loading import BackendRefused

ASK = """
import json, traceback
import lamina_flatarray as lf
try:
    lf.backends.backend("{name}")
    outcome = ["none", "", ""]
except lf.BackendError as e:
    outcome = [type(e).__name__, str(e), "".join(traceback.format_exception(e))]
state = next((s.state for s in lf.backends.status() if s.name == "{name}"), "absent")
numbers = (lf.FlatArray.from_items([1.0, 2.0])).tolist()
print(json.dumps([*outcome, state, numbers]))
"""


def asked(site: Any, name: str, **environment: str) -> tuple[str, str, str, str]:
    """(error class, message, full traceback, state) of asking for a backend; arrays must work afterwards."""
    kind, message, trace, state, numbers = site.run(ASK.format(name=name), **environment)
    assert numbers == [1.0, 2.0]
    return kind, message, trace, state


# -- sound plug-ins -----------------------------------------------------------------------------------


def test_a_plugin_is_loaded_when_it_is_first_wanted(site: Any) -> None:
    site.good("foo")
    site.good("bar")
    loaded = site.run("""
        import json, sys
        import lamina_flatarray as lf
        def seen(): return [m for m in ("plugin_foo", "plugin_bar") if m in sys.modules]
        steps = [seen()]
        lf.FlatArray.empty(3); steps.append(seen())
        lf.backends.names(), lf.backends.status(); steps.append(seen())
        x = lf.FlatArray.full(3, 2.0, device="foo:0"); steps.append(seen())
        print(json.dumps([steps, str(x.device), x.tolist(), lf.backends.names()]))
    """)
    names = ["numpy", "bar", "foo"]
    assert loaded == [[[], [], [], ["plugin_foo"]], "foo:0", [2.0, 2.0, 2.0], names]


def test_import_reads_no_metadata_and_imports_no_pluggy(site: Any) -> None:
    site.good("foo")
    found = site.run("""
        import json, sys
        import lamina_flatarray
        heavy = ("pluggy", "importlib.metadata", "plugin_foo", "scipy", "multiprocessing", "email")
        print(json.dumps([m for m in heavy if m in sys.modules]))
    """)
    assert found == []


def test_the_metadata_is_read_once(site: Any) -> None:
    site.good("foo")
    assert site.run("""
        import importlib.metadata as im, json
        scans, real = [], im.distributions
        im.distributions = lambda *a, **k: (scans.append(1), real(*a, **k))[1]
        import lamina_flatarray as lf
        counts = [len(scans)]
        lf.backends.backend("numpy"); counts.append(len(scans))
        for _ in range(3):
            lf.FlatArray.empty(1); lf.backends.backend("foo"); lf.backends.names(); lf.backends.status()
            try: lf.backends.backend("nobody")
            except lf.UnknownBackend: pass
        counts.append(len(scans))
        print(json.dumps(counts))
        """) == [0, 0, 1]


def test_no_scan_where_the_environment_chooses_numpy(site: Any) -> None:
    program = """
        import json, sys
        import lamina_flatarray as lf
        lf.FlatArray.empty(1)
        print(json.dumps("importlib.metadata" in sys.modules))
    """
    assert site.run(program, LAMINA_BACKEND="numpy") is False
    assert site.run(program) is True


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


def test_a_backend_for_another_device_is_not_tried_for_the_cpu(site: Any) -> None:
    site.good("foo", "far", 100)
    found = site.run("""
        import json, sys
        import lamina_flatarray as lf
        lf.FlatArray.empty(1)
        early = "plugin_foo" in sys.modules
        print(json.dumps([early, lf.FlatArray.empty(1, device="far").backend.name]))
    """)
    assert found == [False, "foo"]


# -- broken plug-ins ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("import no_such_library", "ModuleNotFoundError: No module named 'no_such_library'"),
        ("raise OSError('libfoo.so: cannot open shared object file')", "OSError: libfoo.so"),
        ("raise RuntimeError('driver too old')", "RuntimeError: driver too old"),
        ("raise SystemExit('bye')", "SystemExit: bye"),
        ("def broken(:", "SyntaxError"),
        ("assert False, 'no'", "AssertionError: no"),
    ],
)
@pytest.mark.parametrize("serves", ["v1_0", "v1_0:cpu", ""])
def test_code_that_raises_is_isolated(site: Any, line: str, cause: str, serves: str) -> None:
    site.add("foo", f"first = 1\n{line}\n", declared=serves)
    kind, message, trace, state = asked(site, "foo")
    assert kind == "BackendFailedToLoad"
    assert cause in message
    assert "lamina-foo 1.2" in message
    assert "python -m lamina_flatarray" in message
    assert "plugin_foo.py" in trace  # the whole chain, down to the plug-in's line
    assert "direct cause" in trace
    assert state == "failed"


def test_an_error_in_the_hook_is_isolated(site: Any) -> None:
    source = site.sound("foo").replace("return Toy()", "raise SystemExit(3)")
    site.add("foo", source)
    kind, message, _, state = asked(site, "foo")
    assert (kind, state) == ("BackendFailedToLoad", "failed")
    assert "its hook lamina_backend() failed: SystemExit: 3" in message


def test_a_failed_import_is_not_tried_again(site: Any) -> None:
    site.add("foo", "import builtins\nbuiltins.tries = getattr(builtins, 'tries', 0) + 1\nraise OSError('x')\n")
    assert (
        site.run("""
        import builtins, json
        import lamina_flatarray as lf
        for _ in range(3):
            try: lf.backends.backend("foo")
            except lf.BackendFailedToLoad as e: assert isinstance(e.__cause__, OSError)
        print(json.dumps(builtins.tries))
        """)
        == 1
    )


def test_keyboard_interrupt_is_not_swallowed(site: Any) -> None:
    site.add("foo", "raise KeyboardInterrupt\n")
    found = site.run("""
        import json
        import lamina_flatarray as lf
        try: lf.backends.backend("foo")
        except KeyboardInterrupt: outcome = "interrupted"
        print(json.dumps([outcome, [s.state for s in lf.backends.status() if s.name == "foo"]]))
    """)
    assert found == ["interrupted", ["not loaded"]]


def test_a_broken_server_of_the_cpu_is_told_of_and_passed_over(site: Any) -> None:
    site.add("fast", "raise OSError('libfast.so')\n", declared="v1_0:cpu")
    found = site.run("""
        import json, warnings
        import lamina_flatarray as lf
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            names = [lf.FlatArray.empty(1).backend.name for _ in range(3)]
        print(json.dumps([names, [str(w.message) for w in told]]))
    """)
    names, told = found
    assert names == ["numpy"] * 3
    assert len(told) == 1
    assert "libfast.so" in told[0]


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


def test_a_hanging_plugin_delays_only_who_asks_for_it(site: Any) -> None:
    site.add("foo", "import time\ntime.sleep(4)\n" + site.sound("foo"))
    site.good("bar")
    quick, slow = site.run("""
        import json, threading, time
        begin = time.monotonic()
        import lamina_flatarray as lf
        asker = threading.Thread(target=lf.backends.backend, args=("foo",)); asker.start()
        time.sleep(0.2)
        lf.FlatArray.full(2, 1.0); lf.FlatArray.full(2, 1.0, device="bar"); lf.backends.status()
        quick = time.monotonic() - begin
        asker.join()
        print(json.dumps([quick, time.monotonic() - begin]))
    """)
    assert quick < 3.5 <= slow


def test_stale_metadata_is_named(site: Any) -> None:
    site.add("foo", None)
    kind, message, _, state = asked(site, "foo")
    assert (kind, state) == ("BackendFailedToLoad", "failed")
    assert "its metadata is stale: pip install --force-reinstall lamina-foo" in message


def test_metadata_of_two_versions_is_reported(site: Any) -> None:
    site.good("foo", version="1.2")
    site.add("foo", None, version="1.1")
    found = site.run("""
        import json
        import lamina_flatarray as lf
        lf.backends.backend("foo")
        site = [s for s in __import__("lamina_flatarray.discovery").discovery.offers()["foo"]]
        print(json.dumps([len(site), sorted([site[0].version, *site[0].shadowed])]))
    """)
    assert found == [1, ["1.1", "1.2"]]


def test_damaged_metadata_hides_nothing_else(site: Any) -> None:
    site.good("foo")
    info = site.folder / "ruined-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_bytes(b"[lamina.backends]\n\xff\xfe = ]\n")
    assert asked(site, "foo")[0] == "none"


@pytest.mark.parametrize(
    ("declared", "advice"),
    [
        (f"v{PROTOCOL[0] + 1}_0", "pip install 'lamina-foo<1.2'"),
        (f"v{PROTOCOL[0]}_{PROTOCOL[1] + 1}", "pip install 'lamina-foo<1.2'"),
        (f"v{PROTOCOL[0] - 1}_9", "pip install --upgrade lamina-foo"),
    ],
)
def test_another_protocol_is_refused_before_any_import(site: Any, declared: str, advice: str) -> None:
    site.add("foo", "import os\nos._exit(9)\n", declared=declared)
    kind, message, _, state = asked(site, "foo")
    assert (kind, state) == ("ProtocolMismatch", "refused")
    assert advice in message
    assert "backend 'foo' (lamina-foo 1.2) speaks protocol" in message


def test_another_protocol_on_the_object_is_refused(site: Any) -> None:
    source = site.sound("foo").replace("host = True", "protocol = (9, 0)")
    site.add("foo", source, declared="")
    kind, message, _, state = asked(site, "foo")
    assert (kind, state) == ("ProtocolMismatch", "refused")
    assert "9.0" in message


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("def lamina_backend():", "def lamina_backend(device):", "does not fit the hook specification"),
        ("def lamina_backend():", "def lamina_bakend():", "does not fit the hook specification"),
        ("@hookimpl", "", "implements no hook"),
        ("return Toy()", "return None", "a NoneType came"),
        ("return Toy()", "return object()", "a object came"),
        ('name = "foo"', 'name = "oof"', "wants its entry point's name"),
        ('device_type = "foo"', 'device_type = "cpu"', "its metadata says 'foo'"),
        ('extends = "numpy"', 'extends = "foo"', "extends itself"),
        ("host = True", "protocol = '1.0'", "wants two integers"),
    ],
)
def test_a_breach_of_the_contract_is_refused(site: Any, before: str, after: str, why: str) -> None:
    source = site.sound("foo")
    assert before in source
    site.add("foo", source.replace(before, after))
    kind, message, _, state = asked(site, "foo")
    assert (kind, state) == ("BackendRefused", "refused")
    assert why in message
    assert "lamina-foo 1.2" in message


def test_an_illegible_declaration_is_refused(site: Any) -> None:
    site.add("foo", site.sound("foo"), declared="one_point_zero")
    kind, message, _, state = asked(site, "foo")
    assert (kind, state) == ("BackendRefused", "refused")
    assert "'v1_0'" in message


def test_one_name_of_two_distributions(site: Any) -> None:
    site.good("foo", distribution="lamina-foo")
    site.good("foo", distribution="evil-foo", version="6.6", module="evil")
    site.good("bar")
    kind, message, _, state = asked(site, "foo")
    assert (kind, state) == ("BackendFailedToLoad", "duplicate")
    assert "evil-foo 6.6 and lamina-foo 1.2" in message
    assert "pip uninstall" in message
    assert asked(site, "bar")[0] == "none"


def test_the_builtin_name_cannot_be_taken(site: Any) -> None:
    site.good("numpy", "cpu", 99, distribution="evil-numpy")
    found = site.run("""
        import json, sys
        import lamina_flatarray as lf
        made = lf.FlatArray.empty(1).backend
        states = [(s.distribution, s.state) for s in lf.backends.status() if s.name == "numpy"]
        print(json.dumps([type(made).__name__, "plugin_numpy" in sys.modules, states]))
    """)
    assert found == ["NumpyBackend", False, [["built in", "available"], ["evil-numpy", "duplicate"]]]


@pytest.mark.parametrize("answer", ["return 'no driver'", "raise OSError('no driver')"])
def test_no_hardware_is_an_error_of_its_own(site: Any, answer: str) -> None:
    source = site.sound("foo")
    site.add("foo", source.replace("    def kernel", f"    def unavailable(self):\n        {answer}\n\n    def kernel"))
    kind, message, _, state = asked(site, "foo")
    assert (kind, state) == ("NoHardware", "no hardware")
    assert "no driver" in message
    assert "(lamina-foo 1.2) loaded, but cannot run here" in message
    declared = site.run("""
        import json
        import lamina_flatarray as lf
        print(json.dumps(lf.backends.capabilities("foo")["extends"]))
    """)
    assert declared == "numpy"  # readable without the device


def test_what_a_failing_plugin_registered_is_taken_back(site: Any) -> None:
    source = site.sound("side")
    site.add("foo", f"{source}\nimport lamina_flatarray\nlamina_flatarray.backends.register(Toy())\nraise OSError\n")
    found = site.run("""
        import json
        import lamina_flatarray as lf
        try: lf.backends.backend("foo")
        except lf.BackendFailedToLoad: pass
        print(json.dumps(lf.backends.names()))
    """)
    assert found == ["numpy", "foo"]


def test_a_plugin_may_make_arrays_while_it_is_loaded(site: Any) -> None:
    source = "import lamina_flatarray\nx = lamina_flatarray.FlatArray.full(1, 1.0)\n"
    site.add("fast", source + site.sound("fast", "cpu", 5), declared="v1_0:cpu")
    found = site.run("""
        import json, sys
        import lamina_flatarray as lf
        first = lf.FlatArray.full(1, 1.0).backend.name
        print(json.dumps([first, sys.modules["plugin_fast"].x.backend.name]))
    """)
    assert found == ["fast", "numpy"]


def test_a_plugin_that_asks_for_itself_is_told(site: Any) -> None:
    site.add("foo", "import lamina_flatarray\nlamina_flatarray.backends.backend('foo')\n")
    kind, message, _, _ = asked(site, "foo")
    assert kind == "BackendFailedToLoad"
    assert "its own import asks for it" in message


def test_unknown_names_are_answered_with_what_is_there(site: Any) -> None:
    site.good("foobar")
    kind, message, _, state = asked(site, "fobar")
    assert (kind, state) == ("UnknownBackend", "absent")
    assert "did you mean 'foobar'" in message
    assert "numpy, foobar" in message
    assert "pip install lamina-backend-cuda" in asked(site, "cuda")[1]


def test_the_environment_limits_discovery(site: Any) -> None:
    for name in ("aa", "bb", "cc"):
        site.good(name)
    program = "import json, lamina_flatarray as lf; print(json.dumps(lf.backends.names()))"
    assert site.run(program, LAMINA_BACKENDS="none") == ["numpy"]
    assert site.run(program, LAMINA_BACKENDS="aa,bb") == ["numpy", "aa", "bb"]
    assert "cc" not in site.run(program, LAMINA_BACKENDS="-cc,-cpp")
    kind, message, _, state = asked(site, "cc", LAMINA_BACKENDS="-cc,-cpp")
    assert (kind, state) == ("UnknownBackend", "switched off")
    assert "LAMINA_BACKENDS=-cc,-cpp" in message


def test_the_doctor_reports_everything_even_where_all_is_broken(site: Any) -> None:
    site.add("aa", "raise OSError('libaa.so')\n")
    site.add("bb", "import sys\nsys.exit(1)\n")
    site.add("cc", "", declared="v9_0")
    site.good("dd", distribution="one")
    site.good("dd", distribution="two", module="other")
    doctor = [sys.executable, "-m", "lamina_flatarray"]
    done = site.process(doctor)
    assert done.returncode == 0, done.stderr
    for expected in (
        "numpy: available", "aa: failed", "libaa.so", "Traceback", "bb: failed", "cc: refused",
        "pip install 'lamina-cc<1.2'", "dd: duplicate", "cpu is served by numpy", "NumPy ", "lamina-aa 1.2",
        "to do without it: LAMINA_BACKENDS=-aa, or pip uninstall lamina-aa", "LAMINA_BACKENDS=-cpp,-cuda",
        "wrong with aa, bb, cc, dd: see above",
    ):  # fmt: skip
        assert expected in done.stdout, done.stdout
    assert "direct cause" not in done.stdout  # the cause itself is shown, and not what was made of it
    assert site.process([*doctor, "--strict"]).returncode == 1
    assert site.process([*doctor, "--nonsense"]).returncode == 2


def test_the_doctor_says_that_nothing_is_wrong(site: Any) -> None:
    site.good("foo")
    done = site.process([sys.executable, "-m", "lamina_flatarray", "--strict"])
    assert done.returncode == 0 and "foo: available" in done.stdout
    assert done.stdout.splitlines()[-1] == "nothing is wrong"


def test_loading_changes_nothing_else(site: Any) -> None:
    site.good("foo")
    same = site.run("""
        import json, os, random, signal, warnings
        import numpy as np
        import lamina_flatarray as lf
        def state():
            public = {n: id(getattr(lf, n)) for n in lf.__all__}
            filters = list(map(str, warnings.filters))
            return [public, filters, dict(os.environ), random.getstate()[1][:5],
                    np.random.get_state()[1][:5].tolist(), str(signal.getsignal(signal.SIGINT))]
        lf.backends.names()
        before = state(); lf.backends.backend("foo"); after = state()
        print(json.dumps([a == b for a, b in zip(before, after)]))
    """)
    assert same == [True] * 6


# -- in this process ----------------------------------------------------------------------------------


class Tiny(Backend):
    name = "tiny"
    device_type = "tiny"
    host = True

    def capabilities(self) -> dict[str, tuple[str, ...]]:
        return {"add": ("float32",)}

    def kernel(self, op: str) -> Any:
        return lambda out, *inputs: None

    def allocate(self, nbytes: int, index: int) -> Any:
        return bytearray(nbytes)


def test_register_and_unregister() -> None:
    made = backends.register(Tiny())
    try:
        assert backends.backend("tiny") is made
        assert backends.kernels("tiny:0", float32).backend is made
        assert "tiny" in backends.names()
        with pytest.raises(BackendError, match="wants another name"):
            backends.register(Tiny())
    finally:
        backends.unregister("tiny")
    with pytest.raises(UnknownBackend):
        backends.kernels("tiny:0", float32)
    with pytest.raises(UnknownBackend):
        backends.unregister("tiny")
    with pytest.raises(UnknownBackend):
        backends.unregister("numpy")


def test_register_checks_the_contract() -> None:
    with pytest.raises(BackendRefused):
        backends.register(object())  # type: ignore[arg-type]
    newer = Tiny()
    newer.protocol = (PROTOCOL[0] + 1, 0)
    with pytest.raises(ProtocolMismatch):
        backends.register(newer)
    named = Tiny()
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


def test_use_backend_wants_one_for_the_cpu(remote: Backend) -> None:
    with pytest.raises(BackendError, match="serves 'far'"):
        backends.use_backend("remote")
    with pytest.raises(BackendError, match="serves 'far'"):
        backends.set_default_backend("remote")
    with pytest.raises(UnknownBackend):
        backends.use_backend("nobody")


class Quick(Tiny):
    name = "quick"
    device_type = "cpu"
    priority = -5


@pytest.fixture
def quick(unchosen: None) -> Any:
    yield backends.register(Quick())
    backends.set_default_backend(None)
    backends.unregister("quick")


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
    import contextvars

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
    import json

    quick.extends = "numpy"
    found = backends.capabilities("quick")
    assert json.loads(json.dumps(found)) == found
    assert found["ops"]["add"]["float32"] == "native"
    assert found["ops"]["add"]["float64"] == "inherited from numpy"
    assert "bool" not in found["ops"]["subtract"]  # not defined there, by the op's dtype rule
    quick.extends = None
    assert backends.capabilities("quick")["ops"]["matmul"]["float32"] == "missing"


def test_many_threads_get_one_backend(site: Any) -> None:
    slow = "import time\ntime.sleep(0.3)\n" + site.sound("foo")
    site.add("foo", slow)
    found = site.run("""
        import json
        from concurrent.futures import ThreadPoolExecutor
        import lamina_flatarray as lf
        with ThreadPoolExecutor(8) as pool:
            made = set(map(id, pool.map(lambda _: lf.backends.kernels("foo", lf.float32), range(32))))
        print(json.dumps(len(made)))
    """)
    assert found == 1
