"""A profiler sees every kernel, region and module of its block, nothing outside of it, and leaves nothing behind."""

import gzip
import json
import subprocess
import sys
import threading

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray.backends import kernel_table as table
from lamina_flatarray.instruments import count_ops
from lamina_flatarray.multiply_adds import count_multiply_adds
from lamina_nn.module import Module
from lamina_nn.optim import hooks
from lamina_nn.profiling import (
    ProfilerAction,
    ProfilerActivity,
    profile,
    record_function,
    schedule,
    tensorboard_trace_handler,
    whole_profile,
)
from lamina_nn.profiling.regions import watchers


@pytest.fixture(autouse=True)
def nothing_left():
    lt.ones(2) + 1
    call = Module.__call__
    allocations = {key: kernels.allocate for key, kernels in table.tables.items()}
    yield
    assert table.wrappers == [] and watchers == [] and Module.__call__ is call
    assert not hooks.BEFORE_STEPS and not hooks.AFTER_STEPS
    assert all(table.tables[key].allocate == allocate for key, allocate in allocations.items())


def step(model=None):
    x = lt.ones(4, 3)
    return (model(x) if model else x * 2 + 1).sum()


def counts(profiler):
    return {row.key: row.count for row in profiler.key_averages()}


def test_every_kernel_is_there_by_pytorchs_names():
    with profile() as profiler, count_ops() as ops:
        step()
    found = counts(profiler)
    assert found["aten::mul"] == found["aten::add"] == found["aten::sum"] == 1
    assert sum(found.values()) == sum(ops.values())
    assert all(event.kind == "op" and event.end >= event.begin for event in profiler.events())


def test_times_add_up():
    with profile() as profiler:
        with record_function("outer"), record_function("inner"):
            step()
        step()
    events = profiler.events()
    outer, inner = (next(e for e in events if e.name == name) for name in ("outer", "inner"))
    assert inner.cpu_parent is outer and outer.cpu_children == [inner] and outer.is_user_annotation
    assert {e.name for e in inner.cpu_children} >= {"aten::mul", "aten::add", "aten::sum"}
    assert outer.cpu_time_total >= inner.cpu_time_total >= sum(e.cpu_time_total for e in inner.cpu_children)
    tops = sum(e.cpu_time_total for e in events if e.cpu_parent is None)
    assert profiler.key_averages().self_cpu_time_total == pytest.approx(tops)
    assert profiler.key_averages().total_average().count == len(events)


def test_a_region_within_one_of_its_name_is_not_counted_twice():
    with profile() as profiler, record_function("again"), record_function("again"):
        step()
    row = next(row for row in profiler.key_averages() if row.key == "again")
    assert row.count == 2
    assert row.cpu_time_total == next(e for e in profiler.events() if e.name == "again").cpu_time_total


def test_shapes_memory_operations_and_stacks():
    model = nn.Linear(3, 5)
    with profile(record_shapes=True, profile_memory=True, with_flops=True, with_stack=True) as profiler:
        model(lt.ones(4, 3))
    linear = next(e for e in profiler.events() if e.name == "aten::linear")
    assert linear.input_shapes == [[4, 3], [5, 3], [5]]
    assert linear.self_cpu_memory_usage == linear.cpu_memory_usage == 4 * 5 * 4
    assert linear.flops == 2 * 4 * 3 * 5
    assert "test_profiling.py" in linear.stack[0] and "test_shapes_memory" in linear.stack[0]
    by_shape = profiler.key_averages(group_by_input_shape=True)
    assert [row.input_shapes for row in by_shape if row.key == "aten::linear"] == [linear.input_shapes]


def test_operations_of_an_op_that_is_composed_of_others_are_counted_once():
    q = lt.ones(1, 2, 3, 4)
    for f in (lambda: nn.functional.scaled_dot_product_attention(q, q, q), lambda: nn.LSTM(4, 2)(q[0])):
        with count_multiply_adds() as counts:
            f()
        with profile(with_flops=True) as profiler:
            f()
        assert profiler.key_averages().total_average().flops == 2 * sum(counts) > 0


def test_memory_of_a_dtype_that_is_new():
    with profile(profile_memory=True) as profiler:
        lt.ones(7, dtype="int16") * 2
    assert next(e for e in profiler.events() if e.name == "aten::mul").self_cpu_memory_usage == 14


def test_modules_by_their_paths_and_steps_of_optimizers():
    model = nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.ReLU()))
    optimizer = nn.optim.Adam(model.parameters())
    with profile(with_modules=True) as profiler:
        step(model).backward()
        optimizer.step()
    found = counts(profiler)
    for name in ("Sequential", "0: Linear", "1: Sequential", "1.0: ReLU"):
        assert found[f"nn.Module: {name}"] == 1
    adam = next(e for e in profiler.events() if e.name == "Optimizer.step#Adam.step")
    assert "aten::_fused_adam_" in [e.name for e in adam.cpu_children]
    relu = next(e for e in profiler.events() if e.name == "aten::relu")
    assert relu.cpu_parent.name == "nn.Module: 1.0: ReLU"


def test_the_table():
    with profile(profile_memory=True, with_flops=True) as profiler, record_function("a region with a name that is long"):
        for _ in range(3):
            lt.ones(4, 3) @ lt.ones(3, 5)
    averages = profiler.key_averages()
    text = averages.table(sort_by="count", row_limit=2, max_name_column_width=20, header="Head")
    lines = text.splitlines()
    assert lines[0] == "Head" and lines[-1].startswith("Self CPU time total: ")
    assert lines[2].lstrip().startswith("Name") and len(lines) == 4 + 2 + 2
    assert "aten::fill_" in lines[4] and " 6" in lines[4] and "aten::matmul" in lines[5] and "0.000" in lines[5]
    assert "a region with a n..." in averages.table(max_name_column_width=20)
    assert all(unit in averages.table(time_unit=unit) for unit in ("us", "ms", "s"))
    for sort_by in ("self_cpu_time_total", "cpu_time", "cuda_time_total", "self_cpu_memory_usage", "flops"):
        averages.table(sort_by=sort_by)
    with pytest.raises(ValueError, match="sort by 'speed'"):
        averages.table(sort_by="speed")
    assert profiler.events().table(top_level_events_only=True).count("aten::") == 0


def test_schedules():
    action = schedule(wait=1, warmup=1, active=2, repeat=2, skip_first=1)
    assert [action(i).name for i in range(12)] == [
        "NONE", "NONE", "WARMUP", "RECORD", "RECORD_AND_SAVE", "NONE", "WARMUP", "RECORD", "RECORD_AND_SAVE", *["NONE"] * 3,
    ]  # fmt: skip
    assert schedule(wait=0, warmup=0, active=1)(100) is ProfilerAction.RECORD_AND_SAVE
    for wrong in ({"wait": -1, "warmup": 0, "active": 1}, {"wait": 0, "warmup": 0, "active": 0}):
        with pytest.raises(ValueError, match="schedule"):
            schedule(**wrong)


@pytest.mark.parametrize("adding", [False, True])
def test_steps(adding):
    ready = []

    def on_trace_ready(profiler):
        found = counts(profiler)
        steps = [e.name for e in profiler.events() if e.name.startswith("ProfilerStep#")]
        assert found["ProfilerStep*"] == len(steps)
        ready.append((profiler.step_num, steps, found["aten::mul"]))

    with profile(schedule=schedule(wait=1, warmup=1, active=2, repeat=2), on_trace_ready=on_trace_ready, acc_events=adding) as p:
        for _ in range(10):
            step()
            p.step()
    first = [f"ProfilerStep#{n}" for n in (2, 3)]
    second = [f"ProfilerStep#{n}" for n in (6, 7)]
    assert ready == [(4, first, 2), (8, [*first, *second] if adding else second, 4 if adding else 2)]


def test_cycles_without_a_break_and_an_end_in_the_middle():
    ready = []
    with profile(schedule=schedule(wait=0, warmup=0, active=2), on_trace_ready=lambda p: ready.append(counts(p)["aten::mul"])) as p:
        for _ in range(3):
            step()
            p.step()
        step()
    assert ready == [2, 2]


def test_asked_too_early():
    with profile() as profiler, pytest.raises(RuntimeError, match="nothing has been recorded"):
        profiler.key_averages()


def test_traces(tmp_path):
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True, with_stack=True) as profiler, record_function("mine"):
        step()
    profiler.add_metadata("name", "a run")
    profiler.add_metadata_json("sizes", "[1, 2]")
    profiler.export_chrome_trace(str(tmp_path / "t.json"))
    trace = json.loads((tmp_path / "t.json").read_text())
    assert trace["name"] == "a run" and trace["sizes"] == [1, 2]
    events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    assert {e["cat"] for e in events} == {"cpu_op", "user_annotation"} and len(events) == len(profiler.events())
    assert min(e["ts"] for e in events) == 0 and all(e["dur"] >= 0 for e in events)
    profiler.export_chrome_trace(str(tmp_path / "t.json.gz"))
    assert json.loads(gzip.decompress((tmp_path / "t.json.gz").read_bytes()))["name"] == "a run"
    profiler.export_stacks(str(tmp_path / "stacks"))
    lines = (tmp_path / "stacks").read_text().splitlines()
    assert lines and all(line.rpartition(" ")[2].isdigit() for line in lines)
    assert any(";aten::mul " in line for line in lines)
    with profile() as plain:
        step()
    with pytest.raises(ValueError, match="with_stack"):
        plain.export_stacks(str(tmp_path / "none"))


@pytest.mark.parametrize("packed", [False, True])
def test_files_for_tensorboard(tmp_path, packed):
    handler = tensorboard_trace_handler(str(tmp_path / "log"), "worker", use_gzip=packed)
    with profile(schedule=schedule(wait=0, warmup=0, active=1, repeat=2), on_trace_ready=handler) as profiler:
        for _ in range(3):
            step()
            profiler.step()
    files = sorted(path.name for path in (tmp_path / "log").iterdir())
    assert len(files) == 2
    assert all(name.startswith("worker.") and name.endswith(".pt.trace.json" + (".gz" if packed else "")) for name in files)


def test_threads_have_their_own_nesting():
    with profile() as profiler, record_function("main"):
        worker = threading.Thread(target=step)
        worker.start()
        worker.join()
    events = profiler.events()
    assert {e.cpu_parent for e in events if e.name == "aten::mul"} == {None}
    assert len({e.thread for e in events}) == 2


def test_an_error_in_the_block():
    with pytest.raises(ZeroDivisionError), profile() as profiler, record_function("failing"):
        step()
        raise ZeroDivisionError
    assert counts(profiler)["failing"] == 1


def test_regions_cost_nothing_where_nobody_looks_and_decorate():
    @record_function("decorated")
    def work(x):
        return x + 1

    assert work(1) == 2
    with profile() as profiler:
        assert work(1) == 2
    assert counts(profiler)["decorated"] == 1


def test_two_at_once():
    with profile() as outer:
        step()
        with profile() as inner:
            step()
    assert counts(outer)["aten::mul"] == 2 and counts(inner)["aten::mul"] == 1


def test_they_end_in_any_order():
    first, second = profile(profile_memory=True), profile(profile_memory=True, with_modules=True)
    first.start()
    second.start()
    step()
    first.stop()
    step()
    second.stop()
    assert (counts(first)["aten::mul"], counts(second)["aten::mul"]) == (1, 2)
    memory = [[e.self_cpu_memory_usage for e in p.events() if e.name == "aten::mul"] for p in (first, second)]
    assert memory == [[48], [48, 48]]


PROGRAM = """
import lamina_nn as nn
from lamina_nn.profiling import profile

model, seen = nn.Sequential(nn.ReLU()), []
plain = nn.Module.__call__
with profile(with_modules=True) as profiler:
    model(nn.Parameter())
    handle = model[0].register_forward_hook(lambda *_: seen.append(1))  # the first one of the process
    model(nn.Parameter())
model(nn.Parameter())
counts = {row.key: row.count for row in profiler.key_averages()}
print(counts["nn.Module: 0: ReLU"], len(seen), nn.Module.__call__ is plain)
"""


def test_a_hook_that_comes_meanwhile_is_called_and_stays():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "2", "True"]


def test_the_older_spelling(tmp_path):
    with whole_profile(record_shapes=True) as profiler:
        step()
    assert {row.key for row in profiler.key_averages()} >= {"aten::mul", "aten::sum"}
    assert profiler.self_cpu_time_total > 0 and profiler.total_average().count == len(profiler.function_events)
    assert "aten::mul" in profiler.table(sort_by="cpu_time_total")
    profiler.export_chrome_trace(str(tmp_path / "t.json"))
    with whole_profile(enabled=False) as off:
        step()
    assert off.function_events is None
    with pytest.raises(RuntimeError, match="nothing has been recorded"):
        off.key_averages()
