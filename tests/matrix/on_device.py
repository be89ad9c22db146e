"""A pytest plug-in: a storey's own tests, with arrays that live on another device unless a test says where.

`--device cuda` is the real one where there is one, else the stand-in of packages/backend-cuda/tests; `--device hostile` is that of
the conformance kit. A test that itself reads its
results as NumPy arrays is skipped where it does so. What else cannot pass there stands in `on_devices.toml`, with the reason.
"""

import os
import sys
import tomllib
from pathlib import Path

import pytest

from lamina_flatarray import ArgumentTypeError, DeviceError, OpNotImplemented, backends

ROOT = Path(__file__).parents[2]
KNOWN = tomllib.loads(Path(__file__).with_name("on_devices.toml").read_text())
ABSENT = {"float64", "complex128"}  # dtypes that the hostile device has not
READING = {"numpy", "__array__", "bytes_view", "guarded", "public", "data_ptr"}  # functions that a reading test ends in


def pytest_addoption(parser):
    parser.addoption("--device", required=True, help="the device type of arrays that are made without one")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    device = config.getoption("--device")
    if device == "cuda":
        os.environ.setdefault("CUDA_LAUNCH_BLOCKING", "1")  # an error is told by the call that a test expects it of
        from lamina_backend_cuda import CudaBackend

        if CudaBackend().unavailable():
            sys.path.insert(0, str(ROOT / "packages" / "backend-cuda" / "tests"))
            from standin import HostPort

            backends.register(CudaBackend(HostPort()))
    if device == "hostile":
        from lamina_testkit.hostile import HostileBackend

        backends.register(HostileBackend())
    if not config.option.pyargs:  # the kit says itself where it wants its arrays
        backends.set_default_device(device)


def pytest_collection_modifyitems(config, items):
    """Leave out files that are about the host, and mark tests that mix it with the device, which must fail."""
    device = config.getoption("--device")
    names = ["both", device, *{"standin"} & sys.modules.keys(), *["apart"] * (device != "hostile")]
    left_out = {test: reason for kind in ("files", "luck") for name in names for test, reason in KNOWN[kind].get(name, {}).items()}
    known = {test: reason for name in names for reason, tests in KNOWN["tests"].get(name, {}).items() for test in tests}
    for item in items:
        beside = ROOT / "packages"
        path = item.path.relative_to(beside if item.path.is_relative_to(beside) else item.path.parents[2]).as_posix()
        if reason := left_out.get(path) or left_out.get(f"{path}::{item.name}"):
            item.add_marker(pytest.mark.skip(reason=reason))
        elif f"{path}::{item.name}" in known:
            item.add_marker(pytest.mark.xfail(reason=known[f"{path}::{item.name}"], strict=True))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Skip a test at the line where it reads a device's memory as the host's: no op of ours may be in between."""
    try:
        return (yield)
    except DeviceError as refusal:
        frames = [(frame.path, frame.name) for frame in pytest.ExceptionInfo.from_exc_info(
            (type(refusal), refusal, refusal.__traceback__)).traceback]  # fmt: skip
        last = max(i for i, (path, _) in enumerate(frames) if "tests" in Path(path).parts or i == 0)
        if "the items are on" in str(refusal) and {name for _, name in frames[last + 1 :]} <= READING:
            pytest.skip(f"the test reads device memory as NumPy's, in {frames[last][1]}")
        raise
    except (OpNotImplemented, ArgumentTypeError) as refusal:  # the second, where a dtype is given by its name
        traceback = pytest.ExceptionInfo.from_exc_info((type(refusal), refusal, refusal.__traceback__)).traceback
        if item.config.getoption("--device") == "hostile" and _wants_absent(traceback):
            pytest.skip("the test itself wants float64 or complex128, which the device has not")
        raise


def _wants_absent(traceback):
    """Whether a test, or its call of lamina, has an array or a dtype in hand that the hostile device cannot store."""
    folders = [Path(entry.path).parts for entry in traceback]
    inside = [i for i, folder in enumerate(folders) if "tests" in folder and "matrix" not in folder]
    looked_at = traceback[: inside[-1] + 2] if inside else ()
    return any(_dtypes(entry.frame.f_locals.values()) & ABSENT for entry in looked_at if "matrix" not in Path(entry.path).parts)


def _dtypes(values, depth=2):
    found = {value if isinstance(value, str) else str(getattr(getattr(value, "dtype", value), "name", "")) for value in values}
    inner = [list(v.values() if isinstance(v, dict) else v)[:50] for v in values if depth and isinstance(v, (list, tuple, dict))]
    return found.union(*(_dtypes(each, depth - 1) for each in inner))
