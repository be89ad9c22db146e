// Views of tensors, and functions that give them.
#pragma once

#include <Python.h>

namespace lamina {

int ready_cached_views();

// Notes that a new tensor, if it has base's memory, is a view, as `viewing` in Python does. 1: done; 0: Python has to do it; -1 with an
// exception set.
int noted_view(PyObject* tensor, PyObject* base);

// Methods of the module.
PyObject* viewed(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* cached_views(PyObject*, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
