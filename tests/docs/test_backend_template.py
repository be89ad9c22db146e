"""The template of a backend: what it makes is installed as any distribution, and its first run of the kit is green."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lamina_flatarray import PROTOCOL

pytestmark = pytest.mark.xdist_group("template")  # what it makes is made once
copier = pytest.importorskip("copier", reason="copier is not installed (dependency group test)")
TEMPLATE = Path(__file__).parents[2] / "examples" / "backend-template"


def run(*command, folder, site=None):
    """A process that sees what is installed in `site`."""
    path = os.pathsep.join(filter(None, [str(site or ""), os.environ.get("PYTHONPATH", "")]))
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=folder, env={**os.environ, "PYTHONPATH": path})


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The distribution, and a folder where it is installed."""
    folder, site = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("site")
    copier.run_copy(str(TEMPLATE), folder, data={"name": "my_chip", "author": "Ada"}, defaults=True, quiet=True)
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", str(site), str(folder)]
    done = run(*install, folder=folder)
    assert done.returncode == 0, done.stderr
    return folder, site


def test_its_own_tests_pass(made):
    folder, site = made
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", folder=folder, site=site)
    assert done.returncode == 0 and "4 passed" in done.stdout, done.stdout + done.stderr


def test_it_speaks_this_protocol(made):
    folder, _ = made
    assert f'my_chip = "v{PROTOCOL[0]}_{PROTOCOL[1]}"' in (folder / "pyproject.toml").read_text()
    assert f"protocol = {PROTOCOL}" in (folder / "src" / "lamina_backend_my_chip" / "backend.py").read_text()


def test_the_kit_is_green(made):
    """Its level core, in float32; a kernel that is wrong makes it red. Functions that thousands of its kernels make up are left out: the
    kit's own tests ask the toy backend for them, which has the same kernels."""
    folder, site = made
    kit = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "lamina_testkit", "--backend", "my_chip"]
    some = "float32 and not gamma and not grid_sample and not ndtr and not erfinv and not zeta"
    done = run(*kit, "-n", "2", "--lamina-level", "core", "-k", some, folder=folder, site=site)
    assert done.returncode == 0, done.stdout + done.stderr
    kernels = site / "lamina_backend_my_chip" / "kernels.py"
    kernels.write_text(kernels.read_text().replace("np.negative(", "np.absolute("))
    assert run(*kit, "-k", "negative-float32", folder=folder, site=site).returncode == 1


@pytest.mark.parametrize("name", ["My chip", "Chip", "3d"])
def test_a_name_that_is_no_identifier_is_refused(tmp_path, name):
    with pytest.raises(ValueError, match="lower-case Python identifier"):
        copier.run_copy(str(TEMPLATE), tmp_path, data={"name": name}, defaults=True, quiet=True)
