// Results of any op as tensors, with a node where an input wants gradients, as autograd/recording.py of lamina_tensor says it.
#include "tensors/recording.hpp"

#include <cstddef>

#include "arrays/arrays.hpp"
#include "objects/slots.hpp"
#include "tensors/tensors.hpp"
#include "tensors/views.hpp"

namespace lamina {
namespace {

struct Recorded {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *general, *viewing;
};

PyTypeObject RecordedType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.Recorded"};

struct RuleClasses {
    PyTypeObject *rule = nullptr, *plan = nullptr;
    Py_ssize_t rule_plans, plan_positions, plan_names, plan_saves;
} rules;

// Whether an array's items may carry gradients; -1 with an exception set.
int is_inexact(PyObject* array) {
    static PyObject* const name = PyUnicode_InternFromString("is_inexact");
    PyObject* answer = PyObject_GetAttr(at(flat_of(array), arrays.flat_dtype), name);
    if (answer == nullptr) return -1;
    Py_DECREF(answer);
    return answer == Py_True;
}

bool any_wants(PyObject* inputs) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(inputs); ++i)
        if (wants_gradient(PyTuple_GET_ITEM(inputs, i))) return true;
    return false;
}

// The parameter of a name; null where it was not given.
PyObject* parameter(PyObject* name, PyObject* names, PyObject* const* values) {
    for (Py_ssize_t i = 0; names != nullptr && i < PyTuple_GET_SIZE(names); ++i) {
        PyObject* given = PyTuple_GET_ITEM(names, i);
        if (given == name || PyUnicode_Compare(given, name) == 0) return values[i];
    }
    return nullptr;
}

struct {
    PyObject *input, *output, *param, *shape, *layout, *dtype;
} words;  // of `Plan.saves`, made with the module

// What is saved of an input, as an array has it under a name; a number has the shape (). A new reference.
PyObject* kept_of(PyObject* input, PyObject* what) {
    if (is_array(input)) {
        if (what == words.shape) return Py_NewRef(at(layout_of(input), arrays.layout_shape));
        if (what == words.layout) return Py_NewRef(layout_of(input));
        if (what == words.dtype) return Py_NewRef(at(flat_of(input), arrays.flat_dtype));
    }
    PyObject* found = PyObject_GetAttr(input, what);
    if (found != nullptr || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
    PyErr_Clear();
    return PyTuple_New(0);
}

// What a plan saves that is not only inputs, the result and parameters, as `Plan.collect` has it. Null without an exception set where a
// parameter is missing.
PyObject* collected(PyObject* plan, PyObject* const* values, Py_ssize_t n, PyObject* names, PyObject* const* parameters) {
    PyObject* saves = at(plan, rules.plan_saves);
    if (!PyList_CheckExact(saves)) return nullptr;
    PyObject* saved = PyTuple_New(PyList_GET_SIZE(saves));
    for (Py_ssize_t i = 0; saved != nullptr && i < PyTuple_GET_SIZE(saved); ++i) {
        PyObject *pair = PyList_GET_ITEM(saves, i), *what = PyTuple_GET_ITEM(pair, 0), *which = PyTuple_GET_ITEM(pair, 1), *value;
        if (what == words.param)
            value = Py_XNewRef(parameter(which, names, parameters));
        else if (what == words.output)
            value = Py_NewRef(values[n]);
        else if (what == words.input)
            value = Py_NewRef(values[PyLong_AsSsize_t(which)]);
        else
            value = kept_of(values[PyLong_AsSsize_t(which)], what);
        if (value == nullptr)
            Py_CLEAR(saved);
        else
            PyTuple_SET_ITEM(saved, i, value);
    }
    return saved;
}

constexpr Py_ssize_t kMost = 24;  // inputs, the result and parameters together, of the ops that are recorded here

// The node of an op of which an input wants gradients. Null without an exception set where there is no plan yet, or a parameter is missing.
PyObject* noted(PyObject* rule, PyObject* result, PyObject* inputs, PyObject* names, PyObject* const* parameters) {
    const Py_ssize_t n = PyTuple_GET_SIZE(inputs);
    PyObject* choice = PyTuple_New(n);
    if (choice == nullptr) return nullptr;
    for (Py_ssize_t i = 0; i < n; ++i)
        PyTuple_SET_ITEM(choice, i, Py_NewRef(wants_gradient(PyTuple_GET_ITEM(inputs, i)) ? Py_True : Py_False));
    PyObject* plan = PyDict_GetItemWithError(at(rule, rules.rule_plans), choice);
    const Py_ssize_t m = plan == nullptr || Py_TYPE(plan) != rules.plan ? kMost : PyTuple_GET_SIZE(at(plan, rules.plan_names));
    PyObject* values[kMost];
    bool found = n + 1 + m <= kMost;
    PyObject* edges = found ? PyTuple_New(n) : nullptr;
    PyObject* saved = nullptr;
    if (edges != nullptr) {
        for (Py_ssize_t i = 0; i < n; ++i) {
            PyObject* input = PyTuple_GET_ITEM(inputs, i);
            values[i] = shows_array(input) ? array_in(input) : input;
            PyTuple_SET_ITEM(edges, i, Py_NewRef(edge_of(input, PyTuple_GET_ITEM(choice, i) == Py_True)));
        }
        values[n] = result;
        PyObject* positions = at(plan, rules.plan_positions);
        if (positions == Py_None) {
            saved = collected(plan, values, n, names, parameters);
        } else {
            for (Py_ssize_t i = 0; found && i < m; ++i)
                found = (values[n + 1 + i] = parameter(PyTuple_GET_ITEM(at(plan, rules.plan_names), i), names, parameters)) != nullptr;
            if (found) saved = picked(positions, values);
        }
    }
    PyObject* node = saved != nullptr && PyTuple_CheckExact(saved) ? new_node(plan, edges, saved, layout_of(result), kernels_of(result)) : nullptr;
    Py_DECREF(choice);
    Py_XDECREF(edges);
    Py_XDECREF(saved);
    return node;
}

PyObject* call(PyObject* object, PyObject* const* arguments, size_t flags_, PyObject* names) {
    auto* self = reinterpret_cast<Recorded*>(object);
    const Py_ssize_t count = PyVectorcall_NARGS(flags_);
    const int flags = flags_on();
    if (flags < 0) return nullptr;
    PyObject* tensor = nullptr;
    if ((count == 3 || count == 4) && is_array(arguments[1]) && PyTuple_CheckExact(arguments[2]))
        tensor = tensor_with_node(arguments[0], arguments[1], arguments[2], names, arguments + count, flags);
    if (tensor == nullptr) return PyErr_Occurred() ? nullptr : PyObject_Vectorcall(self->general, arguments, flags_, names);
    if (count == 4 && arguments[3] != Py_None) {
        int done = noted_view(tensor, arguments[3]);
        if (done == 0) {
            PyObject* nothing = PyObject_CallFunctionObjArgs(self->viewing, tensor, arguments[3], nullptr);
            done = nothing == nullptr ? -1 : 1;
            Py_XDECREF(nothing);
        }
        if (done < 0) Py_CLEAR(tensor);
    }
    return tensor;
}

void deallocate(PyObject* object) {
    auto* self = reinterpret_cast<Recorded*>(object);
    Py_DECREF(self->general);
    Py_DECREF(self->viewing);
    PyObject_Free(object);
}

}  // namespace

PyObject* tensor_with_node(
    PyObject* rule, PyObject* result, PyObject* inputs, PyObject* names, PyObject* const* parameters, long flags
) {
    if ((flags & (kRecord | kWatched)) != 0 || !is_a(rule, rules.rule)) return nullptr;
    PyObject* node = nullptr;
    if ((flags & kNoGrad) == 0 && any_wants(inputs)) {
        const int inexact = is_inexact(result);
        if (inexact > 0) node = noted(rule, result, inputs, names, parameters);
        if (inexact < 0 || (inexact > 0 && node == nullptr)) return nullptr;
    }
    PyObject* tensor = leaf(Py_NewRef(result));
    if (tensor != nullptr && node != nullptr) give_node(tensor, node);
    else Py_XDECREF(node);
    return tensor;
}

PyObject* recorded(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "recorded: it wants two functions");
        return nullptr;
    }
    Recorded* made = PyObject_New(Recorded, &RecordedType);
    if (made == nullptr) return nullptr;
    made->vectorcall = call;
    made->general = Py_NewRef(arguments[0]);
    made->viewing = Py_NewRef(arguments[1]);
    return reinterpret_cast<PyObject*>(made);
}

PyObject* use_rules(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2 || !PyType_Check(arguments[0]) || !PyType_Check(arguments[1])) {
        PyErr_SetString(PyExc_TypeError, "use_rules: it wants the classes of rules and of plans");
        return nullptr;
    }
    RuleClasses told;
    told.rule = reinterpret_cast<PyTypeObject*>(Py_NewRef(arguments[0]));
    told.plan = reinterpret_cast<PyTypeObject*>(Py_NewRef(arguments[1]));
    if ((told.rule_plans = slot_offset(told.rule, "plans")) == 0 || (told.plan_positions = slot_offset(told.plan, "positions")) == 0 ||
        (told.plan_names = slot_offset(told.plan, "names")) == 0 || (told.plan_saves = slot_offset(told.plan, "saves")) == 0)
        return nullptr;
    rules = told;
    Py_RETURN_NONE;
}

int ready_recording() {
    const struct {
        PyObject** made;
        const char* text;
    } wanted[] = {{&words.input, "input"}, {&words.output, "output"}, {&words.param, "param"},
                  {&words.shape, "shape"}, {&words.layout, "layout"}, {&words.dtype, "dtype"}};
    for (const auto& word : wanted)
        if ((*word.made = PyUnicode_InternFromString(word.text)) == nullptr) return -1;
    RecordedType.tp_basicsize = sizeof(Recorded);
    RecordedType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION;
    RecordedType.tp_vectorcall_offset = offsetof(Recorded, vectorcall);
    RecordedType.tp_call = PyVectorcall_Call;
    RecordedType.tp_dealloc = deallocate;
    return PyType_Ready(&RecordedType);
}

}  // namespace lamina
