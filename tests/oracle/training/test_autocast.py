"""Autocast and the gradient scaler do what PyTorch's do on the CPU: dtypes, nesting, decorators, a training run, overflows."""

import warnings

import pytest
import torch

import lamina
import lamina.nn.functional


def both(program):
    """What a program over `torch` gives in each of the two."""
    return program(lamina), program(torch)


def name(result):
    found = result[0] if isinstance(result, tuple) else result
    return str(found.dtype).rpartition(".")[2]


X = "torch.arange(1., 10.).reshape(3, 3)"
SQUARE = f"({X} @ {X}.T + torch.eye(3))"
LOW = f"{SQUARE}.to(low)"
CALLS = [
    "x @ x", "x @ x[0]", "torch.mm(x, x)", "x.mm(x)", "torch.bmm(x[None], x[None])", "torch.matmul(x, x)",
    "x.matmul(x)", "torch.addmm(x, x, x)", "x.addmm(x, x)", "torch.baddbmm(x[None], x[None], x[None])",
    "torch.addbmm(x, x[None], x[None])", "F.linear(x, x)", "F.linear(x, x, x[0])", "torch.inner(x, x)",
    "torch.einsum('ij,jk->ik', x, x)", "torch.linalg.multi_dot([x, x, x])", "torch.chain_matmul(x, x)",
    "torch.linalg.matmul(x, x)", "torch.linalg.vecdot(x, x)", "torch.linalg.matrix_power(x, 2)", "torch.cov(x)",
    "torch.mv(x, x[0])", "torch.dot(x[0], x[0])", "torch.vdot(x[0], x[0])", "torch.addmv(x[0], x, x[0])",
    "torch.outer(x[0], x[0])", "torch.kron(x, x)", "torch.addr(x, x[0], x[0])", "torch.matrix_exp(x)",
    "torch.linalg.det(x)", "torch.logdet(x)", "torch.mm(x.int(), x.int())", "torch.mm(x.double(), x.double())",
    "torch.mm(x, x.to(low))", "x + x.to(low)", "torch.softmax(x.to(low), 0)", "torch.sum(x.to(low))",
    "torch.exp(x.to(low))", "x.to(low).exp()", "torch.addcmul(x, x, x)", "torch.prod(y)", "y.prod()", "y.prod(0)",
    "torch.trace(y)", "y.trace()", "torch.cdist(y, y)", "torch.quantile(y, 0.5)", "torch.nanquantile(y, 0.5)",
    "torch.cholesky(y)", "y.cholesky()", "torch.inverse(y)", "torch.pinverse(y)", "torch.qr(y)", "y.qr()",
    "torch.svd(y)", "torch.linalg.inv(y)", "torch.linalg.qr(y)", "torch.linalg.svd(y)", "torch.linalg.svdvals(y)",
    "torch.linalg.eigh(y)", "torch.linalg.eigvalsh(y)", "torch.linalg.eig(y)", "torch.linalg.eigvals(y)",
    "torch.linalg.cholesky(y)", "torch.linalg.cholesky_ex(y)", "torch.linalg.inv_ex(y)", "torch.linalg.solve(y, y)",
    "torch.linalg.lstsq(y, y)", "torch.linalg.cond(y)", "torch.linalg.matrix_rank(y)", "torch.geqrf(y)",
    "torch.linalg.tensorsolve(y, y[0])", "torch.cholesky_solve(y, y)", "torch.cholesky_inverse(y)",
    "torch.triangular_solve(y, y)", "torch.fft.fft(y)", "torch.fft.rfft(y)", "torch.fft.fft2(y)", "torch.fft.ifft(y)",
    "torch.fft.hfft(y)", "torch.polar(y[0], y[1])",
    "torch.stft(y.flatten(), 4, window=torch.ones(4), return_complex=True)", "F.mse_loss(y, y)", "F.l1_loss(y, y)",
    "F.nll_loss(y, torch.tensor([0, 1, 2]))", "F.cross_entropy(y, torch.tensor([0, 1, 2]))", "F.cross_entropy(y, y)",
    "F.binary_cross_entropy_with_logits(y, y)", "torch.cat([x, y])", "torch.cat([y, y])", "torch.stack([x, y])",
    "torch.stack([x.double(), x])", "torch.hstack([x, y])", "torch.index_copy(x, 0, torch.tensor([0]), y[:1])",
    "x.index_copy(0, torch.tensor([0]), y[:1])",
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("low", ["bfloat16", "float16"])
@pytest.mark.parametrize("call", CALLS)
def test_dtypes_of_results(call, low):
    def program(torch):
        names = {"torch": torch, "F": torch.nn.functional, "low": getattr(torch, low)}
        names |= {"x": eval(SQUARE, names), "y": eval(LOW, names)}
        with torch.autocast("cpu", dtype=getattr(torch, low)):
            return name(eval(call, names))

    try:
        expected = program(torch)
    except (RuntimeError, AttributeError) as error:
        pytest.skip(f"PyTorch does not compute it: {error}")
    assert program(lamina) == expected


def test_regions_nest_and_are_left_as_they_were():
    def program(torch):
        x, seen = torch.ones(2, 2), []

        def look():
            seen.append((torch.is_autocast_enabled("cpu"), str(torch.get_autocast_dtype("cpu"))[-8:], name(x @ x)))

        look()
        with torch.autocast("cpu"):
            look()
            with torch.autocast("cpu", enabled=False):
                look()
                with torch.autocast("cpu", dtype=torch.float16):
                    look()
            look()
            try:
                with torch.autocast(device_type="cpu", dtype=torch.float16):
                    look()
                    raise KeyError
            except KeyError:
                look()
        look()
        return seen

    ours, theirs = both(program)
    assert ours == theirs


def test_decorators():
    def program(torch):
        @torch.autocast("cpu", dtype=torch.float16)
        def product(x):
            return x @ x

        @torch.amp.autocast("cpu", enabled=False)
        def plain(x):
            return x @ x

        x = torch.ones(2, 2)
        with torch.autocast("cpu"):
            return name(product(x)), name(plain(x)), name(x @ x), product.__name__

    ours, theirs = both(program)
    assert ours == theirs


def test_another_thread_is_not_concerned():
    from threading import Thread

    def program(torch):
        x, seen = torch.ones(2, 2), []
        with torch.autocast("cpu"):
            thread = Thread(target=lambda: seen.append(name(x @ x)))
            thread.start()
            thread.join()
        return seen

    ours, theirs = both(program)
    assert ours == theirs == ["float32"]


def test_what_is_refused():
    for t in (lamina, torch):
        with pytest.raises(ValueError, match="Expected `device_type` of type `str`"):
            t.autocast(3)
        with pytest.raises(RuntimeError):
            t.autocast("not a device")
        with pytest.warns(UserWarning, match="Disabling"):
            region = t.autocast("cpu", dtype=t.float64)
        with region:
            assert name(t.ones(2, 2) @ t.ones(2, 2)) == "float32"


def test_casts_of_weights_are_kept_for_the_outermost_region():
    from lamina_flatarray.instruments import count_ops

    w, x = lamina.ones(4, 4, requires_grad=True), lamina.ones(4, 4)

    def casts(**params):
        with count_ops() as counts, lamina.autocast("cpu", **params):
            for _ in range(3):
                x.bfloat16()
                (x @ w).sum()
                with lamina.autocast("cpu", **params):
                    x @ w
        return counts["cast"] if "cast" in counts else counts["copy"]

    assert casts(cache_enabled=False) - casts() == 5
    with lamina.autocast("cpu"):
        first = x @ w
        with lamina.no_grad():
            w.mul_(2)
        assert (x @ w).tolist() == (first * 2).tolist()  # a weight that was changed is cast again


def weights(torch, shape, seed):
    values = [((i * 37 + seed * 11) % 23 - 11) / 23 for i in range(shape[0] * shape[1])]
    return torch.tensor(values).reshape(shape)


def training(torch, low, scaled):
    F = torch.nn.functional
    w1, w2 = (torch.nn.Parameter(weights(torch, s, i)) for i, s in enumerate([(5, 8), (8, 3)]))
    optimizer = torch.optim.SGD([w1, w2], lr=0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10, growth_interval=3, enabled=scaled)
    x, target = weights(torch, (16, 5), 7), torch.arange(16) % 3
    losses = []
    for _ in range(12):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=getattr(torch, low)):
            loss = F.cross_entropy(torch.tanh(x @ w1) @ w2, target)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    assert name(loss) == name(w1.grad) == "float32"
    return losses, scaler.state_dict()


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("low", ["bfloat16", "float16"])
def test_a_training_run(low, scaled):
    (losses, state), (expected, known) = (training(t, low, scaled) for t in (lamina, torch))
    assert losses == pytest.approx(expected, abs=2e-3 if low == "float16" else 2e-2)
    assert losses[-1] < losses[0]
    assert state == known


def scaling(torch):
    """Gradients that overflow now and then, on a scale that grows and shrinks."""
    w = torch.nn.Parameter(torch.ones(3))
    optimizer = torch.optim.SGD([w], lr=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2, growth_factor=4.0, backoff_factor=0.25)
    seen = [scaler.get_scale(), scaler.is_enabled()]
    for factor in (1.0, 2.0, float("inf"), 1.0, float("nan"), 1.0, 1.0, 1.0, 1.0):
        optimizer.zero_grad()
        scaler.scale((w * factor).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        seen += [scaler.get_scale(), scaler.state_dict()["_growth_tracker"], w.tolist()]
    scaler.update(3.0)
    other = torch.amp.GradScaler("cpu")
    other.load_state_dict(scaler.state_dict())
    one, two = other.scale([torch.ones(1), torch.ones(2)])
    return [*seen, scaler.get_scale(), other.state_dict(), one.tolist(), two.tolist()]


def test_the_scale_grows_and_shrinks():
    ours, theirs = both(scaling)
    assert repr(ours) == repr(theirs)


def refused(torch):
    w = torch.nn.Parameter(torch.ones(3))
    optimizer = torch.optim.SGD([w], lr=0.5)
    scaler = torch.amp.GradScaler("cpu")
    half = torch.nn.Parameter(torch.ones(2).half())
    half.grad = torch.ones(2).half()
    calls = [
        lambda: scaler.step(optimizer),
        lambda: scaler.update(),
        lambda: scaler.scale(3.0),
        lambda: scaler.scale(w.sum()).backward(),
        lambda: scaler.unscale_(optimizer),
        lambda: scaler.unscale_(optimizer),
        lambda: scaler.step(optimizer, closure=lambda: 0),
        lambda: scaler.step(optimizer),
        lambda: scaler.step(optimizer),
        lambda: scaler.unscale_(optimizer),
        lambda: scaler.update(),
        lambda: scaler.update(),
        lambda: scaler.unscale_(torch.optim.SGD([half], lr=1.0)),
        lambda: scaler.load_state_dict({}),
        lambda: torch.amp.GradScaler("cpu", growth_factor=1.0),
        lambda: torch.amp.GradScaler("cpu", backoff_factor=1.0),
    ]
    kinds = (ValueError, AssertionError, RuntimeError)
    found = []
    for call in calls:
        try:
            call()
        except kinds as error:
            found.append((next(k.__name__ for k in kinds if isinstance(error, k)), str(error)[:40]))
        else:
            found.append(None)
    return found


def test_what_a_scaler_refuses():
    ours, theirs = both(refused)
    assert ours == theirs


def functions_of_ones_own(torch):
    class Cast(torch.autograd.Function):
        @staticmethod
        @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
        def forward(ctx, x):
            seen.append((name(x), torch.is_autocast_enabled("cpu")))
            return x @ x

        @staticmethod
        @torch.amp.custom_bwd(device_type="cpu")
        def backward(ctx, g):
            seen.append(torch.is_autocast_enabled("cpu"))
            return g

    class AsOutside(torch.autograd.Function):
        @staticmethod
        @torch.amp.custom_fwd(device_type="cpu")
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x @ x

        @staticmethod
        @torch.amp.custom_bwd(device_type="cpu")
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            seen.append((torch.is_autocast_enabled("cpu"), name(g), name(g @ x)))
            return (g @ x).float()

    seen = []
    x = torch.ones(2, 2, requires_grad=True)
    for function in (Cast, AsOutside):
        for on in (True, False):
            with torch.autocast("cpu", enabled=on):
                y = function.apply(x * 1)
            seen.append(name(y))
            y.sum().backward()
    return seen


def test_functions_of_ones_own():
    ours, theirs = both(functions_of_ones_own)
    assert ours == theirs


def test_the_spellings_of_device_types():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for t in (lamina, torch):
            with t.cpu.amp.autocast(dtype=t.bfloat16):
                assert name(t.ones(2, 2) @ t.ones(2, 2)) == "bfloat16"
            with t.cuda.amp.autocast(enabled=False):
                assert not t.is_autocast_enabled("cuda")
            assert t.amp.is_autocast_available("cpu")
            assert not t.cuda.amp.GradScaler(enabled=False).is_enabled()
