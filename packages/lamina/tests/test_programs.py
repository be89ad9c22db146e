"""PyTorch programs as they are: what `lamina run` makes of torch, and what `lamina report` tells."""

import subprocess
import sys
from pathlib import Path

import pytest

from lamina.programs import report, report_package, run, written

MODEL = """
import torch.nn as nn, torch.nn.functional
from torch import optim

def build():
    return nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))

relu = torch.nn.functional.relu
"""
TRAIN = """
import sys
import torch
from torch.utils.data import DataLoader, TensorDataset
from model import build, optim
from lib.deep import third

torch.manual_seed(0)
model = build()
optimizer = optim.SGD(model.parameters(), lr=float(sys.argv[1]))
x = torch.randn(20, 2)
losses = []
for a, b in DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=5):
    loss = torch.nn.functional.mse_loss(model(a), b)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
if __name__ == "__main__":
    print(torch.__name__, "torch" in sys.modules, third.name, len(losses))
    torch.nn.Lineer
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "__init__.py").write_text("")
    (tmp_path / "lib" / "deep.py").write_text("import site_package as third")
    installed = tmp_path / "venv" / "site-packages"
    installed.mkdir(parents=True)
    (installed / "site_package.py").write_text(
        "try:\n    import torch\n    name = 'true ' + torch.__name__\nexcept ImportError:\n    name = 'no torch'\n"
    )
    return tmp_path


def _run(folder, *arguments):
    code = (
        f"import sys; sys.path.append({str(folder / 'venv' / 'site-packages')!r})\n"
        f"sys.modules['torch'] = None\n"  # as where PyTorch is not installed
        f"from lamina.programs import run; run('train.py', {list(arguments)!r})"
    )
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)


def test_torch_is_lamina_in_the_programs_own_folder_only(folder):
    done = _run(folder, "0.1")
    assert done.stdout == "lamina True no torch 4\n"
    assert "Lineer" in done.stderr
    assert f'File "{folder / "train.py"}", line 21' in done.stderr  # the program's own lines
    assert not list(folder.glob("**/__pycache__/model*"))  # what was compiled is not what others import


def test_what_was_there_before_is_there_after(folder):
    (folder / "ends.py").write_text("import sys, torch\nfound = (sys.argv, __name__, torch.ones(2).sum().item())")
    before = (sys.argv, sys.path[:], sys.meta_path[:], sys.modules["__main__"])
    names = run(folder / "ends.py", ["--x", "1"])
    assert names["found"] == ([str(folder / "ends.py"), "--x", "1"], "__main__", 2.0)
    assert before == (sys.argv, sys.path, sys.meta_path, sys.modules["__main__"])
    (folder / "fails.py").write_text("import torch\nraise ValueError(torch.__name__)")
    with pytest.raises(ValueError, match="lamina"):
        run(folder / "fails.py")
    assert before == (sys.argv, sys.path, sys.meta_path, sys.modules["__main__"])


def test_report(folder):
    uses = {use.name: use for use in report(folder / "train.py")}
    assert uses["torch.nn.functional.mse_loss"].status == "ok"
    assert uses["torch.utils.data.DataLoader"].lines == (4,)
    assert uses["torch.nn.Lineer"].status == "missing"
    assert "21" in next(line for line in written(uses.values()).splitlines() if "Lineer" in line)


def test_a_package_is_read_for_names_methods_keywords_and_devices(tmp_path, monkeypatch):
    package = tmp_path / "read_only_here"
    (package / "deep").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('it is read, not run')")
    (package / "deep" / "asks.py").write_text("""
import torch
from torch.nn import functional as F
def f(x):
    F.softmax(x, dim=1, flavour=2), F.softmax(x, axis=1), torch.nn.Lineer
    return x.to("cuda"), x.sum(), x.sum(), x.as_subclass(f), torch.device("npu:1"), x.to("else")
""")
    monkeypatch.syspath_prepend(tmp_path)
    asked = {entry.name: entry for entry in report_package("read_only_here")}
    missing = [name for name, entry in asked.items() if entry.status == "missing"]
    assert missing == ["torch.nn.Lineer", "torch.nn.functional.softmax(flavour=)"] == list(asked)[:2]
    assert asked["Tensor.sum"][:6] == ("method", "Tensor.sum", "ok", "", 2, "deep/asks.py:6")
    assert asked["torch.nn.functional"].kind == "name" and asked["'cuda'"].kind == "device"
    assert asked["torch.nn.functional.softmax(axis=)"].status == "ok"
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        report_package("no_such_package")


def test_the_command(folder):
    call = [sys.executable, "-c", "from lamina.command_line import app; app()"]
    done = subprocess.run([*call, "report", "train.py"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1
    assert "missing 1" in done.stdout
    (folder / "says.py").write_text("import sys, torch\nprint(sys.argv[1:], torch.tensor([1.5]))")
    done = subprocess.run([*call, "run", "says.py", "--lr", "3", "x"], cwd=folder, capture_output=True, text=True)
    assert done.stdout == "['--lr', '3', 'x'] tensor([1.5000])\n"
    done = subprocess.run([*call, "run", "--own", "lib", "says.py", "--own", "--help"], cwd=folder, capture_output=True, text=True)
    assert done.stdout == "['--own', '--help'] tensor([1.5000])\n"


def test_an_unknown_name_is_told_with_the_nearest():
    import lamina

    with pytest.raises(AttributeError, match=r"torch.zeroes: .*nearest name is 'zeros'"):
        lamina.zeroes
    with pytest.raises(AttributeError, match="PyTorch has it, lamina not yet"):
        lamina.sparse_bsr_tensor
    assert {"ones", "nn", "trapezoid", "no_grad"} <= set(dir(lamina))
    assert Path(lamina.__file__).with_name("programs").joinpath("pytorch_names.toml").exists()


WORKERS = """
import multiprocessing, sys
import torch
from torch.utils.data import DataLoader, Dataset
from beside import value

class Numbers(Dataset):
    def __len__(self):
        return 4
    def __getitem__(self, index):
        return torch.tensor([index + value])

def told(queue):
    queue.put((torch.__name__, value, "torch" in sys.modules))

if __name__ == "__main__":
    print([batch.tolist() for batch in DataLoader(Numbers(), batch_size=2, num_workers=1)])
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=told, args=(queue,))
    process.start()
    print(queue.get())
    process.join()
"""


def test_processes_that_a_program_starts_find_its_folders_and_lamina(tmp_path):
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "workers.py").write_text(WORKERS)
    (tmp_path / "beside.py").write_text("import torch\nvalue = torch.tensor(5).item()")
    code = "from lamina.programs import run; run('examples/workers.py', own=['.'])"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "[[[5], [6]], [[7], [8]]]\n('lamina', 5, False)\n", done.stderr


def test_processes_of_a_program_that_cannot_be_imported_again_are_forked(tmp_path):
    script = WORKERS.replace('if __name__ == "__main__":', "if True:").partition("    context")[0]
    (tmp_path / "workers.py").write_text(script)
    (tmp_path / "beside.py").write_text("value = 5")
    code = "from lamina.programs import run; run('workers.py')"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "[[[5], [6]], [[7], [8]]]\n", done.stderr


def test_what_several_processes_need_can_be_imported_and_no_more(tmp_path):
    (tmp_path / "asks.py").write_text("""
import torch
from torch.nn.parallel import DistributedDataParallel as DDP
try:
    DDP(torch.nn.Linear(1, 1))
except ValueError as error:
    found = str(error)
""")
    assert "process group" in run(tmp_path / "asks.py")["found"]
