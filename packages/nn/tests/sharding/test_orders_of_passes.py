"""The orders of all processes together, played with a pass forward of 1 and one back of 2: none waits for ever, and waits and what is
kept are what the schedules promise."""

from itertools import product

import pytest

import lamina_nn as nn
from lamina_flatarray.process_groups.single import SingleCommunicator
from lamina_nn.process_groups import ProcessGroup
from lamina_nn.sharding.pipelining.schedules import (
    Schedule1F1B,
    ScheduleGPipe,
    ScheduleInterleaved1F1B,
    ScheduleLoopedBFS,
)
from lamina_nn.sharding.pipelining.stage import PipelineStage

FORWARD, BACK = 1, 2


def order(schedule, rank, processes, each, count):
    """The passes of one process of several."""
    communicator = SingleCommunicator()
    communicator.rank, communicator.size = rank, processes
    group, total = ProcessGroup("gloo", communicator, range(processes)), processes * each
    stages = [PipelineStage(nn.Identity(), i, total, "cpu", group=group) for i in range(rank, total, processes)]
    return schedule(stages[0] if schedule in (ScheduleGPipe, Schedule1F1B) else stages, count)._passes


def orders(schedule, processes, each, count):
    return [order(schedule, rank, processes, each, count) for rank in range(processes)]


def played(every, total):
    """When all is done, and how many micro-batches each process keeps at most."""
    ends, clocks, kept, most = {}, [0] * len(every), [0] * len(every), [0] * len(every)
    left = [list(passes) for passes in every]
    while any(left):
        moved = False
        for rank, passes in enumerate(left):
            while passes:
                kind, stage, chunk = passes[0]
                if kind == "forward":
                    wanted = [("forward", stage - 1, chunk)] if stage else []
                else:
                    wanted = [("forward", stage, chunk)] + ([("backward", stage + 1, chunk)] if stage < total - 1 else [])
                if not all(each in ends for each in wanted):
                    break
                clocks[rank] = max([clocks[rank], *(ends[each] for each in wanted)]) + (FORWARD if kind == "forward" else BACK)
                ends[passes.pop(0)] = clocks[rank]
                kept[rank] += 1 if kind == "forward" else -1
                most[rank], moved = max(most[rank], kept[rank]), True
        assert moved, f"all wait: {left}"
    assert len(ends) == sum(map(len, every))  # no pass twice
    return max(clocks), most


def promised(schedule, rank, processes, each, count):
    if schedule is Schedule1F1B:
        return min(count, processes - rank)
    if schedule is ScheduleInterleaved1F1B:
        in_a_round = count // max(1, count // processes)
        return min(count * each, (each - 1) * in_a_round + 2 * (processes - 1 - rank) + 1)
    return count * each


@pytest.mark.parametrize("schedule", [ScheduleGPipe, Schedule1F1B, ScheduleInterleaved1F1B, ScheduleLoopedBFS])
def test_waits_and_what_is_kept(schedule):
    tried = 0
    for processes, each, count in product((1, 2, 3, 4), (1, 2, 3), range(1, 13)):
        several = schedule in (ScheduleInterleaved1F1B, ScheduleLoopedBFS)
        refused = schedule is ScheduleInterleaved1F1B and count % max(1, count // processes)
        if refused or (each > 1 and not several):
            continue
        every = orders(schedule, processes, each, count)
        for rank, passes in enumerate(every):
            of_all = product(("forward", "backward"), range(rank, processes * each, processes), range(count))
            assert sorted(passes) == sorted(of_all)
            for stage in range(rank, processes * each, processes):  # sums of gradients are the same with every schedule
                assert [p.chunk for p in passes if p.kind == "backward" and p.stage == stage] == [*range(count)]
        time, most = played(every, processes * each)
        assert most == [promised(schedule, rank, processes, each, count) for rank in range(processes)]
        if count % processes == 0:
            computing = (FORWARD + BACK) * count * each
            assert (time - computing) * count * each == (processes - 1) * computing  # a part of (p - 1) / (m v)
        tried += 1
    assert tried >= 48


@pytest.mark.parametrize(("processes", "each", "count", "expected"), [
    (1, 2, 2, ["F0.0 F1.0 B1.0 F0.1 B0.0 F1.1 B1.1 B0.1"]),
    (2, 2, 2, ["F0.0 F0.1 F2.0 F2.1 B2.0 B2.1 B0.0 B0.1", "F1.0 F1.1 F3.0 B3.0 F3.1 B3.1 B1.0 B1.1"]),
    (2, 2, 4, ["F0.0 F0.1 F2.0 F2.1 F0.2 B2.0 F0.3 B2.1 F2.2 B0.0 F2.3 B0.1 B2.2 B2.3 B0.2 B0.3",
               "F1.0 F1.1 F3.0 B3.0 F3.1 B3.1 F1.2 B1.0 F1.3 B1.1 F3.2 B3.2 F3.3 B3.3 B1.2 B1.3"]),
])  # fmt: skip
def test_the_order_of_interleaved_1f1b(processes, each, count, expected):
    told = [" ".join(f"{kind[0].upper()}{stage}.{chunk}" for kind, stage, chunk in passes)
            for passes in orders(ScheduleInterleaved1F1B, processes, each, count)]  # fmt: skip
    assert told == expected


@pytest.mark.parametrize(("stages", "count", "expected"), [
    (1, 3, ["F0 B0 F1 B1 F2 B2"]),
    (2, 3, ["F0 F1 B0 F2 B1 B2", "F0 B0 F1 B1 F2 B2"]),
    (4, 5, ["F0 F1 F2 F3 B0 F4 B1 B2 B3 B4", "F0 F1 F2 B0 F3 B1 F4 B2 B3 B4", "F0 F1 B0 F2 B1 F3 B2 F4 B3 B4",
            "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4"]),
    (4, 2, ["F0 F1 B0 B1", "F0 F1 B0 B1", "F0 F1 B0 B1", "F0 B0 F1 B1"]),
])  # fmt: skip
def test_the_order_of_1f1b(stages, count, expected):
    every = orders(Schedule1F1B, stages, 1, count)
    assert [" ".join(f"{p.kind[0].upper()}{p.chunk}" for p in passes) for passes in every] == expected


def test_stages_in_other_places_are_refused():
    communicator = SingleCommunicator()
    communicator.rank, communicator.size = 1, 2
    group = ProcessGroup("gloo", communicator, (0, 1))
    one, three = (PipelineStage(nn.Identity(), i, 4, "cpu", group=group) for i in (1, 3))
    for told, make in (
        ("stage 2 of 4 is in process 0 of a group of 2; this is process 1", lambda: PipelineStage(one.submod, 2, 4, "cpu", group=group)),
        ("3 stages in a group of 2 processes", lambda: PipelineStage(one.submod, 1, 3, "cpu", group=group)),
        ("1F1B: of 4 stages, process 1 of 2 has 1, 3, and is given 1 of 4", lambda: ScheduleInterleaved1F1B([one], 4)),
        ("has 1, 3, and is given 1 of 4, 3 of 4, 3 of 4", lambda: ScheduleLoopedBFS([one, three, three], 4)),
        ("an empty list of stages", lambda: ScheduleLoopedBFS([], 4)),
        ("5 micro-batches do not go up in 2 rounds of 2 or more", lambda: ScheduleInterleaved1F1B([one, three], 5)),
        ("n_microbatches is 65536 at most with 4 stages, not 65537", lambda: ScheduleLoopedBFS([one, three], 65537)),
        ("Schedule1F1B: one stage in each process wanted; there are 4 stages in a group of 2", lambda: Schedule1F1B(one, 4)),
    ):
        with pytest.raises(ValueError, match=told):
            make()
    assert ScheduleInterleaved1F1B([three, one], 4)._passes == order(ScheduleInterleaved1F1B, 1, 2, 2, 4)
