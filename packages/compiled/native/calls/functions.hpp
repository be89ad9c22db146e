// TorchFunction: what `@torch_function` makes of a function.
#pragma once

#include <Python.h>

namespace lamina {

// torch_function(function, op, policy, overriding, arity, tensors, planned): the function behind the tests of modes.
PyObject* torch_function(PyObject*, PyObject* const* arguments, Py_ssize_t count);

PyTypeObject* torch_function_type();
int ready_functions();  // prepares the type; -1 with an exception set on failure

}  // namespace lamina
