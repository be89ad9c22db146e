"""The kit of process groups: the group of one passes, and communicators that do something wrong are caught."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from lamina_flatarray.process_groups import Communicator, Request
from lamina_flatarray.process_groups.single import SingleCommunicator
from lamina_testkit.process_groups.__main__ import main, run


def test_the_group_of_one_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "rank 0 of 1: 11 checks passed on cpu" in capsys.readouterr().out


class Forgetful(SingleCommunicator):
    """Leaves what it gathers as it was."""

    def all_gather(self, into: Any, data: Any) -> Request:
        """Do nothing."""
        return self.barrier()


class Scribbling(SingleCommunicator):
    """Overwrites what it broadcasts."""

    def broadcast(self, data: Any, root: int) -> Request:
        """Write into it."""
        memoryview(data).cast("B")[:1] = b"\xff"[: memoryview(data).nbytes]
        return self.barrier()


class Misnumbered(SingleCommunicator):
    """Has a rank that is not there."""

    rank = 1


class Partless(SingleCommunicator):
    """Leaves out the process itself."""

    def part(self, ranks: Sequence[int]) -> Communicator | None:
        """Make nothing."""
        return None


@pytest.mark.parametrize(("communicator", "check"), [
    (Forgetful(), "ranks_are_numbered"), (Scribbling(), "broadcast_copies_the_root"), (Misnumbered(), "ranks_are_numbered"),
    (Partless(), "parts_are_apart"),
])  # fmt: skip
def test_what_is_wrong_is_caught(communicator: Communicator, check: str) -> None:
    (failure,) = run(communicator)
    assert check in failure
