"""The whole process's `torch`: what is found under its names, what is told of it, who inherits it, and that it can be undone."""

import importlib
import importlib.metadata
import importlib.util
import os
import subprocess
import sys

import pytest

import lamina
from lamina.everywhere import as_torch, run
from lamina.programs.pytorch_names import served_version

PROGRAM = """
import importlib.metadata, multiprocessing, subprocess, sys
import package_on_torch, torch, torch.nn.modules.module

def told(queue):
    queue.put((package_on_torch.linear.__module__, torch.__name__, sys.argv[1:]))

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=told, args=(queue,))
    process.start()
    print(queue.get())
    process.join()
    code = "import sys, torch.nn; print(torch.__version__, 'sitecustomize' in sys.modules, sys.modules['torch.nn'].__name__)"
    print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout, end="")
    print(importlib.metadata.version("torch"), torch.nn.Module is package_on_torch.Module)
    none = "import sys; print('lamina' in sys.modules, 'numpy' in sys.modules)"
    print(subprocess.run([sys.executable, "-c", none], capture_output=True, text=True).stdout, end="")
"""


@pytest.fixture
def aliased():
    held = {name: sys.modules.pop(name) for name in list(sys.modules) if name == "torch" or name.startswith("torch.")}
    with as_torch() as alias:
        yield alias
    sys.modules.update(held)


def test_modules_are_those_of_lamina(aliased):
    import torch
    import torch.nn.modules.module
    from torch.nn import functional
    from torch.utils.data import DataLoader

    assert torch is sys.modules["torch"] and torch.__name__ == "torch" and torch.nn is sys.modules["torch.nn"] is lamina.nn
    assert torch.nn.modules.module is lamina.nn.modules.module
    assert functional.relu is lamina.nn.functional.relu and DataLoader is lamina.utils.data.DataLoader
    assert torch.ones is lamina.ones and vars(torch)["ones"] is lamina.ones  # looked up once
    assert lamina.nn.__spec__.name == lamina.nn.__name__ == "lamina.nn"  # as they were
    assert dir(torch) == dir(lamina)
    assert torch.gguf is lamina.gguf and "torch.gguf" not in sys.modules  # which PyTorch does not have
    names = {}
    exec("from torch import *", names)
    assert names["arange"] is lamina.arange


def test_the_version_is_that_whose_names_are_served(aliased):
    import torch
    import torch.version as version

    assert torch.version is version and version.cuda is None
    assert torch.__version__ == version.__version__ == importlib.metadata.version("torch") == served_version()
    assert importlib.metadata.distribution("torch").metadata["Name"] == "torch"
    assert "torch" in importlib.metadata.packages_distributions()["torch"]
    assert importlib.metadata.version("numpy")
    assert lamina.__version__ == importlib.metadata.version("lamina") != torch.__version__


def test_what_is_not_there_is_told_truly(aliased):
    import torch

    assert importlib.util.find_spec("torch.optim") is not None
    for name, reason in {
        "torch.package": "PyTorch has this module, lamina not yet", "torch.nonsense": "PyTorch has no such module, nor has lamina",
        "torch.command_line": "PyTorch has no such module", "torch.programs": "PyTorch has no such module",  # ours, but not PyTorch's
        "torch.gguf": "PyTorch has no such module; lamina's own is lamina.gguf$",
    }.items():  # fmt: skip
        with pytest.raises(ModuleNotFoundError, match=rf"^No module named '{name}': {reason}") as caught:
            importlib.import_module(name)
        assert caught.value.name == name
    with pytest.raises(AttributeError, match=r"^torch\.linera: "):
        _ = torch.linera


@pytest.mark.parametrize("name", ["autograd.gradcheck", "autograd.variable", "nn.parallel.data_parallel", "nn.utils.weight_norm"])
def test_a_function_is_not_covered_by_the_module_of_its_name(aliased, name):
    package, _, function = name.rpartition(".")
    before = getattr(importlib.import_module(f"torch.{package}"), function)
    assert importlib.import_module(f"torch.{name}").__name__ == f"lamina.{name}"
    exec(f"import torch.{name}")
    exec(f"from torch.{name} import *")
    assert getattr(importlib.import_module(f"lamina.{package}"), function) is before and callable(before)


def test_another_object_of_the_same_name_is_no_re_export(aliased):
    from torch.nn.modules.lazy import LazyModuleMixin

    assert LazyModuleMixin is lamina.nn.modules.LazyModuleMixin
    for place, name in [("nn.quantized", "Conv2d"), ("nn.qat", "Linear"), ("cuda.nccl", "is_available")]:
        with pytest.raises(ImportError):
            exec(f"from torch.{place} import {name}")


def torch_modules():
    return {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "torch"}


def test_undone_it_leaves_nothing(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    monkeypatch.setitem(sys.modules, "torch", None)  # as where its import is forbidden
    before = sys.meta_path[:], dict(os.environ), torch_modules()  # of PyTorch's own, where another test has imported it
    alias = lamina.as_torch()
    with lamina.as_torch():
        import torch.nn

        assert torch.nn is lamina.nn
    import torch.optim  # the first holds on

    assert torch.optim is lamina.optim
    alias.undo()
    alias.undo()
    assert (sys.meta_path, dict(os.environ), torch_modules()) == before
    with pytest.raises(ImportError):
        importlib.import_module("torch")


def test_where_pytorch_is_loaded_it_is_refused(monkeypatch):
    real = type(sys)("torch")
    real.__version__, real.__file__ = "2.99", "there/torch/__init__.py"
    monkeypatch.setitem(sys.modules, "torch", real)
    before = sys.meta_path[:], dict(os.environ)
    with pytest.raises(RuntimeError, match=r"^lamina\.as_torch: PyTorch 2\.99 is loaded already \(there/torch/__init__.py\)"):
        lamina.as_torch()
    assert (sys.meta_path, dict(os.environ)) == before and sys.modules["torch"] is real


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    installed = tmp_path / "site-packages"
    installed.mkdir()
    (installed / "package_on_torch.py").write_text("from torch.nn import Module\nfrom torch.nn.functional import linear\n")
    (installed / "sitecustomize.py").write_text("import os; os.environ['FOUND'] = '1'")
    return tmp_path


def _told(folder, *arguments):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder / "site-packages"), *sys.path])}
    done = subprocess.run([sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_processes_that_are_started_inherit_it(folder):
    code = "from lamina.everywhere import run; run('program.py', ['--x', '1'])"
    linear = lamina.nn.functional.linear.__module__
    assert _told(folder, "-c", code) == (
        f"({linear!r}, 'torch', ['--x', '1'])\n{served_version()} True lamina.nn\n{served_version()} True\nFalse False\n"
    )
    shadowed = "import os, lamina; lamina.as_torch(); os.environ.pop('FOUND'); import subprocess, sys; "
    shadowed += "subprocess.run([sys.executable, '-c', 'import os; print(os.environ.get(\"FOUND\"))'])"
    assert _told(folder, "-c", shadowed) == "1\n"  # one that would have been run without us still is


def test_the_command(folder):
    (folder / "says.py").write_text("import sys, package_on_torch\nprint(sys.argv, package_on_torch.linear.__name__)")
    assert _told(folder, "-m", "lamina", "run", "--everywhere", "says.py", "--lr") == "['says.py', '--lr'] linear\n"
    assert _told(folder, "-m", "lamina", "--everywhere", "says.py", "-m") == "['says.py', '-m'] linear\n"
    assert _told(folder, "-m", "lamina", "--everywhere", "-m", "says", "1").endswith("says.py', '1'] linear\n")


def test_what_was_there_before_a_program_is_there_after(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    before = sys.argv, sys.path[:], sys.meta_path[:], sys.modules["__main__"], dict(os.environ)
    (folder / "fails.py").write_text("import torch\nraise ValueError(torch.__name__)")
    with pytest.raises(ValueError, match=r"^torch$"):
        run(folder / "fails.py")
    assert before == (sys.argv, sys.path, sys.meta_path, sys.modules["__main__"], dict(os.environ))
