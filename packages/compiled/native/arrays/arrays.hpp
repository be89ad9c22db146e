// Arrays as this module sees them: where their fields lie, how one is made, and ops item by item on them.
#pragma once

#include <Python.h>

#include "objects/slots.hpp"

namespace lamina {

// The classes of arrays and the offsets of their slots; `array` is null until they are told.
struct ArrayClasses {
    PyTypeObject *array = nullptr, *flat = nullptr, *layout = nullptr, *table = nullptr, *op = nullptr;
    Py_ssize_t array_flat, array_layout, array_native;
    Py_ssize_t flat_memory, flat_offset, flat_size, flat_dtype, flat_kernels, flat_version;
    Py_ssize_t layout_size, layout_result, layout_packed, layout_met, layout_contiguous, layout_shape;
    Py_ssize_t table_allocate, table_itemsize, table_dtype;
    Py_ssize_t op_name, op_results;
};
extern ArrayClasses arrays;

inline PyObject* flat_of(PyObject* array) { return at(array, arrays.array_flat); }
inline PyObject* layout_of(PyObject* array) { return at(array, arrays.array_layout); }
inline PyObject* kernels_of(PyObject* array) { return at(flat_of(array), arrays.flat_kernels); }
inline bool is_map_op(PyObject* object) { return Py_TYPE(object) == arrays.op; }
inline bool is_array(PyObject* object) { return Py_TYPE(object) == arrays.array; }

PyObject* new_empty(PyObject* kernels, PyObject* layout);  // a new uninitialised array; null with an exception set
PyObject* new_view(PyObject* array, PyObject* layout);     // the same memory under another layout

// Counts the version of an array's memory on, which is to be written; false with an exception set.
bool note_write(PyObject* array);

// The result of a map op where nothing has to be converted: one kernel call. Null without an exception set where there is more
// to do; null with one where the kernel raised it.
PyObject* map_unary(PyObject* op, PyObject* x);
PyObject* map_binary(PyObject* op, PyObject* a, PyObject* b);

// A map op whose result is written over its first operand, an array; b is null for an op of one. 1: done; 0: there is more to do; -1: the
// kernel raised.
int map_over(PyObject* op, PyObject* a, PyObject* b);

// The same for an op of three operands, and numbers that it has by name: into `out`, or a new array where that is null.
PyObject* map_ternary(PyObject* op, PyObject* const* operands, PyObject* const* numbers, PyObject* names, PyObject* out);

// Methods of the module.
PyObject* use_arrays(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* empty_of(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* view_of(PyObject*, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
