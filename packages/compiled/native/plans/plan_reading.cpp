// Plans as compiling/call_plans.py of lamina_tensor writes them down: tuples, of which each part is looked at before it is used.
#include "arrays/arrays.hpp"
#include "plans/plan.hpp"

namespace lamina {
namespace {

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
    return names == Py_None || (PyTuple_CheckExact(names) && size_t(PyTuple_GET_SIZE(names)) <= call.operands.size());
}

// (plan, edges, saved, layout, table, results)
bool read_node(PyObject* told, NewNode& node, const Counts& counts, int before) {
    PyObject *plan, *edges, *saved, *layout, *table, *results;
    if (!PyTuple_CheckExact(told)) return false;
    if (!PyArg_ParseTuple(told, "OO!OOOO", &plan, &PyTuple_Type, &edges, &saved, &layout, &table, &results)) return false;
    node.plan = Held(plan), node.layout = Held(layout), node.table = Held(table), node.results = Held(results);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(edges); ++i) {
        const long edge = PyLong_AsLong(PyTuple_GET_ITEM(edges, i));
        if (edge < -1 - before || edge >= counts.given) return false;
        node.edges.push_back(int(edge));
    }
    return read_all(saved, node.saved, counts);
}

// (after, array, reader, expected)
bool read_read(PyObject* told, Read& read_, const Counts& counts, size_t calls) {
    PyObject *array, *reader, *expected;
    Py_ssize_t after;
    if (!PyTuple_CheckExact(told) || !PyArg_ParseTuple(told, "nOOO", &after, &array, &reader, &expected)) return false;
    read_.after = size_t(after), read_.reader = Held(reader), read_.expected = Held(expected);
    return after >= 0 && read_.after <= calls && read(array, read_.array, counts) && read_.array.kind == Value::made;
}

// (which, times)
bool read_written(PyObject* told, std::pair<int, long>& written, const Counts& counts) {
    if (!PyTuple_CheckExact(told) || !PyArg_ParseTuple(told, "il", &written.first, &written.second)) return false;
    return 0 <= written.first && written.first < counts.given;
}

// (made, calls, reads, written, nodes, result)
bool read_plan_into(PyObject* told, Plan& plan, int given) {
    PyObject *made, *calls, *reads, *written, *nodes, *result;
    PyTypeObject* const tuple = &PyTuple_Type;
    if (!PyTuple_CheckExact(told)) return false;
    if (!PyArg_ParseTuple(told, "O!O!O!O!O!O", tuple, &made, tuple, &calls, tuple, &reads, tuple, &written, tuple, &nodes, &result)) return false;
    const Counts counts = {given, int(PyTuple_GET_SIZE(made)), int(PyTuple_GET_SIZE(nodes))};
    for (int i = 0; i < counts.made; ++i)
        if (!read_made(PyTuple_GET_ITEM(made, i), plan.made.emplace_back())) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(calls); ++i)
        if (!read_call(PyTuple_GET_ITEM(calls, i), plan.calls.emplace_back(), counts)) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(reads); ++i)
        if (!read_read(PyTuple_GET_ITEM(reads, i), plan.reads.emplace_back(), counts, plan.calls.size())) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(written); ++i)
        if (!read_written(PyTuple_GET_ITEM(written, i), plan.written.emplace_back(), counts)) return false;
    for (int i = 0; i < counts.nodes; ++i)
        if (!read_node(PyTuple_GET_ITEM(nodes, i), plan.nodes.emplace_back(), counts, i)) return false;
    return read(result, plan.result, counts);
}

}  // namespace

std::shared_ptr<const Plan> read_plan(PyObject* told, int given) {
    const auto plan = std::make_shared<Plan>();
    if (!read_plan_into(told, *plan, given)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "call plans: what was found is no plan");
        return nullptr;
    }
    bool fits = plan->made.size() <= kMostMade && plan->nodes.size() <= kMostNodes;
    for (const Call& call : plan->calls) fits = fits && call.operands.size() + 1 <= kMostOperands;
    return fits ? plan : nullptr;
}

}  // namespace lamina
