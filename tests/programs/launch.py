"""Runs one program, with PyTorch or as `lamina run` would, and writes down each loss that it takes a backward pass from.

    python launch.py torch|lamina SETTINGS script.py [arguments]

SETTINGS is JSON: `seed`, for programs that set none; `dtype`, the default one of new tensors, or null; `steps`, the
backward passes after which the program is stopped, or null; `own`, further folders that hold modules of the program;
`losses`, the file to write.
"""

import json
import random
import runpy
import sys
from importlib import import_module
from pathlib import Path

import numpy as np


class _Enough(BaseException):
    """The wanted number of steps is done; no program catches it."""


def _imports_torchvision() -> None:
    """Let a torchvision that was compiled for another PyTorch be imported, and read data sets with other checksums."""
    import torch

    try:
        import torchvision
    except ImportError:
        return  # a program that needs it will say so
    except RuntimeError:  # two operators, which no program in the list calls, must be known
        for name in [name for name in sys.modules if name.startswith("torchvision")]:
            del sys.modules[name]
        _imports_torchvision.ops = ops = torch.library.Library("torchvision", "DEF")  # what it defines is gone with it
        for op in ("nms", "qnms"):
            ops.define(f"{op}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        import torchvision  # noqa: F401
    import_module("torchvision.datasets.cifar").check_integrity = lambda path, md5=None: Path(path).is_file()


def main() -> None:
    stack, settings, script, *arguments = sys.argv[1:]
    wanted = json.loads(settings)
    torch = import_module(stack)
    if stack == "torch":
        _imports_torchvision()
    losses: list[float] = []
    backward = torch.Tensor.backward

    def recorded(loss, *args, **options):
        losses.append(loss.detach().sum().item())
        backward(loss, *args, **options)
        if len(losses) == wanted["steps"]:
            raise _Enough

    torch.Tensor.backward = recorded
    random.seed(wanted["seed"])
    np.random.seed(wanted["seed"])
    torch.manual_seed(wanted["seed"])
    if wanted["dtype"]:
        torch.set_default_dtype(getattr(torch, wanted["dtype"]))
    try:
        if stack == "lamina":
            import_module("lamina.programs").run(script, arguments, own=wanted["own"])
        else:
            sys.argv = [script, *arguments]
            sys.path[0:0] = [str(Path(script).resolve().parent), *(str(Path(folder).resolve()) for folder in wanted["own"])]
            runpy.run_path(script, run_name="__main__")
    except _Enough:
        pass
    finally:
        Path(wanted["losses"]).write_text(json.dumps(losses))


if __name__ == "__main__":
    del sys.path[0]  # this file's folder: the program does not see what lies here
    main()
