"""How installed plug-ins are found: read once, and loaded when they are first wanted."""

from __future__ import annotations

from typing import Any


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
    names = ["numpy", "meta", "bar", "foo"]
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


def test_unknown_names_are_answered_with_what_is_there(site: Any) -> None:
    site.good("foobar")
    kind, message, _, state = site.asked("fobar")
    assert (kind, state) == ("UnknownBackend", "absent")
    assert "did you mean 'foobar'" in message
    assert "numpy, meta, foobar" in message
    assert "pip install" not in site.asked("cuda")[1]  # there is no such distribution


def test_the_environment_limits_discovery(site: Any) -> None:
    for name in ("aa", "bb", "cc"):
        site.good(name)
    program = "import json, lamina_flatarray as lf; print(json.dumps(lf.backends.names()))"
    assert site.run(program, LAMINA_BACKENDS="none") == ["numpy", "meta"]
    assert site.run(program, LAMINA_BACKENDS="aa,bb") == ["numpy", "meta", "aa", "bb"]
    assert "cc" not in site.run(program, LAMINA_BACKENDS="-cc,-cpp")
    kind, message, _, state = site.asked("cc", LAMINA_BACKENDS="-cc,-cpp")
    assert (kind, state) == ("UnknownBackend", "switched off")
    assert "LAMINA_BACKENDS=-cc,-cpp" in message


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
