// Functions written once for every kind of array, and what they ask for the functions of their operands.
#pragma once

#include <Python.h>

namespace lamina {

int ready_generic_functions();

// Methods of the module.
PyObject* generic(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* namespace_(PyObject*, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
