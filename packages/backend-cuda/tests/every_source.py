"""Every source that this backend can ask a compiler for, by name: each op in each dtype that it serves."""

from lamina_backend_cuda.ops import creation, fills, folds, gathers, maps, products, reductions, scans, sorts
from lamina_backend_cuda.ops.expressions import EXPRESSIONS
from lamina_backend_cuda.ops.fused import (
    attentions,
    convolutions,
    dropouts,
    losses,
    many_arrays,
    normalizations,
    pooling,
    probabilities,
    recurrences,
    softmax,
)
from lamina_backend_cuda.ops.fused.lines import FLOATING
from lamina_backend_cuda.ops.table import capabilities
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.ops import OPS
from lamina_ndarray.layers.recurrences import GATES

__all__ = ["every_source", "fused_sources"]

FEW = ("bool", "int64", "bfloat16", "float32", "complex128")


def fused_sources(dtype):
    """Those of fused kernels in a dtype."""
    made = {f"softmax-{log}-{back}": softmax._program(dtype, log, back) for log in (False, True) for back in (False, True)}
    for flag in (False, True):
        made[f"normalize-{flag}"] = normalizations._normalize(dtype, flag)
        made[f"normalize_gradient-{flag}"] = normalizations._normalize_gradient(dtype, flag)
        made[f"affine_gradient-{flag}"] = normalizations._affine_gradient(dtype, flag)
    for module, names in (
        (normalizations, ("_channels", "_channel_moments")),
        (losses, ("_entropy", "_entropy_gradient", "_likelihood")),
        (many_arrays, ("_norm_program",)),
    ):
        made |= {name.strip("_"): getattr(module, name)(dtype) for name in names}
    for chunks in (1, 2):
        made[f"attention-{chunks}"] = attentions._attention(dtype, chunks)
        made[f"attention_gradient-{chunks}"] = attentions._attention_gradient(dtype, chunks)
    made |= {f"max_pool-{adaptive}": pooling._max_pool(dtype, adaptive) for adaptive in (False, True)}
    made |= {"max_pool_gradient": pooling._max_pool_gradient(dtype), "average_pool": pooling._average_pool(dtype)}
    made["convolution"] = convolutions._program(dtype)
    for op in many_arrays.STEPS:
        settings = {p: 0.5 for p in OPS[op].params if p not in OPS[op].beside}
        numbers = {**many_arrays.decayed(**{"maximize": False, **settings}), **many_arrays.STEPS[op].numbers(**settings)}
        made[op] = many_arrays._step_program(op, dtype, OPS[op].beside, tuple(numbers))
    for op in many_arrays._EACH:
        made[op] = many_arrays._each_program(op, dtype, dtype if op == "foreach_multiply" else None)
    texts = {name: program.text for name, program in made.items()}
    texts |= {f"{name}-plain": program.plain for name, program in made.items() if program.plain}
    texts |= {"dropout": dropouts._text(dtype), "binary_cross_entropy": probabilities._program(dtype, (True, True)).text}
    if dtype.itemsize > 2:
        texts |= {f"recurrence-{mode}": recurrences._text(dtype, mode) for mode in GATES}
    return {f"fused-{name}": text for name, text in texts.items()}


def every_source(sample=False):
    """Sources by name. A sample has every map in one dtype, turn about, fused kernels in one, and the other families in a few."""
    made = {}
    for turn, op in enumerate(EXPRESSIONS):
        served = maps.served(op)
        chosen = "float32" if op == "add" else served[turn % len(served)]
        for name in (chosen,) if sample else served:
            dtype = DTYPES[name]
            arity = {"clip": 3, "addcmul": 4, "addcdiv": 4}.get(op, OPS[op].arity)  # numbers count as inputs
            for arrays in {(True,) * arity, (True,) * (arity - 1) + (False,)} if arity > 1 and not sample else {(True,) * arity}:
                text = maps._program_of(op, dtype, result_dtypes(op, dtype)[1], arrays).text
                made[f"{op}-{name}-{''.join('n' if not a else 'a' for a in arrays)}"] = text
    names = FEW if sample else tuple(DTYPES)
    for name in names:
        dtype = DTYPES[name]
        made[f"fill-{name}"] = maps._filling(dtype).text
        made[f"arange-{name}"] = creation._text(dtype)
        made[f"copy-{name}-float16"] = maps._copying(dtype, DTYPES["float16"]).text
        for other in () if sample else names:
            made[f"copy-{name}-{other}"] = maps._copying(dtype, DTYPES[other]).text
        for count in (1, 2):
            for fold in ("", "add", "multiply", "minimum"):
                if not fold or name in maps.served(fold):
                    made[f"gather-{name}-{count}-{fold}"] = gathers._text(dtype, count, fold)
        if name in capabilities()["sort"]:
            made[f"sort-{name}"] = sorts._text(dtype, True)
        if name in capabilities()["matmul"]:
            made[f"matmul-{name}"] = products._text(dtype)
    for name in ("float32", "bfloat16") if sample else FLOATING:
        for key, text in fused_sources(DTYPES[name]).items():
            if not sample or (name == "bfloat16") == key.endswith("-plain"):
                made[f"{key}-{name}"] = text
    for module, ops in ((reductions, folds.FOLDS), (scans, folds.SCANS)):
        for op in ops:
            for name in folds.served(op):
                if name in names:
                    made[f"{op}-{name}"] = module._text(op, DTYPES[name], result_dtypes(op, DTYPES[name])[1])
    for op, (_, served) in fills.KERNELS.items():
        function = op.removeprefix("random_")
        for name in served if function in fills._PARAMETERS else ():
            made[f"{op}-{name}"] = fills._text(function, DTYPES[name])
    return made
