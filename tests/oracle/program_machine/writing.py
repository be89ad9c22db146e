"""Steps that write in place: to leaves, views and bases, with and without gradients."""

from __future__ import annotations

import numpy as np
import torch

from .states import shares, tensors
from .viewing import view
from .writer import NUMBERS, Writer, overlaps, step

IN_PLACE_UNARY = (
    "sin_", "tanh_", "sigmoid_", "relu_", "neg_", "abs_", "square_", "cos_", "exp2_", "floor_", "round_", "sign_", "t_", "squeeze_", "zero_", "logical_not_",  # noqa: E501
    "trunc_", "bitwise_not_", "erf_", "detach_", "requires_grad_", "nan_to_num_",
)  # fmt: skip
IN_PLACE_VIEWS = ("t_", "squeeze_")
"""After these PyTorch retains a gradient of the shape from before; lamina one of the tensor's shape."""


def _target(w: Writer) -> tuple[str, torch.Tensor] | None:
    """An expression for memory to write to, and the tensor that it gives."""
    x = w.writable()
    if x is None:
        return None
    expression = view(w, x) if w.chance(35) else x
    try:
        return expression, eval(expression, dict(w.values))
    except (RuntimeError, IndexError):
        return expression, w.values[x]


def _unrecorded(w: Writer, line: str) -> str:
    """The line, now and then without recording; not where PyTorch would make a view forget what it retains, or leave a tensor that becomes
    a view of itself with a history of other lengths."""
    if any(f".{op}(" in line for op in (*IN_PLACE_VIEWS, "unsqueeze_", "transpose_")):
        return line
    watched = any(t.retains_grad and t._base is not None for t in tensors(w.values).values())
    return f"with torch.no_grad(): {line}" if w.chance(6) and not watched else line


@step(14)
def a_write(w: Writer) -> str | None:
    """A method that ends in _."""
    found = _target(w)
    if found is None:
        return None
    x, t = found
    shape = tuple(t.shape)
    y = w.operand(shape, t)
    ways = [f"{x}.add_({y})", f"{x}.mul_({w.operand(shape, t, apart=True)})", f"{x}.sub_({y})"]
    alone = sum(shares(u, t) for u in tensors(w.values).values()) == 1
    unary = [op for op in IN_PLACE_UNARY if not (t.retains_grad and op in IN_PLACE_VIEWS) and (alone or op != "requires_grad_")]
    ways += [f"{x}.copy_(torch.as_tensor({y}))", f"{x}.{w.one(unary)}()", f"{x}.{w.one(unary)}()"]
    ways += [f"{x}.add_(({y}) * 1.5, alpha=2)", f"{x}.div_(({y}) * ({y}) + 1)"]
    if overlaps(t):
        if 0 not in t.stride():
            return None
        return f"{x}.add_({y})" if t.requires_grad or w.chance(50) else f"{x}.fill_({w.one(NUMBERS)})"
    ways += [
        f"{x}.zero_()",
        f"{x}.fill_({w.one(NUMBERS)})",
        f"{x}.lerp_({x}.clone(), 0.5)",
        f"{x}.eq_({y})",
        f"{x}.addcmul_({x}.clone(), {x}.clone(), value=0.5)",
    ]
    ways += [
        f"{x}.masked_fill_({x} > 0.2137, {w.one(NUMBERS)})",
        f"{x}.clamp_(-1.0, 1.5)",
        f"{x}.pow_(2)",
        f"{x}.clamp_(min={y})",
        f"{x}.tril_()",
        f"{x}.remainder_(2)",
    ]
    if len(shape) == 1 and shape[0]:
        ways.append(f"{x}.index_add_(0, torch.tensor([0, {shape[0] - 1}]), {x}.detach()[:1].expand(2).clone())")
    if shape and shape[0]:
        ways += [
            f"{x}.index_fill_(0, torch.tensor([0]), 0.5)",
            f"{x}.scatter_(0, torch.zeros_like({x}, dtype=torch.int64), 0.5)",
            f"{x}.cumsum_(0)",
        ]
        ways += [
            f"{x}.index_copy_(0, torch.tensor([0]), {x}.detach()[-1:].clone())",
        ]
    if shape and shape[0] and not t.retains_grad:
        ways += [f"{x}.transpose_(0, -1)", f"{x}.unsqueeze_(0)", f"{x}.squeeze_(0)"]
    return _unrecorded(w, w.one(ways))


@step(8)
def an_assignment(w: Writer) -> str | None:
    """An assignment to a view in brackets."""
    x = w.writable()
    if x is None:
        return None
    t = w.values[x]
    index = w.index(tuple(t.shape))
    try:
        part = t[eval(f"slicing[{index}]", {"slicing": np.s_})] if t.ndim or index == "..." else t
    except (RuntimeError, IndexError):
        part = t
    y = w.operand(tuple(part.shape), t, apart=True)
    how = "=" if index == "..." else w.one(("=", "=", "+=", "*="))
    return _unrecorded(w, f"{x}[{index}] {how} {y}")


@step(4)
def an_assignment_to_positions(w: Writer) -> str | None:
    """An assignment to a mask or to indices in brackets."""
    x = w.writable(lambda t: t.ndim > 0)
    if x is None:
        return None
    t = w.values[x]
    if w.chance(40):
        return _unrecorded(w, f"{x}[{x} > 0.4137] {w.one(('=', '*='))} {w.one(NUMBERS)}")
    distinct = w.shuffled(t.shape[0])[:2]
    y = w.operand(tuple(t.shape[1:]), t, apart=True)
    rows = f"torch.tensor({distinct}, dtype=torch.int64)"
    if w.chance(20):
        return _unrecorded(w, f"{x}.index_put_(({rows},), torch.as_tensor({y}), accumulate={w.chance(50)})")
    if w.chance(20):
        whole, copied = f"torch.zeros_like({x}, dtype=torch.int64)", f"{x}.detach().clone()"
        ways = [f"masked_scatter_({x} > 0.3137, {x}.cos())", f"scatter_add_(0, {whole}, {x}.clone())"]
        ways += [f"index_reduce_(0, {rows}, {copied}[:{len(distinct)}], 'prod')", f"scatter_reduce_(0, {whole}, {copied}, 'amax')"]
        ways += [f"put_(torch.tensor([0]), {copied}.reshape(-1)[:1])"]
        return _unrecorded(w, f"{x}.{w.one(ways)}")
    return _unrecorded(w, f"{x}[{rows}] {w.one(('=', '+='))} {y}")


@step(3)
def an_augmented_name(w: Writer) -> str | None:
    """An augmented assignment."""
    x = w.writable()
    if x is None:
        return None
    t = w.values[x]
    return f"{x} {w.one(('+=', '*=', '-=', '/=', '**='))} {w.operand(tuple(t.shape), t, apart=True)}"


OF_TWO = ("add", "mul", "sub", "div", "maximum", "eq", "lt", "pow", "fmod", "logical_and", "bitwise_xor", "atan2", "true_divide", "hypot")
OF_ONE = (
    "sin({x}", "exp({x}", "sigmoid({x}", "neg({x}", "abs({x}", "logical_not({x}", "sum({x}, {a}", "mean({x}, {a}", "cumsum({x}, {a}", "amax({x}, {a}", "prod({x}, {a}",  # noqa: E501
    "argmax({x}, {a}", "all({x}", "std({x}, {a}", "cat([{x}, {x}], {a}", "stack([{x}, {x} * 2]", "matmul({x}, {x}.mT", "clamp({x}, -0.5, 1", "softmax({x}, {a}", "tril({x}",  # noqa: E501
    "index_select({x}, {a}, torch.tensor([0])", "round({x}", "var({x}, {a}", "logsumexp({x}, {a}", "cumprod({x}, {a}", "gather({x}, {a}, {x}.long() * 0",  # noqa: E501
    "where({x} > 0.2137, {x}, {x} * 2", "nonzero({x}", "masked_select({x}, {x} > 0.1137", "take({x}, torch.tensor([0, 0])", "diag({x}", "addcmul({x}, {x}, {x}",  # noqa: E501
    "lerp({x}, {x} + 1, 0.5", "norm({x}", "any({x}, {a}",
)  # fmt: skip


@step(4)
def a_result_written_out(w: Writer) -> str | None:
    """A result in memory that is already there, or in a new tensor that takes its shape."""
    x = w.pick(lambda t: w.chance(8) or not t.requires_grad)
    if x is None:
        return None
    t = w.values[x]
    of_two = w.chance(40)
    call = "" if of_two else f"torch.{w.one(OF_ONE).format(x=x, a=w.axis(t))}"
    shape = tuple(t.shape)
    if call:
        try:
            with torch.no_grad():
                shape = tuple(eval(call + ")", dict(w.values)).shape)
        except (RuntimeError, IndexError):
            pass
    z = w.writable(lambda u: tuple(u.shape) == shape and not shares(u, t) and (w.chance(8) or not u.requires_grad))
    if of_two:
        target = None if z is None else w.values[z]
        call = f"torch.{w.one(OF_TWO)}({x}, {w.operand(shape, target, apart=True)}"
    if z is None or w.chance(30):
        z = f"torch.empty({w.one((0, 0, shape))}, dtype={x}.dtype)"
    return _unrecorded(w, f"{w.name()} = {call}, out={z})")
