"""Programs over sequences in both libraries: packing and padding, masks, and evaluation."""

import warnings

import numpy as np
import pytest
import torch
from databases.op_database import to_lamina, to_torch

import lamina
from lamina_testkit import error_bounds

# -- packing and padding -------------------------------------------------------------------------------------------------


def rnn(t):
    return t.nn.utils.rnn


def check(program, *tensors, atol=1e-7):
    """A program gives the same in both libraries, and the same gradients."""
    theirs = [x.clone().requires_grad_(x.is_floating_point()) for x in tensors]
    mine = [to_lamina(x).clone().requires_grad_(x.is_floating_point()) for x in tensors]
    expected, observed = program(torch, *theirs), program(lamina, *mine)
    assert len(expected) == len(observed)
    for o, e in zip(observed, expected, strict=True):
        assert (o is None) == (e is None)
        if e is not None:
            torch.testing.assert_close(to_torch(o.detach()), e.detach(), equal_nan=True, rtol=1e-6, atol=atol)
    for outs in (expected, observed):
        sum((y * y).sum() for y in outs if y is not None and y.requires_grad).backward()
    for o, e in zip(mine, theirs, strict=True):
        if e.grad is not None:
            torch.testing.assert_close(to_torch(o.grad), e.grad, equal_nan=True, rtol=1e-5, atol=10 * atol)


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("order", [False, True])
def test_padded_sequences_are_packed_and_padded_again(first, order):
    lengths = torch.tensor([6, 4, 4, 1] if order else [4, 1, 6, 4])

    def program(t, x, lengths):
        packed = rnn(t).pack_padded_sequence(x, lengths, batch_first=first, enforce_sorted=order)
        padded, sizes = rnn(t).pad_packed_sequence(packed, first, -1.5, 8)
        return (*packed, padded, sizes, packed.double().data)

    torch.manual_seed(0)
    check(program, torch.randn((4, 6, 3) if first else (6, 4, 3)), lengths)


@pytest.mark.parametrize("side", ["left", "right"])
def test_sequences_are_padded_packed_and_unpacked(side):
    def program(t, *xs):
        padded = rnn(t).pad_sequence(xs, padding_value=2.0, padding_side=side)
        packed = rnn(t).pack_sequence(xs, enforce_sorted=False)
        lengths = t.tensor([len(x) for x in xs])
        whole = rnn(t).pad_sequence(xs, batch_first=True)
        return padded, *packed, *rnn(t).unpack_sequence(packed), *rnn(t).unpad_sequence(whole, lengths, batch_first=True)

    torch.manual_seed(0)
    check(program, torch.randn(3, 2), torch.randn(5, 2), torch.randn(1, 2))


@pytest.mark.parametrize("program", [
    lambda t: rnn(t).pack_padded_sequence(t.ones(4, 2), t.tensor([2, 3])),
    lambda t: rnn(t).pack_padded_sequence(t.ones(4, 2), t.tensor([3, 0])),
    lambda t: rnn(t).pack_padded_sequence(t.ones(4, 2), t.tensor([3])),
    lambda t: rnn(t).pad_packed_sequence(rnn(t).pack_sequence([t.ones(3)]), total_length=2),
    lambda t: rnn(t).pad_sequence([]),
    lambda t: rnn(t).pad_sequence(3),
    lambda t: rnn(t).pad_sequence([t.ones(2)], padding_side="top"),
    lambda t: t.nn.LSTM(3, 4)(t.ones(5, 2, 3), (t.zeros(1, 2, 3), t.zeros(1, 2, 4))),
    lambda t: t.nn.GRU(3, 4)(t.ones(5, 2, 3), t.zeros(1, 4)),
    lambda t: t.nn.RNN(3, 4)(t.ones(5)),
    lambda t: t.nn.RNN(3, 4, nonlinearity="sine"),
    lambda t: t.nn.GRU(3, 4, proj_size=2),
    lambda t: t.nn.LSTM(3, 4, dropout=2),
    lambda t: t.nn.LSTM(3, 4, bias=1),
    lambda t: t.nn.LSTM(3, 4, proj_size=4),
    lambda t: t.nn.LSTM(0, 4),
    lambda t: t.nn.Embedding(3, 2)(t.tensor([-1])),
    lambda t: t.nn.Embedding(3, 2, padding_idx=3),
    lambda t: t.nn.EmbeddingBag(3, 2)(t.tensor([1, 2])),
    lambda t: t.nn.EmbeddingBag(3, 2)(t.tensor([[1, 2]]), t.tensor([0])),
    lambda t: t.nn.EmbeddingBag(3, 2, mode="median")(t.tensor([[1, 2]])),
    lambda t: t.nn.EmbeddingBag(3, 2)(t.tensor([[1, 2]]), per_sample_weights=t.ones(1, 2)),
    lambda t: t.nn.MultiheadAttention(5, 2),
    lambda t: t.nn.MultiheadAttention(0, 2),
    lambda t: t.nn.MultiheadAttention(4, 2)(t.ones(3, 2, 4), t.ones(3, 4), t.ones(3, 4)),
    lambda t: t.nn.MultiheadAttention(4, 2)(*[t.ones(3, 2, 4)] * 3, attn_mask=t.zeros(2, 3)),
    lambda t: t.nn.MultiheadAttention(4, 2)(*[t.ones(3, 2, 4)] * 3, is_causal=True),
    lambda t: t.nn.functional.scaled_dot_product_attention(*[t.ones(2, 3)] * 3, t.ones(2, 2), is_causal=True),
    lambda t: t.nn.functional.scaled_dot_product_attention(*[t.ones(2, 3)] * 3, t.ones(2, 2, dtype=t.int64)),
    lambda t: t.nn.functional.scaled_dot_product_attention(t.ones(2, 3), *[t.ones(2, 3, dtype=t.float64)] * 2),
    lambda t: t.nn.functional.scaled_dot_product_attention(t.ones(3), *[t.ones(2, 3)] * 2),
    lambda t: t.nn.TransformerEncoderLayer(4, 2, activation="sine"),
    lambda t: attention(t, t.ones(4, 3, 2), t.ones(5, 2), t.ones(5, 2), enable_gqa=True),
    lambda t: attention(t, t.ones(4, 3, 2), t.ones(3, 5, 2), t.ones(3, 5, 2), enable_gqa=True),
    lambda t: t.nn.Transformer(4, 2, 1, 1, 4)(t.ones(3, 2, 4), t.ones(3, 1, 4)),
    lambda t: t.nn.Transformer(4, 2, 1, 1, 4)(t.ones(3, 2, 4), t.ones(3, 2, 5)),
])  # fmt: skip
def test_bad_input_is_refused_with_the_same_type(program):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(Exception) as expected:
            program(torch)
        with pytest.raises(type(expected.value)):
            program(lamina)


# -- attention -----------------------------------------------------------------------------------------------------------


def attention(t, *args, **params):
    return t.nn.functional.scaled_dot_product_attention(*args, **params)


# Chances are as far off as their scores, which are of about 1, and so are the sums of as many values.
ATTENTION = 3 * error_bounds.products_of_noise("float32")
MASKS = {
    "rows that see nothing": torch.tensor([[False] * 5, [True] * 5, [True, False] * 2 + [True], [False] * 5]),
    "added, rows that see nothing": torch.tensor([[-float("inf")] * 5, [0.0] * 5, [1.0, -float("inf"), 2.0, 3.0, -1.0], [0.0] * 5]),
    "per head": torch.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5) % 3 > 0,
}


@pytest.mark.parametrize("name", MASKS)
def test_masks(name):
    torch.manual_seed(0)
    check(lambda t, q, k, v, mask: [attention(t, q, k, v, mask)],
          torch.randn(2, 3, 4, 6), torch.randn(2, 3, 5, 6), torch.randn(2, 3, 5, 7), MASKS[name], atol=ATTENTION)  # fmt: skip


def test_shared_heads_scale_and_causal():
    torch.manual_seed(0)
    check(lambda t, q, k, v: [attention(t, q, k, v, is_causal=True, scale=0.3, enable_gqa=True)],
          torch.randn(2, 6, 4, 6), torch.randn(2, 2, 5, 6), torch.randn(2, 3, 5, 7), atol=ATTENTION)  # fmt: skip


@pytest.mark.parametrize(("heads", "shared"), [
    ((1, 4), (3, 2)), ((4,), (3, 2)), ((3, 4), (2,)), ((3, 4), (1, 2)), ((2, 4), (2, 4)), ((2, 0), (2, 0)),
])  # fmt: skip
def test_shared_heads_of_batches_that_broadcast(heads, shared):
    torch.manual_seed(0)
    check(lambda t, q, k, v: [attention(t, q, k, v, enable_gqa=True)],
          *(torch.randn(shape, dtype=torch.float64) for shape in ((*heads, 4, 6), (*shared, 5, 6), (*shared, 5, 7))))  # fmt: skip


def test_a_choice_of_kernels_is_accepted():
    from lamina.nn.attention import SDPBackend, sdpa_kernel

    x = lamina.ones(2, 3)
    with sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH], set_priority=True):
        assert lamina.allclose(attention(lamina, x, x, x), x)
    assert {b.name for b in SDPBackend} == {b.name for b in torch.nn.attention.SDPBackend.__members__.values()}
    with pytest.raises(AssertionError), sdpa_kernel("math"):
        pass


@pytest.mark.parametrize("options", [{}, *({"batch_first": True, **more} for more in ({}, {"norm_first": True}, {"bias": False}))])
@pytest.mark.parametrize("hidden", [[[0, 0, 1, 1], [0, 0, 0, 0]], [[0, 0, 0, 1], [0, 0, 1, 1]], [[1, 0, 0, 0], [0, 0, 0, 0]]])
def test_an_encoder_in_evaluation_without_gradients(options, hidden):
    found = []
    for t in (torch, lamina):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            t.manual_seed(0)
            layer = t.nn.TransformerEncoderLayer(8, 2, 12, **options)
            encoder = t.nn.TransformerEncoder(layer, 2).eval()
            x = t.randn(2, 4, 8)
            with t.no_grad():
                y = encoder(x if options else x.transpose(0, 1), src_key_padding_mask=t.tensor(hidden) > 0)
        found.append((y.numpy(), [str(w.message) for w in said if "enable_nested_tensor is True" in str(w.message)]))
    np.testing.assert_allclose(found[1][0], found[0][0], rtol=1e-4, atol=1e-5)
    assert found[1][1] == found[0][1]


def test_tables_of_given_rows():
    rows = torch.randn(4, 3)
    mine = lamina.nn.Embedding.from_pretrained(to_lamina(rows), padding_idx=1)
    assert repr(mine) == repr(torch.nn.Embedding.from_pretrained(rows, padding_idx=1))
    assert not mine.weight.requires_grad
    bag = lamina.nn.EmbeddingBag.from_pretrained(to_lamina(rows), freeze=False, mode="sum")
    assert bag.weight.requires_grad
    assert np.allclose(bag(lamina.tensor([[0, 2]])).detach().numpy(), rows[[0, 2]].sum(0))


def test_a_cell_step_by_step_is_a_network_of_one_layer():
    lstm = lamina.nn.LSTM(3, 4)
    with lamina.no_grad():
        expected = lstm(lamina.ones(6, 2, 3))[0]
    cell = lamina.nn.LSTMCell(3, 4)
    cell.load_state_dict({k.removesuffix("_l0"): v for k, v in lstm.state_dict().items()})
    state = None
    for step in expected:
        state = cell(lamina.ones(2, 3), state)
        assert lamina.allclose(state[0], step)


def test_unpadded_sequences_are_new():
    for t in (lamina, torch):
        padded = t.arange(12.0).reshape(3, 2, 2).requires_grad_()
        parts = t.nn.utils.rnn.unpad_sequence(padded * 1, t.tensor([3, 1]))
        assert [(tuple(part.shape), part.stride()) for part in parts] == [((3, 2), (2, 1)), ((1, 2), (2, 1))]
        assert parts[0].untyped_storage().data_ptr() != parts[1].untyped_storage().data_ptr()
        (parts[0].sum() + 2 * parts[1].sum()).backward()
        assert padded.grad.tolist() == [[[1, 1], [2, 2]], [[1, 1], [0, 0]], [[1, 1], [0, 0]]]
