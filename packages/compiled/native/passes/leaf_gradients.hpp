// give_first_gradients: what becomes of the gradients of leaves that had none.
#pragma once

#include <Python.h>

namespace lamina {

// give_first_gradients(gradients, lock): as autograd/accumulation.py of lamina_tensor says it.
PyObject* give_first_gradients(PyObject*, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
