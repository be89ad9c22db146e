"""Transforms and products against real PyTorch: gradients over its op database, einsum, windows, short-time spectra."""

import math
import warnings

import numpy as np
import pytest
import torch
from databases import op_database
from torch.testing._internal.common_methods_invocations import op_db

import lamina
from lamina_flatarray.ops import OPS
from lamina_testkit import error_bounds

FFT = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
NAMES = {
    *(f"fft.{name}{axes}" for name in FFT for axes in ("", "2", "n")),
    "fft.fftshift", "fft.ifftshift", "stft", "istft", "mm", "bmm", "mv", "dot", "vdot", "inner", "outer", "addmm",
    "addmv", "addbmm", "baddbmm", "addr", "addcmul", "addcdiv", "lerp", "kron", "tensordot", "einsum", "cartesian_prod",
    "combinations", "cov", "corrcoef", "trapezoid", "cumulative_trapezoid", "renorm",
}  # fmt: skip


def ident(info):
    return f"{info.name}{'.' + info.variant_test_name if info.variant_test_name else ''}"


INFOS = {ident(info): info for info in op_db if info.name in NAMES}


def test_the_database_has_them_all():
    assert {info.name for info in INFOS.values()} == NAMES


def leaves(value, found):
    """Floating tensors in arguments, as leaves that want gradients, in order; the same structure comes back."""
    if isinstance(value, (lamina.Tensor, torch.Tensor)):
        if value.dtype in (lamina.float64, lamina.complex128, torch.float64, torch.complex128):
            value = value.detach().requires_grad_()
            found.append(value)
        return value
    if isinstance(value, (list, tuple)):
        return type(value)(leaves(v, found) for v in value)
    return {k: leaves(v, found) for k, v in value.items()} if isinstance(value, dict) else value


def gradients(lib, function, sample, convert):
    """The result, and the gradients of all leaves for a fixed gradient of the result."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        args = [leaves(convert(v), found) for v in (sample.input, *sample.args)]
        params = {k: leaves(convert(v), found) for k, v in sample.kwargs.items()}
        result = function(*args, **params)
    if not result.requires_grad:
        return None
    count = int(np.prod(tuple(result.shape)))
    seed = np.cos(np.arange(count) + 1.0).reshape(tuple(result.shape))
    if result.dtype in (lamina.complex128, torch.complex128):
        seed = seed + 1j * np.sin(np.arange(count) * 2.0).reshape(tuple(result.shape))
    result.backward(lib.from_numpy(np.asarray(seed)))
    return [None if x.grad is None else np.asarray(x.grad.detach().resolve_conj().numpy() if lib is torch
                                                   else x.grad.numpy()) for x in found]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("name", sorted(INFOS))
def test_gradients(name, dtype):
    info = INFOS[name]
    if (name, dtype) == ("renorm", "complex128") and OPS["sign"].rule == "real":
        pytest.skip("the gradient of a complex modulus wants the sign of complex numbers")
    if getattr(torch, dtype) not in info.dtypes:
        pytest.skip("PyTorch does not compute it")
    compared = 0
    for sample in op_database.samples(info, dtype):
        try:
            expected = gradients(torch, info.op, sample, lambda v: v)
        except Exception:
            continue
        observed = gradients(lamina, op_database.counterpart(info), sample, op_database.to_lamina)
        assert (observed is None) == (expected is None), sample
        for o, e in zip(observed or (), expected or (), strict=True):
            if e is None or o is None:
                assert (o is None or not o.any()) and (e is None or not e.any()), sample
            else:
                np.testing.assert_allclose(o, e, rtol=1e-7, atol=1e-9, err_msg=str(sample))
        compared += 1
    assert compared


EQUATIONS = [
    ("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("ba,ac", (2, 3), (3, 4)), ("ii", (3, 3)),
    ("ii->i", (3, 3)), ("iij->ji", (3, 3, 2)), ("ij->", (2, 3)), (" i j , j -> i ", (2, 3), (3,)), (",", (), ()),
    (",i->i", (), (3,)), ("...ij,...jk->...ik", (5, 1, 2, 3), (4, 3, 2)), ("i...->...", (2, 3, 4)), ("...", (2, 3)),
    ("...i,...i", (2, 3), (1, 3)), ("Ab,bA", (2, 3), (3, 2)), ("aB,Bc", (2, 3), (3, 4)), ("bij,bjk->bki", (2, 3, 4), (2, 4, 5)),
    ("bhqd,bhkd->bhqk", (2, 3, 4, 5), (2, 3, 6, 5)), ("i,j,k->kij", (2,), (3,), (4,)), ("ij,ij,ij->", (2, 3), (2, 3), (2, 3)),
    ("ab,bc,cd,de,ef", (2, 3), (3, 4), (4, 5), (5, 6), (6, 2)), ("iji,jk->ik", (3, 2, 3), (2, 4)), ("ij,jk->ik", (2, 1), (3, 4)),
    ("ij,jk->ik", (0, 3), (3, 4)), ("ij,jk->ik", (2, 0), (0, 4)), ("ijk,ikl,lj->", (2, 3, 4), (2, 4, 5), (5, 3)),
    ("a,b,c,d,e,f,g,h,i->", *[(2,)] * 9), ("ab,bc,ca,ad,de,eb,bf,fg,ga->g", *[(2, 2)] * 9), ("...a,b...->ab", (3, 2), (4, 3)),
]  # fmt: skip


@pytest.mark.parametrize("case", EQUATIONS, ids=lambda case: case[0])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_einsum(case, dtype):
    equation, *shapes = case
    rng = np.random.default_rng(3)
    arrays = [np.asarray(rng.standard_normal(s) + (1j * rng.standard_normal(s) if dtype == "complex128" else 0)) for s in shapes]
    expected = torch.einsum(equation, *map(torch.from_numpy, arrays))
    observed = lamina.einsum(equation, *map(lamina.from_numpy, arrays))
    assert tuple(observed.shape) == tuple(expected.shape)
    np.testing.assert_allclose(observed.numpy(), expected.numpy(), rtol=1e-12, atol=1e-12)


WRONG = [
    ("ij,jk", (2, 3)), ("ij", (2, 3), (3,)), ("ij", (2,)), ("i", (2, 3)), ("ij->k", (2, 3)), ("ij->ii", (2, 3)),
    ("i1", (2, 3)), ("ii", (2, 3)), ("ij,jk", (2, 3), (4, 5)), ("i....", (2, 3)), ("i..", (2, 3)), ("......", (2, 3)),
    ("ij->i->j", (2, 3)), ("...,...", (2, 3), (4, 3)), ("...ij", (2,)), ("ij->...", (2, 3)), ("-ij", (2, 3)), (">", (2,)),
]  # fmt: skip


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case[0])
def test_einsum_refuses_what_pytorch_refuses(case):
    equation, *shapes = case
    try:
        expected = tuple(torch.einsum(equation, *(torch.ones(s) for s in shapes)).shape)
    except RuntimeError:
        with pytest.raises(RuntimeError, match="einsum"):
            lamina.einsum(equation, *(lamina.ones(s) for s in shapes))
    else:
        assert tuple(lamina.einsum(equation, *(lamina.ones(s) for s in shapes)).shape) == expected


def test_einsum_of_lists():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    for form in (([0, 1], [1, 2]), ([0, 1], [1, 2], [2, 0]), ([..., 30], [30, 1], [..., 1]), ([51, 0], [0, 25])):
        theirs, ours = (
            lib.einsum(lib.from_numpy(a), form[0], lib.from_numpy(b), form[1], *form[2:]).numpy() for lib in (torch, lamina)
        )
        np.testing.assert_array_equal(ours, theirs)
    for lib in (torch, lamina):
        with pytest.raises(ValueError, match="valid range"):
            lib.einsum(lib.ones(2), [52])


@pytest.mark.parametrize("name", ["hann", "hamming", "blackman", "bartlett", "kaiser"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
def test_windows(name, dtype):
    for length in (0, 1, 2, 7, 400):
        for shape in ((), (True,), (False,)):
            ours = getattr(lamina, f"{name}_window")(length, *shape, dtype=getattr(lamina, dtype))
            assert ours.dtype.name == dtype
            exact = getattr(torch, f"{name}_window")(length, *shape, dtype=torch.float64).numpy()
            roundings = 40 if dtype == "float64" else 1.01  # PyTorch's own are some, times kaiser's beta of 12; ours are one
            np.testing.assert_allclose(ours.double().numpy(), exact, rtol=0, atol=roundings * error_bounds.unit_roundoff(dtype))
    for bad, error in ((dict(window_length=-1), RuntimeError), (dict(window_length=3, dtype=lamina.int64), RuntimeError)):
        with pytest.raises(error):
            getattr(lamina, f"{name}_window")(**bad)
    np.testing.assert_allclose(lamina.hamming_window(9, True, 0.6, 0.4).numpy(), torch.hamming_window(9, True, 0.6, 0.4), atol=1e-6)
    np.testing.assert_allclose(lamina.kaiser_window(9, False, 5.0).numpy(), torch.kaiser_window(9, False, 5.0), atol=1e-6)
    assert lamina.hann_window(4, requires_grad=True).requires_grad


STFT = [
    {}, {"hop_length": 3}, {"win_length": 10}, {"center": False}, {"pad_mode": "constant"}, {"pad_mode": "replicate"},
    {"pad_mode": "circular"}, {"normalized": True}, {"onesided": False}, {"hop_length": 16}, {"return_complex": False},
    {"center": False, "win_length": 10, "align_to_window": True}, {"win_length": 9, "hop_length": 5},
]  # fmt: skip


@pytest.mark.parametrize("params", STFT, ids=str)
@pytest.mark.parametrize("windowed", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_stft_there_and_back(params, windowed, dtype):
    if dtype == "complex128" and params.get("pad_mode") == "replicate":
        pytest.skip("PyTorch does not compute it")
    rng = np.random.default_rng(4)
    x = rng.standard_normal((2, 60)) + (1j * rng.standard_normal((2, 60)) if dtype == "complex128" else 0)
    weights = 0.2 + rng.random(params.get("win_length", 16))
    spectra = []
    for lib in (torch, lamina):
        window = {"window": lib.from_numpy(weights)} if windowed else {}
        spectra.append(lib.stft(lib.from_numpy(x), 16, **{"return_complex": True, **params, **window}))
    theirs, ours = spectra
    assert tuple(theirs.shape) == tuple(ours.shape)
    np.testing.assert_allclose(ours.numpy(), theirs.numpy(), atol=1e-11)
    if not params.get("return_complex", True) or "align_to_window" in params:
        return
    inverse = {k: v for k, v in params.items() if k not in ("pad_mode", "return_complex")}
    for more in ({}, {"length": 50}, {"length": 70}, {"return_complex": True}):
        outcomes = []
        for lib, spectrum in ((torch, theirs), (lamina, ours)):
            window = {"window": lib.from_numpy(weights)} if windowed else {}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    outcomes.append(lib.istft(spectrum, 16, **inverse, **window, **more).numpy())
                except RuntimeError:
                    outcomes.append(None)
        assert (outcomes[0] is None) == (outcomes[1] is None), (more, outcomes)
        if outcomes[0] is not None:
            np.testing.assert_allclose(outcomes[1], outcomes[0], atol=1e-10)


@pytest.mark.parametrize(
    "call",
    [
        lambda lib: lib.stft(lib.ones(20), 8),
        lambda lib: lib.stft(lib.ones(20), 8, hop_length=0, return_complex=True),
        lambda lib: lib.stft(lib.ones(20), 8, win_length=9, return_complex=True),
        lambda lib: lib.stft(lib.ones(20), 8, window=lib.ones(7), return_complex=True),
        lambda lib: lib.stft(lib.ones(3), 8, center=False, return_complex=True),
        lambda lib: lib.stft(lib.ones(3), 8, return_complex=True),
        lambda lib: lib.stft(lib.ones(2, 2, 20), 8, return_complex=True),
        lambda lib: lib.stft(lib.ones(20, dtype=lib.int64), 8, return_complex=True),
        lambda lib: lib.stft(lib.ones(20, dtype=lib.complex64), 8, onesided=True),
        lambda lib: lib.istft(lib.ones(5, 4), 8),
        lambda lib: lib.istft(lib.ones(6, 4, dtype=lib.complex64), 8),
        lambda lib: lib.istft(lib.ones(5, 4, dtype=lib.complex64), 8, window=lib.zeros(8)),
        lambda lib: lib.istft(lib.ones(5, 4, dtype=lib.complex64), 8, return_complex=True),
        lambda lib: lib.addmm(lib.ones(5), lib.ones(2, 3), lib.ones(3, 4)),
        lambda lib: lib.addmm(lib.ones(4), lib.ones(2, 3), lib.ones(3, 4), alpha=1j),
        lambda lib: lib.mm(lib.ones(2, 3), lib.ones(3)),
        lambda lib: lib.mm(lib.ones(2, 3), lib.ones(3, 2, dtype=lib.float64)),
        lambda lib: lib.bmm(lib.ones(2, 3, 4), lib.ones(3, 4, 3)),
        lambda lib: lib.inner(lib.ones(2, 3), lib.ones(2, 4)),
        lambda lib: lib.tensordot(lib.ones(2, 3), lib.ones(2, 4), dims=1),
        lambda lib: lib.tensordot(lib.ones(2, 3), lib.ones(3, 4), dims=([1], [0, 1])),
        lambda lib: lib.outer(lib.ones(2, 3), lib.ones(3)),
        lambda lib: lib.cartesian_prod(lib.ones(2, 3)),
        lambda lib: lib.combinations(lib.ones(3), -1),
        lambda lib: lib.addcdiv(lib.ones(3), lib.ones(3, dtype=lib.int64), lib.ones(3, dtype=lib.int64)),
        lambda lib: lib.cosine_similarity(lib.ones(3, dtype=lib.int64), lib.ones(3, dtype=lib.int64), dim=0),
        lambda lib: lib.lerp(lib.ones(3), lib.ones(3, dtype=lib.float64), 0.5),
        lambda lib: lib.trapezoid(lib.ones(3), lib.ones(4)),
    ],
)  # fmt: skip
def test_refused_alike(call):
    with pytest.raises(Exception) as theirs:
        call(torch)
    with pytest.raises(type(theirs.value)):
        call(lamina)


def test_cosine_similarity_and_bilinear():
    rng = np.random.default_rng(6)
    a, b, w, bias = (rng.standard_normal(s) for s in ((4, 3), (4, 5), (6, 3, 5), (6,)))
    theirs, ours = (lib.bilinear(*map(lib.from_numpy, (a, b, w, bias))).numpy() for lib in (torch, lamina))
    np.testing.assert_allclose(ours, theirs, atol=1e-12)
    zero = np.vstack([a, np.zeros(3)])
    for args in ({}, {"dim": 0}, {"dim": -1, "eps": 1.0}):
        grads = []
        for lib in (torch, lamina):
            x, y = lib.from_numpy(zero).requires_grad_(), lib.from_numpy(zero[::-1].copy())
            found = lib.cosine_similarity(x, y, **args)
            found.sum().backward()
            grads.append((found.detach().numpy(), x.grad.numpy()))
        np.testing.assert_allclose(grads[1][0], grads[0][0], atol=1e-12)
        np.testing.assert_allclose(grads[1][1][:-1], grads[0][1][:-1], atol=1e-7)


@pytest.mark.parametrize("n", [5, 8, 97, 128, 1000, 1009, 4096, 2 * 1009])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_transforms_are_exact(n, dtype):
    """In the norm, beside transforms in a wider dtype; and so are their gradients, beside PyTorch's."""
    rng = np.random.default_rng(n)
    x = rng.standard_normal((20, n)).astype(dtype)
    z = (x + 1j * rng.standard_normal((20, n))).astype(np.result_type(dtype, "complex64"))
    wide, bound = np.longdouble if dtype == "float64" else np.float64, error_bounds.transform(n, dtype)
    half = z[:, : n // 2 + 1].copy()
    calls = {
        "rfft": (x, lambda lib, v: lib.fft.rfft(v), np.fft.rfft(x.astype(wide))),
        "fft": (z, lambda lib, v: lib.fft.fft(v, dim=-1), np.fft.fft(z.astype(np.result_type(wide, "complex64")))),
        "ifft": (z, lambda lib, v: lib.fft.ifft(v), np.fft.ifft(z.astype(np.result_type(wide, "complex64")))),
        "irfft": (half, lambda lib, v: lib.fft.irfft(v, n), np.fft.irfft(half.astype(np.result_type(wide, "complex64")), n)),
    }
    for name, (given, call, exact) in calls.items():
        real, imaginary = rng.standard_normal((2, *exact.shape))
        seed = (real + 1j * imaginary).astype(z.dtype) if np.iscomplexobj(exact) else real.astype(dtype)
        grads = []
        for lib in (torch, lamina):
            v = lib.from_numpy(given.copy()).requires_grad_()
            found = call(lib, v)
            found.backward(lib.from_numpy(seed))
            assert error_bounds.distance(found.detach().numpy(), exact) <= bound, (lib, name)
            grads.append(v.grad.numpy())
        assert error_bounds.distance(grads[1], grads[0]) <= 2 * bound, name


def test_second_derivatives_of_transforms():
    x = lamina.arange(6.0, dtype=lamina.float64).requires_grad_()
    energy = (lamina.fft.irfft(lamina.fft.rfft(x) * lamina.fft.rfft(x)) ** 2).sum()
    ours = lamina.autograd.grad(lamina.autograd.grad(energy, x, create_graph=True)[0].sum(), x)[0]
    y = torch.arange(6.0, dtype=torch.float64).requires_grad_()
    energy = (torch.fft.irfft(torch.fft.rfft(y) * torch.fft.rfft(y)) ** 2).sum()
    theirs = torch.autograd.grad(torch.autograd.grad(energy, y, create_graph=True)[0].sum(), y)[0]
    np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-10)


PRODUCTS_INTO = {
    "mm": ((3, 4), (4, 5)),
    "bmm": ((2, 3, 4), (2, 4, 5)),
    "mv": ((3, 4), (4,)),
}


@pytest.mark.parametrize("name", PRODUCTS_INTO)
@pytest.mark.parametrize("into", ["empty", "turned", "longer", "operand"])
def test_products_are_written_where_they_are_wanted(name, into):
    told = []
    for lib in (torch, lamina):
        a, b = (lib.arange(float(math.prod(shape))).reshape(shape) for shape in PRODUCTS_INTO[name])
        shape = tuple(a.shape[:-1]) + tuple(b.shape[-1:] if b.ndim > 1 else ())
        if into == "operand":  # only squares have the shape of their product
            a, b = (lib.arange(float(math.prod(s))).reshape(s) for s in ((2, 3, 3), (2, 3, 3)))
            a, b = (a, b) if name == "bmm" else (a[0], b[1]) if name == "mm" else (a[0], b[1, 0])
            out = b
        elif into == "turned":
            out = lib.full(shape[::-1], math.nan).permute(*reversed(range(len(shape))))
        else:
            out = lib.full((*shape[:-1], shape[-1] * 2), math.nan)[..., ::2] if into == "longer" else lib.empty(shape)
        before, storage, wanted = out._version, out.data_ptr(), getattr(lib, name)(a, b).tolist()
        assert getattr(lib, name)(a, b, out=out) is out
        assert out.data_ptr() == storage
        told.append((wanted, out.stride(), out._version - before))
    assert told[1] == told[0]
    assert out.tolist() == wanted  # PyTorch's is not, for two of three, where an operand is written over


@pytest.mark.parametrize("name", PRODUCTS_INTO)
def test_products_into_others_have_no_gradients(name):
    for lib in (torch, lamina):
        a, b = (lib.ones(shape) for shape in PRODUCTS_INTO[name])
        out = getattr(lib, name)(a, b)
        with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
            getattr(lib, name)(a.requires_grad_(), b, out=out)


def test_out_and_methods():
    a, b, made = lamina.ones(2, 3), lamina.ones(3, 2), lamina.zeros(2, 2)
    assert lamina.mm(a, b, out=made) is made
    assert made.tolist() == a.mm(b).tolist() == [[3, 3], [3, 3]]
    assert lamina.addmm(input=made, mat1=a, mat2=b, beta=2).tolist() == [[9, 9], [9, 9]]
    assert lamina.tensordot(a, b, dims=([1], [0])).tolist() == [[3, 3], [3, 3]]
    assert lamina.fft.fft(input=lamina.ones(4), dim=0).tolist() == [4, 0, 0, 0]
    assert made.addmm_(a, b, alpha=2) is made
    assert made.tolist() == [[9, 9], [9, 9]]
    x = lamina.ones(3, requires_grad=True)
    y = x * 2
    y.addcmul_(x, x, value=3)
    y.sum().backward()  # 2 x + 3 x**2
    assert x.grad.tolist() == [8, 8, 8]
    nan = lamina.full((2, 2), float("nan"))
    assert lamina.addmm(nan, a, b, beta=0).tolist() == [[3, 3], [3, 3]]
