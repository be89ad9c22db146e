"""PyTorch's own op database, asked for the order of memory: run it for how many entries give results with PyTorch's strides.

Each entry's first samples are asked with their tensors laid out in other orders of dims; dims of length 1 may have any stride.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any

import torch
from databases import op_database
from databases.op_database import Difference, to_lamina
from seeds import seed_torch
from torch.testing._internal.common_methods_invocations import UnaryUfuncInfo, op_db
from torch.utils._pytree import tree_flatten, tree_unflatten

import lamina

__all__ = ["ORDERS", "cases", "check"]

SAMPLES = 8


def _reversed(x: torch.Tensor) -> torch.Tensor:
    """The first dim innermost."""
    order = tuple(reversed(range(x.ndim)))
    return x.permute(order).contiguous().permute(order)


def _channels_last(x: torch.Tensor) -> torch.Tensor:
    """Dim 1 innermost, of images and volumes."""
    formats = {4: torch.channels_last, 5: torch.channels_last_3d}
    return x.contiguous(memory_format=formats[x.ndim]) if x.ndim in formats else x


def _rolled(x: torch.Tensor) -> torch.Tensor:
    """The first dim innermost, the others in their order."""
    return x.movedim(0, -1).contiguous().movedim(-1, 0) if x.ndim > 2 else x


def _as_they_are(x: torch.Tensor) -> torch.Tensor:
    """As the database lays them."""
    return x


def _apart(x: torch.Tensor) -> torch.Tensor:
    """Each item beside one of another tensor's, and the first dim innermost."""
    order = tuple(reversed(range(x.ndim)))
    return torch.stack((x.permute(order), x.permute(order)), -1)[..., 0].permute(order)


def _expanded(x: torch.Tensor) -> torch.Tensor:
    """The same items throughout the first dim, in one place of memory."""
    return x[:1].expand(x.shape) if x.ndim > 1 else x


ORDERS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "as they are": _as_they_are, "reversed": _reversed, "channels last": _channels_last, "rolled": _rolled, "apart": _apart,
    "expanded": _expanded,
}  # fmt: skip


@cache
def entries() -> dict[str, Any]:
    """NAME or NAME.VARIANT -> the entry, for all that lamina has."""
    return {f"{x.name}{'.' + x.variant_test_name if x.variant_test_name else ''}": x for x in op_db if op_database.exists(x.name)}


def _dtype(info: Any) -> str | None:
    return next((name for name in ("float32", "int64", "bool", "complex64") if getattr(torch, name) in info.dtypes), None)


def cases() -> Iterator[str]:
    """The entries that give tensors."""
    yield from (name for name, info in entries().items() if _dtype(info) and info.name not in op_database.UNINITIALISED)


def _tensors(tree: Any, kind: type) -> list[Any]:
    return [x for x in tree_flatten(tree)[0] if isinstance(x, kind)] if kind is torch.Tensor else _of_lamina(tree)


def _of_lamina(tree: Any) -> list[Any]:
    if isinstance(tree, (list, tuple)):
        return [x for part in tree for x in _of_lamina(part)]
    return [tree] if isinstance(tree, lamina.Tensor) else []


def _meant(x: Any) -> tuple[Any, ...]:
    """Shape, and the strides that tell an order; what is sparse has none."""
    some = 0 not in x.shape and not x.is_sparse
    return tuple(x.shape), tuple(s for n, s in zip(x.shape, x.stride(), strict=True) if n > 1) if some else ()


def check(name: str) -> int:
    """Ask an entry in all orders; how many results were compared comes back.

    Raises:
        Missing: lamina has no such function.
        Difference: a result lies in another order than PyTorch's.
    """
    if name not in entries():
        raise op_database.Missing(f"{name}: there is no such function")
    info, compared = entries()[name], 0
    if name not in set(cases()):
        return 0
    ours = op_database.counterpart(info)
    random.seed(0)
    seed_torch()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = info.sample_inputs_func(info, "cpu", getattr(torch, _dtype(info) or ""), False)
        for sample in islice(made, SAMPLES):
            if isinstance(info, UnaryUfuncInfo) and sample.input.ndim == 1:
                sample.input = sample.input.expand(2, 3, -1).contiguous()
            flat, form = tree_flatten(((sample.input, *sample.args), dict(sample.kwargs)))
            if any(isinstance(x, torch.Tensor) and x.layout is not torch.strided for x in flat):
                continue  # what is sparse has no strides
            for order, lay in ORDERS.items():
                laid = [lay(x.detach()) if isinstance(x, torch.Tensor) else x for x in flat]
                if order != "as they are" and all(x.is_contiguous() for x in laid if isinstance(x, torch.Tensor)):
                    continue
                args, params = tree_unflatten(laid, form)
                try:
                    seed_torch()
                    expected = _tensors(info.op(*args, **params), torch.Tensor)
                except Exception:
                    continue
                args, params = tree_unflatten([to_lamina(x) for x in laid], form)
                lamina.manual_seed(0)
                try:
                    observed = _tensors(ours(*args, **params), lamina.Tensor)
                except Exception:
                    continue  # other tests ask for the values
                told, wanted = list(map(_meant, observed)), list(map(_meant, expected))
                if told != wanted:
                    shown = [f"{tuple(x.shape)}:{x.stride()}" if isinstance(x, torch.Tensor) else repr(x)[:30] for x in laid]
                    raise Difference(f"{name}({', '.join(shown)}, {params}) {order}: {told[:3]} instead of {wanted[:3]}")
                compared += len(told)
    return compared


def score(only: str = "") -> None:
    """Print what differs, and how many entries agree."""
    good, asked = 0, 0
    for name in cases():
        if only not in name:
            continue
        try:
            compared = check(name)
        except Difference as error:
            asked += 1
            print(" ".join(str(error).split())[:300])
        else:
            asked, good = asked + bool(compared), good + bool(compared)
    print(f"{good} of {asked}")


if __name__ == "__main__":
    score(*sys.argv[1:])
