// The history of results of compiled functions, and the gradient functions in it.
#pragma once

#include <Python.h>

#include "programs/repeating.hpp"

namespace lamina {

// What the function was called with.
struct Arguments {
    PyObject* const* tensors;
    Py_ssize_t count;
};

// As compiling/histories.py of lamina_tensor says it, for one result that carries gradients; false with an exception set.
bool give_history(PyObject* history, const Arguments& arguments, const Few<Given>& given, const Few<Held>& kept, const Few<Held>& results);

// pass_function(general, passes): as compiling/plain_calls.py says it; what no pass takes is left to `general`.
PyObject* pass_function(PyObject*, PyObject* const* arguments, Py_ssize_t count);

int ready_histories();  // prepares the type; -1 with an exception set

}  // namespace lamina
