"""Functions of layers under `torch.*`, whose arguments are others there than in `torch.nn.functional`, beside PyTorch's."""

import pytest
import torch
from databases.op_database import to_lamina, to_torch

import lamina
import lamina_nn.torch_functions

X, Y, Z = (torch.randn(4, 6, generator=torch.Generator().manual_seed(i), dtype=torch.float64) for i in range(3))
IMAGE = torch.randn(2, 4, 6, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
W, W2 = (torch.randn(n, 4, 3, generator=torch.Generator().manual_seed(n), dtype=torch.float64) for n in (5, 4))
SIGNS = torch.tensor([1.0, -1.0, 1.0, 1.0], dtype=torch.float64)
FOUR, SIX = torch.rand(4, dtype=torch.float64) + 1, torch.rand(6, dtype=torch.float64)
COUNTS = torch.randint(0, 5, (4, 6)).double()

CASES = {  # name -> cases: (the program, tensors)
    "adaptive_avg_pool1d": [(lambda t, x: t.adaptive_avg_pool1d(x, 2), (IMAGE,))],
    "adaptive_max_pool1d": [(lambda t, x: t.adaptive_max_pool1d(x, 2), (IMAGE,))],
    "alpha_dropout": [(lambda t, x: t.alpha_dropout(x, 0.4, True), (X,)), (lambda t, x: t.alpha_dropout(x, 0.4, train=False), (X,))],
    "alpha_dropout_": [(lambda t, x: t.alpha_dropout_(x * 1, 0.4, True), (X,))],
    "avg_pool1d": [(lambda t, x: t.avg_pool1d(x, 3, 2, 1, True, False), (IMAGE,))],
    "batch_norm": [
        (lambda t, x, w, b, m, v: t.batch_norm(x, w, b, m, v, True, 0.1, 1e-5, False), (IMAGE, FOUR, FOUR - 1, FOUR * 2, FOUR)),
        (lambda t, x, m, v: t.batch_norm(x, None, None, m, v, training=False, momentum=0.1, eps=1e-5, cudnn_enabled=True),
         (IMAGE, FOUR * 2, FOUR)),
    ],
    "binary_cross_entropy_with_logits": [
        (lambda t, x, y, p: t.binary_cross_entropy_with_logits(x, y.sigmoid(), None, p, 2), (X, Y, SIX)),
        (lambda t, x, y: t.binary_cross_entropy_with_logits(x, y.sigmoid()), (X, Y)),
    ],
    "celu": [(lambda t, x: t.celu(x, 0.5), (X,))],
    "celu_": [(lambda t, x: t.celu_(x * 1, 0.5), (X,))],
    "channel_shuffle": [(lambda t, x: t.channel_shuffle(x.unsqueeze(-1), 2), (IMAGE,))],
    "conv1d": [(lambda t, x, w, b: t.conv1d(x, w, b, 2, 1), (IMAGE, W, torch.ones(5, dtype=torch.float64)))],
    "conv2d": [(lambda t, x, w: t.conv2d(x.unsqueeze(2), w.unsqueeze(2), padding="same"), (IMAGE, W))],
    "conv3d": [(lambda t, x, w: t.conv3d(x[..., None, None], w[..., None, None]), (IMAGE, W))],
    "conv_transpose1d": [(lambda t, x, w: t.conv_transpose1d(x, w, None, 2, 1, 1), (IMAGE, W2))],
    "conv_transpose2d": [(lambda t, x, w: t.conv_transpose2d(x.unsqueeze(2), w.unsqueeze(2)), (IMAGE, W2))],
    "conv_transpose3d": [(lambda t, x, w: t.conv_transpose3d(x[..., None, None], w[..., None, None]), (IMAGE, W2))],
    "convolution": [
        (lambda t, x, w, b: t.convolution(x, w, b, [2], [1], [1], False, [0], 1), (IMAGE, W, torch.ones(5, dtype=torch.float64))),
        (lambda t, x, w: t.convolution(x, w, None, [2], [1], [1], True, [1], 1), (IMAGE, W2)),
    ],
    "cosine_embedding_loss": [(lambda t, x, y, s, r=r: t.cosine_embedding_loss(x, y, s, 0.1, r), (X, Y, SIGNS)) for r in range(3)],
    "ctc_loss": [
        (lambda t, x: t.ctc_loss(x.log_softmax(-1), t.tensor([[1, 2], [3, 1]]), t.tensor([4, 3]), t.tensor([2, 1]), 0, 2, True),
         (IMAGE.permute(1, 0, 2),)),
        (lambda t, x: t.ctc_loss(x.log_softmax(-1), t.tensor([[1, 2], [3, 1]]), [4, 3], [2, 1]), (IMAGE.permute(1, 0, 2),)),
    ],
    "dropout": [(lambda t, x: t.dropout(x, 0.4, True), (X,)), (lambda t, x: t.dropout(x, p=0.4, train=False), (X,))],
    "dropout_": [(lambda t, x: t.dropout_(x * 1, 0.4, True), (X,))],
    "embedding": [(lambda t, x: t.embedding(x, t.tensor([1, 0, 2, -1 + 3])), (X,)),
                  (lambda t, x: t.embedding(x, t.tensor([1, 0, 1]), 1, True), (X,))],
    "feature_alpha_dropout": [(lambda t, x: t.feature_alpha_dropout(x, 0.4, True), (IMAGE,))],
    "feature_alpha_dropout_": [(lambda t, x: t.feature_alpha_dropout_(x * 1, 0.4, True), (IMAGE,))],
    "feature_dropout": [(lambda t, x: t.feature_dropout(x, 0.4, True), (IMAGE,))],
    "feature_dropout_": [(lambda t, x: t.feature_dropout_(x * 1, 0.4, True), (IMAGE,))],
    "group_norm": [(lambda t, x, w: t.group_norm(x, 2, w, None, 1e-3, False), (IMAGE, FOUR))],
    "hardshrink": [(lambda t, x: t.hardshrink(x, 0.3), (X,))],
    "hinge_embedding_loss": [(lambda t, x, s, r=r: t.hinge_embedding_loss(x[:, 0], s, 2.0, r), (X, SIGNS)) for r in range(3)],
    "instance_norm": [
        (lambda t, x, w, b: t.instance_norm(x, w, b, None, None, True, 0.1, 1e-5, False), (IMAGE, FOUR, FOUR - 1)),
    ],
    "kl_div": [(lambda t, x, y, r=r: t.kl_div(x, y, r, log_target=True), (X, Y)) for r in range(3)],
    "layer_norm": [(lambda t, x, w: t.layer_norm(x, (6,), w, None, 1e-3, False), (X, SIX))],
    "margin_ranking_loss": [(lambda t, x, y, s, r=r: t.margin_ranking_loss(x[:, 0], y[:, 0], s, 0.5, r), (X, Y, SIGNS)) for r in range(3)],
    "max_pool1d": [(lambda t, x: t.max_pool1d(x, 2), (IMAGE,)), (lambda t, x: t.max_pool1d(x, 2, (), 1), (IMAGE,))],
    "max_pool1d_with_indices": [(lambda t, x: t.max_pool1d_with_indices(x, 2), (IMAGE,))],
    "max_pool2d": [(lambda t, x: t.max_pool2d(x, (2, 2), ceil_mode=True), (IMAGE,))],
    "max_pool3d": [(lambda t, x: t.max_pool3d(x.unsqueeze(0), 2, 1), (IMAGE,))],
    "native_channel_shuffle": [(lambda t, x: t.native_channel_shuffle(x.detach().unsqueeze(-1), 2), (IMAGE,))],
    "pairwise_distance": [(lambda t, x, y: t.pairwise_distance(x, y, 1.0, keepdim=True), (X, Y))],
    "pdist": [(lambda t, x: t.pdist(x), (X,))],
    "pixel_shuffle": [(lambda t, x: t.pixel_shuffle(x.unsqueeze(-1), 2), (IMAGE,))],
    "pixel_unshuffle": [(lambda t, x: t.pixel_unshuffle(x, 2), (IMAGE,))],
    "poisson_nll_loss": [(lambda t, x, y, r=r: t.poisson_nll_loss(x, y, True, True, 1e-8, r), (X, COUNTS)) for r in range(3)],
    "prelu": [(lambda t, x, w: t.prelu(x, w), (X, SIX))],
    "relu_": [(lambda t, x: t.relu_(x * 1), (X,))],
    "rms_norm": [(lambda t, x, w: t.rms_norm(x, (6,), w, 1e-3), (X, SIX))],
    "rrelu": [(lambda t, x: t.rrelu(x, 0.1, 0.3, True), (X,)), (lambda t, x: t.rrelu(x), (X,))],
    "rrelu_": [(lambda t, x: t.rrelu_(x * 1, 0.1, 0.3, False), (X,))],
    "selu": [(lambda t, x: t.selu(x), (X,))],
    "selu_": [(lambda t, x: t.selu_(x * 1), (X,))],
    "threshold": [(lambda t, x: t.threshold(x, 0.2, -3.0), (X,))],
    "threshold_": [(lambda t, x: t.threshold_(x * 1, 0.2, -3.0), (X,))],
    "triplet_margin_loss": [
        (lambda t, x, y, z, r=r: t.triplet_margin_loss(x, y, z, 2.0, 1.0, swap=True, reduction=r), (X, Y, Z)) for r in range(3)
    ],
}  # fmt: skip


def weights(gates, layers=2, ways=2, biases=True, hidden=3, projected=0):
    """Those of a recurrent network for 6 features."""
    made, seed = [], torch.Generator().manual_seed(7)
    out = projected or hidden
    for layer in range(layers):
        for _ in range(ways):
            shapes = [(gates * hidden, ways * out if layer else 6), (gates * hidden, out)]
            shapes += [(gates * hidden,), (gates * hidden,)] if biases else []
            shapes += [(projected, hidden)] if projected else []
            made += [torch.randn(shape, generator=seed, dtype=torch.float64) for shape in shapes]
    return made


STATE = torch.randn(4, 2, 3, generator=torch.Generator().manual_seed(5), dtype=torch.float64)
for name, gates in (("rnn_tanh", 1), ("rnn_relu", 1), ("gru", 3), ("lstm", 4)):

    def state(h, name=name):
        return [h, h * 2] if name == "lstm" else h

    def along(t, x, h, *w, name=name, state=state):
        return getattr(t, name)(x, state(h), list(w), True, 2, 0.0, False, True, True)

    def bare(t, x, h, *w, name=name, state=state):
        return getattr(t, name)(x, state(h[:1]), list(w), False, 1, 0.3, True, False, False)

    def packed(t, x, h, *w, name=name, state=state):
        return getattr(t, name)(x[:3, :], t.tensor([2, 1]), state(h), list(w), True, 2, 0.0, False, True)

    def step(t, x, h, *w, name=name, state=state):
        return getattr(t, f"{name}_cell")(x[:2], state(h[0]), *w)

    CASES[name] = [
        (along, (IMAGE, STATE, *weights(gates))),
        (bare, (IMAGE.transpose(0, 1), STATE, *weights(gates, 1, 1, False))),
        (packed, (X, STATE, *weights(gates))),
    ]
    CASES[f"{name}_cell"] = [(step, (X, STATE, *weights(gates, 1, 1))), (step, (X, STATE, *weights(gates, 1, 1, False)))]


def test_every_one_is_asked():
    assert set(CASES) == set(lamina_nn.torch_functions.__all__)
    assert all(hasattr(torch, name) and hasattr(lamina, name) for name in CASES)


@pytest.mark.filterwarnings("ignore:Using padding='same'")
@pytest.mark.parametrize(("name", "which"), [(name, i) for name in CASES for i in range(len(CASES[name]))])
def test_values_and_gradients(name, which):
    program, given = CASES[name][which]
    theirs = [x.clone().requires_grad_() for x in given]
    ours = [to_lamina(x).clone().requires_grad_() for x in given]
    if name.endswith(("batch_norm", "with_logits", "poisson_nll_loss", "embedding_loss", "ranking_loss")):  # of the first input only
        theirs[1:], ours[1:] = [x.clone() for x in given[1:]], [to_lamina(x).clone() for x in given[1:]]
    torch.manual_seed(1)
    lamina.manual_seed(1)
    expected, observed = program(torch, *theirs), program(lamina, *ours)
    expected = list(expected) if isinstance(expected, tuple) else [expected]
    observed = list(observed) if isinstance(observed, tuple) else [observed]
    for o, e in zip(observed, expected, strict=True):
        torch.testing.assert_close(to_torch(o.detach()), e.detach(), rtol=1e-7, atol=1e-9)
    wanted = [x for x in theirs if x.requires_grad]
    asked = [x for x in ours if x.requires_grad]
    results = [e for e in expected if e.requires_grad]
    if not results:
        return
    seeds = [torch.randn(e.shape, dtype=e.dtype) for e in results]
    expected = torch.autograd.grad(results, wanted, seeds, allow_unused=True)
    observed = lamina.autograd.grad([o for o in observed if o.requires_grad], asked, [*map(to_lamina, seeds)], allow_unused=True)
    for o, e in zip(observed, expected, strict=True):
        if e is not None:
            torch.testing.assert_close(to_torch(o), e, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("program", [
    lambda t: t.dropout(t.ones(3), 0.5), lambda t: t.batch_norm(t.ones(3, 2)),
    lambda t: t.nn.functional.batch_norm(t.ones(3, 2), t.zeros(2), None, training=True),
    lambda t: t.nn.functional.batch_norm(t.ones(3, 2), t.zeros(2, 1), t.ones(2, 1)),
    lambda t: t.nn.functional.batch_norm(t.ones(3, 2).half(), t.zeros(2, 1).half(), t.ones(2, 1).half()),
    lambda t: t.nn.functional.batch_norm(t.ones(3, 2).bfloat16(), t.zeros(1, 2).bfloat16(), t.ones(1, 2).bfloat16(), training=True),
    lambda t: t.nn.AdaptiveLogSoftmaxWithLoss(8, 10, [2.5]), lambda t: t.nn.AdaptiveLogSoftmaxWithLoss(8, 10, [2.0, 4.0]),
    lambda t: t.nn.functional.instance_norm(t.ones(3, 2, 4), None, t.ones(2)),
    lambda t: t.gru_cell(t.ones(2, 6), t.ones(3, 3), t.ones(9, 6), t.ones(9, 3)), lambda t: t.lstm(t.ones(2, 3, 4)),
])  # fmt: skip
def test_errors(program):
    for t, kinds in ((torch, Exception), (lamina, (TypeError, ValueError, RuntimeError))):
        with pytest.raises(kinds):
            program(t)


def test_unfold_copies_also_where_one_block_is_the_image(backend):
    for t in (torch, lamina):
        x = t.ones(1, 2, 2, 2)
        t.nn.functional.unfold(x, 2).add_(1)
        assert x.sum().item() == 8


def test_running_statistics_have_no_gradients(backend):
    for t in (torch, lamina):
        mean = t.zeros(3, requires_grad=True)
        for training in (False, True):
            with pytest.raises(RuntimeError, match="not differentiable with respect to argument 'running_mean'"):
                t.nn.functional.batch_norm(t.ones(2, 3), mean, t.ones(3), training=training)


@pytest.mark.parametrize("loss", ["huber_loss", "soft_margin_loss"])
def test_losses_have_the_dtype_of_the_input(loss, backend):
    for t in (torch, lamina):
        function = getattr(t.nn.functional, loss)
        assert function(t.ones(3), t.ones(3, dtype=t.float64), reduction="none").dtype == t.float32
        assert function(t.ones(3, dtype=t.float64), t.ones(3)).dtype == t.float64
        with pytest.raises(RuntimeError):
            function(t.ones(3, dtype=t.int64), t.ones(3))
    assert lamina.nn.functional.huber_loss(lamina.ones(2), lamina.tensor([True, False])).item() == 0.25


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 2, 1, 3), (2, 0, 1, 3), (0, 1, 3, 2)])
def test_attention_lies_in_the_order_of_the_query(order, backend):
    strides = []
    for t in (torch, lamina):
        shape = (2, 3, 4, 5)
        x = t.ones([shape[i] for i in order]).permute([order.index(i) for i in range(4)])
        calls = [(x, x, x), (x, x[:1], x[:1]), (x, x, t.ones(2, 3, 4, 7)), (t.ones(shape), x, x), (x[0], x[0], x[0])]
        strides.append([t.nn.functional.scaled_dot_product_attention(*call).stride() for call in calls])
    assert strides[0] == strides[1]


@pytest.mark.filterwarnings("ignore:Using a target size")
def test_a_target_without_dims_has_a_say_in_the_dtype(backend):
    for t in (torch, lamina):
        x, y = t.ones(3), t.tensor(0.1, dtype=t.float64)
        losses = [t.nn.functional.l1_loss(x, y), t.nn.functional.smooth_l1_loss(x, y, beta=0.0), t.nn.functional.mse_loss(x, y)]
        assert [loss.dtype for loss in losses] == [t.float64] * 3 and losses[0].item() == 0.9
