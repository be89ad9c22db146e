// What a run of a program makes anew: its results, and the gradients that it gives to leaves.
#pragma once

#include <Python.h>

#include "objects/held.hpp"

namespace lamina {

bool is_list_of_pairs(PyObject* rows);
PyObject* part(PyObject* rows, Py_ssize_t i, int which);  // of a list of tuples; borrowed

// New arrays, one for each kernel table and layout, and then tensors in their places; false with an exception set.
bool make_arrays(PyObject* kinds, Few<Held>& made);
bool make_tensors(Few<Held>& arrays);

// Methods of the module.
PyObject* make_over(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* give_made(PyObject*, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
