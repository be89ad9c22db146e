"""Results and gradients bit for bit the same for 1, 2 and 4 threads, with infinities, NaN, ties and zeros among many items."""

import numpy as np
import pytest
from hard_numbers.compare import INF, NAN

import lamina as t

F = t.nn.functional
ROWS, COLUMNS = 96, 2500  # enough to be shared among threads


def _items(dtype):
    x = np.random.default_rng(3).standard_normal((ROWS, COLUMNS)).round(3)
    x.flat[:: COLUMNS * 7 + 5] = NAN
    x.flat[11 :: COLUMNS * 5 + 3] = INF
    x.flat[17 :: COLUMNS * 3 + 1] = -INF
    x.flat[5::37], x.flat[7::41] = 0.0, -0.0
    return t.tensor(x.tolist(), dtype=dtype)


def _image(x):
    return x.reshape(4, 8, 75, 100)


FUNCTIONS = {
    "sum": lambda x: [x.sum(), x.sum(0), x.sum(1), x.mean(), x.cumsum(0), x.cumsum(1)],
    "products": lambda x: [x.prod(1), (x / 2).cumprod(1), t.logcumsumexp(x, 1), t.logsumexp(x, 0), t.logsumexp(x, 1)],
    "spread": lambda x: [
        x.var(),
        x.var(0),
        x.std(1),
        t.linalg.vector_norm(x),
        t.linalg.vector_norm(x, 3, 0),
        t.linalg.vector_norm(x, INF, 1),
    ],
    "order": lambda x: [x.max(), x.amin(0), x.max(1)[0], x.sort(1)[0], x.topk(5, 1)[0], x.median(), x.cummax(0)[0]],
    "softmax": lambda x: [F.softmax(x, 0), F.softmax(x, 1), F.log_softmax(x, 1)],
    "norms": lambda x: [
        F.layer_norm(x, (COLUMNS,)),
        F.rms_norm(x, (COLUMNS,)),
        F.batch_norm(x, None, None, training=True),
        F.group_norm(_image(x), 2),
        F.normalize(x),
        F.batch_norm(_image(x), None, None, training=True),
    ],
    "losses": lambda x: [
        F.cross_entropy(x, t.where(t.arange(ROWS) % 3 == 0, -100, t.arange(ROWS) * 7)),
        F.mse_loss(x, x * 0.5),
        F.smooth_l1_loss(x, x * 0.5),
        F.binary_cross_entropy_with_logits(x, (x > 0).to(x.dtype)),
    ],
    "layers": lambda x: [
        F.max_pool2d(_image(x), 3),
        F.avg_pool2d(_image(x), 3),
        F.conv2d(_image(x), _image(x)[:2, :, :3, :3]),
        F.interpolate(_image(x), scale_factor=2.0),
        F.scaled_dot_product_attention(
            x[:, :128].reshape(2, 48, 128), x[:, :128].reshape(2, 48, 128), x[:, :128].reshape(2, 48, 128)
        ),
    ],
    "item by item": lambda x: [
        x.exp(),
        x.tanh(),
        F.gelu(x),
        x**3,
        t.atan2(x, x.flip(0)),
        t.where(x > 0, x, x * 2),
        x.clamp(-1, 1),
        x.round(),
        x % 0.7,
    ],
    "matrices": lambda x: [x @ x.T, x.T[:64] @ x, t.outer(x[0], x[1])],
    "places": lambda x: [
        x.index_select(0, t.arange(ROWS).flip(0)),
        t.zeros_like(x).scatter_add(0, (t.arange(ROWS) % 7)[:, None].expand(ROWS, COLUMNS), x),
        F.embedding(t.arange(4000) % ROWS, x),
    ],
}


def _bits(name, dtype):
    x = _items(dtype).requires_grad_()
    results = FUNCTIONS[name](x)
    grads = [t.autograd.grad(r.sum(), x, retain_graph=True)[0] for r in results]
    return [r.detach().numpy().tobytes() for r in (*results, *grads)]


@pytest.fixture
def threads(request):
    if request.config.getoption("--backend") != "cpp":
        pytest.skip("the reference's loops are NumPy's, which no setting divides")
    before = t.get_num_threads()
    yield t.set_num_threads
    t.set_num_threads(before)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_the_same_bits(threads, dtype):
    differ = []
    for name in FUNCTIONS:
        found = []
        for n in (1, 2, 4):
            threads(n)
            found.append(_bits(name, getattr(t, dtype)))
        differ += [(name, i) for i, each in enumerate(zip(*found, strict=True)) if len(set(each)) > 1]
    assert not differ
