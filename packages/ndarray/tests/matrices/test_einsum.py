"""Sums over labelled axes against NumPy's, the order of products, and what is copied."""

import itertools
import math

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray.errors import ArgumentTypeError, ArgumentValueError, ShapeError, UsageError
from lamina_ndarray import einsum
from lamina_ndarray.products.einsum.contraction_order import contraction_order
from lamina_ndarray.products.einsum.equation import parsed

RNG = np.random.default_rng(2)
LETTERS = "abcdef"


def random_case(seed):
    """An equation over 1 to 4 arrays with repeated, lonely, broadcast and kept letters."""
    rng = np.random.default_rng(seed)
    sizes = dict(zip(LETTERS, rng.integers(1, 4, len(LETTERS)), strict=True))
    terms = ["".join(rng.choice(list(LETTERS), rng.integers(0, 5))) for _ in range(rng.integers(1, 5))]
    used = sorted(set("".join(terms)))
    result = "".join(rng.permutation(used)[: rng.integers(0, len(used) + 1)])
    arrays = [rng.standard_normal([sizes[c] for c in term]) for term in terms]
    return ",".join(terms) + "->" + result, arrays


@pytest.mark.parametrize("seed", range(120))
def test_random_equations(seed):
    equation, arrays = random_case(seed)
    made = einsum(equation, *map(nd.asarray, arrays))
    expected = np.einsum(equation, *arrays)
    assert made.shape == expected.shape
    np.testing.assert_allclose(made.numpy(), expected, rtol=1e-10, atol=1e-10)


def test_forms_of_the_equation():
    a, b = RNG.standard_normal((2, 3)), RNG.standard_normal((3, 4))
    x, y = nd.asarray(a), nd.asarray(b)
    for found in (einsum("ij,jk", x, y), einsum(" i j, jk ->ik ", [x, y]), einsum(x, [0, 1], y, [1, 2]),
                  einsum(x, [..., 51], y, [51, 7], [..., 7])):  # fmt: skip
        np.testing.assert_allclose(found.numpy(), a @ b)
    assert einsum("Ab,bc", x, y).shape == (2, 4)
    assert einsum("ba,ac", x, y).shape == (2, 4)  # b, c
    assert einsum("ab,Bb", x, x).shape == (2, 2)
    np.testing.assert_allclose(einsum("aB->Ba", x).numpy(), a.T)
    np.testing.assert_allclose(einsum("aB", x).numpy(), a.T)  # capitals come first


def test_ellipses_broadcast():
    a, b = RNG.standard_normal((5, 1, 2, 3)), RNG.standard_normal((4, 3, 2))
    found = einsum("...ij,...jk->...ik", nd.asarray(a), nd.asarray(b))
    np.testing.assert_allclose(found.numpy(), a @ b)
    np.testing.assert_allclose(einsum("i...->...", nd.asarray(a)).numpy(), a.sum(0))
    np.testing.assert_allclose(einsum("...i->i", nd.asarray(a)).numpy(), a.sum((0, 1, 2)))
    np.testing.assert_allclose(einsum("ij,jk->ik", nd.asarray(a[0, 0]), nd.ones((1, 2), dtype="float64")).numpy(),
                               a[0, 0].sum(1)[:, None].repeat(2, 1))  # fmt: skip


def test_views_are_not_copied():
    x = nd.ones((2, 3, 4))
    assert einsum("ijk->kij", x).flat.memory is x.flat.memory


def test_dtypes():
    assert einsum("ij,jk->ik", nd.ones((2, 2), dtype="float16"), nd.ones((2, 2), dtype="float16")).dtype is nd.float16
    assert einsum("i,i->", nd.ones(3, dtype="int64"), nd.ones(3, dtype="int64")).tolist() == 3
    wide = einsum("i,i->", nd.full(4096, 1.0, dtype="float16"), nd.full(4096, 1.0, dtype="float16"))
    assert wide.tolist() == 4096  # in steps of one, float16 would stay at 2048


def cost(terms, result, sizes, order):
    """How many products of index values an order takes."""
    present, total = [frozenset(t) for t in terms], 0
    for i, j in order:
        both = present[i] | present[j]
        rest = [p for k, p in enumerate(present) if k not in (i, j)]
        total += math.prod(sizes[c] for c in both)
        present = [*rest, both & frozenset(result).union(*rest)]
    assert len(present) == 1
    return total


def all_orders(n):
    if n == 1:
        yield ()
        return
    for pair in itertools.combinations(range(n), 2):
        for rest in all_orders(n - 1):
            yield (pair, *rest)


@pytest.mark.parametrize("seed", range(20))
def test_order_of_five_is_the_cheapest_of_all(seed):
    rng = np.random.default_rng(seed)
    sizes = dict(zip(LETTERS, map(int, rng.integers(2, 9, len(LETTERS))), strict=True))
    terms = [tuple(sorted(set(rng.choice(list(LETTERS), 3)))) for _ in range(5)]
    result = tuple(set(terms[0]) & set(LETTERS[:3]))
    found = cost(terms, result, sizes, contraction_order(terms, result, sizes))
    assert found == min(cost(terms, result, sizes, order) for order in all_orders(5))


def test_order_of_many():
    n = 30
    terms = [(i, i + 1) for i in range(n)]  # a chain of matrices that ends in a vector
    sizes = dict.fromkeys(range(n), 10) | {n: 1}
    order = contraction_order(terms, (0, n), sizes)
    assert cost(terms, (0, n), sizes, order) <= 100 * n


def test_a_chain_is_multiplied_from_its_vector():
    terms, _, sizes = parsed("ab,bc,cd,d->a", ((50, 50), (50, 50), (50, 50), (50,)))
    assert contraction_order(terms, ("a",), sizes)[0] == (2, 3)


@pytest.mark.parametrize(
    ("equation", "shapes", "error", "says"),
    [
        ("ij,jk", [(2, 3)], UsageError, "fewer operands"),
        ("ij", [(2, 3), (3,)], UsageError, "more operands"),
        ("ij", [(2,)], ShapeError, "does not match the number of dimensions"),
        ("i", [(2, 3)], ShapeError, "does not match the number of dimensions"),
        ("ij->k", [(2, 3)], UsageError, "does not appear in any input"),
        ("ij->ii", [(2, 3)], UsageError, "more than once in the output"),
        ("i1", [(2, 3)], UsageError, "invalid subscript"),
        ("i..", [(2, 3)], UsageError, "incomplete ellipsis"),
        ("...i...", [(2, 3)], UsageError, "more than once in a term"),
        ("ii", [(2, 3)], ShapeError, "sizes don't match"),
        ("ij,jk", [(2, 3), (4, 5)], ShapeError, "does not broadcast with 3"),
        ("ij->i->j", [(2, 3)], UsageError, "invalid subscript"),
        ("ij", [], ArgumentValueError, "at least one operand"),
    ],
)
def test_refused(equation, shapes, error, says):
    with pytest.raises(error, match=says):
        einsum(equation, *map(nd.ones, shapes))


def test_labels_that_are_none_are_refused():
    x = nd.ones((2, 3))
    with pytest.raises(ArgumentValueError, match="valid range"):
        einsum(x, [60, 1])
    with pytest.raises(ArgumentTypeError, match="list of an operand's labels"):
        einsum(x, "ij")
