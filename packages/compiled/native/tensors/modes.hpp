// The methods of `switched` and `region`: flags of the word of modes, and a value of a variable, within a `with` block.
#pragma once

#include <Python.h>

namespace lamina {

// use_switched(switched, region): gives the classes their `__enter__` and `__exit__`.
PyObject* use_switched(PyObject*, PyObject* const* arguments, Py_ssize_t count);

// within(flags, function, args, kwargs): calls the function while flags are on.
PyObject* within(PyObject*, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
