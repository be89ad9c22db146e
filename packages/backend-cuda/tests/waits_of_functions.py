"""Which public functions wait for the device, and where: run by hand, with PyTorch installed, as it takes its op database for samples.

    python packages/backend-cuda/tests/waits_of_functions.py [NAME ...]

Each function is called forward and backward on a device that computes nothing, and ended where the host would wait. What it prints is
what the package's README says of functions that wait; `test_waits_and_launches.py` holds the ops below them.
"""

import sys
import traceback
from itertools import islice
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / "tests" / "oracle")]

from counting import CountingPort, Waited
from databases import op_database, op_gradients
from torch.utils._pytree import tree_leaves, tree_map

import lamina
from lamina_backend_cuda import CudaBackend
from lamina_flatarray import LaminaError
from lamina_flatarray.backends import registry

SAMPLES = 4


def on_device(value):
    value = op_database.to_lamina(value)
    return value.to("cuda") if isinstance(value, lamina.Tensor) else value


def tensors(tree):
    return [x for x in tree_leaves(tree) if isinstance(x, lamina.Tensor) and x.dtype.is_floating_point]


def where(error):
    """The innermost lines of lamina above the backend."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/packages/" in f.filename and "backend-cuda" not in f.filename]
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames[-6:]))


def waits(port, info):
    """Where an entry of the database waits, in its first samples."""
    dtype = "float32" if op_database.serves(info, "float32") else "int64"
    found = set()
    for sample in islice(op_database.samples(info, dtype), SAMPLES) if op_database.serves(info, dtype) else ():
        args, kwargs = tree_map(on_device, (sample.input, *sample.args)), tree_map(on_device, dict(sample.kwargs))
        if info.supports_autograd:
            for x in tensors(args):
                x.requires_grad_()
        try:
            with port.refusing():
                results = [x for x in tensors(op_database.counterpart(info)(*args, **kwargs)) if x.requires_grad]
                if results:
                    lamina.autograd.backward(results, [lamina.ones_like(x) for x in results])
        except Waited as error:
            found.add(where(error))
        except (LaminaError, ValueError, TypeError):
            continue  # refused, as factorizations are
    return found


def main(names):
    port = CountingPort()
    registry.register(CudaBackend(port))
    for name, info in op_gradients.entries().items():
        if not names or info.name in names:
            for place in sorted(waits(port, info)):
                print(f"{name}: {place}")


if __name__ == "__main__":
    main(sys.argv[1:])
