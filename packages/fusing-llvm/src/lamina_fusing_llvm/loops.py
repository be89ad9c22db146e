"""Loops of several steps: written as LLVM's instructions, and made machine code for this processor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import metadata
from threading import Lock
from typing import Any, Final
from weakref import WeakValueDictionary

from llvmlite import binding, ir

from lamina_flatarray.disk_cache import compile_cache
from lamina_flatarray.dtypes import DType
from lamina_flatarray.fork_safety import fork_safe
from lamina_flatarray.fused_steps import FusedStep

from .expressions import EXPRESSIONS, POWERS, scalar_type

__all__ = ["WIDTH", "MachineCode", "compiled", "written"]

WIDTH: Final = 16
"""Items of a vector: one register of AVX-512 in float32, two of AVX2."""

_NAME: Final = "steps"
_POINTER: Final = ir.PointerType()
_SIZE: Final = ir.IntType(64)


class MachineCode:
    """A loop in this process's memory, as long as somebody keeps it; on disk, where `compile_cache` keeps it.

    Args:
        text: the module's instructions.

    Attributes:
        address: where its function begins.
    """

    def __init__(self, text: str) -> None:
        module = binding.parse_assembly(text)
        module.verify()
        processor = _processor()
        cache, versions = compile_cache(), (*map(str, binding.llvm_version_info), metadata.version("llvmlite"))
        key = (text, processor.triple, binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten(), *versions)
        self._engine = binding.create_mcjit_compiler(module, processor)
        self._engine.set_object_cache(lambda _, code: cache.keep(key, code), lambda _: cache.read(key))
        self._engine.finalize_object()
        self.address: int = self._engine.get_function_address(_NAME)


_made: Final[WeakValueDictionary[str, MachineCode]] = WeakValueDictionary()  # what is kept elsewhere, by its instructions
_lock: Final = fork_safe(Lock())


def compiled(text: str) -> MachineCode:
    """Return the machine code of a module that `written` gave; the same for the same instructions, while somebody keeps it.

    Args:
        text: the module.

    Returns:
        A `MachineCode`.
    """
    with _lock:
        code = _made.get(text)
        if code is None:
            code = _made[text] = MachineCode(text)
        return code


def written(steps: Sequence[FusedStep], results: Sequence[int], inputs: Sequence[int], dtypes: Mapping[int, DType]) -> str:
    """Return a module with one function, which does steps on rows of some vectors of `WIDTH` items.

    Args:
        steps: maps, each of an op that `EXPRESSIONS` or `POWERS` have.
        results: the slots that are written in the end.
        inputs: the slots that are read in the beginning.
        dtypes: of all slots.

    Returns:
        The module, as text.
    """
    module = ir.Module(_NAME)
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [_POINTER, _POINTER, _POINTER, _SIZE, _SIZE]), _NAME)
    slots, strides, row_strides, vectors, rows = function.args
    entry, row, loop, row_done, done = (function.append_basic_block(name) for name in ("entry", "row", "loop", "row_done", "done"))
    builder = ir.IRBuilder(entry)
    places = [*results, *inputs]
    begins, moves, row_moves = (
        [_item(builder, array, i, kind) for i in range(len(places))]
        for array, kind in ((slots, _POINTER), (strides, _SIZE), (row_strides, _SIZE))
    )
    repeated = [builder.alloca(_stored(dtypes[slot])) for slot in inputs]
    some = builder.and_(builder.icmp_signed(">", vectors, _SIZE(0)), builder.icmp_signed(">", rows, _SIZE(0)))
    builder.cbranch(some, row, done)

    builder.position_at_end(row)
    rows_left, firsts = builder.phi(_SIZE), [builder.phi(_POINTER) for _ in places]
    starts = firsts[: len(results)]
    for slot, first, move, vector in zip(inputs, firsts[len(results) :], moves[len(results) :], repeated, strict=True):
        _repeat(builder, first, vector, _stored(dtypes[slot]))
        starts.append(builder.select(builder.icmp_signed("==", move, _SIZE(0)), vector, first))
    builder.branch(loop)

    builder.position_at_end(loop)
    left, pointers = builder.phi(_SIZE), [builder.phi(_POINTER) for _ in places]
    values = {slot: _read(builder, pointer, dtypes[slot]) for slot, pointer in zip(inputs, pointers[len(results) :], strict=True)}
    for step in steps:
        values[step.result] = _expressed(builder, step, values, dtypes)
    for slot, pointer in zip(results, pointers, strict=False):
        _write(builder, values[slot], pointer, dtypes[slot])
    _count_down(builder, (left, vectors, row), [*zip(pointers, starts, moves, strict=True)], loop, row_done)

    builder.position_at_end(row_done)
    _count_down(builder, (rows_left, rows, entry), [*zip(firsts, begins, row_moves, strict=True)], row, done)
    builder.position_at_end(done)
    builder.ret_void()
    return str(module)


def _count_down(builder: Any, counted: tuple[Any, Any, Any], moved: Sequence[tuple[Any, Any, Any]], again: Any, after: Any) -> None:
    """The end of a loop: one turn less is left, of so many, and each pointer moves on from where it began; before the loop is a block."""
    left, turns, before = counted
    here = builder.block
    for pointer, begin, move in moved:
        pointer.add_incoming(begin, before)
        pointer.add_incoming(builder.gep(pointer, [move], source_etype=ir.IntType(8)), here)
    less = builder.sub(left, _SIZE(1))
    left.add_incoming(turns, before)
    left.add_incoming(less, here)
    builder.cbranch(builder.icmp_signed(">", less, _SIZE(0)), again, after)


def _expressed(builder: Any, step: FusedStep, values: Mapping[int, Any], dtypes: Mapping[int, DType]) -> Any:
    operands = []
    for place, x in enumerate(step.inputs):
        dtype = "bool" if step.op == "where" and place == 0 else step.dtype.name
        operands.append(values[x[0]] if isinstance(x, tuple) else _repeated(dtype, x))
    if step.op == "pow":
        exponent: Any = step.inputs[1]
        return POWERS[step.dtype.name][float(exponent)](builder, operands[0])
    return EXPRESSIONS[step.dtype.name][step.op](builder, *operands)


def _repeated(dtype: str, number: Any) -> Any:
    item = scalar_type(dtype)
    return ir.Constant(ir.VectorType(item, WIDTH), [ir.Constant(item, number)] * WIDTH)


def _item(builder: Any, array: Any, i: int, kind: Any) -> Any:
    return builder.load(builder.gep(array, [_SIZE(i)], source_etype=kind), typ=kind)


def _stored(dtype: DType) -> Any:
    """A vector as it lies in memory."""
    return ir.VectorType(ir.IntType(8) if dtype.name == "bool" else scalar_type(dtype.name), WIDTH)


def _repeat(builder: Any, pointer: Any, vector: Any, kind: Any) -> None:
    """Write an item to all places of a vector."""
    item = builder.load(pointer, align=1, typ=kind.element)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), item, ir.IntType(32)(0))
    builder.store(builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)), vector)


def _read(builder: Any, pointer: Any, dtype: DType) -> Any:
    stored = builder.load(pointer, align=dtype.itemsize, typ=_stored(dtype))
    return builder.icmp_unsigned("!=", stored, ir.Constant(stored.type, [0] * WIDTH)) if dtype.name == "bool" else stored


def _write(builder: Any, value: Any, pointer: Any, dtype: DType) -> None:
    if dtype.name == "bool":
        value = builder.zext(value, ir.VectorType(ir.IntType(8), WIDTH))
    builder.store(value, pointer, align=dtype.itemsize)


def _processor() -> Any:
    """What makes code for this processor; of one that has been used, each module makes a new one."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    features = binding.get_host_cpu_features().flatten()
    return target.create_target_machine(cpu=binding.get_host_cpu_name(), features=features, opt=2)
