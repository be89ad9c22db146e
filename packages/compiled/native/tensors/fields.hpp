// Field: a slot of tensors that a record answers for while one is on.
#pragma once

#include <Python.h>

namespace lamina {

// field(slot, property): reads and writes the slot without a call, and leaves it to the property while RECORD is on.
PyObject* field(PyObject*, PyObject* const* arguments, Py_ssize_t count);

int ready_fields();  // prepares the type; -1 with an exception set on failure

}  // namespace lamina
