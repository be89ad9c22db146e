// Tensors as this module sees them: where their fields lie, how one and its node are made, and ops item by item on them.
#pragma once

#include <Python.h>

namespace lamina {

int flags_on();  // the word of modes in this thread or task; -1 with an exception set
extern long kNoGrad, kIntercepting, kWatched, kRecord;  // NO_GRAD; flags that functions ask about; that nodes do; RECORD

bool is_tensor(PyObject* object);

// A public function that is one op, answered without its body where nothing has to be converted, intercepted or saved in an
// unusual way. Null without an exception set where there is more to do.
PyObject* tensor_unary(PyObject* op, PyObject* input, long flags);
PyObject* tensor_binary(PyObject* op, PyObject* input, PyObject* other, long flags);

// Methods of the module.
PyObject* use_tensors(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* use_modes(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* use_ops(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* tensor_of(PyObject*, PyObject* array);
PyObject* made_node(PyObject*, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
