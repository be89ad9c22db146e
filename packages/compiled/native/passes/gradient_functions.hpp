// GradientFunction: a function of a gradient rule, whose calls on arrays are repeated from plans.
#pragma once

#include <Python.h>

namespace lamina {

PyObject* gradient_function(PyObject*, PyObject* function);

int ready_gradient_functions();  // prepares the type; -1 with an exception set on failure

}  // namespace lamina
