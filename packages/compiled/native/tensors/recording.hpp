// Recorded: a result of any op as a tensor, with a node where an input wants gradients.
#pragma once

#include <Python.h>

namespace lamina {

// recorded(general, viewing): the twin of autograd/recording.py's `recorded`, which is left to `general` where there is more to do;
// viewing(result, base) notes a view.
PyObject* recorded(PyObject*, PyObject* const* arguments, Py_ssize_t count);

// A new array as a tensor, with the node of an op, whose parameters are given by name. Null without an exception set where there is more
// to do.
PyObject* tensor_with_node(
    PyObject* rule, PyObject* result, PyObject* inputs, PyObject* names, PyObject* const* parameters, long flags
);

// use_rules(Rule, Plan): the classes of gradient rules.
PyObject* use_rules(PyObject*, PyObject* const* arguments, Py_ssize_t count);

int ready_recording();  // prepares the type; -1 with an exception set on failure

}  // namespace lamina
