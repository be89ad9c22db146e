"""Steps that make views, and expressions for views."""

from __future__ import annotations

import torch

from .writer import Writer, step


def view(w: Writer, name: str) -> str:
    """An expression for a view of a variable; now and then a copy, where PyTorch makes one."""
    t = w.values[name]
    shape, n = tuple(t.shape), t.ndim
    ways = [f"[{w.index(shape)}]"] * 4 + [".unsqueeze(0)", ".unsqueeze(-1)", ".squeeze()", ".reshape(-1)", ".view(-1)"]
    ways += [
        f".expand(2{''.join(f', {d}' for d in shape)})",
        ".view_as(" + name + ")",
        ".expand_as(" + name + ")",
        ".flatten()",
    ]
    if n:
        a, b = w.axis(t), w.random.randrange(-n, n)
        length = shape[a] if -n <= a < n else 1
        ways += [
            f".transpose({a}, {b})",
            f".permute({', '.join(map(str, w.shuffled(n)))})",
            f".squeeze({a})",
            f".unflatten({a}, ({length}, 1))",
        ]
        ways += [
            f".movedim({a}, {b})",
            f".flatten({w.random.randrange(n)})",
            f".swapaxes({a}, {b})",
            f".unsqueeze({a})",
        ]
        if length:
            begin = w.random.randrange(length)
            ways += [f".narrow({a}, {begin}, {w.random.randint(0, length - begin)})", f".select({a}, {begin})"]
            ways += [f".unfold({a}, {w.random.randint(1, length)}, {w.random.randint(1, 2)})"]
        ways += [
            f".view({', '.join(map(str, w.shuffled(shape)))})",
            f".reshape({', '.join(map(str, w.shuffled(shape)))})",
            f".view({shape[0]}, -1)",
        ]
        ways += [f".expand({', '.join('-1' if d > 1 else '3' for d in shape)})"]
    if n > 1:
        ways += [f".diagonal({w.random.randint(-1, 1)}, {w.random.randrange(n)}, {w.random.randrange(n)})"] * 2 + [
            ".mT",
            ".mT" if t.is_complex() else ".adjoint()",
            ".diagonal()",
        ]
    if n == 2:
        ways += [".t()", ".T"]
    if t.numel() > 1:
        room = (t.untyped_storage().nbytes() // t.element_size()) - t.storage_offset()
        if room > 3 and room == t.numel():  # else it reaches what no variable has written, or what another view has
            strides = w.one(((2, 1), (1, 2), (1, 1), (0, 1)))
            ways += [f".as_strided((2, {w.one((1, 2))}), {strides})", f".as_strided((3,), (1,), {room - 3})"]
        ways += [".view(torch.int32)" if t.dtype in (torch.float32, torch.int64) and w.chance(20) else ".view_as(" + name + ")"]
    if t.is_complex():
        ways += [".real", ".imag"]  # and no conj(): PyTorch's waits for its first use, lamina's is computed at once
    return name + str(w.one(ways))


@step(16)
def a_view(w: Writer) -> str | None:
    """A view of a variable."""
    x = w.pick()
    return f"{w.name()} = {view(w, x)}" if x else None


@step(3)
def several_views(w: Writer) -> str | None:
    """Views that one call makes together."""
    x = w.pick(lambda t: t.ndim > 0)
    if x is None:
        return None
    t = w.values[x]
    a = w.axis(t)
    length = t.shape[a] if -t.ndim <= a < t.ndim else 1
    ways = [
        f"{x}.unbind({a})",
        f"{x}.split({w.random.randint(1, max(length, 1))}, {a})",
        f"{x}.chunk({w.random.randint(1, 3)}, {a})",
    ]
    ways += [
        f"{x}.tensor_split({w.random.randint(1, 3)}, {a})",
        f"torch.split({x}, [{length // 2}, {length - length // 2}], {a})",
    ]
    return f"{w.name()}, *{w.name()} = {w.one(ways)}"
