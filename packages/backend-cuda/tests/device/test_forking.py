"""A process that was forked from one that uses CUDA: it is told so, and lets go of what it has without touching the device."""

import gc
import os

import numpy as np
import pytest
from against_reference import placed
from standin import HostPort

from lamina_backend_cuda import CudaBackend
from lamina_flatarray import DeviceError
from lamina_testkit.placement import read

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")


def test_a_forked_child_is_refused_and_the_parent_goes_on():
    cuda = CudaBackend(HostPort())
    kept, out = placed(cuda, np.arange(4, dtype=np.float32)), placed(cuda, np.zeros(4, np.float32))
    child = os.fork()
    if not child:
        told, launched, add = [], len(cuda.port.launches), cuda.kernel("add")
        for use in (lambda: add(out, kept, kept), lambda: read(kept), lambda: cuda.allocate(8, 0), lambda: cuda.synchronize(0)):
            try:
                use()
            except DeviceError as error:
                told.append("forked" in str(error))
        del kept, out, use
        gc.collect()
        os._exit(0 if told == [True] * 4 and len(cuda.port.launches) == launched else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    cuda.kernel("add")(out, kept, kept)
    assert read(out).tolist() == [0, 2, 4, 6]


def test_a_child_of_a_process_that_has_not_used_the_device_may():
    cuda = CudaBackend(HostPort())
    child = os.fork()
    if not child:
        out = placed(cuda, np.zeros(4, np.float32))
        cuda.kernel("fill")(out, 3.0)
        os._exit(0 if read(out).tolist() == [3.0] * 4 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
