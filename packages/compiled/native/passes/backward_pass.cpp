// The walk of a backward pass, as autograd/engine.py of lamina_tensor says it, over nodes of one result and without hooks, whose gradients are
// arrays and whose saved arrays nobody has changed.
#include "passes/backward_pass.hpp"

#include "arrays/arrays.hpp"
#include "objects/held.hpp"
#include "objects/slots.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

constexpr Py_ssize_t kMostSaved = 16;  // values that one gradient is of

struct NodeClasses {
    PyTypeObject *node = nullptr, *plan = nullptr, *joint_plan = nullptr, *gradients = nullptr;
    PyObject *push = nullptr, *pop = nullptr;
    Py_ssize_t node_plan, node_inputs, node_saved, node_versions, node_sequence, node_layout, node_kernels, node_hooks, node_freed_at;
    Py_ssize_t plan_joint, plan_steps, plan_within, plan_saves_values;
};
NodeClasses nodes;

struct Pass {
    PyObject *heap, *grads, *owned;
    bool keep;
    PyObject *site, *place;
};

bool is_unchanged(PyObject* value, PyObject* version) {
    const long expected = PyLong_AsLong(version);
    if (expected < 0) return expected == -1;  // else it is packed
    if (!is_array(value) || !Py_IS_TYPE(flat_of(value), arrays.flat)) return false;
    return PyLong_AsLong(at(flat_of(value), arrays.flat_version)) == expected;
}

// Whether a node is passed here: no gradient but that of its one result is asked for, and nothing is added within another gradient.
bool is_plain(const Pass& pass, PyObject* node, PyObject* g) {
    if (!Py_IS_TYPE(node, nodes.node) || g == nullptr || !is_array(g) || at(node, nodes.node_hooks) != Py_None) return false;
    PyObject *plan = at(node, nodes.node_plan), *saved = at(node, nodes.node_saved), *versions = at(node, nodes.node_versions);
    if (!(Py_IS_TYPE(plan, nodes.plan) || Py_IS_TYPE(plan, nodes.joint_plan)) || !PyTuple_CheckExact(saved)) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(versions); ++i)
        if (i >= PyTuple_GET_SIZE(saved) || !is_unchanged(PyTuple_GET_ITEM(saved, i), PyTuple_GET_ITEM(versions, i))) return false;
    if (at(plan, nodes.plan_within) == Py_None) return true;
    PyObject* inputs = at(node, nodes.node_inputs);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(inputs); ++i)
        if (PySet_Contains(pass.owned, PyTuple_GET_ITEM(inputs, i)) != 0) return false;
    return true;
}

// Whether a gradient is as its place wants it: of the same shape, in the same kernel table.
bool fits(PyObject* gradient, PyObject* edge) {
    PyObject *layout, *kernels;
    if (Py_IS_TYPE(edge, nodes.node)) {
        layout = at(edge, nodes.node_layout), kernels = at(edge, nodes.node_kernels);
    } else if (shows_array(edge) && is_array(array_in(edge))) {
        layout = layout_of(array_in(edge)), kernels = kernels_of(array_in(edge));
    } else {
        return false;
    }
    if (kernels_of(gradient) != kernels) return false;
    PyObject* own = layout_of(gradient);
    return own == layout || PyObject_RichCompareBool(at(own, arrays.layout_shape), at(layout, arrays.layout_shape), Py_EQ) == 1;
}

bool pushed(const Pass& pass, PyObject* node) {
    PyObject* number = PyNumber_Negative(at(node, nodes.node_sequence));
    PyObject* entry = number == nullptr ? nullptr : PyTuple_Pack(2, number, node);
    PyObject* done = entry == nullptr ? nullptr : PyObject_CallFunctionObjArgs(nodes.push, pass.heap, entry, nullptr);
    Py_XDECREF(number);
    Py_XDECREF(entry);
    Py_XDECREF(done);
    return done != nullptr;
}

// Puts the gradient of a node's input where it goes; g is that of its result, or those of all inputs.
bool placed(const Pass& pass, PyObject* node, PyObject* which, PyObject* g, PyObject* gradient) {
    PyObject* edge = PyTuple_GET_ITEM(at(node, nodes.node_inputs), PyLong_AsSsize_t(which));
    const bool simple = is_array(gradient) && fits(gradient, edge);
    PyObject* seen = simple ? PyDict_GetItemWithError(pass.grads, edge) : nullptr;
    if (PyErr_Occurred()) return false;
    if (!simple || seen != nullptr) {
        PyObject* const arguments[] = {pass.heap, pass.grads, pass.owned, node, which, g, gradient, Py_False};
        PyObject* done = PyObject_Vectorcall(pass.place, arguments, 8, nullptr);
        Py_XDECREF(done);
        return done != nullptr;
    }
    if (PyDict_SetItem(pass.grads, edge, gradient) < 0) return false;
    const bool apart = is_array(g) ? flat_of(gradient) != flat_of(g) : Py_IS_TYPE(g, nodes.gradients);
    if (apart && at(layout_of(gradient), arrays.layout_contiguous) == Py_True && PySet_Add(pass.owned, edge) < 0) return false;
    return !Py_IS_TYPE(edge, nodes.node) || pushed(pass, edge);
}

// (input, function, places): calls the function with g and what it wants of what was saved.
bool stepped(const Pass& pass, PyObject* node, PyObject* step, PyObject* g, PyObject* saved) {
    PyObject *function = PyTuple_GET_ITEM(step, 1), *places = PyTuple_GET_ITEM(step, 2), *arguments[kMostSaved + 1];
    const Py_ssize_t count = PyTuple_GET_SIZE(places);
    if (count > kMostSaved) {
        PyErr_Format(PyExc_SystemError, "backward: a gradient is of %zd saved values; there is room for %zd", count, kMostSaved);
        return false;
    }
    arguments[0] = g;
    for (Py_ssize_t k = 0; k < count; ++k) arguments[k + 1] = PyTuple_GET_ITEM(saved, PyLong_AsSsize_t(PyTuple_GET_ITEM(places, k)));
    const Held gradient = Held::taken(PyObject_Vectorcall(function, arguments, size_t(count) + 1, nullptr));
    if (gradient.get() == nullptr) return false;
    return gradient.get() == Py_None || placed(pass, node, PyTuple_GET_ITEM(step, 0), g, gradient.get());
}

bool has_arrays(PyObject* saved) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(saved); ++i) {
        PyObject* value = PyTuple_GET_ITEM(saved, i);
        if (is_a(value, arrays.array)) return true;
        for (Py_ssize_t k = 0; PyTuple_CheckExact(value) && k < PyTuple_GET_SIZE(value); ++k)
            if (is_a(PyTuple_GET_ITEM(value, k), arrays.array)) return true;
    }
    return false;
}

bool passed(const Pass& pass, PyObject* node, PyObject* gradient) {
    Held g(gradient);
    if (PyDict_DelItem(pass.grads, node) < 0 || PySet_Discard(pass.owned, node) < 0) return false;
    PyObject* plan = at(node, nodes.node_plan);
    const Held saved(at(node, nodes.node_saved)), steps(at(plan, nodes.plan_steps));
    if (PyObject* joint = at(plan, nodes.plan_joint); joint != Py_None)
        g = Held::taken(PyObject_CallFunctionObjArgs(joint, g.get(), saved.get(), nullptr));
    if (g.get() == nullptr) return false;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(steps.get()); ++i)
        if (!stepped(pass, node, PyList_GET_ITEM(steps.get(), i), g.get(), saved.get())) return false;
    if (!pass.keep && (at(plan, nodes.plan_saves_values) == Py_True || has_arrays(saved.get()))) {
        Py_SETREF(at(node, nodes.node_saved), Py_NewRef(Py_None));
        Py_SETREF(at(node, nodes.node_freed_at), Py_NewRef(pass.site));
    }
    const Held entry = Held::taken(PyObject_CallOneArg(nodes.pop, pass.heap));
    return entry.get() != nullptr;
}

}  // namespace

PyObject* pass_plain_nodes(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 6 || !PyList_CheckExact(arguments[0]) || !PyDict_CheckExact(arguments[1]) || !PySet_CheckExact(arguments[2])) {
        PyErr_SetString(PyExc_TypeError, "pass_plain_nodes: it wants a heap, gradients, a set of edges, a bool, a place, and a function");
        return nullptr;
    }
    const Pass pass = {arguments[0], arguments[1], arguments[2], arguments[3] == Py_True, arguments[4], arguments[5]};
    while (PyList_GET_SIZE(pass.heap) > 0) {
        if (PyErr_CheckSignals() < 0) return nullptr;
        const Held node(PyTuple_GET_ITEM(PyList_GET_ITEM(pass.heap, 0), 1));
        PyObject* g = PyDict_GetItemWithError(pass.grads, node.get());
        if (g == nullptr && PyErr_Occurred()) return nullptr;
        if (!is_plain(pass, node.get(), g)) break;
        if (!passed(pass, node.get(), g)) return nullptr;
    }
    Py_RETURN_NONE;
}

PyObject* as_gradients(PyObject* list) { return PyObject_CallOneArg(reinterpret_cast<PyObject*>(nodes.gradients), list); }

PyObject* use_nodes(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    bool right = count == 6;
    for (int i = 0; right && i < 4; ++i) right = PyType_Check(arguments[i]);
    if (!right) {
        PyErr_SetString(PyExc_TypeError, "use_nodes: it wants the classes of nodes, of two kinds of plans and of joint gradients, and two functions");
        return nullptr;
    }
    NodeClasses told;
    PyTypeObject** const classes[] = {&told.node, &told.plan, &told.joint_plan, &told.gradients};
    for (int i = 0; i < 4; ++i) *classes[i] = reinterpret_cast<PyTypeObject*>(Py_NewRef(arguments[i]));
    told.push = Py_NewRef(arguments[4]), told.pop = Py_NewRef(arguments[5]);
    const Slot slots[] = {
        {&told.node_plan, told.node, "plan"},         {&told.node_inputs, told.node, "inputs"},
        {&told.node_saved, told.node, "saved"},       {&told.node_versions, told.node, "versions"},
        {&told.node_sequence, told.node, "sequence"}, {&told.node_layout, told.node, "layout"},
        {&told.node_kernels, told.node, "kernels"},   {&told.node_hooks, told.node, "hooks"},
        {&told.node_freed_at, told.node, "freed_at"}, {&told.plan_joint, told.plan, "joint"},
        {&told.plan_steps, told.plan, "steps"},       {&told.plan_within, told.plan, "within"},
        {&told.plan_saves_values, told.plan, "saves_values"},
    };
    if (!found_all(slots)) return nullptr;
    nodes = told;
    Py_RETURN_NONE;
}

}  // namespace lamina
