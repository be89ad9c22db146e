// The methods of `switched`: flags of the word of modes within a `with` block.
#pragma once

#include <Python.h>

namespace lamina {

// use_switched(switched): gives the class its `__enter__` and `__exit__`.
PyObject* use_switched(PyObject*, PyObject* kind);

}  // namespace lamina
