"""If and Loop: subgraphs that see the tensors around them."""

from __future__ import annotations

from typing import Any

import lamina_tensor as lt
from lamina_tensor import Tensor

from .node import Node, reads


@reads("If")
def if_(node: Node, condition: Tensor) -> Any:
    """Run If."""
    branch = node.get("then_branch" if bool(condition.item()) else "else_branch")
    return tuple(branch.run({}))


@reads("Loop")
def loop(node: Node, most: Any, condition: Any, *carried: Tensor) -> Any:
    """Run Loop."""
    body = node.get("body")
    state, scanned, step = list(carried), [], 0
    limit = None if most is None else int(most.item())
    going = True if condition is None else bool(condition.item())
    while going and (limit is None or step < limit):
        names = list(body.inputs)
        outputs = body.run(dict(zip(names, [lt.tensor(step), lt.tensor(going), *state], strict=True)))
        going = bool(outputs[0].item())
        state = list(outputs[1 : 1 + len(carried)])
        scanned.append(outputs[1 + len(carried) :])
        step += 1
    columns = list(zip(*scanned, strict=True))
    if not columns and len(node.outputs) > len(carried):
        raise node.unsupported("without a step, of which outputs are stacked")
    return (*state, *(lt.stack(list(column)) for column in columns))
