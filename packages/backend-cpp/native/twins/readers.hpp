// Compiled readers: what makes Python numbers of an array's items without a Python frame.
#pragma once

#include <Python.h>

namespace lamina {

// reader(plain, nested): a callable of one array that gives its one item as a number or, nested, all of them as lists within
// lists. What it does not serve (other memory, another number of items, a dtype without numbers in C) `plain` is called for.
PyObject* make_reader(PyObject* self, PyObject* const* arguments, Py_ssize_t count);

int ready_readers();  // prepares the type; -1 with an exception set on failure

}  // namespace lamina
