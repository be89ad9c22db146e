"""All hostile files, read in one process that notes each import, call of a system's command, compilation and file for writing.

Its memory is limited, too, whatever asks for it: a reader that took more would raise MemoryError.
"""

import json
import os
import pickle
import sys
import traceback

import pytest
from hostile_files.catalogue import BOMBS, REFUSED, content
from hostile_files.valid_files import KINDS

from lamina_flatarray import CheckpointError

resource = pytest.importorskip("resource", reason="limits of POSIX")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a child is forked, and /proc says how much memory it has")

MORE_MEMORY = 400 << 20
WATCHED = (
    "compile", "exec", "import", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.remove", "os.rename", "os.putenv", "subprocess.",
    "pickle.", "marshal.", "ctypes.", "socket.", "shutil.", "code.", "sys.set", "builtins.input",
)  # fmt: skip
OF_IMPORTS = ("import", "marshal.", "compile", "exec")  # what is imported when it is first wanted: in the first of two rounds
ONLY_PARSED = "<unknown>"  # as `ast.literal_eval` calls the header of a .npy file, which it does not run


def watch(seen):
    """Note what is done from now on, for as long as the process lives."""

    def note(event, arguments):
        if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
            seen.append(f"open {arguments[0]} {arguments[1]}")
        elif event.startswith(WATCHED) and not (event == "compile" and arguments[1] == ONLY_PARSED):
            seen.append(f"{event} {str(arguments[0])[:100]}")

    sys.addaudithook(note)


def read_all(folder):
    """What was seen while each file was read, and which other error than a CheckpointError came."""
    with open("/proc/self/statm") as file:
        limit = int(file.read().split()[0]) * resource.getpagesize() + MORE_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    seen, result = [], {}
    watch(seen)
    files = list(enumerate([*REFUSED, *BOMBS]))
    for round_, number, (kind, name) in [(1, *file) for file in files] + [(2, *file) for file in files]:
        error = None
        try:
            KINDS[kind].read(folder / f"{number}{KINDS[kind].ending}")
        except CheckpointError:
            pass
        except BaseException as other:
            error = repr(other)[:500]
        told = [event for event in seen if round_ == 2 or not event.startswith(OF_IMPORTS)]
        if told or error:
            result[f"{kind}: {name}"] = [*told, error]
        seen.clear()
    return result


def test_nothing_is_executed(tmp_path):
    (tmp_path / "index.json").write_bytes(KINDS["index"].content)
    KINDS["index"].read(tmp_path / "index.json")  # which puts the file beside it that it names
    files = [*((kind, content(file)) for (kind, _), (file, _) in REFUSED.items()), *((kind, file) for (kind, _), file in BOMBS.items())]
    for number, (kind, file) in enumerate(files):
        (tmp_path / f"{number}{KINDS[kind].ending}").write_bytes(file)
    assert in_a_child(lambda: read_all(tmp_path), tmp_path) == {}


def in_a_child(function, folder):
    """What a function returns in a child, from which nobody can take the watch off again."""
    child = os.fork()
    if not child:
        code = 1
        try:
            (folder / "result").write_text(json.dumps(function()))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    return json.loads((folder / "result").read_text())


def executed():
    """What is seen of a pickle and of an expression."""
    seen = []
    watch(seen)
    pickle.loads(b"cos\ngetpid\n)R.")
    eval("1")
    return [line.split()[0] for line in seen]


def test_the_watch_sees_what_is_executed(tmp_path):
    assert in_a_child(executed, tmp_path) == ["pickle.find_class", "compile", "exec"]
