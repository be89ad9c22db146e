"""Numbers beside arrays whose dtype cannot hold them are refused, where wrapped they would mean another function."""

import pytest

import lamina_ndarray as nd
from lamina_flatarray import DTypeError
from lamina_flatarray.errors import IntegerTooLong

BYTES = nd.asarray([0, 1, 2], dtype=nd.uint8)


@pytest.mark.parametrize(
    "call",
    [
        lambda: BYTES**256, lambda: nd.clip(BYTES, 0, 300), lambda: nd.clip(BYTES, max=2**40), lambda: nd.where(BYTES > 0, BYTES, 300),
        lambda: nd.masked_fill(BYTES, BYTES > 0, nd.asarray(300)), lambda: nd.index_fill(BYTES, 0, nd.asarray([0]), nd.asarray(-1.0)),
        lambda: nd.addcmul(BYTES, BYTES, BYTES, value=300), lambda: nd.asarray([256], dtype=nd.uint8), lambda: nd.asarray(2**63),
    ],
)  # fmt: skip
def test_they_are_refused(call):
    with pytest.raises((DTypeError, ValueError)):
        call()


def test_operands_wrap_within_64_bits():
    assert (BYTES + 300).tolist() == [44, 45, 46] and (BYTES * (2**64 - 1)).tolist() == [0, 255, 254]
    for call in (lambda: BYTES + 2**64, lambda: 2**64 * BYTES, lambda: BYTES < -(2**63) - 1):
        with pytest.raises(IntegerTooLong, match="more than 64 bits"):
            call()


def test_powers_of_small_exponents():
    assert (BYTES**3).tolist() == [0, 1, 8] and (BYTES**BYTES).tolist() == [1, 1, 4]
