"""Steps that draw at random: from the same seed the same numbers, and the same state afterwards."""

from __future__ import annotations

from .writer import Writer, step


@step(1)
def a_seed(w: Writer) -> str:
    """Seed again."""
    return f"torch.manual_seed({w.random.randint(0, 99)})"


@step(5)
def drawn(w: Writer) -> str:
    """New tensors of random numbers."""
    shape = w.shape()
    if w.chance(10):
        shape = (w.one((15, 16, 17, 40)),)
    typed = w.one(("", f", dtype=torch.{w.dtype()}"))
    ways = [
        f"torch.rand({shape}{typed})",
        f"torch.randn({shape}{typed})",
        f"torch.randint(0, 9, {shape}{typed})",
        f"torch.randint(-3, 3, {shape}{typed})",
    ]
    ways += [
        f"torch.randperm({w.random.randint(0, 9)})",
        f"torch.normal(0.5, 2.0, {shape})",
        f"torch.multinomial(torch.tensor([0.2, 0.5, 0.3]), {w.one((1, 2))})",
    ]
    x = w.pick()
    if x is not None and w.chance(60):
        ways = [
            f"torch.rand_like({x})",
            f"torch.randn_like({x})",
            f"torch.bernoulli({x}.detach().sigmoid())",
            f"F.dropout({x}, 0.5)",
            f"torch.randint_like({x}, 5)",
        ]
        ways += [
            f"F.dropout({x}, {w.one((0.0, 0.3, 1.0))})",
            f"F.dropout2d({x}, 0.5)",
            f"torch.normal({x}, 0.5)",
            f"torch.poisson({x}.detach().abs())",
        ]
        ways += [
            f"F.rrelu({x}, training=True)",
            f"F.gumbel_softmax({x})",
            f"F.alpha_dropout({x}, 0.5)",
            f"torch.multinomial({x}.detach().exp(), 1)",
        ]
        return f"{w.name()} = {w.one(ways)}"


@step(3)
def drawn_in_place(w: Writer) -> str | None:
    """Random numbers written to a tensor, in the order of its memory or of its indices as PyTorch does."""
    x = w.writable()
    if x is None:
        return None
    return x + w.one((".normal_()", ".normal_(1.0, 2.0)", ".uniform_()", ".uniform_(-1, 2)", ".bernoulli_()", ".bernoulli_(0.3)", ".random_(7)", ".random_(2, 9)",  # noqa: E501
                      ".exponential_()", ".geometric_(0.5)", ".log_normal_()", ".cauchy_()"))  # fmt: skip
