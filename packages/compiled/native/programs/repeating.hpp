// Compiled functions of tensors: whether what they refer to is as it was, and their kernel calls once more.
#pragma once

#include <Python.h>

namespace lamina {

// Calls a table's kernel of an op; false with an exception set.
bool call_kernel(PyObject* table, PyObject* op, PyObject* const* operands, Py_ssize_t positional, PyObject* names);

// Whether an answer, which it takes, is true; -1 with an exception set.
int is_true(PyObject* answer);

// Methods of the module.
PyObject* same_items(PyObject*, PyObject* mappings);
PyObject* same_names(PyObject*, PyObject* names);
PyObject* same_tensors(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* same_kinds(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* run(PyObject*, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
