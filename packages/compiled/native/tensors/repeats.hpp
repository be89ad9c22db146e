// Steps of optimizers that are made again.
#pragma once

#include <Python.h>

namespace lamina {

PyObject* step_again(PyObject*, PyObject* repeat);  // a method of the module

}  // namespace lamina
