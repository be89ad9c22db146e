"""Sequences and distributions on their own: gradients beside finite differences, and what packing must not change."""

import numpy as np
import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_nn import distributions
from lamina_nn import functional as F
from lamina_nn.packed_sequences import pack_sequence, unpack_sequence
from lamina_tensor.transforms.gradcheck import gradcheck


def double(*shape):
    return lt.randn(*shape, dtype="float64", requires_grad=True)


@pytest.mark.parametrize("kind", [nn.RNN, nn.GRU, nn.LSTM])
def test_packed_sequences_are_run_one_by_one(kind):
    lt.manual_seed(0)
    network = kind(3, 4, num_layers=2, bidirectional=True).double()
    sequences = [double(n, 3) for n in (2, 5, 1, 5)]
    together, last = network(pack_sequence(sequences, enforce_sorted=False))
    for k, (sequence, found) in enumerate(zip(sequences, unpack_sequence(together), strict=True)):
        alone, state = network(sequence)
        assert lt.allclose(found, alone)
        for a, b in zip(last if kind is nn.LSTM else [last], state if kind is nn.LSTM else [state], strict=True):
            assert lt.allclose(a[:, k], b)


@pytest.mark.parametrize("kind", [nn.RNN, nn.GRU, nn.LSTM])
def test_gradients_of_recurrent_networks(kind):
    lt.manual_seed(0)
    network = kind(2, 3, bidirectional=True).double()
    assert gradcheck(lambda x: network(pack_sequence([x, x[:2]]))[0].data, (double(3, 2),))


def test_gradients_of_attention():
    lt.manual_seed(0)
    mask = lt.tensor([[True, False, True], [False, False, False]])
    assert gradcheck(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, mask), (double(2, 4), double(3, 4), double(3, 2)))


def test_a_row_of_padding_gets_no_gradient():
    table = nn.Embedding(4, 2, padding_idx=1)
    table(lt.tensor([[0, 1], [1, 3]])).sum().backward()
    assert table.weight.grad.tolist() == [[1, 1], [0, 0], [0, 0], [1, 1]]


def test_gradients_by_frequency_are_means():
    table = lt.zeros(3, 2, requires_grad=True)
    F.embedding(lt.tensor([2, 2, 0]), table, scale_grad_by_freq=True).sum().backward()
    assert table.grad.tolist() == [[1, 1], [0, 0], [1, 1]]


def test_gradients_of_samples_are_those_of_expectations():
    """d/da of E[x] is 1 and of E[x * x] is 2 a + 1, for gamma numbers x of shape a."""
    lt.manual_seed(0)
    shape = lt.tensor([0.3, 2.0], dtype="float64", requires_grad=True)
    x = distributions.Gamma(shape, 1.0).rsample((4000,))
    (first,) = lt.grad(x.mean(0).sum(), shape, retain_graph=True)
    (second,) = lt.grad((x * x).mean(0).sum(), shape)
    np.testing.assert_allclose(first.numpy(), [1, 1], rtol=0.1)
    np.testing.assert_allclose(second.numpy(), [1.6, 5], rtol=0.2)
