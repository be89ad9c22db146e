// Compiled functions of tensors: whether what they refer to is as it was, and their kernel calls once more.
#pragma once

#include <Python.h>

namespace lamina {

// Methods of the module.
PyObject* same_items(PyObject*, PyObject* mappings);
PyObject* same_names(PyObject*, PyObject* names);
PyObject* same_tensors(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* same_kinds(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* run(PyObject*, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
