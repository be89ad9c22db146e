"""Chapter 5."""

from . import Mistake

MISTAKES = (
    Mistake(
        "broadcasting not undone", "    new = len(gradient.shape) - len(shape)\n", "    return gradient\n    new = 0\n",
        ("unbroadcast", "as lamina undoes it"), "nothing was summed",
    ),
    Mistake(
        "lengths of one forgotten", "if axis < new or shape[axis - new] == 1]", "if axis < new]",
        ("unbroadcast", "as lamina undoes it"), "an axis of length 1 was read many times, too",
    ),
    Mistake(
        "seen twice", "elif id(tensor) not in seen:", "else:",
        ("in_order", "each once and after its users"), "is on the trail once",
    ),
    Mistake(
        "listed when found", "            waiting.append((tensor, True))\n", "            finished.insert(0, tensor)\n",
        ("in_order", "each once and after its users"), "list it after all its users",
    ),
    Mistake(
        "recursive", "    while waiting:\n        tensor, parents_done = waiting.pop()\n        if parents_done:",
        "    def visit(tensor):\n        if id(tensor) not in seen:\n            seen.add(id(tensor))\n"
        "            for parent in tensor.parents:\n                visit(parent)\n            finished.append(tensor)\n"
        "    visit(root)\n    while not finished:\n        if parents_done:",
        ("in_order", "a long trail"), "the function calls itself for each parent",
    ),
    Mistake(
        "accumulation lost", "gradients[id(parent)] = part if before is None else map_items(lambda a, b: a + b, before, part)",
        "gradients[id(parent)] = part", ("backward", "uses add up"), "an earlier gradient was replaced by a later one",
    ),
    Mistake(
        "grad replaced", "whole if tensor.grad is None else map_items(lambda a, b: a + b, tensor.grad, whole)", "whole",
        ("backward", "adds to what is there"), "the first gradient was replaced",
    ),
    Mistake(
        "grad written to", "            tensor.grad = whole if tensor.grad is None else map_items(lambda a, b: a + b, tensor.grad, whole)",
        "            tensor.grad = tensor.grad or array([0.0] * size_of(whole.shape), whole.shape)\n"
        "            for p, item in enumerate(items(whole)):\n"
        "                tensor.grad.flat.write(p, tensor.grad.flat.read(p) + item)",
        ("backward", "adds to what is there"), "the array of the first pass was written to",
    ),
    Mistake(
        "grad of all", "if not tensor.requires_grad or id(tensor) not in gradients:", "if id(tensor) not in gradients:",
        ("backward", "only leaves that ask"), "only what says `requires_grad`",
    ),
    Mistake(
        "gradient ignored", "ones if gradient is None else gradient}", "ones}",
        ("backward", "along one path"), "`gradient` is where it begins",
    ),
    Mistake(
        "handed on at once", "    for tensor in in_order(root):\n",
        "    waiting = [root]\n    for tensor in waiting:\n        waiting += [p for p in tensor.parents if p not in waiting]\n",
        ("backward", "uses add up"), "before it was complete",
    ),
    Mistake(
        "each factor itself", "to_a = map_items(lambda p, q: p * q, g, b.array)\n        to_b = map_items(lambda p, q: p * q, g, a.array)",
        "to_a = map_items(lambda p, q: p * q, g, a.array)\n        to_b = map_items(lambda p, q: p * q, g, b.array)",
        ("multiply", "multiply beside lamina"), "each factor got itself",
    ),
    Mistake(
        "missed broadcasting sum", "return unbroadcast(to_a, a.shape), unbroadcast(to_b, b.shape)", "return to_a, to_b",
        ("multiply", "multiply beside lamina"), "undo the broadcasting",
    ),
    Mistake(
        "mean for sum", "array(items(g) * size_of(x.shape), x.shape, g.dtype)",
        "array([items(g)[0] / size_of(x.shape)] * size_of(x.shape), x.shape, g.dtype)",
        ("total", "total beside lamina"), "gradient of the mean",
    ),
    Mistake(
        "slope of exp", "lambda p, y: p * y, g, result", "lambda p, y: p * y, g, x.array",
        ("exp", "exp beside lamina"), "is exp(x), not x",
    ),
    Mistake("slope of log", "lambda p, v: p / v, g", "lambda p, v: p * v, g", ("log", "log beside lamina"), "g is divided by x"),
    Mistake("square forgotten", "p * (1 - y * y)", "p * (1 - y)", ("tanh", "tanh beside lamina"), "the square is missing"),
    Mistake(
        "no parents", "return Tensor(result, (x,), lambda g: (map_items(lambda p, y: p * (1",
        "return Tensor(result, (), lambda g: (map_items(lambda p, y: p * (1",
        ("tanh", "tanh beside lamina"), "does not know its parents",
    ),
    Mistake(
        "nothing transposed", "return matmul(g, flipped(b.array)), matmul(flipped(a.array), g)",
        "return matmul(g, b.array), matmul(a.array, g)",
        ("product", "product beside lamina"), "nothing was transposed",
    ),
)  # fmt: skip
