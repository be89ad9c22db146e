// A call that is repeated by its plan.
#include "arrays/arrays.hpp"
#include "objects/slots.hpp"
#include "plans/plan.hpp"
#include "tensors/tensors.hpp"
#include "tensors/views.hpp"

namespace lamina {
namespace {

using Arrays = PyObject* const*;

// What a plan makes while it runs.
struct Run {
    PyObject *made[kMostMade], *nodes[kMostNodes];
    size_t made_count = 0, node_count = 0;

    ~Run() {
        for (size_t i = 0; i < made_count; ++i) Py_XDECREF(made[i]);
        for (size_t i = 0; i < node_count; ++i) Py_XDECREF(nodes[i]);
    }
};

// An array, or a constant, or several of them, as a kernel or a node is given it: a new reference.
PyObject* value_at(const Value& value, const Form& form, Arrays made) {
    switch (value.kind) {
        case Value::given:
        case Value::made: {
            PyObject* array = value.kind == Value::given ? form.array(value.which) : made[value.which];
            return value.held.get() == nullptr ? Py_NewRef(array) : new_view(array, value.held.get());
        }
        case Value::tuple:
        case Value::list: {
            const auto n = Py_ssize_t(value.parts.size());
            PyObject* all = value.kind == Value::tuple ? PyTuple_New(n) : PyList_New(n);
            for (Py_ssize_t i = 0; all != nullptr && i < n; ++i) {
                PyObject* part = value_at(value.parts[size_t(i)], form, made);
                if (part == nullptr)
                    Py_CLEAR(all);
                else if (value.kind == Value::tuple)
                    PyTuple_SET_ITEM(all, i, part);
                else
                    PyList_SET_ITEM(all, i, part);
            }
            return all;
        }
        default: return Py_NewRef(value.held.get());
    }
}

bool run_call(const Call& call, const Form& form, Arrays made) {
    PyObject* kernel = Py_XNewRef(PyDict_GetItemWithError(call.table.get(), call.op.get()));
    if (kernel == nullptr) return false;  // the table makes it when it is asked in Python
    PyObject* operands[kMostOperands];
    size_t n = 0;
    operands[n] = value_at(call.out, form, made);
    bool right = operands[n++] != nullptr;
    for (size_t i = 0; right && i < call.operands.size(); ++i) right = (operands[n++] = value_at(call.operands[i], form, made)) != nullptr;
    if (right) {
        PyObject* names = call.names.get();
        PyObject* nothing = PyObject_Vectorcall(kernel, operands, n - size_t(names == nullptr ? 0 : PyTuple_GET_SIZE(names)), names);
        right = nothing != nullptr;
        Py_XDECREF(nothing);
    }
    for (size_t i = 0; i < n; ++i) Py_XDECREF(operands[i]);
    Py_DECREF(kernel);
    return right;
}

// Whether what is read is as it was.
bool is_as_read(const Read& read, const Form& form, const Run& run) {
    PyObject* array = value_at(read.array, form, run.made);
    PyObject* value = array == nullptr ? nullptr : PyObject_CallOneArg(read.reader.get(), array);
    const bool same = value != nullptr && value != Py_NotImplemented && PyObject_RichCompareBool(value, read.expected.get(), Py_EQ) == 1;
    Py_XDECREF(array);
    Py_XDECREF(value);
    return same;
}

// A new node, after those before it.
PyObject* node_at(const NewNode& node, const Form& form, Arrays made, PyObject* const* before) {
    PyObject* edges = PyTuple_New(Py_ssize_t(node.edges.size()));
    for (size_t i = 0; edges != nullptr && i < node.edges.size(); ++i) {
        const int edge = node.edges[i];
        PyTuple_SET_ITEM(edges, Py_ssize_t(i), Py_NewRef(edge < -1 ? before[-2 - edge] : edge < 0 ? Py_None : edge_of(form.given[edge], true)));
    }
    PyObject* saved = edges == nullptr ? nullptr : PyTuple_New(Py_ssize_t(node.saved.size()));
    for (size_t i = 0; saved != nullptr && i < node.saved.size(); ++i) {
        PyObject* part = value_at(node.saved[i], form, made);
        if (part == nullptr)
            Py_CLEAR(saved);
        else
            PyTuple_SET_ITEM(saved, Py_ssize_t(i), part);
    }
    PyObject* one = saved == nullptr ? nullptr : new_node(node.plan.get(), edges, saved, node.layout.get(), node.table.get(), node.results.get());
    Py_XDECREF(edges);
    Py_XDECREF(saved);
    return one;
}

bool view_noted(PyObject* tensor, PyObject* base, PyObject* note_view) {
    int done = noted_view(tensor, base);
    if (done == 0) {
        PyObject* nothing = PyObject_CallFunctionObjArgs(note_view, tensor, base, nullptr);
        done = nothing == nullptr ? -1 : 1;
        Py_XDECREF(nothing);
    }
    return done > 0;
}

// What the call gives: a new reference.
PyObject* result_at(const Value& value, const Form& form, const Run& run, PyObject* note_view) {
    if (value.kind == Value::argument) return Py_NewRef(form.given[value.which]);
    if (value.kind == Value::tensor) {
        PyObject* array = value_at(value.parts[0], form, run.made);
        PyObject* tensor = array == nullptr ? nullptr : leaf(array);
        if (tensor != nullptr && value.which >= 0 && !view_noted(tensor, form.given[value.which], note_view)) Py_CLEAR(tensor);
        if (tensor != nullptr && value.node >= 0) give_node(tensor, Py_NewRef(run.nodes[value.node]));
        return tensor;
    }
    if (value.kind != Value::several) return value_at(value, form, run.made);
    PyObject* parts = PyTuple_New(Py_ssize_t(value.parts.size()));
    for (size_t i = 0; parts != nullptr && i < value.parts.size(); ++i) {
        PyObject* part = result_at(value.parts[i], form, run, note_view);
        if (part == nullptr)
            Py_CLEAR(parts);
        else
            PyTuple_SET_ITEM(parts, Py_ssize_t(i), part);
    }
    auto* kind = reinterpret_cast<PyTypeObject*>(value.held.get());
    if (parts == nullptr || kind == &PyTuple_Type) return parts;
    PyObject* wrapped = PyTuple_Pack(1, parts);
    PyObject* named = wrapped == nullptr ? nullptr : PyTuple_Type.tp_new(kind, wrapped, nullptr);
    Py_DECREF(parts);
    Py_XDECREF(wrapped);
    return named;
}

// Whether the tensors that a plan writes may be written without a look at their history, by kernels that are all there.
bool may_write(const Plan& plan, const Form& form) {
    if (plan.written.empty()) return true;
    for (const Call& call : plan.calls)
        if (PyDict_GetItemWithError(call.table.get(), call.op.get()) == nullptr) return false;
    for (const auto& [which, times] : plan.written) {
        PyObject *tensor = form.given[which], *root = base_of(tensor);
        if (root == nullptr || (root != Py_None && (!is_tensor(root) || wants_gradient(root)))) return false;
        if (!Py_IS_TYPE(flat_of(array_in(tensor)), arrays.flat)) return false;  // a slice, which has the version of the whole
    }
    return true;
}

bool count_writes(const Plan& plan, const Form& form) {
    for (const auto& [which, times] : plan.written) {
        PyObject*& version = at(flat_of(array_in(form.given[which])), arrays.flat_version);
        const long before = PyLong_AsLong(version);
        PyObject* after = before == -1 && PyErr_Occurred() ? nullptr : PyLong_FromLong(before + times);
        if (after == nullptr) return false;
        Py_SETREF(version, after);
    }
    return true;
}

// Whether an exception is set such as kernels raise. Others come from handlers of signals, and no second call raises them.
bool is_of_kernels() {
    static PyObject* const kinds =
        PyTuple_Pack(5, PyExc_TypeError, PyExc_ValueError, PyExc_RuntimeError, PyExc_LookupError, PyExc_ArithmeticError);
    return PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(kinds);
}

}  // namespace

PyObject* run_plan(const Plan& plan, const Form& form, PyObject* note_view) {
    Run run;
    bool right = may_write(plan, form), overwritten = false;
    for (int i = 0; i < form.count; ++i) Py_INCREF(form.given[i]);  // a list may lose them to another thread while a kernel runs
    for (const Made& one : plan.made) right = right && (run.made[run.made_count++] = new_empty(one.table.get(), one.layout.get())) != nullptr;
    size_t calls = 0;
    for (const Call& call : plan.calls) {
        right = right && run_call(call, form, run.made);
        overwritten = overwritten || (right && call.overwrites);
        ++calls;
        for (const Read& read : plan.reads) right = right && (read.after != calls || is_as_read(read, form, run));
    }
    right = right && count_writes(plan, form);
    for (const NewNode& node : plan.nodes) right = right && (run.nodes[run.node_count++] = node_at(node, form, run.made, run.nodes)) != nullptr;
    PyObject* result = right ? result_at(plan.result, form, run, note_view) : nullptr;
    for (int i = 0; i < form.count; ++i) Py_DECREF(form.given[i]);
    if (result == nullptr && !overwritten && is_of_kernels()) PyErr_Clear();  // Python's call raises it in its words
    return result;
}

}  // namespace lamina
