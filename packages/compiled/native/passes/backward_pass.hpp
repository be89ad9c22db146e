// pass_plain_nodes: the walk of a backward pass over nodes that are as most are.
#pragma once

#include <Python.h>

namespace lamina {

// use_nodes(Node, Plan, JointPlan, Gradients, heappush, heappop): the classes, and the functions of heaps.
PyObject* use_nodes(PyObject*, PyObject* const* arguments, Py_ssize_t count);

// pass_plain_nodes(heap, grads, owned, keep, site, place): as autograd/engine.py of lamina_tensor says it. While a node is passed it is still the
// first of the heap, for those that its gradients go to have lower numbers.
PyObject* pass_plain_nodes(PyObject*, PyObject* const* arguments, Py_ssize_t count);

// A list of gradients as `Gradients`: nobody else's.
PyObject* as_gradients(PyObject* list);

}  // namespace lamina
