"""The verbs of this repository, run in the environment that `./run setup` makes: `nox -l` lists them."""

import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nox

nox.options.default_venv_backend = "none"
# `wheels` runs each package's tests on NumPy, and the compiled backend's own: what is left of `test` is the other backends.
# `typing` runs `types` beside, which takes one core for a minute.
nox.options.sessions = [
    "lint", "layers", "typing", "test(backend='cpp')", "kit", "emulated", "oracle", "surface", "processes", "docs", "wheels",
    "packaging", "ecosystem(part='short')",
]  # fmt: skip

ROOT = Path(__file__).parent
STOREYS = ["flatarray", "ndarray", "tensor", "nn", "lamina"]
PURE = [*STOREYS, "onnx", "fusing-llvm", "process-mpi", "process-nccl", "process-ray", "testkit", "course"]
BACKENDS = ["numpy", "cpp"]
INSTRUCTION_SETS = ["baseline", "avx2", "avx512"]
FIVE_ARCHITECTURES = ["Bert", "GPT2", "Llama", "T5", "ViT"]
ONE_THREAD = {"OMP_NUM_THREADS": "1"}  # for each of two processes
PYTHON = str(ROOT / ".venv" / "bin" / "python")
os.environ.setdefault("CI", "true")  # hypothesis takes the same examples each time: what chance may find is for runs by hand


def python(session, *arguments, **options):
    session.run(PYTHON, *arguments, external=True, **options)


@nox.session
def lint(session):
    """Style and common mistakes."""
    python(session, "-m", "ruff", "check", ".")


@nox.session
def types(session):
    """Static types."""
    python(session, "-m", "mypy")


@nox.session
def layers(session):
    """Imports go downward only."""
    session.run(str(ROOT / ".venv" / "bin" / "lint-imports"), external=True)


@nox.session
@nox.parametrize("backend", BACKENDS)
def test(session, backend):
    """Each package's own tests, on each backend; those of the kit choose their backends themselves, and run once. LLVM's loops are held
    against cpp's."""
    for package in PURE if backend == "numpy" else [*STOREYS, "fusing-llvm"]:
        python(session, "-m", "pytest", "-q", "-n", "2", f"packages/{package}/tests", "--backend", backend, env=ONE_THREAD)


@nox.session(default=False)
def without_twins(session):
    """The tests of arrays and tensors with Python in the place of the compiled twins; `wheels` runs them so, too."""
    for package in ("ndarray", "tensor"):
        python(
            session, "-m", "pytest", "-q", "-n", "2", f"packages/{package}/tests", "--backend", "cpp",
            env={"LAMINA_COMPILED": "0", **ONE_THREAD},
        )  # fmt: skip


@nox.session
@nox.parametrize("backend", BACKENDS)
def kit(session, backend):
    """The conformance kit on each backend."""
    python(session, "-m", "pytest", "-q", "-n", "2", "--pyargs", "lamina_testkit", "--backend", backend, env=ONE_THREAD)


CUDA_TESTS = ROOT / "packages" / "backend-cuda" / "tests"


def cuda_kit(session, device, *chosen):
    kit = ["-p", f"{device}.plugin", "--pyargs", "lamina_testkit", "--backend", "cuda", *chosen]
    python(session, "-m", "pytest", "-q", "-n", "2", *kit, env={"PYTHONPATH": str(CUDA_TESTS), **ONE_THREAD})


@nox.session
def emulated(session):
    """The cuda backend on a strict stand-in; its PTX assembled for every architecture, and run on an emulated device. Some of each;
    `cuda` has all, and the kit on the stand-in."""
    ideas = "port", "standin", "readiness", "streams", "cuda_face", "late_errors", "launch_plans", "forking", "compiling"
    device = (f"device/test_{idea}.py" for idea in ideas)
    training = (f"training/test_{idea}.py" for idea in ("training", "waits_and_launches"))
    standin = (*device, *training, "kernels/test_accesses.py", "fused/test_recurrences.py")
    ptx = ("kernels/test_ptxas.py", "kernels/test_emulated.py", "training/test_emulated_training.py")
    left_out = "not emulated and not transformer and not convolutional"
    for chosen, files in ((left_out, standin), ("not every_op", ptx)):
        python(session, "-m", "pytest", "-q", "-n", "2", "-k", chosen, *(str(CUDA_TESTS / file) for file in files), env=ONE_THREAD)
    cuda_kit(session, "emulated", "-k", "float32 and not recurrence")
    cuda_kit(session, "emulated", "-k", "float32 and recurrence", "--library")


@nox.session(default=False)
def cuda(session):
    """The cuda backend on a stand-in, and on an emulated device: its own tests, and the kit. Compiles some 4,000 kernels at first."""
    python(session, "-m", "pytest", "-q", "-n", "2", str(CUDA_TESTS), env=ONE_THREAD)
    cuda_kit(session, "standin")
    cuda_kit(session, "emulated", "-k", "not recurrence")
    cuda_kit(session, "emulated", "-k", "recurrence", "--library")


@nox.session
@nox.parametrize("backend", BACKENDS)
def oracle(session, backend):
    """Values, gradients, dtypes and random numbers against real PyTorch."""
    whole = ["tests/oracle", "tests/programs"] if backend == "numpy" else ["tests/oracle"]  # programs choose for themselves
    python(session, "-m", "pytest", "-q", "-n", "2", *whole, "--backend", backend, env=ONE_THREAD)


@nox.session
def surface(session):
    """Public names: where they are listed, what they take, say of themselves, and explain, against real PyTorch."""
    python(session, "-m", "pytest", "-q", "-n", "2", "tests/surface", env=ONE_THREAD)


@nox.session
def typing(session):
    """Static types, as `types`. Ordinary programs run, and neither mypy nor pyright finds anything in them."""
    with ThreadPoolExecutor(1) as beside:
        packages = beside.submit(python, session, "-m", "mypy")
        # Each checker runs once in a process: one process for each.
        python(session, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", "tests/typing", env=ONE_THREAD)
        packages.result()


@nox.session
def processes(session):
    """Several processes: collectives beside PyTorch's over gloo, training, and processes that are killed, stopped or stuck."""
    folders = "packages/process-mpi/tests", "packages/process-nccl/tests", "packages/process-ray/tests", "tests/processes"
    python(session, "-m", "pytest", "-q", "-n", "2", *folders, env=ONE_THREAD)


@nox.session(default=False)
@nox.parametrize("instructions", INSTRUCTION_SETS)
def instruction_sets(session, instructions):
    """The native tests, the conformance kit and the oracle with the loops of each instruction set, of which an editable installation
    has only this machine's until here."""
    install = ["-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "-e", "packages/backend-cpp"]
    python(session, *install, env={"LAMINA_CPP_BUILD": "all", "LAMINA_REQUIRE_NATIVE": "1"})
    env = {"LAMINA_CPP_ISA": instructions, **ONE_THREAD}
    ask = "from lamina_backend_cpp import _native; print(_native.instruction_set)"
    chosen = session.run(PYTHON, "-c", ask, env=env, external=True, silent=True).strip()
    if chosen != instructions:
        session.skip(f"this processor lacks {instructions}: the loops that run are those of {chosen}")
    for tests in (["packages/backend-cpp/tests"], ["--pyargs", "lamina_testkit"], ["tests/oracle"]):
        python(session, "-m", "pytest", "-q", "-n", "2", *tests, "--backend", "cpp", env=env)


@nox.session(default=False)
def array_api(session):
    """lamina_ndarray as an Array API namespace: data-apis/array-api-tests, of which ARRAY_API_TESTS names a checkout."""
    checkout = os.environ.get("ARRAY_API_TESTS")
    if not checkout:
        session.skip("ARRAY_API_TESTS names no checkout of data-apis/array-api-tests, which no package index has")
    xfails = ROOT / "tests" / "array_api" / "xfails.txt"
    session.chdir(checkout)
    python(
        session, "-m", "pytest", "-q", "-c", "pytest.ini", "-p", "no:cacheprovider", "array_api_tests", f"--xfails-file={xfails}",
        "--disable-deadline", "--max-examples", "20", *session.posargs,
        env={"ARRAY_API_TESTS_MODULE": "lamina_ndarray", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip


@nox.session
def docs(session):
    """The site, and every snippet of it executed."""
    python(session, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", "tests/docs", env=ONE_THREAD)


@nox.session(default=False)
def accessibility(session):
    """What axe finds on some pages of the site in Chromium, as wide as a desktop's and a phone's; with `-- --all`, on every page."""
    folder = tempfile.mkdtemp()
    python(session, "-m", "pip", "install", "--quiet", "--group", "browser")
    python(session, "-m", "mkdocs", "build", "--quiet", "--site-dir", folder)
    python(session, "tests/docs/accessible.py", folder, *session.posargs)
    shutil.rmtree(folder)


@nox.session
def packaging(session):
    """Versions, contracts, the import's weight, the paths that the documents name."""
    python(session, "-m", "pytest", "-q", "-n", "2", "tests/packaging", env=ONE_THREAD)


@nox.session
def wheels(session):
    """Wheels of every package, installed bottom-up outside of the repository: each storey's tests run with nothing
    above it installed."""
    work = Path(tempfile.mkdtemp())
    dist = work / "dist"

    def build(package):
        # A wheel is built of the sdist, but that of native kernels of the checkout, which has compiled them: it takes minutes.
        both = ["--sdist", "--wheel"] if package == "backend-cpp" else []
        python(
            session, "-m", "build", "--quiet", "--no-isolation", *both, "--outdir", str(dist), f"packages/{package}",
            env={"LAMINA_REQUIRE_NATIVE": "1"},
        )  # fmt: skip

    with ThreadPoolExecutor(2) as pool:  # each takes one core
        list(pool.map(build, ["compiled", *PURE, "backend-cpp"]))
    python(session, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "tests/wheels", env={"LAMINA_DIST": str(dist)})
    python(session, "-m", "venv", "--without-pip", str(work / "venv"))  # this environment's pip installs there
    inside = str(work / "venv" / "bin" / "python")
    # Not compiled to byte code: of most packages, a few modules are ever imported.
    install = [PYTHON, "-m", "pip", "--python", inside, "install", "--quiet", "--no-compile", "--find-links", str(dist)]
    for settings in ("pyproject.toml", "conftest.py"):  # pytest's
        shutil.copy(ROOT / settings, work)
    session.chdir(work)
    session.run(*install, "pytest", "pytest-xdist", "hypothesis", external=True)

    def check(package, backend):
        wheel = next(dist.glob(f"{'lamina' if package == 'lamina' else 'lamina_' + package.replace('-', '_')}-*.whl"))
        session.run(*install, str(wheel), external=True)
        copied = work / "tests" / package
        shutil.copytree(ROOT / "packages" / package / "tests", copied)
        tests = [inside, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", str(copied)]
        session.run(*tests, external=True, env={"LAMINA_BACKEND": backend, **ONE_THREAD})

    session.run(*install, "mpich==5.0.2", external=True)  # what starts the tests' processes
    for package in (*STOREYS[:-1], "onnx", "lamina", "testkit", "course", "process-mpi"):
        check(package, "numpy")
    check("backend-cpp", "cpp")
    # The kit finds the backend beside it; `kit` asks the same kernels everything.
    some = ["--pyargs", "lamina_testkit", "-k", "test_kernel and (add- or sum- or matmul-)"]
    session.run(inside, "-m", "pytest", "-q", "-p", "no:cacheprovider", *some, "--backend", "cpp", external=True)
    session.chdir(ROOT)
    shutil.rmtree(work)


@nox.session(default=False)
def other_systems(session):
    """Each native source compiled for musl, aarch64, macOS and Windows, by Clang as the package ziglang brings it; nothing is run."""
    folder = Path(tempfile.mkdtemp())
    python(session, "-m", "pip", "install", "--quiet", "--target", str(folder), "ziglang==0.17.1")
    python(session, "tests/other_systems/compile.py", *session.posargs, env={"PYTHONPATH": str(folder)})
    shutil.rmtree(folder)


@nox.session(default=False)
def opencl(session):
    """The example of a third party's plug-in on PoCL, in an environment of its own: its tests, its pages, all backends alive in one
    process, emulated CUDA among them, the digits example, and the kit."""
    work = Path(tempfile.mkdtemp())
    inside, plugin = str(work / "bin" / "python"), "examples/lamina-backend-opencl"
    python(session, "-m", "venv", str(work))
    session.run(inside, "-m", "pip", "install", "--quiet", "pip>=25.1", external=True)  # it knows dependency groups
    packages = [*(f"packages/{package}" for package in ("compiled", *PURE, "backend-cpp", "backend-cuda")), f"{plugin}[pocl]"]
    wanted = ["pytest", "hypothesis", "nvidia-cuda-nvrtc-cu12", "--group", "demo"]
    session.run(inside, "-m", "pip", "install", "--quiet", *packages, *wanted, external=True)
    for tests in (
        [str(CUDA_TESTS / "device" / "test_several_at_once.py")],
        [f"{plugin}/tests"],
        ["tests/docs/test_snippets.py", "-k", "opencl or bring", "--backend", "opencl"],
        ["--pyargs", "lamina_testkit", "--backend", "opencl", *session.posargs],
    ):
        session.run(inside, "-m", "pytest", "-q", *tests, external=True, env=ONE_THREAD)
    digits = ["examples/digits.py", "--device", "opencl", "--out", str(work / "digits.safetensors")]
    session.run(inside, *digits, external=True, env=ONE_THREAD)
    shutil.rmtree(work)


@nox.session(default=False)
@nox.parametrize("sanitizer", ["address,undefined", "thread"], ids=["address", "thread"])
def sanitize(session, sanitizer):
    """The native tests, those of arrays and tensors, and the conformance kit, with kernels and compiled twins that watch their own
    memory, arithmetic, and threads. LAMINA_CPP_BUILD=all builds, and LAMINA_CPP_ISA chooses, the loops of other instruction sets."""
    work = Path(tempfile.mkdtemp())
    watched = f"-fsanitize={sanitizer}"
    flags = f"{watched} -fno-sanitize-recover=all -O1 -g1"
    for package, levels in (("backend-cpp", ", h.wanted_levels()"), ("compiled", "")):
        copied = work / package
        shutil.copytree(ROOT / "packages" / package, copied, ignore=shutil.ignore_patterns("build", "*.so"))
        build = "from pathlib import Path; import hatch_build as h; p = Path('build').absolute(); p.mkdir(); "
        build += f"h.place(h.compile_module(Path.cwd(), p{levels}), next(Path('src').iterdir()))"
        session.chdir(copied)
        python(session, "-c", build, env={"PYTHONPATH": ".", "CXXFLAGS": flags, "LDFLAGS": watched})
    session.chdir(ROOT)
    # Python is not built so: the sanitizer has to be there before it, and what throws C++ exceptions before the sanitizer asks.
    libraries = ["libtsan.so" if sanitizer == "thread" else "libasan.so", "libstdc++.so"]
    preloaded = [session.run("c++", f"-print-file-name={name}", external=True, silent=True).strip() for name in libraries]
    watching = {
        "PYTHONPATH": os.pathsep.join(str(work / package / "src") for package in ("backend-cpp", "compiled")),
        "LD_PRELOAD": " ".join(preloaded), "PYTHONMALLOC": "malloc", **ONE_THREAD,
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "TSAN_OPTIONS": "report_signal_unsafe=0:allocator_may_return_null=1:die_after_fork=0",
    }  # fmt: skip
    tests = (str(work / "backend-cpp" / "tests"), "packages/ndarray/tests", "packages/tensor/tests")
    for chosen in (*([folder] for folder in tests), ["--pyargs", "lamina_testkit", *session.posargs]):
        python(session, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen, "--backend", "cpp", env=watching)
    shutil.rmtree(work)


@nox.session(default=False)
@nox.parametrize("part", ["whole", "short"])
def ecosystem(session, part):
    """Published packages with PyTorch and with lamina: the table of docs/look-up/ecosystem.md holds. Installs pinned packages; the short
    part those of transformers alone, and runs five of its architectures, how it generates, and what is compiled."""
    folder, here = Path(tempfile.mkdtemp()), ROOT / "tests" / "ecosystem"
    pinned = here / ("transformers.txt" if part == "short" else "requirements.txt")
    python(session, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), "--requirement", str(pinned))
    short = (["transformers_models", *FIVE_ARCHITECTURES], ["generation"], ["compiled_models"])
    for chosen in short if part == "short" else ([],):
        python(session, str(here / "compare.py"), str(folder), *chosen, *session.posargs)
    shutil.rmtree(folder)


@nox.session(default=False)
def onnx(session):
    """lamina_onnx with all that its quick tests leave out: each opset, and every node test of the `onnx` package."""
    python(session, "-m", "pytest", "-q", "-n", "2", "packages/onnx/tests", env={"LAMINA_ONNX_WHOLE": "1", **ONE_THREAD})


@nox.session(default=False)
def bench(session):
    """Ratios to PyTorch; see benchmarks/README.md."""
    python(session, "benchmarks/compare.py", *session.posargs)


@nox.session(default=False)
def gpu(session):
    """On a real CUDA device: the kit, the storeys' tests and times beside PyTorch's, in a report under benchmarks/results."""
    python(session, "benchmarks/cuda_report.py", *session.posargs)


@nox.session(default=False)
def demo(session):
    """Train on real digits."""
    python(session, "examples/digits.py", *session.posargs)
