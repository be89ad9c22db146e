"""Plug-ins that end, hang, print, lie or change what all share: nobody is touched unasked, the doctor names each, others serve."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

ENDING = {
    "exits": "import os\nos._exit(0)",
    "exits_with_status": "import os\nos._exit(7)",
    "aborts": "import os\nos.abort()",
    "kills_itself": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
    "reads_nothing": "import ctypes\nctypes.string_at(0)",
    "hangs": "import time\ntime.sleep(1000)",
    "deadlocks": "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
    "fails_at_the_end": "import atexit, os\natexit.register(os._exit, 5)",
    "keeps_a_thread": "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()",
}
"""What ends a process that loads it, or keeps it for ever: cannot be survived where it is loaded."""

RAISING = {
    "raises": "raise RuntimeError('no driver')",
    "raises_exit": "raise SystemExit",
    "calls_exit": "import sys\nsys.exit(3)",
    "lacks_a_library": "import no_such_library",
    "is_no_python": "def broken(:",
    "raises_memory_error": "raise MemoryError",
    "recurses": "def f(): f()\nf()",
    "raises_a_group": "raise ExceptionGroup('several', [OSError('a'), ValueError('b')])",
    "raises_without_text": "class Silent(Exception):\n    def __str__(self): raise TypeError('no text')\nraise Silent",
}

CHANGING = {
    "prints": ("print('hello there')", "hello there"),
    "writes_to_the_terminal": ("import os\nos.write(1, b'raw bytes')", "raw bytes"),
    "ignores_warnings": ("import warnings\nwarnings.simplefilter('ignore')", "filters of warnings"),
    "handles_signals": ("import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)", "handlers of signals"),
    "changes_the_locale": ("import locale\nlocale.setlocale(locale.LC_ALL, 'C.UTF-8')", "the locale"),
    "changes_the_path": ("import sys\nsys.path.insert(0, '/nowhere')", "sys.path"),
    "seeds_random": ("import random\nrandom.seed(0)", "the state of random"),
    "seeds_numpy": ("import numpy\nnumpy.random.seed(0)", "the state of numpy.random"),
    "makes_numpy_raise": ("import numpy\nnumpy.seterr(all='raise')", "how NumPy treats errors"),
    "replaces_stdout": ("import sys, io\nsys.stdout = io.StringIO()", "sys.stdout"),
    "sets_variables": ("import os\nos.environ['OMP_NUM_THREADS'] = '99'", "the environment"),
    "moves": ("import os\nos.chdir('/')", "the working directory"),
    "adds_built_ins": ("import builtins\nbuiltins.torch = None", "the built-in names"),
    "changes_the_default_dtype": ("import lamina_flatarray as lf\nlf.set_default_dtype(lf.float64)", "the default dtype"),
}
"""What it does while it is loaded, and a part of what the doctor says of it."""

LYING = {
    "another_protocol": ("host = True", "protocol = (9, 0)"),
    "another_name": ('name = "NAME"', 'name = "other"'),
    "no_text_for_a_name": ('name = "NAME"', "name = 3"),
    "the_class": ("return Toy()", "return Toy"),
    "a_number": ("return Toy()", "return 42"),
    "nothing": ("return Toy()", "return None"),
    "a_list": ("return Toy()", "return [Toy()]"),
    "another_hook": ("def lamina_backend():", "def lamina_bakend():"),
    "an_argument_more": ("def lamina_backend():", "def lamina_backend(device):"),
    "an_abstract_class": ("def allocate", "def alocate"),
    "a_generator": ("return Toy()", "yield Toy()"),
    "unavailable_exits": ("def kernel", "def unavailable(self):\n        raise SystemExit\n\n    def kernel"),
    "no_mapping": ("return {}", "return 7"),
    "no_dtypes": ("return {}", "return {'add': 7}"),
}
"""A line of a sound plug-in, and what stands in its place."""

KERNELS = {
    "raising": ("raise ValueError('bad kernel')", "ValueError"),
    "exiting": ("raise SystemExit(3)", "BackendError"),
    "with_other_arguments": ("", "TypeError"),
}


@pytest.fixture
def crowded(site: Any) -> Any:
    """A folder with all of them, two of one name, and a sound one."""
    for name, source in {**ENDING, **RAISING, **{name: source for name, (source, _) in CHANGING.items()}}.items():
        site.add(name, source + "\n" + site.sound(name))
    for name, (before, after) in LYING.items():
        source, line = site.sound(name), before.replace("NAME", name)
        assert line in source
        site.add(name, source.replace(line, after))
    site.good("twice", distribution="one")
    site.good("twice", distribution="two", module="other")
    site.good("sound")
    return site


def test_nobody_is_touched_who_is_not_asked_for(crowded: Any) -> None:
    """Importing, computing and telling load no plug-in, though some would end the process."""
    states, numbers, sound = crowded.run("""
        import json, sys
        import lamina_flatarray as lf
        x = lf.FlatArray.from_items([1.0, 2.0])
        lf.backends.names()
        states = {s.name: s.state for s in lf.backends.status()}
        y = lf.FlatArray.full(2, 3.0, device="sound")
        assert [m for m in sys.modules if m.startswith("plugin_")] == ["plugin_sound"]
        print(json.dumps([states, x.tolist(), y.tolist()]))
    """)
    assert (numbers, sound) == ([1.0, 2.0], [3.0, 3.0])
    assert {states[name] for name in (*ENDING, *RAISING, *CHANGING, *LYING)} == {"not loaded"}
    assert states["twice"] == "duplicate"


def test_asking_for_one_that_raises_or_lies_leaves_the_others_alone(crowded: Any) -> None:
    names = [*RAISING, *LYING, "twice"]
    outcomes, states, numbers = crowded.run(f"""
        import json
        import lamina_flatarray as lf
        outcomes = {{}}
        for name in {names!r}:
            try: lf.backends.kernels(name, lf.float32)["add"]
            except lf.BackendError as error: outcomes[name] = str(error)
            except Exception as error: outcomes[name] = "raw " + repr(error)
        states = {{s.name: s.state for s in lf.backends.status()}}
        print(json.dumps([outcomes, states, lf.FlatArray.full(2, 3.0, device="sound").tolist()]))
    """)
    assert numbers == [3.0, 3.0]
    assert outcomes.keys() == set(names)
    for name, message in outcomes.items():
        assert name in message and not message.startswith("raw"), (name, message)
    assert {states[name] for name in names} == {"failed", "refused", "no hardware", "duplicate"}


def test_the_doctor_survives_all_and_names_each(crowded: Any) -> None:
    """Of those that raise or lie, most are asked for before: the doctor tells of them, but starts no child, which costs most."""
    raising, lying = list(RAISING), list(LYING)
    program = f"""
from contextlib import suppress
from lamina_flatarray import BackendError, backends
from lamina_flatarray.backends.doctor import examine
for name in {[*raising[3:], *lying[3:]]!r}:
    with suppress(BackendError):
        backends.backend(name)
examine(traces=False, limit=8.0)
"""
    done = crowded.process([sys.executable, "-c", program], LC_ALL="C")
    assert done.returncode == 0, done.stderr
    *parts, last = done.stdout.split("\n\n")
    own = {part.partition(":")[0]: part for part in parts}
    assert own["sound"].startswith("sound: available") and "changes" not in own["sound"]
    for name in ENDING:
        assert own[name].startswith(f"{name}: failed") and f"LAMINA_BACKENDS=-{name}" in own[name]
    for name, told in {
        "exits": "with status 0", "exits_with_status": "with status 7", "aborts": "with signal 6", "kills_itself": "with signal 9",
        "hangs": "does not come to an end within 8 seconds", "fails_at_the_end": "ends with status 5",
    }.items():  # fmt: skip
        assert told in own[name], own[name]
    for name, (_, told) in CHANGING.items():
        assert "loading it changes" in own[name] and told in own[name], own[name]
    assert own["unavailable_exits"].startswith("unavailable_exits: no hardware")
    wrong = last.splitlines()[-1].removeprefix("wrong with ").removesuffix(": see above").split(", ")
    assert set(wrong) == {*ENDING, *RAISING, *CHANGING, *LYING, "twice"} - {"unavailable_exits"}


def test_a_kernel_that_fails_is_named_with_its_backend(site: Any) -> None:
    """Whether it is a function, a method or an object; all in one process, as starting one costs most."""
    for name, (body, _) in KERNELS.items():
        parameters = "" if name == "with_other_arguments" else "out, *inputs, **params"
        of_self = f"self, {parameters}" if parameters else "self"
        for kind, kernel in {
            "function": f"def kernel({parameters}):\n    {body or 'pass'}",
            "method": f"class Of:\n    def run({of_self}):\n        {body or 'pass'}\nkernel = Of().run",
            "object": f"class Of:\n    def __call__({of_self}):\n        {body or 'pass'}\nkernel = Of()",
        }.items():
            source = site.sound(f"{name}_{kind}").replace("return {}", 'return {"add": ("float32",)}')
            site.add(f"{name}_{kind}", f"{kernel}\n{source.replace('raise AssertionError(op)', 'return kernel')}")
    backends = [f"{name}_{kind}" for name in KERNELS for kind in ("function", "method", "object")]
    outcomes = site.run(f"""
        import json, traceback
        import lamina_flatarray as lf
        outcomes = {{}}
        for name in {backends!r}:
            x = lf.FlatArray.full(2, 1.0, device=name)
            operand = lf.Strided(x, lf.Row(2))
            try: x.kernels["add"](operand, operand, operand)
            except BaseException as error: outcomes[name] = [type(error).__name__, "".join(traceback.format_exception(error))]
        print(json.dumps(outcomes))
    """)
    assert list(outcomes) == backends
    for name, (kind_of_error, text) in outcomes.items():
        assert kind_of_error == KERNELS[name.rpartition("_")[0]][1], name
        assert f"backend {name!r}" in text and "add" in text, text


def test_what_a_kernel_returns_is_left_alone(site: Any) -> None:
    source = site.sound("foo").replace("return {}", 'return {"add": ("float32",)}').replace("raise AssertionError(op)", "return kernel")
    site.add("foo", "def kernel(out, a, b):\n    out.flat.memory[:] = a.flat.memory\n    return object()\n" + source)
    program = """
        import json
        import lamina_flatarray as lf
        x, y = lf.FlatArray.full(2, 1.0, device="foo"), lf.FlatArray.full(2, 0.0, device="foo")
        lf.backends.kernels("foo", lf.float32)["add"](lf.Strided(y, lf.Row(2)), lf.Strided(x, lf.Row(2)), lf.Strided(x, lf.Row(2)))
        print(json.dumps(y.tolist()))
    """
    assert json.loads(json.dumps(site.run(program))) == [1.0, 1.0]
