// Calls of compiled functions that take plain tensors and give new ones.
#pragma once

#include <Python.h>

namespace lamina {

// A call of what PlainCall tells: what `plain_call` gives; null with an exception set.
PyObject* called_plainly(PyObject* told, PyObject* const* arguments, Py_ssize_t count);

// Whether that is all that the function gives, by what was told in a call that was made.
bool is_whole_result(PyObject* told);

// Methods of the module.
PyObject* plain_call(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* plain_pass(PyObject*, PyObject* const* arguments, Py_ssize_t count);

int ready_plain_calls();  // prepares what it asks locks by; -1 with an exception set

}  // namespace lamina
