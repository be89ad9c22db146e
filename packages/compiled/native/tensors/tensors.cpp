// Making tensors and nodes, and running map ops on tensors, as tensor_fields.py, autograd/node.py and dispatch/elementwise.py of
// lamina_tensor say it.
#include "tensors/tensors.hpp"

#include <initializer_list>

#include "arrays/arrays.hpp"
#include "objects/slots.hpp"

namespace lamina {

long kNoGrad = 0, kIntercepting = 0, kWatched = 0, kRecord = 0;

namespace {

struct TensorClasses {
    PyTypeObject *tensor = nullptr, *fields = nullptr, *node = nullptr, *op = nullptr, *plan = nullptr;
    Py_ssize_t tensor_array, tensor_requires_grad, tensor_node, tensor_base, tensor_views, tensor_hooks, tensor_grad;
    Py_ssize_t node_plan, node_inputs, node_saved, node_versions, node_sequence, node_layout, node_kernels, node_hooks, node_results,
        node_freed_at;
    Py_ssize_t op_op, op_plans;
    Py_ssize_t plan_positions, plan_names;
    PyObject* array_slot = nullptr;  // what `fields` has under the name `array`, borrowed
    PyObject* sequence = nullptr;    // the iterator that numbers nodes
};
TensorClasses tensors;
PyObject* word = nullptr;         // the ContextVar of modes
PyObject* wanted_keys[4] = {};    // which operands want gradients, as plans are kept by it: bit i for operand i
PyObject* only_key = nullptr;     // of an op with one operand
PyObject* array_name = nullptr;

}  // namespace

PyObject* array_in(PyObject* tensor) { return at(tensor, tensors.tensor_array); }

PyObject*& base_of(PyObject* tensor) { return at(tensor, tensors.tensor_base); }

PyObject* views_of(PyObject* tensor) { return at(tensor, tensors.tensor_views); }

bool wants_gradient(PyObject* operand) { return is_tensor(operand) && at(operand, tensors.tensor_requires_grad) == Py_True; }

bool is_as_leaf(PyObject* tensor, PyObject* wants) {
    return at(tensor, tensors.tensor_requires_grad) == wants &&
           (wants != Py_True || (at(tensor, tensors.tensor_node) == Py_None && at(tensor, tensors.tensor_hooks) == Py_None));
}

PyObject* leaf(PyObject* array) {  // steals the reference
    PyObject* tensor = bare(tensors.tensor);
    if (tensor == nullptr) {
        Py_DECREF(array);
        return nullptr;
    }
    at(tensor, tensors.tensor_array) = array;
    at(tensor, tensors.tensor_requires_grad) = Py_NewRef(Py_False);
    for (const Py_ssize_t slot :
         {tensors.tensor_node, tensors.tensor_base, tensors.tensor_views, tensors.tensor_hooks, tensors.tensor_grad})
        at(tensor, slot) = Py_NewRef(Py_None);
    return tensor;
}

bool is_untouched(PyObject* tensor) {
    for (const Py_ssize_t slot :
         {tensors.tensor_node, tensors.tensor_base, tensors.tensor_views, tensors.tensor_hooks, tensors.tensor_grad})
        if (at(tensor, slot) != Py_None) return false;
    PyObject** attributes = _PyObject_GetDictPtr(tensor);
    const bool has_none = attributes == nullptr || *attributes == nullptr || PyDict_GET_SIZE(*attributes) == 0;
    return has_none && at(tensor, tensors.tensor_requires_grad) == Py_False;
}

bool awaits_gradient(PyObject* object) {
    return shows_array(object) && at(object, tensors.tensor_requires_grad) == Py_True && at(object, tensors.tensor_node) == Py_None &&
           at(object, tensors.tensor_grad) == Py_None;
}

PyObject* gradient_of(PyObject* tensor) { return at(tensor, tensors.tensor_grad); }

bool give_gradient(PyObject* leaf_, PyObject* array) {
    PyObject* gradient = leaf(Py_NewRef(array));
    if (gradient != nullptr) Py_SETREF(at(leaf_, tensors.tensor_grad), gradient);
    return gradient != nullptr;
}

void set_gradient(PyObject* tensor, PyObject* gradient) { Py_XSETREF(at(tensor, tensors.tensor_grad), Py_NewRef(gradient)); }

namespace {

// The version of an array's memory: a new reference. A slice of a flat array, whose class derives from that of flat arrays, has
// the whole one's.
PyObject* version_of(PyObject* array) {
    static PyObject* const name = PyUnicode_InternFromString("version");
    PyObject* flat = flat_of(array);
    return Py_IS_TYPE(flat, arrays.flat) ? Py_NewRef(at(flat, arrays.flat_version)) : PyObject_GetAttr(flat, name);
}

// The versions of saved arrays; -1 for other values.
PyObject* versions_of(PyObject* saved) {
    static PyObject* const none = PyLong_FromLong(-1);
    const Py_ssize_t n = PyTuple_GET_SIZE(saved);
    PyObject* versions = PyTuple_New(n);
    for (Py_ssize_t i = 0; versions != nullptr && i < n; ++i) {
        PyObject* value = PyTuple_GET_ITEM(saved, i);
        PyObject* version = is_array(value) ? version_of(value) : Py_NewRef(none);
        if (version == nullptr)
            Py_CLEAR(versions);
        else
            PyTuple_SET_ITEM(versions, i, version);
    }
    return versions;
}

}  // namespace

PyObject* new_node(PyObject* plan, PyObject* inputs, PyObject* saved, PyObject* layout, PyObject* kernels, PyObject* results) {
    PyObject* versions = versions_of(saved);
    PyObject* sequence = versions == nullptr ? nullptr : Py_TYPE(tensors.sequence)->tp_iternext(tensors.sequence);
    PyObject* node = sequence == nullptr ? nullptr : bare(tensors.node);
    if (node == nullptr) {
        Py_XDECREF(versions);
        Py_XDECREF(sequence);
        return nullptr;
    }
    at(node, tensors.node_plan) = Py_NewRef(plan);
    at(node, tensors.node_inputs) = Py_NewRef(inputs);
    at(node, tensors.node_saved) = Py_NewRef(saved);
    at(node, tensors.node_versions) = versions;
    at(node, tensors.node_sequence) = sequence;
    at(node, tensors.node_layout) = Py_NewRef(layout);
    at(node, tensors.node_kernels) = Py_NewRef(kernels);
    at(node, tensors.node_results) = Py_NewRef(results);
    for (const Py_ssize_t slot : {tensors.node_hooks, tensors.node_freed_at}) at(node, slot) = Py_NewRef(Py_None);
    return node;
}

PyObject* picked(PyObject* positions, PyObject* const* values) {
    const Py_ssize_t n = PyTuple_GET_SIZE(positions);
    PyObject* saved = PyTuple_New(n);
    for (Py_ssize_t i = 0; saved != nullptr && i < n; ++i)
        PyTuple_SET_ITEM(saved, i, Py_NewRef(values[PyLong_AsSsize_t(PyTuple_GET_ITEM(positions, i))]));
    return saved;
}

PyObject* edge_of(PyObject* operand, bool wants) {
    if (!wants) return Py_None;
    PyObject* node = at(operand, tensors.tensor_node);
    return node == Py_None ? operand : node;
}

void give_node(PyObject* tensor, PyObject* node) {
    Py_SETREF(at(tensor, tensors.tensor_node), node);
    Py_SETREF(at(tensor, tensors.tensor_requires_grad), Py_NewRef(Py_True));
}

namespace {

bool attach(PyObject* result, PyObject* plan, PyObject* const* operands, const bool* wants, int count) {
    PyObject* values[3];
    PyObject* edges = PyTuple_New(count);
    if (edges == nullptr) return false;
    for (int i = 0; i < count; ++i) {
        values[i] = is_tensor(operands[i]) ? array_in(operands[i]) : operands[i];
        PyTuple_SET_ITEM(edges, i, Py_NewRef(edge_of(operands[i], wants[i])));
    }
    values[count] = array_in(result);
    PyObject* saved = picked(at(plan, tensors.plan_positions), values);
    PyObject* node = saved == nullptr ? nullptr : new_node(plan, edges, saved, layout_of(array_in(result)), kernels_of(array_in(result)));
    Py_DECREF(edges);
    Py_XDECREF(saved);
    if (node == nullptr) return false;
    give_node(result, node);
    return true;
}

// The plan of an op's gradients. False where the op has a rule whose plan saves in an unusual way: Python's body does that.
bool find_plan(PyObject* op, PyObject* wanted, PyObject*& plan) {
    PyObject* plans = at(op, tensors.op_plans);
    if (plans == nullptr) return false;  // not wanted before: Python's body finds them
    plan = PyDict_GetItemWithError(plans, wanted);
    if (plan == nullptr) return PyDict_GET_SIZE(plans) == 0;
    return at(plan, tensors.plan_positions) != Py_None && PyTuple_GET_SIZE(at(plan, tensors.plan_names)) == 0;
}

PyObject* finish(PyObject* array, PyObject* plan, PyObject* const* operands, const bool* wants, int count) {
    if (array == nullptr) return nullptr;
    PyObject* result = leaf(array);
    if (result != nullptr && plan != nullptr && !attach(result, plan, operands, wants, count)) Py_CLEAR(result);
    return result;
}

}  // namespace

bool is_tensor(PyObject* object) { return is_plain_tensor(object) || is_a(object, tensors.fields); }

bool shows_array(PyObject* object) {
    return is_plain_tensor(object) || (is_a(object, tensors.fields) && _PyType_Lookup(Py_TYPE(object), array_name) == tensors.array_slot);
}

bool is_plain_tensor(PyObject* object) { return Py_IS_TYPE(object, tensors.tensor); }

int flags_on() {
    PyObject* value;
    if (PyContextVar_Get(word, nullptr, &value) < 0 || value == nullptr) return -1;
    const long flags = PyLong_AsLong(value);
    Py_DECREF(value);
    return int(flags);
}

bool set_flags(long flags) {
    PyObject* value = PyLong_FromLong(flags);
    PyObject* token = value == nullptr ? nullptr : PyContextVar_Set(word, value);
    Py_XDECREF(value);
    Py_XDECREF(token);
    return token != nullptr;
}

PyObject* tensor_unary(PyObject* op, PyObject* input, long flags) {
    if (!shows_array(input) || (flags & kRecord) != 0 || !is_map_op(at(op, tensors.op_op))) return nullptr;
    PyObject* array = array_in(input);
    if (array == nullptr) return nullptr;
    const bool wants = (flags & kNoGrad) == 0 && at(input, tensors.tensor_requires_grad) == Py_True;
    PyObject* plan = nullptr;
    if (wants && ((flags & kWatched) != 0 || !find_plan(op, only_key, plan))) return nullptr;
    return finish(map_unary(at(op, tensors.op_op), array), plan, &input, &wants, 1);
}

PyObject* tensor_binary(PyObject* op, PyObject* input, PyObject* other, long flags) {
    if ((flags & kRecord) != 0 || !is_map_op(at(op, tensors.op_op))) return nullptr;  // a record answers for the fields of tensors
    PyObject* operands[] = {input, other};
    PyObject* values[2];
    bool wants[2];
    for (int i = 0; i < 2; ++i) {
        const bool tensor = shows_array(operands[i]);
        values[i] = tensor ? array_in(operands[i]) : operands[i];
        wants[i] = tensor && (flags & kNoGrad) == 0 && at(operands[i], tensors.tensor_requires_grad) == Py_True;
        if (values[i] == nullptr) return nullptr;
    }
    PyObject* plan = nullptr;
    if ((wants[0] || wants[1]) &&
        ((flags & kWatched) != 0 || !find_plan(op, wanted_keys[(wants[0] ? 1 : 0) | (wants[1] ? 2 : 0)], plan)))
        return nullptr;
    return finish(map_binary(at(op, tensors.op_op), values[0], values[1]), plan, operands, wants, 2);
}

PyObject* tensor_over(PyObject* op, PyObject* input, PyObject* other, long flags) {
    if ((flags & kRecord) != 0 || !shows_array(input) || !is_map_op(at(op, tensors.op_op))) return nullptr;
    const bool tensor = other != nullptr && shows_array(other);
    PyObject *array = array_in(input), *value = tensor ? array_in(other) : other, *root = at(input, tensors.tensor_base);
    if (array == nullptr || !is_array(array) || (other != nullptr && value == nullptr) || root == nullptr) return nullptr;
    if ((flags & kNoGrad) == 0 && (wants_gradient(input) || (tensor && wants_gradient(other)))) return nullptr;
    if (root != Py_None && (!is_tensor(root) || wants_gradient(root))) return nullptr;
    return map_over(at(op, tensors.op_op), array, value) == 1 ? Py_NewRef(input) : nullptr;
}

PyObject* tensor_over_of_three(PyObject* op, PyObject* const* operands, PyObject* const* numbers, PyObject* names, long flags) {
    PyObject *values[3], *input = operands[0];
    if ((flags & kRecord) != 0 || !shows_array(input) || !is_map_op(at(op, tensors.op_op))) return nullptr;
    for (int i = 0; i < 3; ++i) {
        values[i] = shows_array(operands[i]) ? array_in(operands[i]) : operands[i];
        if (values[i] == nullptr || ((flags & kNoGrad) == 0 && wants_gradient(operands[i]))) return nullptr;
    }
    PyObject* root = at(input, tensors.tensor_base);
    if (root == nullptr || (root != Py_None && (!is_tensor(root) || wants_gradient(root)))) return nullptr;
    PyObject* written = map_ternary(at(op, tensors.op_op), values, numbers, names, values[0]);
    if (written == nullptr) return nullptr;
    Py_DECREF(written);
    return Py_NewRef(input);
}

PyObject* use_tensors(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 4 || !PyType_Check(arguments[0]) || !PyType_Check(arguments[1]) || !PyType_Check(arguments[2])) {
        PyErr_SetString(PyExc_TypeError, "use_tensors: it wants the classes Tensor, TensorFields and Node, and what numbers nodes");
        return nullptr;
    }
    TensorClasses told = tensors;
    told.tensor = reinterpret_cast<PyTypeObject*>(arguments[0]);
    told.fields = reinterpret_cast<PyTypeObject*>(arguments[1]);
    told.node = reinterpret_cast<PyTypeObject*>(arguments[2]);
    const Slot slots[] = {
        {&told.tensor_array, told.fields, "array"},     {&told.tensor_requires_grad, told.fields, "_requires_grad"},
        {&told.tensor_node, told.fields, "_node"},       {&told.tensor_base, told.fields, "base"},
        {&told.tensor_views, told.fields, "views"},     {&told.tensor_hooks, told.fields, "hooks"},
        {&told.tensor_grad, told.fields, "_grad"},      {&told.node_plan, told.node, "plan"},
        {&told.node_inputs, told.node, "inputs"},       {&told.node_saved, told.node, "saved"},
        {&told.node_versions, told.node, "versions"},   {&told.node_sequence, told.node, "sequence"},
        {&told.node_layout, told.node, "layout"},       {&told.node_kernels, told.node, "kernels"},
        {&told.node_hooks, told.node, "hooks"},         {&told.node_results, told.node, "results"},
        {&told.node_freed_at, told.node, "freed_at"},
    };
    if (!found_all(slots)) return nullptr;
    PyObject* sequence = PyObject_GetAttrString(arguments[3], "__self__");
    if (sequence == nullptr || Py_TYPE(sequence)->tp_iternext == nullptr) {
        Py_XDECREF(sequence);
        PyErr_SetString(PyExc_TypeError, "use_tensors: what numbers nodes is no `__next__` of an iterator");
        return nullptr;
    }
    for (int i = 0; i < 3; ++i) Py_INCREF(arguments[i]);
    Py_XSETREF(told.sequence, sequence);
    if (only_key == nullptr) {
        array_name = PyUnicode_InternFromString("array");
        only_key = Py_BuildValue("(O)", Py_True);
        for (int bits = 0; bits < 4; ++bits) wanted_keys[bits] = Py_BuildValue("(OO)", bits & 1 ? Py_True : Py_False, bits & 2 ? Py_True : Py_False);
    }
    told.array_slot = _PyType_Lookup(told.fields, array_name);
    tensors = told;
    Py_RETURN_NONE;
}

PyObject* use_ops(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2 || !PyType_Check(arguments[0]) || !PyType_Check(arguments[1])) {
        PyErr_SetString(PyExc_TypeError, "use_ops: it wants the class of ops on tensors and that of plans");
        return nullptr;
    }
    TensorClasses told = tensors;
    told.op = reinterpret_cast<PyTypeObject*>(Py_NewRef(arguments[0]));
    told.plan = reinterpret_cast<PyTypeObject*>(Py_NewRef(arguments[1]));
    if ((told.op_op = slot_offset(told.op, "op")) == 0 || (told.op_plans = slot_offset(told.op, "plans")) == 0 ||
        (told.plan_positions = slot_offset(told.plan, "positions")) == 0 || (told.plan_names = slot_offset(told.plan, "names")) == 0)
        return nullptr;
    tensors = told;
    Py_RETURN_NONE;
}

PyObject* use_modes(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 5 || !PyContextVar_CheckExact(arguments[0])) {
        PyErr_SetString(PyExc_TypeError, "use_modes: it wants the word of modes, and the flags: NO_GRAD, those of functions, of nodes, RECORD");
        return nullptr;
    }
    const long no_grad = PyLong_AsLong(arguments[1]), intercepting = PyLong_AsLong(arguments[2]), watched = PyLong_AsLong(arguments[3]);
    const long record = PyLong_AsLong(arguments[4]);
    if (PyErr_Occurred()) return nullptr;
    Py_XSETREF(word, Py_NewRef(arguments[0]));
    kNoGrad = no_grad;
    kIntercepting = intercepting;
    kWatched = watched;
    kRecord = record;
    Py_RETURN_NONE;
}

PyObject* arrays_of(PyObject*, PyObject* tensors) {
    if (!PyList_Check(tensors) || PyList_GET_SIZE(tensors) == 0) {
        PyErr_SetString(PyExc_TypeError, "arrays_of: it wants a list of one tensor or more");
        return nullptr;
    }
    const Py_ssize_t count = PyList_GET_SIZE(tensors);
    PyObject* found = PyList_New(count);
    PyObject* table = nullptr;  // of those before; Py_None where they differ
    for (Py_ssize_t i = 0; found != nullptr && i < count; ++i) {
        PyObject* tensor = PyList_GET_ITEM(tensors, i);
        PyObject* array = shows_array(tensor) ? Py_XNewRef(array_in(tensor)) : PyObject_GetAttr(tensor, array_name);
        if (array == nullptr || !is_array(array)) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "arrays_of: a tensor has no array");
            Py_XDECREF(array);
            Py_CLEAR(found);
            break;
        }
        if (table == nullptr) table = kernels_of(array);
        if (table != kernels_of(array)) table = Py_None;
        PyList_SET_ITEM(found, i, array);
    }
    return found == nullptr ? nullptr : Py_BuildValue("(NO)", found, table);
}

PyObject* tensor_of(PyObject*, PyObject* array) { return leaf(Py_NewRef(array)); }

PyObject* made_node(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 4 || !PyTuple_Check(arguments[2]) || !is_array(arguments[3])) {
        PyErr_SetString(PyExc_TypeError, "made_node: it wants a plan, edges, a tuple of saved values, and an array");
        return nullptr;
    }
    return new_node(arguments[0], arguments[1], arguments[2], layout_of(arguments[3]), kernels_of(arguments[3]));
}

}  // namespace lamina
