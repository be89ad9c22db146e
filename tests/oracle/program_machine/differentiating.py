"""Steps about gradients: passes, what is kept, what is cut off, and asking for gradients of gradients."""

from __future__ import annotations

from .states import shares, tensors
from .writer import NUMBERS, Writer, step


@step(3)
def apart_from_the_graph(w: Writer) -> str | None:
    """A tensor without history."""
    x = w.pick()
    if x is None:
        return None
    y = w.name()
    return str(w.one((f"{y} = {x}.detach()", f"{y} = {x}.detach().clone().requires_grad_()", f"{y} = {x}.data",
                      f"with torch.no_grad(): {y} = {x} * 2 + 1", f"with torch.inference_mode(): {y} = {x} * 2 + 1",
                      f"with torch.no_grad(), torch.enable_grad(): {y} = {x} * 3")))  # fmt: skip


@step(2)
def a_branch(w: Writer) -> str | None:
    """A choice that depends on items."""
    x = w.pick(lambda t: not t.is_complex())
    if x is None:
        return None
    y = w.operand(tuple(w.values[x].shape))
    return f"{w.name()} = {x} * {y} if float({x}.detach().sum()) > 0.05137 else {x}.cos()"


@step(3)
def kept_gradients(w: Writer) -> str | None:
    """Keep what is no leaf's gradient, or begin to ask for one."""
    x = w.pick(lambda t: t.requires_grad or w.chance(5))
    if x is None:
        return None
    alone = sum(shares(t, w.values[x]) for t in tensors(w.values).values()) == 1  # else views of it would say that they require some, too
    return x + w.one((".retain_grad()", ".retain_grad()", ".requires_grad_()" if alone else ".retain_grad()", ".requires_grad_(False)"))


@step(2)
def a_hook(w: Writer) -> str | None:
    """A hook that changes the gradient."""
    x = w.pick(lambda t: t.requires_grad and t._base is None)
    return f"{x}.register_hook(lambda g: g * {w.one(NUMBERS)})" if x else None


@step(3)
def a_pass(w: Writer) -> str | None:
    """A backward pass."""
    x = w.pick(lambda t: t.requires_grad or w.chance(2))
    return f"({x} * {x}).sum().backward({w.one(('retain_graph=True', 'retain_graph=True', ''))})" if x else None


@step(2)
def gradients_asked_for(w: Writer) -> str | None:
    """Gradients with respect to one tensor, mostly with a graph of their own. How they lie in memory is each engine's own."""
    x, y = w.pick(lambda t: t.requires_grad and t.numel() > 0), w.pick(lambda t: t.requires_grad)
    if x is None or y is None:
        return None
    how = w.one(("create_graph=True", "create_graph=True", "retain_graph=True"))
    asked = f"torch.autograd.grad(({x} * {x}).sum(), [{y}], {how}, allow_unused=True)"
    return f"{w.name()}, = [g if g is None else g.clone(memory_format=torch.contiguous_format) for g in {asked}]"


@step(1)
def read(w: Writer) -> str | None:
    """A tensor of what Python reads from another: a number, a length, items."""
    x = w.pick()
    if x is None:
        return None
    told = w.values[x].numel() > 0 and 1 not in w.values[x].shape  # strides of other dims tell nothing
    order = ".stride()" if told else ".size()"
    how = w.one((".item()", ".tolist()", ".numpy()", ".detach().numpy()", ".shape", order, ".dim()", ".nelement()"))
    if w.chance(30):
        how = ""
        x = w.one(("float({x})", "int({x})", "len({x})", "bool({x})", "[*{x}]", "list({x}.size())")).format(x=x)
    return f"{w.name()} = torch.tensor({x}{how})"


@step(1)
def cleared_gradients(w: Writer) -> str | None:
    """No gradient, or one of zeros."""
    x = w.pick(lambda t: t.is_leaf and t.grad is not None)
    return f"{x}.grad{w.one(('.zero_()', ' = None'))}" if x else None
