"""Programs that differ are made short and can be run; bisection names the op that is wrong, and no other."""

import subprocess
import sys
import threading

import pytest

import lamina_tensor as lt
from lamina_flatarray import dtypes
from lamina_flatarray.backends import registry
from lamina_flatarray.instruments import count_ops
from lamina_testkit import bisect
from lamina_testkit.__main__ import main
from lamina_testkit.bisecting import on_backend
from lamina_testkit.broken import FAULTS
from lamina_testkit.closeness import Mismatch
from lamina_testkit.programs import Program, compare, shortest, written
from lamina_testkit.toy import ToyBackend


@pytest.fixture
def broken(request):
    backend = FAULTS[request.param].make()
    registry.register(backend)
    yield backend
    registry.unregister(backend.name)


@pytest.fixture
def toy():
    yield registry.register(ToyBackend())
    registry.unregister("toy")


def layers(device):
    x = lt.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], device=device, requires_grad=True)
    y = (lt.tanh(x @ x.transpose(0, 1)) * 2).exp()
    y.sum().backward()
    return {"x": x, "y": y}


def test_a_program_is_the_same_each_time():
    assert written(3) == written(3) != written(4)
    kinds = {line.partition("(")[0].rpartition(".")[2] for seed in range(40) for line in written(seed).lines}
    assert len(kinds) > 30
    assert sum("backward" in written(seed).lines[-1] for seed in range(40)) > 20


@pytest.mark.parametrize("seed", range(100, 130))
def test_right_backends_agree(seed, toy):
    compare(written(seed), backend=toy)


@pytest.mark.parametrize("broken", ["forgets_the_square"], indirect=True)
def test_bisection_names_the_op_of_the_backward_pass(broken):
    with pytest.raises(Mismatch, match=r"x\.grad"):
        compare(layers, backend=broken)
    finding = bisect(layers, backend=broken.name)
    assert finding.op == "tanh_gradient" and finding.difference > 0.01
    text = str(finding)
    assert "float32[2, 2], strides [2, 1], offset 0, on cpu" in text and "expected" in text and "observed" in text


@pytest.mark.parametrize("broken", ["declares_what_it_cannot_do"], indirect=True)
def test_bisection_names_the_op_that_raised(broken):
    finding = bisect(lambda device: lt.ones(3, dtype=dtypes.int8, device=device) + 1, backend=broken)
    assert finding.op == "add" and isinstance(finding.error, TypeError) and "raised TypeError" in str(finding)


def test_bisection_finds_nothing_where_nothing_is_wrong(toy):
    with count_ops() as counts:
        assert bisect(layers, backend=toy) is None
    assert counts["matmul"] >= 2  # it looked at kernels, and others still do


@pytest.mark.parametrize("broken", ["forgets_the_square"], indirect=True)
def test_other_threads_are_not_looked_at(broken):
    def elsewhere(device):
        worker = threading.Thread(target=lambda: on_backend(layers, broken))
        worker.start()
        worker.join()

    assert bisect(elsewhere, backend=broken) is None


def test_an_error_of_the_program_itself_comes_through(toy):
    with pytest.raises(ZeroDivisionError):
        bisect(lambda device: 1 / 0, backend=toy)


@pytest.mark.parametrize("broken", ["takes_operands_for_apart"], indirect=True)
def test_a_program_is_made_short(broken):
    def differs(program):
        try:
            compare(program, backend=broken)
        except Mismatch:
            return True
        except Exception:
            return False
        return False

    long = next(program for program in map(written, range(100)) if differs(program))
    short = shortest(long, differs)
    assert len(short.lines) < len(long.lines) and differs(short)
    assert bisect(short, backend=broken).op == "matmul"
    assert not any(differs(Program(short.lines[:i] + short.lines[i + 1 :])) for i in range(len(short.lines)))


def test_a_script_runs_by_itself_and_is_bisected(tmp_path, capsys):
    script = tmp_path / "program.py"
    script.write_text(Program(("v0 = lt.ones(3, device=device, dtype=dtypes.float32)", "v1 = v0.exp()")).script("numpy"))
    assert subprocess.run([sys.executable, str(script)], capture_output=True, text=True).stdout == "None\n"
    assert main(["bisect", str(script), "--backend", "numpy"]) == 0
    assert main(["bisect", str(script), "--backend", "nobody"]) == 2
    assert "nobody offers" in capsys.readouterr().err


@pytest.mark.parametrize("broken", ["drops_the_tail"], indirect=True)
def test_a_plain_script_is_bisected(broken, tmp_path, capsys):
    script = tmp_path / "plain.py"
    script.write_text("import lamina_tensor as lt\nprint((lt.ones(3) * 5 - lt.ones(3)).tolist())\n")
    assert main(["bisect", str(script), "--backend", broken.name]) == 1
    assert "subtract, kernel call" in capsys.readouterr().out
