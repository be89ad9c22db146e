"""One process of a job: `python -m lamina.launching.rank program.py arguments`, as `lamina launch` starts it."""

import atexit
import io
import os
import runpy
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from lamina_flatarray import BackendError, process_groups
from lamina_flatarray.process_groups import Place

from .job import FOLDER, LAUNCHER

__all__: list[str] = []

_WATCH: Final = 'while kill -0 "$2"; do kill -0 "$1" && [ -d "$3" ] || kill -KILL "$2"; sleep 0.5; done'
"""Ends this process when what started the job, or the folder of this attempt, is gone: nobody else would. A thread could not, as a call
that starts MPI holds Python's lock, and never returns where another process is killed meanwhile."""


def main() -> None:
    """Note who this is, set PyTorch's variables, run the program, and note how it ended."""
    words = sys.argv[1:]
    folder = Path(os.environ[FOLDER])
    place = _place()
    os.environ.update({
        "RANK": str(place.rank), "WORLD_SIZE": str(place.size), "LOCAL_RANK": str(place.local_rank),
    })  # fmt: skip
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29500")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(line_buffering=True, write_through=False)  # each line gets the rank in front
    status = [1]
    if folder.is_dir():  # else this is another machine, where what connects the processes watches
        _write(folder / f"rank-{place.rank}", os.getpid())
        atexit.register(lambda: _write(folder / f"ended-{place.rank}", status[0]))  # the first to be registered is called last
        watch = f"({_WATCH}) < /dev/null > /dev/null 2>&1 &"
        subprocess.run(["/bin/sh", "-c", watch, "sh", os.environ[LAUNCHER], str(os.getpid()), str(folder)], check=True)
    try:
        if words[0] == "-m":
            sys.argv = words[1:]
            sys.path[0] = os.getcwd()
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = words
            sys.path[0] = str(Path(words[0]).resolve().parent)
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as ending:
        status[0] = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
        raise
    status[0] = 0


def _place() -> Place:
    for name in reversed(process_groups.names()):  # the last is "single", which knows of one process
        with suppress(BackendError):  # what cannot run here has not started this process
            place = process_groups.transport(name).place()
            if place is not None:
                return place
    return Place(0, 1, 0)


def _write(path: Path, number: int) -> None:
    part = path.with_name(f".{path.name}")
    part.write_text(str(number))
    part.replace(path)


if __name__ == "__main__":
    main()
