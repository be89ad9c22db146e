"""Embeddings, recurrent networks, attention and Transformers against PyTorch: its op database, and what its databases lack."""

import random
import warnings

import numpy as np
import pytest
import torch
from databases import op_database, op_errors, op_gradients
from databases.op_database import to_lamina, to_torch
from modules.module_database import ours
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_leaves

import lamina

OPS = ("embedding", "embedding_bag", "scaled_dot_product_attention", "multi_head_attention_forward")
INFOS = {name: next(i for i in op_db if i.name == f"nn.functional.{name}") for name in OPS}
TOLERANCE = {"float32": 1e-4, "float64": 1e-9}


# -- functions -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def dense(monkeypatch):
    """The databases without what asks for sparse gradients, which are refused."""
    whole = {name: INFOS[name].sample_inputs_func for name in OPS}

    def samples(name):
        return lambda *args, **kwargs: (s for s in whole[name](*args, **kwargs) if not s.kwargs.get("sparse"))

    for name in OPS:
        monkeypatch.setattr(INFOS[name], "sample_inputs_func", samples(name))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", OPS)
@pytest.mark.usefixtures("dense")
def test_values(name, dtype):
    assert op_database.check_values(INFOS[name], dtype)


@pytest.mark.parametrize("name", [n for n in OPS if INFOS[n].error_inputs_func])
def test_errors(name):
    assert op_errors.check_errors(INFOS[name]) > 0


@pytest.mark.parametrize(("dtype", "second", "limit"), [("float64", False, 60), ("float32", False, 4), ("float64", True, 8)])
@pytest.mark.parametrize("name", OPS)
@pytest.mark.usefixtures("dense")
def test_gradients(name, dtype, second, limit):
    if second and not INFOS[name].supports_gradgrad:
        pytest.skip("PyTorch itself has no second gradient")
    random.seed(0)
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert sum(op_gradients._gradients(call, dtype, second) for call in op_gradients.calls(INFOS[name], dtype, limit))


# -- modules -------------------------------------------------------------------------------------------------------------


def x(*shape):
    """What makes an argument that wants gradients."""
    return lambda dtype: torch.randn(shape, dtype=dtype).requires_grad_()


def index(high, *shape):
    return lambda dtype: torch.randint(0, high, shape)


def fixed(value):
    return lambda dtype: value


def packed(lengths, *features, sort=True):
    def make(dtype):
        given = torch.randn(max(lengths), len(lengths), *features, dtype=dtype)
        made = torch.nn.utils.rnn.pack_padded_sequence(given, torch.tensor(lengths), enforce_sorted=sort)
        made.data.requires_grad_()
        return made

    return make


CAUSAL = torch.nn.Transformer.generate_square_subsequent_mask(4)
PADDED = torch.tensor([[False, False, False, True], [False, False, False, False], [False, True, True, True]])
SMALL = dict(d_model=8, nhead=2, dim_feedforward=12)

MORE = [  # class, its arguments, what makes those of forward
    ("Embedding", dict(num_embeddings=6, embedding_dim=3, padding_idx=-2), (index(6, 4, 5),), {}),
    ("Embedding", dict(num_embeddings=6, embedding_dim=3, max_norm=1.0, norm_type=1.5), (index(6, 4, 5),), {}),
    ("Embedding", dict(num_embeddings=6, embedding_dim=3, scale_grad_by_freq=True, padding_idx=0), (index(6, 4, 5),), {}),
    *(("EmbeddingBag", dict(num_embeddings=7, embedding_dim=3, mode=mode, **more), args, {})
      for mode in ("sum", "mean", "max")
      for more in ({}, {"padding_idx": 2}, {"max_norm": 0.9})
      for args in ((index(7, 4, 5),), (index(7, 9), fixed(torch.tensor([0, 3, 3, 8]))))),
    ("EmbeddingBag", dict(num_embeddings=7, embedding_dim=3, include_last_offset=True),
     (index(7, 9), fixed(torch.tensor([0, 3, 9]))), {}),
    ("EmbeddingBag", dict(num_embeddings=7, embedding_dim=3, mode="sum"),
     (index(7, 9), fixed(torch.tensor([0, 3])), x(9)), {}),
    *((mode, dict(input_size=3, hidden_size=4, num_layers=3, dropout=0.4, bidirectional=both, batch_first=first),
       (x(5, 6, 3),), {})
      for mode in ("RNN", "GRU", "LSTM") for both in (False, True) for first in (False, True)),
    *((mode, dict(input_size=3, hidden_size=4), (x(5, 0, 3),), {}) for mode in ("RNN", "GRU", "LSTM")),
    *((mode, dict(input_size=3, hidden_size=4, num_layers=2, dropout=0.3, bidirectional=both),
       (packed(lengths, 3, sort=False), *states), {})
      for mode in ("RNN", "GRU") for both in (False, True) for lengths in ((5, 2, 4), (3, 3))
      for states in ((), (x(4 if both else 2, len(lengths), 4),))),
    *(("LSTM", dict(input_size=3, hidden_size=4, num_layers=2, bidirectional=both, proj_size=size),
       (packed((2, 5, 4), 3, sort=False), *states), {})
      for both in (False, True) for size in (0, 2)
      for states in ((), (lambda d, b=both, s=size: (x(4 if b else 2, 3, s or 4)(d), x(4 if b else 2, 3, 4)(d)),))),
    ("LSTM", dict(input_size=3, hidden_size=4, proj_size=2),
     (x(5, 2, 3), lambda d: (x(1, 2, 2)(d), x(1, 2, 4)(d))), {}),
    *((cell, dict(input_size=3, hidden_size=4, bias=bias), (x(5, 3),), {})
      for cell in ("RNNCell", "GRUCell", "LSTMCell") for bias in (False, True)),
    *(("MultiheadAttention", dict(embed_dim=8, num_heads=2, dropout=0.3, **more), (x(4, 3, 8), x(5, 3, k), x(5, 3, v)),
       dict(need_weights=need, average_attn_weights=average))
      for more, k, v in (({}, 8, 8), ({"kdim": 5}, 5, 8), ({"kdim": 5, "vdim": 6, "bias": False}, 5, 6),
                         ({"add_bias_kv": True}, 8, 8), ({"add_zero_attn": True, "add_bias_kv": True}, 8, 8))
      for need, average in ((True, True), (True, False), (False, True))),
    *(("MultiheadAttention", dict(embed_dim=8, num_heads=2, batch_first=True), (x(3, 4, 8), x(3, 4, 8), x(3, 4, 8)),
       dict(key_padding_mask=padding, attn_mask=mask, need_weights=need, is_causal=causal))
      for need in (False, True)
      for padding, mask, causal in ((PADDED, None, False), (PADDED, CAUSAL.bool(), False), (None, CAUSAL, True),
                                    (None, torch.randn(6, 4, 4), False), (PADDED, CAUSAL, True))),
    *(("TransformerEncoderLayer", {**SMALL, **more}, (x(4, 3, 8),), {"src_mask": CAUSAL})
      for more in ({}, {"norm_first": True}, {"bias": False}, {"activation": "gelu", "dropout": 0.5})),
    ("TransformerEncoderLayer", {**SMALL, "batch_first": True}, (x(3, 4, 8),), {"src_key_padding_mask": PADDED}),
    ("TransformerDecoderLayer", {**SMALL, "norm_first": True}, (x(4, 3, 8), x(5, 3, 8)), {"tgt_mask": CAUSAL}),
    *(("Transformer", {**SMALL, "num_encoder_layers": 2, "num_decoder_layers": 2, **more}, (x(5, 3, 8), x(4, 3, 8)),
       {"tgt_mask": CAUSAL}) for more in ({}, {"norm_first": True}, {"bias": False, "activation": "gelu"})),
]  # fmt: skip


def tensors(value):
    """All tensors in arguments or results, packed ones' items among them."""
    found = []
    for leaf in tree_leaves(value):
        packed_kinds = (torch.nn.utils.rnn.PackedSequence, lamina.nn.utils.rnn.PackedSequence)
        found += [t for t in leaf if t is not None] if isinstance(leaf, packed_kinds) else [leaf]
    return [t for t in found if isinstance(t, (torch.Tensor, lamina.Tensor))]


def same(what, observed, expected, dtype):
    if expected is None:
        assert observed is None, what
        return
    tolerance = TOLERANCE[dtype]
    found = to_torch(observed.detach())
    torch.testing.assert_close(
        found, expected.detach(), rtol=tolerance, atol=tolerance, equal_nan=True, msg=lambda text: f"{what}: {text}"
    )


def compare(name, made, given, dtype, training):
    """One module from the same seed in both libraries: weights, state, repr, results, and all gradients."""
    kind = getattr(torch, dtype)
    (args, kwargs), (inputs, params) = made, given
    torch.manual_seed(3)
    theirs = getattr(torch.nn, name)(*args, **kwargs).train(training)
    lamina.manual_seed(3)
    mine = getattr(lamina.nn, name)(*ours(args), **ours(kwargs)).train(training)
    assert list(mine.state_dict()) == list(theirs.state_dict())
    for key, value in theirs.state_dict().items():
        assert torch.equal(to_torch(mine.state_dict()[key]), value), key
    assert repr(mine) == repr(theirs)
    theirs, mine = theirs.to(kind), mine.to(getattr(lamina, dtype))
    own_inputs, own_params = ours(inputs), ours(params)
    for e in tensors((inputs, params)):
        if e.requires_grad:
            e.retain_grad()  # the database gives transposed ones
    torch.manual_seed(5)
    expected = tensors(theirs(*inputs, **params))
    lamina.manual_seed(5)
    observed = tensors(mine(*own_inputs, **own_params))
    assert len(observed) == len(expected)
    for i, (o, e) in enumerate(zip(observed, expected, strict=True)):
        same(f"{name}{made} result {i}", o, e, dtype)
        assert o.requires_grad == e.requires_grad
    outputs = [(o, e, torch.randn_like(e)) for o, e in zip(observed, expected, strict=True) if e.requires_grad]
    torch.autograd.backward([e for _, e, _ in outputs], [g for _, _, g in outputs])
    lamina.autograd.backward([o for o, _, _ in outputs], [to_lamina(g) for _, _, g in outputs])
    for i, (o, e) in enumerate(zip(tensors((own_inputs, own_params)), tensors((inputs, params)), strict=True)):
        if e.requires_grad:
            same(f"{name}{made} gradient of input {i}", o.grad, e.grad, dtype)
    for (key, o), (_, e) in zip(mine.named_parameters(), theirs.named_parameters(), strict=True):
        same(f"{name}{made} gradient of {key}", o.grad, e.grad, dtype)
        same(f"{name}{made} {key} afterwards", o, e, dtype)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("case", [pytest.param(c, id=f"{i}-{c[0]}") for i, c in enumerate(MORE)])
def test_modules(case, dtype, training):
    name, kwargs, makers, params = case
    kind = getattr(torch, dtype)
    torch.manual_seed(0)
    inputs = tuple(make(kind) for make in makers)
    params = {k: v.to(kind) if isinstance(v, torch.Tensor) and v.is_floating_point() else v for k, v in params.items()}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        compare(name, ((), kwargs), (inputs, params), dtype, training)
