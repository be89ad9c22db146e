// TensorFunction: a function of arrays as one of tensors.
#pragma once

#include <Python.h>

namespace lamina {

// tensor_function(general, function, finished, plain): calls `function` with the arrays of tensors, and makes leaves of new arrays that
// it gives; finished(result, operands) does that for other results, and `general` answers where gradients are wanted.
PyObject* tensor_function(PyObject*, PyObject* const* arguments, Py_ssize_t count);

// generic_on_tensors(general, function, finished, plain, alike, viewing): the same of a generic function, for tensors whose dtypes are in
// the dictionary `alike`; viewing(result, base) notes a view.
PyObject* generic_on_tensors(PyObject*, PyObject* const* arguments, Py_ssize_t count);

// recorded_on_tensors(general, function, finished, plain, followed, places): the same of a function that has a rule, or may have one, of
// gradients. places(count, names) tells for a form of call the rule, the places of its inputs, the names of its parameters, their places,
// and the defaults that come behind the arguments, or None; followed(result, args, kwargs) makes tensors of results that are not new arrays.
PyObject* recorded_on_tensors(PyObject*, PyObject* const* arguments, Py_ssize_t count);

int ready_array_functions();  // prepares the type; -1 with an exception set on failure

}  // namespace lamina
