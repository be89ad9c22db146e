// Steps of optimizers that are made again.
#pragma once

#include <Python.h>

namespace lamina {

// Methods of the module.
PyObject* step_again(PyObject*, PyObject* repeat);
PyObject* stepped_again(PyObject*, PyObject* optimizer);
PyObject* repeating(PyObject*, PyObject* const* arguments, Py_ssize_t count);

int ready_repeats();  // prepares the type of what `repeating` gives; -1 with an exception set

}  // namespace lamina
