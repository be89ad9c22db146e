"""Somebody else's kernel for one op: a class derived from the backend's serves it, and inherits memory and all others."""

import pytest
from lamina_backend_opencl import OpenCLBackend
from lamina_backend_opencl.layouts import declaration, packed, start

from lamina_flatarray import FlatArray, Row, Strided, backends

SOURCE = f"""{declaration("Layout", 2)}
__kernel void relu(const Layout l, __global float *out, const long out_start, __global const float *x, const long x_start) {{
    const long item = get_global_id(0);
    if (item >= l.size) return;
    long at[2] = {{out_start, x_start}};
    Layout_places(&l, item, at);
    out[at[0]] = x[at[1]] < 0 ? 0 : x[at[1]];
}}"""


class WithRelu(OpenCLBackend):
    """The OpenCL backend, and relu in float32."""

    name = "opencl_with_relu"
    priority = 1

    def capabilities(self):
        return {**super().capabilities(), "relu": ("float32",)}

    def kernel(self, op):
        return relu if op == "relu" else super().kernel(op)


def relu(out, x):
    size, layout = packed(out.layout.shape, out.layout.strides, x.layout.strides)
    out.flat.memory.queue.run(SOURCE, size, layout, out.flat.memory, start(out), x.flat.memory, start(x))


@pytest.fixture
def with_relu(opencl):
    yield backends.register(WithRelu())
    backends.unregister("opencl_with_relu")


def test_it_serves_the_device_with_the_kernels_of_the_other(with_relu):
    x, out = FlatArray.from_items([-1.0, 2.0, -0.5]).to("opencl"), FlatArray.empty(3, "float32", "opencl")
    assert x.backend is with_relu
    assert backends.explain("relu", x).origin == backends.explain("exp", x).origin == "native"
    out.kernels["relu"](Strided(out, Row(3)), Strided(x, Row(3)))
    out.kernels["add"](Strided(out, Row(3)), Strided(out, Row(3)), 1)
    assert out.tolist() == [1.0, 3.0, 1.0]


def test_the_kit_judges_that_op_alone(with_relu):
    kit = pytest.importorskip("lamina_testkit")
    case = next(case for case in kit.cases_of("map") if str(case) == "relu-float32")
    assert kit.check(case, with_relu) > 50
