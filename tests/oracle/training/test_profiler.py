"""Profiles go by PyTorch's names and PyTorch's schedules."""

import itertools

import pytest
import torch

import lamina
from lamina_flatarray.ops import OPS


@pytest.mark.parametrize("op", OPS)
def test_a_kernel_has_the_name_of_one_of_pytorchs_or_says_that_it_is_ours(op):
    namespace, _, name = OPS[op].kernel_name.partition("::")
    assert (namespace == "aten") is hasattr(torch.ops.aten, name), OPS[op].kernel_name
    assert namespace in ("aten", "lamina")


@pytest.mark.parametrize("skip_first_wait", [0, 1])
@pytest.mark.parametrize("skip_first", [0, 2])
@pytest.mark.parametrize("repeat", [0, 1, 2])
def test_schedules(repeat, skip_first, skip_first_wait):
    for wait, warmup, active in itertools.product((0, 1, 3), (1, 2), (1, 2)):
        settings = {"wait": wait, "warmup": warmup, "active": active, "repeat": repeat, "skip_first": skip_first,
                    "skip_first_wait": skip_first_wait}  # fmt: skip
        ours, theirs = lamina.profiler.schedule(**settings), torch.profiler.schedule(**settings)
        assert [ours(i).name for i in range(25)] == [theirs(i).name for i in range(25)], settings


@pytest.mark.parametrize("settings", [{"wait": 1, "warmup": 1, "active": 2}, {"wait": 1, "warmup": 1, "active": 1, "repeat": 1}], ids=str)
def test_traces_are_ready_at_the_same_steps(settings):
    def ready(kit):
        seen = []

        def note(profiler):
            events = profiler.key_averages()
            seen.append((profiler.step_num, sorted(e.key for e in events if e.key.startswith(("Profiler", "mine")))))

        schedule = kit.profiler.schedule(**settings)
        activities = [kit.profiler.ProfilerActivity.CPU]
        with kit.profiler.profile(activities=activities, schedule=schedule, on_trace_ready=note) as profiler:
            for _ in range(9):
                with kit.profiler.record_function("mine"):
                    kit.ones(2) * 2
                profiler.step()
        return seen

    assert ready(lamina) == ready(torch)
