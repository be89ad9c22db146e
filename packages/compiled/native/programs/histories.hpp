// The history of results of compiled functions, and the gradient functions in it.
#pragma once

#include <Python.h>

namespace lamina {

// As compiling/histories.py of lamina_tensor says it, for one result that carries gradients; false with an exception set. All but the history and the
// arguments are lists.
bool give_history(PyObject* history, PyObject* arguments, PyObject* given, PyObject* kept, PyObject* results);

// pass_function(general, passes): as compiling/plain_calls.py says it; what no pass takes is left to `general`.
PyObject* pass_function(PyObject*, PyObject* const* arguments, Py_ssize_t count);

int ready_histories();  // prepares the type; -1 with an exception set

}  // namespace lamina
