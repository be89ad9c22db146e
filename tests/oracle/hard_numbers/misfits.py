"""Numbers that the dtype of a tensor beside them cannot hold: operands wrap; what fills, bounds and scales is refused."""

from hard_numbers.compare import INF, NAN, Case

NUMBERS = [300, -1, -200, 255, 128, 65535, 2**31, 2**40, 2**63, -(2**63), 2**64, 1.5, NAN, INF, 1e30]
OPERANDS = {
    "add": lambda t, x, n: x + n,
    "add from the left": lambda t, x, n: n + x,
    "sub": lambda t, x, n: x - n,
    "sub from": lambda t, x, n: n - x,
    "mul": lambda t, x, n: x * n,
    "div": lambda t, x, n: x / n,
    "lt": lambda t, x, n: x < n,
    "ge": lambda t, x, n: x >= n,
    "eq": lambda t, x, n: x == n,
    "add_": lambda t, x, n: x.add_(n),
    "mul_": lambda t, x, n: x.mul_(n),
    "eq_": lambda t, x, n: x.eq_(n),
    "copysign": lambda t, x, n: t.copysign(x, n),
}
OF_INTEGERS = {
    "and": lambda t, x, n: x & n,
    "or": lambda t, x, n: x | n,
    "xor": lambda t, x, n: x ^ n,
    "shift": lambda t, x, n: x << n,
    "bitwise_and_": lambda t, x, n: x.bitwise_and_(n),
    "pow": lambda t, x, n: x**n,
}
MADE = {
    "tensor": lambda t, x, n: t.tensor(n, dtype=x.dtype),
    "tensor of one": lambda t, x, n: t.tensor([n], dtype=x.dtype),
    "new_tensor": lambda t, x, n: x.new_tensor(n),
}
PLACED = {
    "index_put": lambda t, x, n: x.index_put((t.tensor([0]),), t.tensor(n, dtype=x.dtype)),
    "item": lambda t, x, n: x.__setitem__(0, n) or x,
    "where": lambda t, x, n: t.where(x > 0, x, n),
    "where first": lambda t, x, n: t.where(x > 0, n, x),
    "fill_": lambda t, x, n: x.fill_(n),
    "masked_fill": lambda t, x, n: x.masked_fill(x > 0, n),
    "masked_fill_": lambda t, x, n: x.masked_fill_(x > 0, n),
    "index_fill": lambda t, x, n: x.index_fill(0, t.tensor([0]), n),
    "scatter": lambda t, x, n: x.scatter(0, t.tensor([0]), n),
}
PARAMETERS = {
    "clamp": lambda t, x, n: [t.clamp(x, n), t.clamp(x, max=n), t.clamp(x, 0, n)],
    "clamp_min": lambda t, x, n: x.clamp_min(n),
    "clamp_max_": lambda t, x, n: x.clamp_max_(n),
    "alpha of add": lambda t, x, n: t.add(x, x, alpha=n),
    "alpha of sub": lambda t, x, n: t.sub(x, x, alpha=n),
    "alpha of rsub": lambda t, x, n: t.rsub(x, x, alpha=n),
    "alpha of index_add": lambda t, x, n: x.index_add(0, t.tensor([0]), x[:1], alpha=n),
    "addcmul": lambda t, x, n: t.addcmul(x, x, x, value=n),
    "alpha of addmm": lambda t, x, n: t.addmm(x.reshape(1, 3), x.reshape(1, 3)[:, :1], x.reshape(1, 3), alpha=n),
    "beta of addmm": lambda t, x, n: t.addmm(x.reshape(1, 3), x.reshape(1, 3)[:, :1], x.reshape(1, 3), beta=n),
    "beta of addr": lambda t, x, n: t.addr(x.reshape(3, 1), x, x, beta=n),
    "threshold": lambda t, x, n: t.threshold(x, n, 1),
    "value of threshold": lambda t, x, n: t.threshold(x, 1, n),
    "hardtanh": lambda t, x, n: t.nn.functional.hardtanh(x, 0, n),
}


CASES = {}
for number in NUMBERS:
    exact = isinstance(number, int)
    longer = exact and not -(2**63) < number < 2**63  # of which PyTorch says several things
    for inputs, dtypes in (([0, 1, 5],), "uint8 int8 int16 int32 int64"), (([0.0, 1.0, 5.0],), "float16 float32"):
        whole = dtypes[0] != "f"
        functions = OPERANDS | (OF_INTEGERS | MADE if whole else {}) | ({} if longer else MADE | PLACED | PARAMETERS)
        for name, function in functions.items():
            if (name, whole) != ("item", False) and (name != "pow" or exact):
                case = Case(lambda t, F, x, f=function, n=number: f(t, x, n), inputs, dtypes, ulps=1, slopes=False)
                CASES[f"{name}, {number} beside {dtypes.split()[0]}"] = case
        for form in ("int64", "float32", "float64"):
            if not longer and (exact or form != "int64"):
                for name in ("masked_fill", "masked_fill_", "index_fill") + ("item",) * whole:
                    case = Case(
                        lambda t, F, x, f=PLACED[name], n=number, d=form: f(t, x, t.tensor(n, dtype=getattr(t, d))), inputs, dtypes,
                        slopes=False,
                    )  # fmt: skip
                    CASES[f"{name}, {number} in {form} beside {dtypes.split()[0]}"] = case

DIFFERS = {}
