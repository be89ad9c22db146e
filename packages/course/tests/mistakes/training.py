"""Chapter 6."""

from . import Mistake

MISTAKES = (
    Mistake(
        "lists forgotten", "for part in value if isinstance(value, list) else [value]:", "for part in [value]:",
        ("Module.parameters", "wherever they are"), "what is in lists was not looked at",
    ),
    Mistake(
        "found twice", "return list({id(tensor): tensor for tensor in found}.values())", "return found",
        ("Module.parameters", "wherever they are"), "an optimizer would move it twice",
    ),
    Mistake(
        "data as parameters", "isinstance(part, Tensor) and part.requires_grad", "isinstance(part, Tensor)",
        ("Module.parameters", "wherever they are"), "does not ask for a gradient",
    ),
    Mistake(
        "bias forgotten", "return add(product(x, self.weight), self.bias)", "return product(x, self.weight)",
        ("Linear.forward", "linear of lamina"), "the bias is missing",
    ),
    Mistake(
        "trail lost", "return add(product(x, self.weight), self.bias)", "return Tensor(add(product(x, self.weight), self.bias).array)",
        ("Linear.forward", "linear of lamina"), "the trail ends here",
    ),
    Mistake(
        "steps reversed", "for step in self.steps:", "for step in self.steps[::-1]:",
        ("Sequential.forward", "one after the other"), "in the other order",
    ),
    Mistake(
        "sum for mean", "return multiply(total(surprise), number(1.0 / size_of(logits.shape)))", "return total(surprise)",
        ("binary_cross_entropy", "loss of lamina"), "that is the sum",
    ),
    Mistake("sign of labels", "number(-1.0)", "number(1.0)", ("binary_cross_entropy", "loss of lamina"), "subtracted, and not added"),
    Mistake(
        "nothing forgotten", "            tensor.grad = None", "            pass",
        ("Optimizer.zero_grad", "gradients are forgotten"), "gradients of both passes were added",
    ),
    Mistake(
        "uphill", "lambda p, a: p - self.lr * a", "lambda p, a: p + self.lr * a", ("SGD.step", "sgd of lamina"), "moved along its gradient",
    ),
    Mistake(
        "velocity not kept", "            self.velocities[i] = v\n", "", ("SGD.step", "sgd of lamina"), "the velocity was left out",
    ),
    Mistake(
        "damped velocity", "self.momentum * a + g, before", "self.momentum * a + (1 - self.momentum) * g, before",
        ("SGD.step", "sgd of lamina"), "g comes whole",
    ),
    Mistake(
        "bias correction forgotten", "left1, left2 = 1 - b1**self.steps, 1 - b2**self.steps", "left1, left2 = 1, 1",
        ("Adam.step", "adam of lamina"), "for having begun at 0",
    ),
    Mistake(
        "half of the correction", "(m / left1) / ((s / left2) ** 0.5", "(m / left1) / (s ** 0.5",
        ("Adam.step", "adam of lamina"), "divide by 1 - b2**t",
    ),
    Mistake(
        "counted from two", "1 - b1**self.steps, 1 - b2**self.steps", "1 - b1 ** (self.steps + 1), 1 - b2 ** (self.steps + 1)",
        ("Adam.step", "adam of lamina"), "t counts the calls from 1",
    ),
    Mistake("never zeroed", "        optimizer.zero_grad()\n", "", ("train", "losses that fall"), "gradients were not forgotten"),
    Mistake(
        "zeroed too late", "        backward(loss)\n        optimizer.step()",
        "        backward(loss)\n        optimizer.zero_grad()\n        optimizer.step()",
        ("train", "losses that fall"), "the parameters did not move",
    ),
)  # fmt: skip
