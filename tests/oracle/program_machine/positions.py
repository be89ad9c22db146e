"""Steps that read items at positions, and that write to them in a copy."""

from __future__ import annotations

from .deliberate import fills_its_memory
from .writer import Writer, step


def places(w: Writer, length: int, count: int) -> str:
    """Positions along an axis; now and then one that is out of range."""
    if w.chance(3):
        return f"torch.tensor({[length] * count}, dtype=torch.int64)"
    return f"torch.tensor({[w.random.randrange(length) if length else 0 for _ in range(count)]}, dtype=torch.int64)"


@step(4)
def items_at_positions(w: Writer) -> str | None:
    """Items of a tensor, by indices or by a mask."""
    x = w.pick(lambda t: t.ndim > 0)
    if x is None:
        return None
    t = w.values[x]
    a = w.random.randrange(-t.ndim, t.ndim)
    length = t.shape[a]
    rows = places(w, length, w.random.randint(1, 3))
    whole = f"torch.zeros_like({x}, dtype=torch.int64)" + (f" + {w.random.randrange(length)}" if length else "")
    ways = [
        f"{x}[{w.positions(tuple(t.shape))}]",
        f"{x}[{x} > 0.1137]",
        f"{x}.index_select({a}, {rows})",
        f"{x}.gather({a}, {whole})",
    ]
    ways += [
        f"{x}.take({places(w, t.numel(), 2)})",
        f"torch.take_along_dim({x}, {whole}, {a})",
        f"{x}.masked_select({x} > 0.3137)",
        f"{x}[{x}.argmax(0)]",
    ]
    ways += [
        f"{x}.index_add({a}, {places(w, length, 1)}, {x}.narrow({a}, 0, 1))",
        f"{x}.scatter({a}, {whole}, 0.5)",
        f"{x}.scatter({a}, {whole}, {x} * 2)",
    ]
    ways += [
        f"{x}.scatter_add({a}, {whole}, {x})",
        f"{x}.index_fill({a}, {rows}, 1.5)",
        f"{x}.index_copy({a}, {places(w, length, 1)}, {x}.narrow({a}, 0, 1) * 2)",
    ]
    ways += [
        f"F.embedding({rows}, {x})",
        f"{x}[{rows}[:, None], {rows}]",
        f"{x}[..., {rows}]",
        f"{x}[None, {rows}]",
        f"{x}[{x}.sum(-1) > 0.3137]",
        f"{x}.masked_scatter({x} > 0.2137, {x}.cos())",
        f"{x}.index_put(({rows},), {x}.sum(){w.one(('', ', accumulate=True'))})",
        f"{x}.index_reduce({a}, {places(w, length, 1)}, {x}.narrow({a}, 0, 1), 'amax')",
        f"torch.bucketize({x}, torch.tensor([-1.0, 0.0, 1.0]))",
    ]
    if fills_its_memory(t):
        ways += [
            f"{x}.select_scatter({x}.select({a}, 0) * 2, {a}, 0)",
            f"{x}.slice_scatter({x}.narrow({a}, 0, 1), {a}, 0, 1)",
            f"{x}.diagonal_scatter({x}.diagonal() * 2)",
        ]
    ways += [
        f"{x}.scatter_reduce({a}, {whole}, {x}, '{w.one(('sum', 'prod', 'mean', 'amax', 'amin'))}')",
        f"({x} - 30.5).scatter_reduce({a}, {whole}, {x}, '{w.one(('sum', 'mean', 'amax', 'amin'))}', include_self=False)",
        f"torch.searchsorted({x}.detach().sort().values, {x})",
    ]
    return f"{w.name()} = {w.one(ways)}"
