// call_site: where in the user's code a pass was called.
#pragma once

#include <Python.h>

namespace lamina {

// As autograd/debugging/call_sites.py of lamina_tensor says it.
PyObject* call_site(PyObject*, PyObject*);

}  // namespace lamina
