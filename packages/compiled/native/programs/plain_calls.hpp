// Calls of compiled functions that take plain tensors and give new ones.
#pragma once

#include <Python.h>

namespace lamina {

// Methods of the module.
PyObject* plain_call(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* plain_pass(PyObject*, PyObject* const* arguments, Py_ssize_t count);

int ready_plain_calls();  // prepares what it asks locks by; -1 with an exception set

}  // namespace lamina
