// Steps of optimizers that are made again.
#pragma once

#include <Python.h>

namespace lamina {

// Methods of the module.
PyObject* step_again(PyObject*, PyObject* repeat);
PyObject* stepped_again(PyObject*, PyObject* optimizer);

}  // namespace lamina
