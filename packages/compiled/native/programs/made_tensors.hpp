// What a run of a program makes anew: its results, and the gradients that it gives to leaves.
#pragma once

#include <Python.h>

namespace lamina {

bool is_list_of_pairs(PyObject* rows);
PyObject* part(PyObject* rows, Py_ssize_t i, int which);  // of a list of tuples; borrowed

PyObject* made_arrays(PyObject* kinds);  // a new list of new arrays, one for each kernel table and layout; null with an exception set
bool as_tensors(PyObject* arrays);       // each becomes a tensor, in its place; false with an exception set

// Methods of the module.
PyObject* make_over(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* give_made(PyObject*, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
