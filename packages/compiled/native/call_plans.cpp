// Calls that are repeated by what they ran, as compiling/call_plans.py of lamina_tensor says it.
#include "call_plans.hpp"

#include <utility>
#include <vector>

#include "arrays.hpp"
#include "slots.hpp"
#include "tensors.hpp"
#include "views.hpp"

namespace lamina {

namespace {

constexpr int kMostMade = 8, kMostNodes = 8, kMostOperands = 24, kMostCredit = 1024, kMostMisses = 64, kPause = 1024, kMostCalls = 1 << 30;

PyObject *finder = nullptr, *note_view = nullptr;
long flags_allowed = 0;
int calls_before = 256;

// A reference that is held.
class Held {
public:
    Held() = default;
    explicit Held(PyObject* borrowed) : object_(Py_XNewRef(borrowed)) {}
    Held(Held&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Held& operator=(Held&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Held() { Py_XDECREF(object_); }
    PyObject* get() const { return object_; }

private:
    PyObject* object_ = nullptr;
};

// What stands for a value of a call.
struct Value {
    enum Kind { given, made, constant, tuple, list, tensor, argument, several };

    Kind kind = constant;
    int which = -1;            // of given and made: which array; of an argument: which tensor; of a tensor: which it is a view of, or -1
    Held held;                 // of an array: the layout that it is viewed by; of a constant: the value; of several: the class
    std::vector<Value> parts;  // of a tensor: its array
    int node = -1;             // of a tensor: which node it has, or -1
};

// A node of a result, or between one and the arguments.
struct NewNode {
    Held plan, layout, table, results;
    std::vector<int> edges;  // where gradients go: to a tensor of the arguments from 0 on, nowhere at -1, to a node before it from -2 down
    std::vector<Value> saved;
};

struct Made {
    Held table, layout;
};

struct Call {
    Held table, op, names;
    Value out;
    std::vector<Value> operands;  // the last of them by name
    bool overwrites = false;      // an argument
};

}  // namespace

class Plan {
public:
    std::vector<Made> made;
    std::vector<Call> calls;
    std::vector<std::pair<int, long>> written;  // which tensors, and how often their versions count that
    std::vector<NewNode> nodes;
    Value result;
};

namespace {

// -- reading what Python wrote down --

// How many of each there are.
struct Counts {
    int given, made, nodes;
};

bool read(PyObject* told, Value& value, const Counts& counts);

bool read_all(PyObject* told, std::vector<Value>& values, const Counts& counts) {
    if (!PyTuple_CheckExact(told)) return false;
    values.resize(size_t(PyTuple_GET_SIZE(told)));
    for (size_t i = 0; i < values.size(); ++i)
        if (!read(PyTuple_GET_ITEM(told, Py_ssize_t(i)), values[i], counts)) return false;
    return true;
}

// (kind, which, held, parts, node)
bool read(PyObject* told, Value& value, const Counts& counts) {
    int kind;
    PyObject *held, *parts;
    if (!PyTuple_CheckExact(told) || !PyArg_ParseTuple(told, "iiOO!i", &kind, &value.which, &held, &PyTuple_Type, &parts, &value.node)) return false;
    value.kind = Value::Kind(kind);
    if (!read_all(parts, value.parts, counts)) return false;
    const bool array = value.kind == Value::given || value.kind == Value::made;
    if (array && held != Py_None && !is_a(held, arrays.layout)) return false;
    if (!array || held != Py_None) value.held = Held(held);
    switch (value.kind) {
        case Value::given:
        case Value::argument: return 0 <= value.which && value.which < counts.given;
        case Value::made: return 0 <= value.which && value.which < counts.made;
        case Value::several: return PyType_Check(held) && PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(held), &PyTuple_Type);
        case Value::tensor:
            return value.parts.size() == 1 && value.parts[0].kind <= Value::made && value.which < counts.given && value.node < counts.nodes;
        default: return 0 <= kind && kind < Value::tensor;
    }
}

// (table, layout)
bool read_made(PyObject* told, Made& made) {
    PyObject *table, *layout;
    if (!PyTuple_CheckExact(told) || !PyArg_ParseTuple(told, "OO", &table, &layout)) return false;
    made.table = Held(table), made.layout = Held(layout);
    return Py_TYPE(table) == arrays.table && is_a(layout, arrays.layout);
}

// (table, op, out, operands, names)
bool read_call(PyObject* told, Call& call, const Counts& counts) {
    PyObject *table, *op, *out, *operands, *names;
    if (!PyTuple_CheckExact(told) || !PyArg_ParseTuple(told, "OOOOO", &table, &op, &out, &operands, &names)) return false;
    call.table = Held(table), call.op = Held(op), call.names = Held(names == Py_None ? nullptr : names);
    if (Py_TYPE(table) != arrays.table || !read(out, call.out, counts) || !read_all(operands, call.operands, counts)) return false;
    call.overwrites = call.out.kind == Value::given;
    for (const Value& part : call.out.parts) call.overwrites = call.overwrites || part.kind == Value::given;
    if (call.operands.size() + 1 > kMostOperands) return false;
    return names == Py_None || (PyTuple_CheckExact(names) && size_t(PyTuple_GET_SIZE(names)) <= call.operands.size());
}

// (plan, edges, saved, layout, table, results)
bool read_node(PyObject* told, NewNode& node, const Counts& counts, int before) {
    PyObject *plan, *edges, *saved, *layout, *table, *results;
    if (!PyTuple_CheckExact(told) || !PyArg_ParseTuple(told, "OO!OOOO", &plan, &PyTuple_Type, &edges, &saved, &layout, &table, &results)) return false;
    node.plan = Held(plan), node.layout = Held(layout), node.table = Held(table), node.results = Held(results);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(edges); ++i) {
        const long edge = PyLong_AsLong(PyTuple_GET_ITEM(edges, i));
        if (edge < -1 - before || edge >= counts.given) return false;
        node.edges.push_back(int(edge));
    }
    return read_all(saved, node.saved, counts);
}

// (which, times)
bool read_written(PyObject* told, std::pair<int, long>& written, const Counts& counts) {
    if (!PyTuple_CheckExact(told) || !PyArg_ParseTuple(told, "il", &written.first, &written.second)) return false;
    return 0 <= written.first && written.first < counts.given;
}

// (made, calls, written, nodes, result); null, perhaps without an exception set, where it is none.
std::shared_ptr<const Plan> read_plan(PyObject* told, int given) {
    PyObject *made, *calls, *written, *nodes, *result;
    PyTypeObject* const tuple = &PyTuple_Type;
    if (!PyTuple_CheckExact(told)) return nullptr;
    if (!PyArg_ParseTuple(told, "O!O!O!O!O", tuple, &made, tuple, &calls, tuple, &written, tuple, &nodes, &result)) return nullptr;
    const auto plan = std::make_shared<Plan>();
    const Counts counts = {given, int(PyTuple_GET_SIZE(made)), int(PyTuple_GET_SIZE(nodes))};
    if (counts.made > kMostMade || counts.nodes > kMostNodes) return nullptr;
    for (int i = 0; i < counts.made; ++i)
        if (!read_made(PyTuple_GET_ITEM(made, i), plan->made.emplace_back())) return nullptr;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(calls); ++i)
        if (!read_call(PyTuple_GET_ITEM(calls, i), plan->calls.emplace_back(), counts)) return nullptr;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(written); ++i)
        if (!read_written(PyTuple_GET_ITEM(written, i), plan->written.emplace_back(), counts)) return nullptr;
    for (int i = 0; i < counts.nodes; ++i)
        if (!read_node(PyTuple_GET_ITEM(nodes, i), plan->nodes.emplace_back(), counts, i)) return nullptr;
    return read(result, plan->result, counts) ? plan : nullptr;
}

// -- running it --

using Arrays = PyObject* const*;

// An array, or a constant, or several of them, as a kernel or a node is given it: a new reference.
PyObject* value_at(const Value& value, const Form& form, Arrays made) {
    switch (value.kind) {
        case Value::given:
        case Value::made: {
            PyObject* array = value.kind == Value::given ? array_in(form.tensors[value.which]) : made[value.which];
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

// A new node, after those before it.
PyObject* node_at(const NewNode& node, const Form& form, Arrays made, PyObject* const* before) {
    PyObject* edges = PyTuple_New(Py_ssize_t(node.edges.size()));
    for (size_t i = 0; edges != nullptr && i < node.edges.size(); ++i) {
        const int edge = node.edges[i];
        PyTuple_SET_ITEM(edges, Py_ssize_t(i), Py_NewRef(edge < -1 ? before[-2 - edge] : edge < 0 ? Py_None : edge_of(form.tensors[edge], true)));
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

bool view_noted(PyObject* tensor, PyObject* base) {
    int done = noted_view(tensor, base);
    if (done == 0) {
        PyObject* nothing = PyObject_CallFunctionObjArgs(note_view, tensor, base, nullptr);
        done = nothing == nullptr ? -1 : 1;
        Py_XDECREF(nothing);
    }
    return done > 0;
}

// What the call gives: a new reference.
PyObject* result_at(const Value& value, const Form& form, Arrays made, PyObject* const* nodes) {
    if (value.kind == Value::argument) return Py_NewRef(form.tensors[value.which]);
    if (value.kind == Value::tensor) {
        PyObject* array = value_at(value.parts[0], form, made);
        PyObject* tensor = array == nullptr ? nullptr : leaf(array);
        if (tensor != nullptr && value.which >= 0 && !view_noted(tensor, form.tensors[value.which])) Py_CLEAR(tensor);
        if (tensor != nullptr && value.node >= 0) give_node(tensor, Py_NewRef(nodes[value.node]));
        return tensor;
    }
    if (value.kind != Value::several) return value_at(value, form, made);
    PyObject* parts = PyTuple_New(Py_ssize_t(value.parts.size()));
    for (size_t i = 0; parts != nullptr && i < value.parts.size(); ++i) {
        PyObject* part = result_at(value.parts[i], form, made, nodes);
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
        PyObject *tensor = form.tensors[which], *root = base_of(tensor);
        if (root == nullptr || (root != Py_None && (!is_tensor(root) || wants_gradient(root)))) return false;
        if (!Py_IS_TYPE(flat_of(array_in(tensor)), arrays.flat)) return false;  // a slice, which has the version of the whole
    }
    return true;
}

bool count_writes(const Plan& plan, const Form& form) {
    for (const auto& [which, times] : plan.written) {
        PyObject*& version = at(flat_of(array_in(form.tensors[which])), arrays.flat_version);
        const long before = PyLong_AsLong(version);
        PyObject* after = before == -1 && PyErr_Occurred() ? nullptr : PyLong_FromLong(before + times);
        if (after == nullptr) return false;
        Py_SETREF(version, after);
    }
    return true;
}

}  // namespace

PyObject* run_plan(const Plan& plan, const Form& form) {
    PyObject *made[kMostMade], *nodes[kMostNodes];
    size_t n = 0, m = 0;
    bool right = may_write(plan, form), overwritten = false;
    for (const Made& one : plan.made) right = right && (made[n++] = new_empty(one.table.get(), one.layout.get())) != nullptr;
    for (const Call& call : plan.calls) {
        right = right && run_call(call, form, made);
        overwritten = overwritten || (right && call.overwrites);
    }
    right = right && count_writes(plan, form);
    for (const NewNode& node : plan.nodes) right = right && (nodes[m++] = node_at(node, form, made, nodes)) != nullptr;
    PyObject* result = right ? result_at(plan.result, form, made, nodes) : nullptr;
    for (size_t i = 0; i < n; ++i) Py_XDECREF(made[i]);
    for (size_t i = 0; i < m; ++i) Py_XDECREF(nodes[i]);
    if (result == nullptr && !overwritten && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_Exception))
        PyErr_Clear();  // Python's call raises it in its words
    return result;
}

bool CallPlans::look_at_all() {
    if (generation_ != generation_of_forms()) {
        generation_ = generation_of_forms();
        misses_ = pause_ = 0;
    }
    return pause_ == 0 || --pause_ == 0;
}

CallPlans::Known CallPlans::look_up(const Form& form) {
    Place& place = place_of(form);
    if (place.form.is(form)) {
        if (place.credit < kMostCredit) ++place.credit;
        if (place.found && place.plan == nullptr) missed();
        else misses_ = 0;
        return {place.plan, !place.found && ++place.calls > calls_before};
    }
    if (--place.credit <= 0 || place.form.is_stale()) {
        place.form.keep(form);
        place.plan = nullptr;
        place.found = false;
        place.calls = place.credit = 1;
    }
    missed();
    return {};
}

void CallPlans::missed() {
    if (++misses_ < kMostMisses) return;
    misses_ -= kMostMisses / 4;
    pause_ = kPause;
}

bool CallPlans::take(const Form& form, PyObject* found) {
    if (found == Py_NotImplemented) {  // not now
        if (Place& place = place_of(form); place.form.is(form)) place.calls = 0;
        return true;
    }
    std::shared_ptr<const Plan> plan = found == Py_None ? nullptr : read_plan(found, form.count);
    if (plan == nullptr && found != Py_None) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "call plans: what was found is no plan");
        return false;
    }
    Place& place = place_of(form);
    if (place.form.is(form)) {  // another thread's call may have the place now
        place.plan = std::move(plan);
        place.found = true;
    }
    return true;
}

bool may_repeat(long flags) { return finder != nullptr && (flags & ~flags_allowed) == 0; }

PyObject* plan_finder() { return finder; }

PyObject* use_plans(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    const long flags = count == 5 ? PyLong_AsLong(arguments[4]) : -1;
    if (flags < 0 || !PyAnySet_Check(arguments[2]) || !PyContextVar_CheckExact(arguments[3])) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "use_plans: it wants two functions, a set, a context variable, and flags");
        return nullptr;
    }
    Py_XSETREF(finder, Py_NewRef(arguments[0]));
    Py_XSETREF(note_view, Py_NewRef(arguments[1]));
    tell_forms(arguments[2], arguments[3]);
    flags_allowed = flags;
    Py_RETURN_NONE;
}

PyObject* plan_calls_after(PyObject*, PyObject* count) {
    const long calls = PyLong_AsLong(count);
    if (calls < 0 || calls > kMostCalls) {
        if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "plan_calls_after: %ld calls; it wants 0 to %d", calls, kMostCalls);
        return nullptr;
    }
    return PyLong_FromLong(std::exchange(calls_before, int(calls)));
}

PyObject* forget_plans(PyObject*, PyObject*) {
    forget_forms();
    Py_RETURN_NONE;
}

}  // namespace lamina
