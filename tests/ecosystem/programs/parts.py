"""What a program tells of itself: arrays by the name of what was tried and of the part, or the error that ended it, in one file."""

import sys
import traceback
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch

TOLD = {}
LIBRARIES = []

OPS_OF_TORCHVISION = [
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
]


def declare_ops_of_torchvision():
    """Where torchvision's compiled ops cannot be loaded, it asks for two of them all the same when it is imported.

    Its wheel is compiled for PyTorch's CUDA wheel. With the one for CPUs it loads no ops, and with lamina it does not, either.
    """
    found = find_spec("torchvision")
    if found is None or "lamina" in torch.nn.Linear.__module__:
        return
    try:
        torch.ops.load_library(Path(found.origin).with_name("_C.so"))
    except OSError:
        library = torch.library.Library("torchvision", "DEF")
        for schema in OPS_OF_TORCHVISION:
            library.define(schema)
        LIBRARIES.append(library)  # its ops go with it


declare_ops_of_torchvision()


def tell(tried, part, value):
    """Keep an array, or a tensor, for the comparison."""
    array = value.detach().cpu().numpy() if hasattr(value, "detach") else np.asarray(value)
    TOLD[f"{tried}|{part}"] = array.astype(np.float64) if array.dtype.kind == "f" else array


def each(trials):
    """Run those trials that the command line names after the file to write, or all; one that fails does not end the others."""
    _, file, *names = sys.argv
    for name in names or trials:
        try:
            trials[name](name)
        except Exception as error:
            while error.__cause__ is not None:
                error = error.__cause__
            place = traceback.extract_tb(error.__traceback__)[-1]
            text = f"{type(error).__name__}: {error}".splitlines()[0]
            TOLD[f"{name}|error"] = np.array(f"{text} ({place.filename.rpartition('site-packages/')[2].rpartition('/')[2]}:{place.lineno})")
        np.savez(file, **TOLD)
