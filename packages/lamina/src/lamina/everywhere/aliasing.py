"""as_torch: the alias put in force, and taken back."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Final

from lamina_tensor import Tensor

from .finding import Alias, is_aliased

__all__ = ["as_torch"]

_STARTUP: Final = str(Path(__file__).with_name("startup"))
"""The folder whose `sitecustomize` does the same in each Python that this process starts."""

_OWN_NAME: Final = Tensor.__module__

_in_force: list[as_torch] = []


class as_torch:
    r"""Let `import torch` mean lamina anywhere in this process, in installed packages too, and in processes that it starts.

    It holds from the call on. As a context manager it is undone at the end; otherwise `undo` does it. What has been imported by
    then keeps what it has. `torch.__version__` and `importlib.metadata.version("torch")` answer the version of PyTorch whose
    names are served, and the class of tensors says that it is `torch.Tensor`. A child process is told by `PYTHONPATH`: it has to
    be given this process's environment, and runs the same Python.

    Raises:
        RuntimeError: a real PyTorch is loaded already; modules that imported it would go on using it.

    >>> import subprocess, sys
    >>> program = "import lamina; lamina.as_torch(); from torch.nn.modules.linear import Linear; print(Linear is lamina.nn.Linear)"
    >>> subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout
    'True\n'
    """

    def __init__(self) -> None:
        loaded = sys.modules.get("torch")
        if not _in_force and loaded is not None:
            version, file = getattr(loaded, "__version__", "of no version"), getattr(loaded, "__file__", None)
            raise RuntimeError(
                f"lamina.as_torch: PyTorch {version} is loaded already ({file}), and what imported it would go on using it; "
                "call lamina.as_torch() before anything imports torch"
            )
        _in_force.append(self)
        if len(_in_force) == 1:
            _begin()

    def undo(self) -> None:
        r"""Let `import torch` mean what it did before; more than once is the same as once.

        >>> import subprocess, sys
        >>> program = "import lamina, sys; a = lamina.as_torch(); import torch; a.undo(); print('torch' in sys.modules)"
        >>> subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout
        'False\n'
        """
        if self in _in_force:
            _in_force.remove(self)
            if not _in_force:
                _end()

    def __enter__(self) -> as_torch:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.undo()


_before: dict[str, ModuleType | None] = {}


def _begin() -> None:
    for name in [name for name in sys.modules if is_aliased(name)]:  # entries of None, which forbid the import
        _before[name] = sys.modules.pop(name)
    sys.meta_path.insert(0, Alias())
    Tensor.__module__ = "torch"  # packages that do not import torch, as wandb, know a tensor by its class's name
    os.environ["PYTHONPATH"] = os.pathsep.join([_STARTUP, *_others()])


def _end() -> None:
    Tensor.__module__ = _OWN_NAME
    for finder in [finder for finder in sys.meta_path if isinstance(finder, Alias)]:
        sys.meta_path.remove(finder)
    for name in [name for name in sys.modules if is_aliased(name)]:
        del sys.modules[name]
    entries: dict[str, Any] = sys.modules  # a None in it forbids an import
    entries.update(_before)
    _before.clear()
    if others := _others():
        os.environ["PYTHONPATH"] = os.pathsep.join(others)
    else:
        os.environ.pop("PYTHONPATH", None)


def _others() -> list[str]:
    """The entries of PYTHONPATH that are not ours."""
    return [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry and entry != _STARTUP]
