"""Every source that this backend can ask a compiler for, by name: each op in each dtype that it serves."""

from lamina_backend_cuda.ops import creation, fills, folds, gathers, maps, products, reductions, scans, sorts
from lamina_backend_cuda.ops.expressions import EXPRESSIONS
from lamina_backend_cuda.ops.table import capabilities
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.ops import OPS

__all__ = ["every_source"]

FEW = ("bool", "int64", "bfloat16", "float32", "complex128")


def every_source(sample=False):
    """Sources by name. A sample has every map in one dtype, turn about, and the other families in a few."""
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
            for added in (False, True):
                made[f"gather-{name}-{count}-{added}"] = gathers._text(dtype, count, added)
        if name in capabilities()["sort"]:
            made[f"sort-{name}"] = sorts._text(dtype, True)
        if name in capabilities()["matmul"]:
            made[f"matmul-{name}"] = products._text(dtype)
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
