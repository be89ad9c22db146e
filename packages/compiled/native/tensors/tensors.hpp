// Tensors as this module sees them: where their fields lie, how one and its node are made, and ops item by item on them.
#pragma once

#include <Python.h>

namespace lamina {

int flags_on();  // the word of modes in this thread or task; -1 with an exception set
bool set_flags(long flags);  // false with an exception set
extern long kNoGrad, kIntercepting, kWatched, kRecord;  // NO_GRAD; flags that functions ask about; that nodes do; RECORD

bool is_tensor(PyObject* object);
bool shows_array(PyObject* object);           // its slot has its array; not of derived classes that answer for it, as sparse ones
bool is_plain_tensor(PyObject* object);       // of the class Tensor itself
PyObject* array_in(PyObject* tensor);        // borrowed
PyObject*& base_of(PyObject* tensor);        // what it is a view of, or None; null while it is not set
PyObject* views_of(PyObject* tensor);        // the list of its views, or None; null while it is not set. Borrowed
bool wants_gradient(PyObject* operand);      // false for what is no tensor; only while no record is on
bool is_as_leaf(PyObject* tensor, PyObject* wants);  // wants gradients or not as said; a leaf without hooks if it does
bool is_untouched(PyObject* tensor);         // a leaf as `leaf` makes it, but for its array
bool awaits_gradient(PyObject* object);      // a leaf that asks for gradients, and has none; only while no record is on
PyObject* gradient_of(PyObject* tensor);     // its `grad`, or None; null while it is not set. Borrowed
bool give_gradient(PyObject* leaf, PyObject* array);  // as its `grad`; false with an exception set
void set_gradient(PyObject* tensor, PyObject* gradient);
PyObject* leaf(PyObject* array);             // a new tensor without gradients; steals the array
void give_node(PyObject* tensor, PyObject* node);  // steals the node

// The values at a plan's positions, as a new tuple.
PyObject* picked(PyObject* positions, PyObject* const* values);

// A node for a result of a layout and a kernel table; of an op with several, `results` is what is noted of each, else None.
PyObject* new_node(PyObject* plan, PyObject* inputs, PyObject* saved, PyObject* layout, PyObject* kernels, PyObject* results = Py_None);

// Where the gradient of an operand goes: its node, itself where it is a leaf, None where it wants none. Borrowed.
PyObject* edge_of(PyObject* operand, bool wants);

// A public function that is one op, answered without its body where nothing has to be converted, intercepted or saved in an
// unusual way. Null without an exception set where there is more to do.
PyObject* tensor_unary(PyObject* op, PyObject* input, long flags);
PyObject* tensor_binary(PyObject* op, PyObject* input, PyObject* other, long flags);

// An op written over its first operand, a tensor that comes back; `other` is null for an op of one. Null without an exception set where
// there is more to do.
PyObject* tensor_over(PyObject* op, PyObject* input, PyObject* other, long flags);

// The same for an op of three, as `map_ternary` has it.
PyObject* tensor_over_of_three(PyObject* op, PyObject* const* operands, PyObject* const* numbers, PyObject* names, long flags);

// Methods of the module.
PyObject* use_tensors(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* use_modes(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* use_ops(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* arrays_of(PyObject*, PyObject* tensors);
PyObject* tensor_of(PyObject*, PyObject* array);
PyObject* made_node(PyObject*, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
