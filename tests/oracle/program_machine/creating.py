"""Steps that make tensors: of all dtypes, and laid out in memory in many ways."""

from __future__ import annotations

from .writer import Writer, step


@step(6)
def a_leaf(w: Writer) -> str:
    """A tensor written out, row by row."""
    dtype = w.dtype()
    asks = ", requires_grad=True" if (("float" in dtype or "complex" in dtype) and w.chance(65)) or w.chance(1) else ""
    return f"{w.name()} = {w.literal(w.shape(), dtype)}{asks})"


@step(4)
def a_layout(w: Writer) -> str:
    """A tensor whose memory is in another order."""
    dtype = w.dtype()
    shape = w.one(((2, 3), (3, 2), (2, 3, 2), (1, 3), (2, 2, 3)))
    x = f"{w.literal(shape, dtype)})"
    image = f"{w.literal(w.one(((2, 3, 2, 2), (1, 2, 2, 3), (2, 1, 2, 2))), dtype)})"
    n = len(shape)
    return f"{w.name()} = " + w.one((
        f"{x}.transpose(0, -1)", f"{x}.permute({', '.join(map(str, w.shuffled(n)))})", f"{image}.contiguous(memory_format=torch.channels_last)",  # noqa: E501
        f"{x}.expand(2, {', '.join(map(str, shape))})", f"{image}.permute({', '.join(map(str, w.shuffled(4)))})", f"{x}[..., ::2]",
        f"{x}.as_strided((2, 2), (1, {w.one((0, 1, 2, 3))}), {w.one((0, 1))})", f"{x}.mT.clone()", f"{x}.flip(0).t()" if n == 2 else f"{x}.flip(0)",  # noqa: E501
        f"torch.empty_strided({shape}, {tuple(w.one(((1, 2, 6), (6, 2, 1), (3, 1, 6))))[:n]}, dtype=torch.{dtype}).fill_(1)",
        f"torch.empty_like({x}.transpose(0, 1)).zero_()",
    ))  # fmt: skip


@step(3)
def a_fill(w: Writer) -> str:
    """A tensor of a rule, or after another."""
    dtype, shape = w.dtype(), w.shape()
    typed = w.one(("", f", dtype=torch.{dtype}"))
    ways = [
        f"torch.ones({shape}{typed})",
        f"torch.zeros({shape}{typed})",
        f"torch.full({shape}, {w.one((2, 0.5, True))}{typed})",
    ]
    ways += [
        f"torch.arange({w.random.randint(0, 7)}{typed})",
        f"torch.arange(0, 1, {w.one((0.25, 0.5, 0.3))})",
        f"torch.eye({w.random.randint(0, 3)}{typed})",
    ]
    ways += [
        f"torch.linspace({w.random.randint(-2, 2)}, 3, {w.random.randint(0, 6)})",
        f"torch.as_tensor({w.one((1, 2.5, True))})",
    ]
    x = w.pick()
    if x is not None and w.chance(60):
        ways = [
            f"torch.zeros_like({x}{typed})",
            f"torch.ones_like({x})",
            f"torch.full_like({x}, {w.one((2, 0.5))})",
            f"{x}.new_zeros({shape})",
        ]
        ways += [
            f"{x}.new_full({shape}, {w.one((2, 0.5))})",
            f"{x}.new_tensor([1, 2])",
            f"torch.tril({x})",
            f"torch.diag_embed({x})",
        ]
        ways += [
            f"{x}.tril(1)",
            f"torch.empty_like({x}).zero_()",
            f"torch.ones_like({x}, memory_format=torch.contiguous_format)",
        ]
    return f"{w.name()} = {w.one(ways)}"
