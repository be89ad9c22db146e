// What one kernel call steps: the arrays of parameters, of their gradients and of their state.
#pragma once

#include <Python.h>

namespace lamina {

// Methods of the module.
PyObject* gathered(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* note_writes(PyObject*, PyObject* arrays);

}  // namespace lamina
