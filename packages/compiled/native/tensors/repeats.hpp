// Steps of optimizers that are made again.
#pragma once

#include <Python.h>

namespace lamina {

// Methods of the module.
PyObject* step_again(PyObject*, PyObject* repeat);
PyObject* stepped_again(PyObject*, PyObject* optimizer);

int ready_repeats();  // prepares the names that it asks for; -1 with an exception set

}  // namespace lamina
