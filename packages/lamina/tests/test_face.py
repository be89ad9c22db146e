"""PyTorch's names over the stack."""

import subprocess
import sys
from types import ModuleType

import pytest

import lamina as torch
import lamina.nn.functional as F
from lamina import nn

PROGRAM = """
x = torch.tensor([2], requires_grad=True, dtype=torch.float); y = torch.tensor([3], requires_grad=True, dtype=torch.float)
for k in range(2):
    z = (x*y)
    z.backward()
    print('x_grad =', x.grad)
    x.data = x.data-0.1*x.grad
    x.grad.data.zero_()
    print('x =', x); print('z =', z)
"""


def test_the_program_prints_what_pytorch_prints(capsys):
    exec(PROGRAM, {"torch": torch})
    assert capsys.readouterr().out == (
        "x_grad = tensor([3.])\nx = tensor([1.7000], requires_grad=True)\nz = tensor([6.], grad_fn=<MulBackward0>)\n"
        "x_grad = tensor([3.])\nx = tensor([1.4000], requires_grad=True)\n"
        "z = tensor([5.1000], grad_fn=<MulBackward0>)\n"
    )


def test_a_network_trains_by_pytorchs_names():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    x = torch.randn(200, 2)
    y = (x[:, 0] * x[:, 1] > 0).long()
    for _ in range(150):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert (model(x).argmax(dim=1) == y).float().mean().item() > 0.95


def test_spellings():
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert torch.mul(x, 2).tolist() == x.multiply(2).tolist() == [[2, 4], [6, 8]]
    assert torch.eq(x, 1.0).tolist() == [[True, False], [False, False]]
    assert torch.cat([x, x], dim=1).shape == (2, 4)
    assert x.max(dim=0).values.tolist() == [3, 4]
    assert torch.device("cpu") == x.device
    assert x.dtype == torch.float32 == torch.float


SLIM = """
import sys
import lamina
heavy = {"scipy", "sympy", "requests", "multiprocessing", "rich", "typer", "pluggy", "lamina_backend_cpp", "lamina_nn"}
print(sorted(heavy & set(sys.modules)))
"""


def test_every_name_that_dir_lists_is_there():
    waiting, seen = [torch], set()
    while waiting:
        module = waiting.pop()
        seen.add(module.__name__)
        values = [getattr(module, name) for name in dir(module) if not name.startswith("_")]
        waiting += [v for v in values if isinstance(v, ModuleType) and v.__name__.startswith("lamina.") and v.__name__ not in seen]
    assert {"lamina.nn.functional", "lamina.multiprocessing", "lamina.utils.data"} <= seen


def test_importing_loads_nothing_heavy_and_no_plug_in():
    done = subprocess.run([sys.executable, "-c", SLIM], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_doctor():
    done = subprocess.run(
        [sys.executable, "-c", "from lamina.command_line import app; app()", "doctor"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "numpy: available" in done.stdout


def test_the_random_state_is_taken_up_again():
    torch.manual_seed(3)
    assert torch.initial_seed() == 3
    state = torch.get_rng_state()
    first = torch.rand(4)
    with torch.random.fork_rng():
        torch.rand(100)
    second = torch.rand(4)
    torch.set_rng_state(state)
    assert torch.rand(4).tolist() == first.tolist()
    assert torch.rand(4).tolist() == second.tolist()
    with pytest.raises(RuntimeError, match="uint8"):
        torch.set_rng_state(torch.zeros(3))
    assert torch.seed() != torch.seed()
