"""Arithmetic of PTX that NumPy does not have: fused and directed rounding, saturating casts, carries, and fields of bits."""

from fractions import Fraction

import numpy as np

__all__ = [
    "add_carry", "bytes_permuted", "cast_float", "cast_to_int", "directed32", "divide", "extract", "flushed", "fma16", "fma32", "fma64",
    "greatest", "head", "high", "insert", "leading", "logic", "remainder", "reversed_bits", "set_bits", "shifted", "smallest",
]  # fmt: skip

_HALF, _BELOW = np.uint64(0x10000000), np.uint64(0x1FFFFFFF)
_SMALLEST = 2.0**-126
_SPLIT = 2.0**27 + 1


# -- floats ---------------------------------------------------------------------------------------------------------


def _sum_error(a, b, total):
    """What a + b lacks of being exact (D. Knuth, The Art of Computer Programming, volume 2, 4.2.2)."""
    back = total - a
    return (a - (total - back)) + (b - back)


def _odd(total, error):
    """A sum rounded to odd (S. Boldo and G. Melquiond, Emulation of FMA and correctly rounded sums, 2008)."""
    bits = total.view(np.uint64)
    wrong = (error != 0) & (bits & np.uint64(1) == 0) & np.isfinite(total)
    away = (error > 0) == (total > 0)
    return np.where(wrong, np.where(away, bits + np.uint64(1), bits - np.uint64(1)), bits).view(np.float64)


def _sum_to_odd(a, b):
    a, b = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(b, np.float64))
    total = np.asarray(a + b)
    return _odd(total, _sum_error(a, b, total))


def fma32(a, b, c):
    """a * b + c in float32, rounded once."""
    product = np.multiply(a, b, dtype=np.float64)  # exact
    total = product + c
    bits = total.view(np.uint64)
    if ((bits & _BELOW == _HALF) | (np.abs(total) < _SMALLEST) & (total != 0)).any():  # else rounding twice is rounding once
        total = _sum_to_odd(product, c)
    return total.astype(np.float32)


def fma16(a, b, c):
    """a * b + c in float16, rounded once."""
    return _sum_to_odd(np.multiply(a, b, dtype=np.float64), c).astype(np.float16)


def directed32(a, b, c, mode):
    """a * b + c in float32, rounded toward zero ("rz"), down ("rm") or up ("rp")."""
    return _directed(_sum_to_odd(np.multiply(a, b, dtype=np.float64), c), np.float32, mode)


def _directed(exact, kind, mode):
    near = exact.astype(kind)
    limit = {"rz": np.zeros_like(near), "rm": np.full_like(near, -np.inf), "rp": np.full_like(near, np.inf)}[mode]
    wide = near.astype(np.float64)
    beyond = {"rz": np.abs(wide) > np.abs(exact), "rm": wide > exact, "rp": wide < exact}[mode]
    return np.where(beyond, np.nextafter(near, limit), near)


def _product_error(a, b, product):
    """T. Dekker, A floating-point technique for extending the available precision, 1971."""
    grown_a, grown_b = a * _SPLIT, b * _SPLIT
    high_a, high_b = grown_a - (grown_a - a), grown_b - (grown_b - b)
    low_a, low_b = a - high_a, b - high_b
    return ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b


def fma64(a, b, c):
    """a * b + c in float64, rounded once."""
    a, b, c = np.broadcast_arrays(a, b, c)
    product = a * b
    plain = product + c  # right where a factor is 0, or something is infinite or NaN
    size = np.abs(product)
    easy = (np.abs(a) < 2.0**900) & (np.abs(b) < 2.0**900) & (size > 2.0**-900) & (size < 2.0**1000) & (np.abs(c) < 2.0**1000)
    error = _product_error(a, b, product)
    head = c + error
    tail = _sum_error(c, error, head)
    total = product + head
    rest = _sum_error(product, head, total)
    result = np.where(easy, total + _sum_to_odd(tail, rest), plain)
    hard = ~easy & (a != 0) & (b != 0) & np.isfinite(a) & np.isfinite(b) & np.isfinite(c)
    for i in np.flatnonzero(hard):
        result[i] = _exact(float(a[i]), float(b[i]), float(c[i]))
    return result


def _exact(a, b, c):
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        return float(exact) if exact else a * b + c
    except OverflowError:
        return np.inf if exact > 0 else -np.inf


def greatest(a, b):
    """The greater one; the other one of NaN, and 0 of 0 and -0."""
    return np.where((a == 0) & (b == 0), a + b, np.fmax(a, b))


def smallest(a, b):
    """The smaller one; the other one of NaN, and -0 of 0 and -0."""
    return np.where((a == 0) & (b == 0), -(-a - b), np.fmin(a, b))


def flushed(x):
    """0 of its sign for what is too small to be a normal number."""
    return np.where(np.abs(x) < np.finfo(x.dtype).tiny, np.copysign(x.dtype.type(0), x), x)


def head(x):
    """What a device gives of a quick quotient of doubles: its upper 32 bits."""
    return (flushed(x).view(np.uint64) & np.uint64(0xFFFFFFFF00000000)).view(np.float64)


_ROUNDED = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}


def cast_float(x, kind, modes):
    """A float as another one."""
    for mode in modes:
        x = _ROUNDED[mode](x) if mode in _ROUNDED else x
    if "sat" in modes:
        x = np.where(x > 0, np.minimum(x, 1), 0)  # of NaN, too
    directed = [mode for mode in modes if mode in ("rz", "rm", "rp")]
    return _directed(x.astype(np.float64), kind, directed[0]) if directed else x.astype(kind)


def cast_to_int(x, kind, mode):
    """A float as an integer: held within its range; NaN is 0, or the least number where 64 bits take part."""
    whole = _ROUNDED[mode](x).astype(np.float64)
    ends = np.iinfo(kind)
    low, high = float(ends.min), float(ends.max)
    top = whole >= high
    made = np.where(top | ~(whole > low), 0, whole).astype(kind)
    missing = kind(1 << 63 if kind is np.uint64 else ends.min) if x.itemsize == 8 or ends.bits == 64 else kind(0)
    return np.where(top, kind(ends.max), np.where(np.isnan(whole), missing, np.where(whole <= low, kind(ends.min), made)))


# -- integers -------------------------------------------------------------------------------------------------------


def divide(a, b):
    """The quotient without its fraction; by 0 all bits are set."""
    a, b = np.broadcast_arrays(a, b)
    quotient = a // b if a.dtype.kind == "u" else (a - np.fmod(a, b)) // b
    return np.where(b == 0, ~a.dtype.type(0), quotient)


def remainder(a, b):
    """What C's % gives; by 0 it is a."""
    a, b = np.broadcast_arrays(a, b)
    return np.where(b == 0, a, np.fmod(a, b))


def high(a, b):
    """The upper half of a product of two integers of one type."""
    kind = np.result_type(a, b)
    if kind.itemsize < 8:
        wide = np.dtype(f"{kind.kind}{2 * kind.itemsize}")
        return (np.multiply(a, b, dtype=wide) >> wide.type(8 * kind.itemsize)).astype(kind)
    signed = kind.kind == "i"
    x, y = (np.asarray(n).astype(np.uint64) for n in (a, b))
    low_mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    x0, x1, y0, y1 = x & low_mask, x >> half, y & low_mask, y >> half
    middle = x1 * y0 + (x0 * y0 >> half)
    upper = x1 * y1 + (middle >> half) + ((middle & low_mask) + x0 * y1 >> half)
    if signed:
        upper = upper - np.where(np.asarray(a) < 0, y, 0) - np.where(np.asarray(b) < 0, x, 0)
    return upper.astype(kind)


def add_carry(name, part, a, b, c, carry):
    """a + b, a - b or a * b + c of 32 bits, with what was carried; return the sum, and what it carries."""
    a, b = np.asarray(a).astype(np.uint64), np.asarray(b).astype(np.uint64)
    if name.startswith("mad"):
        product = a * b
        a, b = (product >> np.uint64(32) if part == "hi" else product & np.uint64(0xFFFFFFFF)), np.asarray(c).astype(np.uint64)
    total = a - b - carry if name.startswith("sub") else a + b + carry
    return total.astype(np.uint32), (total >> np.uint64(32)) & np.uint64(1)


def shifted(low, top, count, left, clamp):
    """The upper (shifted left) or lower half of two words that are shifted together."""
    both = (np.asarray(top).astype(np.uint64) << np.uint64(32)) | np.asarray(low).astype(np.uint64)
    count = np.asarray(count).astype(np.uint64)
    count = np.minimum(count, np.uint64(32)) if clamp else count & np.uint64(31)
    return ((both << count >> np.uint64(32)) if left else both >> count).astype(np.uint32)


def insert(field, into, begin, length):
    """Put the lower bits of a field into a number."""
    kind = np.result_type(field, into)
    bits = 8 * kind.itemsize
    begin, length = (np.asarray(n).astype(np.uint64) & np.uint64(255) for n in (begin, length))
    whole = np.uint64((1 << bits) - 1)
    ones = np.where(length >= bits, whole, (np.uint64(1) << np.minimum(length, np.uint64(63))) - np.uint64(1))
    mask = np.where(begin >= bits, np.uint64(0), (ones << np.minimum(begin, np.uint64(63))) & whole)
    moved = np.asarray(field).astype(np.uint64) << np.minimum(begin, np.uint64(63))
    return ((np.asarray(into).astype(np.uint64) & ~mask) | (moved & mask)).astype(kind)


def extract(x, begin, length):
    """Bits of a number; of a signed one the last of them is its sign."""
    kind = x.dtype
    bits = 8 * kind.itemsize
    begin, length = (np.asarray(n).astype(np.int64) & 255 for n in (begin, length))
    last = np.minimum(begin + length - 1, bits - 1)
    unsigned = x.view(f"u{kind.itemsize}")
    sign = (unsigned >> np.maximum(last, 0).astype(unsigned.dtype)) & unsigned.dtype.type(1)
    if kind.kind == "u":
        sign = np.zeros_like(sign)
    count = np.clip(np.minimum(length, bits - begin), 0, bits)
    ones = np.where(count >= 64, ~np.uint64(0), (np.uint64(1) << np.minimum(count, 63).astype(np.uint64)) - np.uint64(1))
    moved = unsigned.astype(np.uint64) >> np.minimum(begin, 63).astype(np.uint64)
    moved = np.where(begin >= bits, np.uint64(0), moved) & ones
    filled = np.where((sign != 0) & (length > 0), moved | ~ones, moved)
    return filled.astype(unsigned.dtype).view(kind)


def bytes_permuted(low, top, selector):
    """Four of eight bytes, or their signs."""
    both = (np.asarray(top).astype(np.uint64) << np.uint64(32)) | np.asarray(low).astype(np.uint64)
    selector = np.asarray(selector).astype(np.uint64)
    result = np.uint64(0)
    for i in range(4):
        chosen = selector >> np.uint64(4 * i)
        byte = both >> ((chosen & np.uint64(7)) * np.uint64(8)) & np.uint64(255)
        byte = np.where(chosen & np.uint64(8), np.where(byte & np.uint64(128), np.uint64(255), np.uint64(0)), byte)
        result = result | byte << np.uint64(8 * i)
    return result.astype(np.uint32)


def logic(a, b, c, table):
    """Any function of three bits, of which `table` has the eight results."""
    result = a & np.uint32(0)
    for case in range(8):
        if int(table) >> case & 1:
            result = result | ((a if case & 4 else ~a) & (b if case & 2 else ~b) & (c if case & 1 else ~c))
    return result


def set_bits(x):
    """How many bits are set."""
    return np.bitwise_count(x).astype(np.uint32)


def leading(x):
    """How many bits there are before the first one that is set."""
    count, left = np.full(x.shape, 8 * x.itemsize, np.uint32), x.copy()
    while (more := left != 0).any():
        count[more] -= np.uint32(1)
        left >>= left.dtype.type(1)
    return count


def reversed_bits(x):
    """The bits in the opposite order."""
    octets = x.astype(x.dtype.newbyteorder(">")).view(np.uint8).reshape(-1, x.itemsize)
    return np.packbits(np.unpackbits(octets, axis=1)[:, ::-1], axis=1).reshape(-1).view(x.dtype.newbyteorder(">")).astype(x.dtype)
