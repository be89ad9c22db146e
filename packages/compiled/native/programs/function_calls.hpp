// Calls of compiled functions, as compiling/function.py of lamina_tensor says it.
#pragma once

#include <Python.h>

namespace lamina {

// function_call(general): the twin of `CompiledFunction.__call__`; what is no plain call is left to `general`.
PyObject* function_call(PyObject*, PyObject* general);

int ready_function_calls();  // prepares the type; -1 with an exception set

}  // namespace lamina
