// Views of tensors, and functions that give them.
#pragma once

#include <Python.h>

namespace lamina {

int ready_cached_views();

// Methods of the module.
PyObject* viewed(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* cached_views(PyObject*, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
