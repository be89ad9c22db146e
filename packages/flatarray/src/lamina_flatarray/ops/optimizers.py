"""Fused ops over many arrays in one call: norms, scaling, and steps of optimizers."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    # Of many arrays in one call. Those that are changed are a list, `out`; lists among the parameters go along with it.
    Op("total_norm", "fused", "*arrays: order", "moment", "the norm of all items of all arrays, as if they were one vector",
       aten="", samples="total_norm", batching="decomposed"),
    Op("foreach_multiply", "fused", "factor", "update", "every array of `out` times the one item of `factor`",
       aten="_foreach_mul_", samples="apart", batching="decomposed"),
    Op("foreach_add", "fused", ": value", "update", "every array of `out` plus a number", aten="_foreach_add_", samples="apart",
       batching="items"),
    Op("foreach_clip", "fused", ": min max", "update", "every array of `out` between two numbers; NaN stays",
       aten="", samples="apart", batching="items"),
    Op("sgd_step", "fused", "*gradients: buffers lr momentum dampening weight_decay nesterov maximize first", "update",
       "one step of stochastic gradient descent over all parameters (out is the list of them)",
       beside=("buffers",), aten="_fused_sgd_", samples="apart", batching="items"),
    Op("adam_step", "fused", "*gradients: firsts seconds maxima lr beta1 beta2 eps weight_decay decoupled maximize step", "update",
       "one step of Adam (AdamW where decoupled) over all parameters (out is the list of them)",
       beside=("firsts", "seconds", "maxima"), aten="_fused_adam_", samples="apart", batching="items"),
    Op("adamax_step", "fused", "*gradients: firsts greatest lr beta1 beta2 eps weight_decay maximize step", "update",
       "one step of Adamax over all parameters", beside=("firsts", "greatest"), aten="", samples="apart", batching="items"),
    Op("nadam_step", "fused",
       "*gradients: firsts seconds lr beta1 beta2 eps weight_decay decoupled maximize momentum next_momentum product step", "update",
       "one step of NAdam over all parameters; product is that of all momenta",
       beside=("firsts", "seconds"), aten="", samples="apart", batching="items"),
    Op("radam_step", "fused", "*gradients: firsts seconds lr beta1 beta2 eps weight_decay decoupled maximize step", "update",
       "one step of RAdam over all parameters", beside=("firsts", "seconds"), aten="", samples="apart", batching="items"),
    Op("rmsprop_step", "fused", "*gradients: squares means buffers lr alpha eps weight_decay momentum maximize", "update",
       "one step of RMSprop over all parameters; centred where there are means, with momentum where there are buffers",
       beside=("squares", "means", "buffers"), aten="", samples="apart", batching="items"),
    Op("adagrad_step", "fused", "*gradients: sums lr eps weight_decay maximize", "update",
       "one step of Adagrad over all parameters", beside=("sums",), aten="_fused_adagrad_", samples="apart", batching="items"),
    Op("adadelta_step", "fused", "*gradients: squares changes lr rho eps weight_decay maximize", "update",
       "one step of Adadelta over all parameters", beside=("squares", "changes"), aten="", samples="apart", batching="items"),
    Op("asgd_step", "fused", "*gradients: averages length lambd share weight_decay maximize", "update",
       "one step of averaged gradient descent, of this length, over all parameters",
       beside=("averages",), aten="", samples="apart", batching="items"),
    Op("rprop_step", "fused", "*gradients: previous step_sizes shrink grow shortest longest maximize", "update",
       "one step of Rprop over all parameters", beside=("previous", "step_sizes"), aten="", samples="apart", batching="items"),
)
