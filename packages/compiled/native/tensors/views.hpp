// Views of tensors.
#pragma once

#include <Python.h>

namespace lamina {

int ready_views();  // prepares the type; -1 with an exception set on failure

// Notes that a new tensor, if it has base's memory, is a view, as `viewing` in Python does. 1: done; 0: Python has to do it; -1 with an
// exception set.
int noted_view(PyObject* tensor, PyObject* base);

// viewed(general): the twin of tensor_fields.py's `viewed`.
PyObject* viewed(PyObject*, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
