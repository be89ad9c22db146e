"""The orders in which processes pass micro-batches through several stages each, beside PyTorch's."""

import pytest
import torch
from torch.distributed import pipelining
from torch.testing._internal.distributed.fake_pg import FakeStore

import lamina
from lamina_flatarray.process_groups.single import SingleCommunicator

KINDS = {"F": "forward", "B": "backward"}


@pytest.fixture
def grouped():
    """Groups of both libraries: PyTorch's pretends to have several processes."""

    def begun(processes):
        torch.distributed.init_process_group("fake", rank=0, world_size=processes, store=FakeStore())

    lamina.distributed.init_process_group(world_size=1, rank=0, store=object())
    yield begun
    for t in (torch, lamina):
        if t.distributed.is_initialized():
            t.distributed.destroy_process_group()


def _stages(t, rank, processes, each, group):
    identity, total, make = t.nn.Identity(), processes * each, t.distributed.pipelining.PipelineStage
    return [make(identity, i, total, t.device("cpu"), group=group) for i in range(rank, total, processes)]


def _ours(name, rank, processes, each, count):
    communicator = SingleCommunicator()
    communicator.rank, communicator.size = rank, processes
    group = lamina.distributed.ProcessGroup("gloo", communicator, range(processes))
    schedule = getattr(lamina.distributed.pipelining, name)(_stages(lamina, rank, processes, each, group), count)
    return [tuple(one) for one in schedule._passes]


@pytest.mark.parametrize("processes", [1, 2, 4])
@pytest.mark.parametrize("name", ["ScheduleInterleaved1F1B", "ScheduleLoopedBFS"])
def test_orders_are_those_of_pytorch(name, processes, grouped):
    """PyTorch's ScheduleLoopedBFS goes back through the last micro-batch first; ours adds up gradients in one order in all schedules."""
    grouped(processes)
    compared = refused = 0
    for each in (1, 2, 3):
        stages = _stages(torch, 0, processes, each, None)
        for count in range(1, 13):
            try:
                theirs = getattr(pipelining, name)(stages, count)
            except ValueError:
                with pytest.raises(ValueError):
                    _ours(name, 0, processes, each, count)
                refused += 1
                continue
            for rank in range(processes):
                found = _ours(name, rank, processes, each, count)
                if name == "ScheduleLoopedBFS":
                    found = [(kind, stage, count - 1 - chunk if kind == "backward" else chunk) for kind, stage, chunk in found]
                passes = [action for action in theirs.pipeline_order[rank] if action is not None]
                expected = [(KINDS[action.computation_type.value], action.stage_index, action.microbatch_index) for action in passes]
                assert found == expected, (each, count, rank)
                compared += 1
    assert compared + refused * processes == 36 * processes and (refused > 0) == (name == "ScheduleInterleaved1F1B" and processes > 1)
