// Compiled constructors: what makes objects of Python's slotted classes without a Python frame.
#pragma once

#include <Python.h>

namespace lamina {

// constructor(kind, given, fixed): a callable of len(given) arguments that makes a `kind`. Each of `given` is the name of a
// slot that takes the argument, or a pair of names: the slot, and the attribute of the argument that it takes. `fixed` maps
// the names of all other slots that are set to their values.
PyObject* make_constructor(PyObject* self, PyObject* const* arguments, Py_ssize_t count);

// emptier(array, flat): a callable of a kernel table and a layout that makes an uninitialised array: an `array` over a new
// `flat`, whose memory is as many bytes as `kernels.allocate` gives for the layout's size.
PyObject* make_emptier(PyObject* self, PyObject* const* arguments, Py_ssize_t count);

int ready_constructors();  // prepares the types; -1 with an exception set on failure

}  // namespace lamina
