// TensorFunction: a function of arrays as one of tensors.
#pragma once

#include <Python.h>

namespace lamina {

// tensor_function(general, function, finished, plain): calls `function` with the arrays of tensors, and makes leaves of new arrays that
// it gives; finished(result, operands) does that for other results, and `general` answers where gradients are wanted.
PyObject* tensor_function(PyObject*, PyObject* const* arguments, Py_ssize_t count);

int ready_array_functions();  // prepares the type; -1 with an exception set on failure

}  // namespace lamina
