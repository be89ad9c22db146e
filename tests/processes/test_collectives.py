"""Every collective of two processes beside PyTorch's over gloo: the same items, the same objects, the same families of errors."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from lamina_flatarray import process_groups

PROGRAM = str(Path(__file__).parent / "collectives.py")
LIMIT = 200


def _of_lamina(folder):
    command = [*process_groups.transport("mpi").command(2), sys.executable, PROGRAM, "lamina", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _of_pytorch(folder):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", PROGRAM, "torch", str(folder)],
            env={**os.environ, "RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)},
        )
        for rank in range(2)
    ]
    assert [process.wait(LIMIT) for process in processes] == [0, 0]


def test_collectives(tmp_path):
    _of_lamina(tmp_path)
    _of_pytorch(tmp_path)
    compared = 0
    for rank in range(2):
        ours, theirs = (json.loads((tmp_path / f"{library}-{rank}.json").read_text()) for library in ("lamina", "torch"))
        assert list(ours) == list(theirs)
        for name, expected in theirs.items():
            found = ours[name]
            if expected and isinstance(expected, list) and all(isinstance(kind, str) for kind in expected):
                assert set(expected) <= set(found), (rank, name, found, expected)
            else:
                assert found == expected, (rank, name)
            compared += 1
    assert compared > 1000
