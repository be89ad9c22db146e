"""Programs over sequences in both libraries: training from one seed, packing and padding, masks, and evaluation."""

import warnings

import numpy as np
import pytest
import torch
from op_database import to_lamina, to_torch

import lamina

TEXT = "the quick brown fox jumps over the lazy dog; pack my box with five dozen liquor jugs. " * 2
VOCABULARY = sorted(set(TEXT))


class CharacterLSTM:
    """A character model over an LSTM of two layers with dropout."""

    @staticmethod
    def of(t):
        nn = t.nn

        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.rows = nn.Embedding(len(VOCABULARY), 12)
                self.lstm = nn.LSTM(12, 16, num_layers=2, batch_first=True, dropout=0.2)
                self.head = nn.Linear(16, len(VOCABULARY))

            def forward(self, x):
                return self.head(self.lstm(self.rows(x))[0])

        return Model()


class SmallGPT:
    """Two pre-norm blocks of causal attention, with a tied head."""

    @staticmethod
    def of(t):
        nn, F = t.nn, t.nn.functional

        class Block(nn.Module):
            def __init__(self, features, heads):
                super().__init__()
                self.heads = heads
                self.norm1, self.norm2 = nn.LayerNorm(features), nn.LayerNorm(features)
                self.qkv, self.out = nn.Linear(features, 3 * features), nn.Linear(features, features)
                self.feed = nn.Sequential(nn.Linear(features, 4 * features), nn.GELU(), nn.Linear(4 * features, features))
                self.drop = nn.Dropout(0.1)

            def forward(self, x):
                b, n, c = x.shape
                q, k, v = self.qkv(self.norm1(x)).split(c, dim=2)
                q, k, v = (y.view(b, n, self.heads, c // self.heads).transpose(1, 2) for y in (q, k, v))
                y = F.scaled_dot_product_attention(q, k, v, dropout_p=0.1 if self.training else 0.0, is_causal=True)
                x = x + self.drop(self.out(y.transpose(1, 2).reshape(b, n, c)))
                return x + self.drop(self.feed(self.norm2(x)))

        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.rows, self.places = nn.Embedding(len(VOCABULARY), 16), nn.Embedding(16, 16)
                self.blocks = nn.ModuleList([Block(16, 4) for _ in range(2)])
                self.norm = nn.LayerNorm(16)
                self.head = nn.Linear(16, len(VOCABULARY), bias=False)
                self.head.weight = self.rows.weight

            def forward(self, x):
                h = self.rows(x) + self.places(t.arange(x.shape[1]))
                for block in self.blocks:
                    h = block(h)
                return self.head(self.norm(h))

        return Model()


def losses(t, program):
    """Of 20 steps from one seed."""
    t.manual_seed(7)
    model = program.of(t)
    optimizer = t.optim.AdamW(model.parameters(), lr=3e-3)
    data = t.tensor([VOCABULARY.index(c) for c in TEXT])
    found = []
    for _ in range(20):
        starts = t.randint(len(TEXT) - 17, (8,)).tolist()
        x, y = (t.stack([data[s + k : s + k + 16] for s in starts]) for k in (0, 1))
        loss = t.nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found


@pytest.mark.parametrize("program", [CharacterLSTM, SmallGPT])
def test_training_from_one_seed(program):
    mine, theirs = losses(lamina, program), losses(torch, program)
    np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-4)
    assert mine[-1] < mine[0] - 0.1


# -- packing and padding -------------------------------------------------------------------------------------------------


def rnn(t):
    return t.nn.utils.rnn


def check(program, *tensors):
    """A program gives the same in both libraries, and the same gradients."""
    theirs = [x.clone().requires_grad_(x.is_floating_point()) for x in tensors]
    mine = [to_lamina(x).clone().requires_grad_(x.is_floating_point()) for x in tensors]
    expected, observed = program(torch, *theirs), program(lamina, *mine)
    assert len(expected) == len(observed)
    for o, e in zip(observed, expected, strict=True):
        assert (o is None) == (e is None)
        if e is not None:
            torch.testing.assert_close(to_torch(o.detach()), e.detach(), equal_nan=True, rtol=1e-6, atol=1e-7)
    for outs in (expected, observed):
        sum((y * y).sum() for y in outs if y is not None and y.requires_grad).backward()
    for o, e in zip(mine, theirs, strict=True):
        if e.grad is not None:
            torch.testing.assert_close(to_torch(o.grad), e.grad, equal_nan=True, rtol=1e-5, atol=1e-6)


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


MASKS = {
    "rows that see nothing": torch.tensor([[False] * 5, [True] * 5, [True, False] * 2 + [True], [False] * 5]),
    "added, rows that see nothing": torch.tensor([[-float("inf")] * 5, [0.0] * 5, [1.0, -float("inf"), 2.0, 3.0, -1.0], [0.0] * 5]),
    "per head": torch.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5) % 3 > 0,
}


@pytest.mark.parametrize("name", MASKS)
def test_masks(name):
    torch.manual_seed(0)
    check(lambda t, q, k, v, mask: [attention(t, q, k, v, mask)],
          torch.randn(2, 3, 4, 6), torch.randn(2, 3, 5, 6), torch.randn(2, 3, 5, 7), MASKS[name])  # fmt: skip


def test_shared_heads_scale_and_causal():
    torch.manual_seed(0)
    check(lambda t, q, k, v: [attention(t, q, k, v, is_causal=True, scale=0.3, enable_gqa=True)],
          torch.randn(2, 6, 4, 6), torch.randn(2, 2, 5, 6), torch.randn(2, 3, 5, 7))  # fmt: skip


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
