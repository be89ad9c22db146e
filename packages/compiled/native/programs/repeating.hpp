// Compiled functions of tensors: whether what they refer to is as it was, and their kernel calls once more.
#pragma once

#include <Python.h>

#include "objects/held.hpp"

namespace lamina {

// Memory, and the byte in it where an array begins.
struct Given {
    Held memory, offset;
};

// Lists of what a run puts over memory that is given, and over memory that is kept; of its calls; and of the arrays that let go of theirs in the end.
struct ProgramRows {
    PyObject *given, *kept, *calls, *moving;
};

// Runs a program; false with an exception set.
bool run_program(const ProgramRows& rows, const Few<Given>& given, const Few<Held>& kept);

// Whether arguments are plain tensors of these kinds: rows of (kernel table, layout, whether it wants gradients); -1 with an exception set.
int are_of_kinds(PyObject* const* arguments, Py_ssize_t count, PyObject* kinds);

// Calls a table's kernel of an op; false with an exception set.
bool call_kernel(PyObject* table, PyObject* op, PyObject* const* operands, Py_ssize_t positional, PyObject* names);

// Whether an answer, which it takes, is true; -1 with an exception set.
int is_true(PyObject* answer);

// Methods of the module.
PyObject* same_items(PyObject*, PyObject* mappings);
PyObject* same_names(PyObject*, PyObject* names);
PyObject* same_tensors(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* same_kinds(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* run(PyObject*, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
