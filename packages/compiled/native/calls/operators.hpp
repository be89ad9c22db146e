// Operator: a public function of tensors as an operator of Python.
#pragma once

#include <Python.h>

namespace lamina {

// operator_(function, refusal, otherwise): the function; where it raises `refusal`, `otherwise` is asked.
PyObject* operator_(PyObject*, PyObject* const* arguments, Py_ssize_t count);

int ready_operators();  // prepares the type; -1 with an exception set on failure

}  // namespace lamina
