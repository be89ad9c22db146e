// Calls of compiled functions that take plain tensors and give new ones.
#pragma once

#include <Python.h>

namespace lamina {

PyObject* plain_call(PyObject*, PyObject* const* arguments, Py_ssize_t count);  // a method of the module

int ready_plain_calls();  // prepares what it asks locks by; -1 with an exception set

}  // namespace lamina
