"""Plug-ins of every kind of brokenness, each in an interpreter of its own: isolated, named, and told what to do."""

from __future__ import annotations

from typing import Any

import pytest

from lamina_flatarray import PROTOCOL


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
    kind, message, trace, state = site.asked("foo")
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
    kind, message, _, state = site.asked("foo")
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


def test_a_hanging_plugin_delays_only_who_asks_for_it(site: Any) -> None:
    site.add("foo", "import __main__\n__main__.hangs.set()\n__main__.goes_on.wait(50)\n" + site.sound("foo"))
    site.good("bar")
    waiting, state = site.run("""
        import json, threading
        import lamina_flatarray as lf
        hangs, goes_on = threading.Event(), threading.Event()
        asker = threading.Thread(target=lf.backends.backend, args=("foo",)); asker.start()
        hangs.wait(50)
        lf.FlatArray.full(2, 1.0); lf.FlatArray.full(2, 1.0, device="bar"); lf.backends.status()
        waiting = asker.is_alive()
        goes_on.set()
        asker.join()
        print(json.dumps([waiting, next(s.state for s in lf.backends.status() if s.name == "foo")]))
    """)
    assert waiting and state == "available"


def test_stale_metadata_is_named(site: Any) -> None:
    site.add("foo", None)
    kind, message, _, state = site.asked("foo")
    assert (kind, state) == ("BackendFailedToLoad", "failed")
    assert "its metadata is stale: pip install --force-reinstall lamina-foo" in message


def test_metadata_of_two_versions_is_reported(site: Any) -> None:
    site.good("foo", version="1.2")
    site.add("foo", None, version="1.1")
    found = site.run("""
        import json
        import lamina_flatarray as lf
        lf.backends.backend("foo")
        from lamina_flatarray.backends.loading import BACKENDS
        from lamina_flatarray.plugin_points import discovery
        site = [s for s in discovery.offers(BACKENDS)["foo"]]
        print(json.dumps([len(site), sorted([site[0].version, *site[0].shadowed])]))
    """)
    assert found == [1, ["1.1", "1.2"]]


def test_damaged_metadata_hides_nothing_else(site: Any) -> None:
    site.good("foo")
    info = site.folder / "ruined-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_bytes(b"[lamina.backends]\n\xff\xfe = ]\n")
    assert site.asked("foo")[0] == "none"


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
    kind, message, _, state = site.asked("foo")
    assert (kind, state) == ("ProtocolMismatch", "refused")
    assert advice in message
    assert "backend 'foo' (lamina-foo 1.2) speaks protocol" in message


def test_another_protocol_on_the_object_is_refused(site: Any) -> None:
    source = site.sound("foo").replace("host = True", "protocol = (9, 0)")
    site.add("foo", source, declared="")
    kind, message, _, state = site.asked("foo")
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
    kind, message, _, state = site.asked("foo")
    assert (kind, state) == ("BackendRefused", "refused")
    assert why in message
    assert "lamina-foo 1.2" in message


def test_an_illegible_declaration_is_refused(site: Any) -> None:
    site.add("foo", site.sound("foo"), declared="one_point_zero")
    kind, message, _, state = site.asked("foo")
    assert (kind, state) == ("BackendRefused", "refused")
    assert "'v1_0'" in message


def test_one_name_of_two_distributions(site: Any) -> None:
    site.good("foo", distribution="lamina-foo")
    site.good("foo", distribution="evil-foo", version="6.6", module="evil")
    site.good("bar")
    kind, message, _, state = site.asked("foo")
    assert (kind, state) == ("BackendFailedToLoad", "duplicate")
    assert "evil-foo 6.6 and lamina-foo 1.2" in message
    assert "pip uninstall" in message
    assert site.asked("bar")[0] == "none"


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
    kind, message, _, state = site.asked("foo")
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
    assert found == ["numpy", "meta", "foo"]


def test_a_plugin_that_asks_for_itself_is_told(site: Any) -> None:
    site.add("foo", "import lamina_flatarray\nlamina_flatarray.backends.backend('foo')\n")
    kind, message, _, _ = site.asked("foo")
    assert kind == "BackendFailedToLoad"
    assert "its own import asks for it" in message
