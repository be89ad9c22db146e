// Steps of optimizers that are made again, as optim/memory/repeats.py of lamina_nn says it.
#include "tensors/repeats.hpp"

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "arrays/arrays.hpp"
#include "objects/held.hpp"
#include "objects/wrappers.hpp"
#include "programs/repeating.hpp"
#include "tensors/gathering.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

// The fields of Repeat.
enum Field { kMappings, kEntries, kListed, kParams, kArrays, kCounters, kRead, kOp, kTable, kWritten, kValues, kNames, kCountAt, kFields };

bool is_told(PyObject* repeat) {
    if (!PyTuple_Check(repeat) || PyTuple_GET_SIZE(repeat) != kFields) return false;
    for (const int field : {kMappings, kEntries, kListed, kArrays, kCounters, kWritten})
        if (!PyList_CheckExact(PyTuple_GET_ITEM(repeat, field))) return false;
    for (const int field : {kParams, kValues, kNames})
        if (!PyTuple_CheckExact(PyTuple_GET_ITEM(repeat, field))) return false;
    return PyTuple_GET_SIZE(PyTuple_GET_ITEM(repeat, kNames)) == PyTuple_GET_SIZE(PyTuple_GET_ITEM(repeat, kValues));
}

// Each of these: 1 where all is as it was, 0 where not, -1 with an exception set.
int same_params(PyObject* listed, PyObject* params) {
    if (PyList_GET_SIZE(listed) != PyTuple_GET_SIZE(params)) return 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(listed); ++i)
        if (PyList_GET_ITEM(listed, i) != PyTuple_GET_ITEM(params, i)) return 0;
    return 1;
}

int same_arrays(PyObject* rows) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); ++i) {
        PyObject* row = PyList_GET_ITEM(rows, i);
        if (!PyTuple_CheckExact(row) || PyTuple_GET_SIZE(row) != 2 || !is_tensor(PyTuple_GET_ITEM(row, 0))) return 0;
        if (array_in(PyTuple_GET_ITEM(row, 0)) != PyTuple_GET_ITEM(row, 1)) return 0;
    }
    return 1;
}

// What a counter holds, where all hold the same; null where not, mostly without an exception set.
PyObject* count_in(PyObject* counters, PyObject* read) {
    Held first;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(counters); ++i) {
        Held count = Held::taken(PyObject_CallOneArg(read, PyList_GET_ITEM(counters, i)));
        if (count.get() == nullptr) return nullptr;
        if (i > 0 && PyObject_RichCompareBool(first.get(), count.get(), Py_EQ) != 1) return nullptr;
        first = std::move(count);
    }
    return Py_NewRef(first.get());
}

bool written(PyObject* list) {
    PyObject* nothing = note_writes(nullptr, list);
    Py_XDECREF(nothing);
    return nothing != nullptr;
}

bool count_on(PyObject* counters) {
    static PyObject *const op = PyUnicode_InternFromString("foreach_add"), *const one = PyLong_FromLong(1);
    static PyObject* const names = Py_BuildValue("(s)", "value");
    PyObject* const operands[2] = {counters, one};
    return written(counters) && call_kernel(kernels_of(PyList_GET_ITEM(counters, 0)), op, operands, 1, names);
}

// The operands of the step: the list of what is written, the array of each gradient, and then the values.
class Operands {
public:
    // False where a gradient is not as the step takes it.
    bool put(PyObject* repeat) {
        PyObject *params = PyTuple_GET_ITEM(repeat, kParams), *values = PyTuple_GET_ITEM(repeat, kValues);
        all_.reserve(size_t(1 + PyTuple_GET_SIZE(params) + PyTuple_GET_SIZE(values)));
        gradients_.reserve(size_t(PyTuple_GET_SIZE(params)));
        all_.push_back(PyTuple_GET_ITEM(repeat, kWritten));
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(params); ++i) {
            PyObject* gradient = gradient_of(PyTuple_GET_ITEM(params, i));
            if (gradient == nullptr || !is_plain_tensor(gradient)) return false;
            PyObject* array = array_in(gradient);
            if (!is_array(array) || kernels_of(array) != PyTuple_GET_ITEM(repeat, kTable)) return false;
            gradients_.emplace_back(array);  // another thread may give its parameter another one meanwhile
            all_.push_back(array);
        }
        positional_ = Py_ssize_t(all_.size());
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(values); ++i) all_.push_back(PyTuple_GET_ITEM(values, i));
        return true;
    }

    void set_value(Py_ssize_t which, PyObject* value) {
        if (which >= 0 && positional_ + which < Py_ssize_t(all_.size())) all_[size_t(positional_ + which)] = value;
    }

    PyObject* const* data() const { return all_.data(); }
    Py_ssize_t positional() const { return positional_; }

private:
    std::vector<Held> gradients_;
    std::vector<PyObject*> all_;
    Py_ssize_t positional_ = 0;
};

// The one group of an optimizer whose step nobody waits for; null without an exception set where there is more to do.
PyObject* only_group(PyObject* attributes) {
    static PyObject *const before = PyUnicode_InternFromString("_before_step"), *const after = PyUnicode_InternFromString("_after_step");
    static PyObject *const stepping = PyUnicode_InternFromString("_stepping"), *const listed = PyUnicode_InternFromString("param_groups");
    for (PyObject* name : {before, after, stepping}) {
        PyObject* value = PyDict_GetItemWithError(attributes, name);
        const int set = value == nullptr ? 1 : PyObject_IsTrue(value);
        if (set != 0) return nullptr;
    }
    PyObject* groups = PyDict_GetItemWithError(attributes, listed);
    return groups != nullptr && PyList_CheckExact(groups) && PyList_GET_SIZE(groups) == 1 ? PyList_GET_ITEM(groups, 0) : nullptr;
}

// Says of the exception that is set whose step it was.
void add_note(PyObject* optimizer) {
    PyObject *kind, *value, *trace;
    PyErr_Fetch(&kind, &value, &trace);
    PyErr_NormalizeException(&kind, &value, &trace);
    if (PyErr_GivenExceptionMatches(kind, PyExc_Exception)) {
        PyObject* type = PyType_GetName(Py_TYPE(optimizer));
        PyObject* nothing = type == nullptr ? nullptr : PyObject_CallMethod(value, "add_note", "N", PyUnicode_FromFormat("in %U.step()", type));
        Py_XDECREF(type);
        Py_XDECREF(nothing);
        PyErr_Clear();
    }
    PyErr_Restore(kind, value, trace);
}

}  // namespace

PyObject* stepped_again(PyObject*, PyObject* optimizer) {
    static PyObject *const own = PyUnicode_InternFromString("_repeats"), *const by_group = PyUnicode_InternFromString("_of_groups");
    static PyObject* const called = PyUnicode_InternFromString("_opt_called");
    const Held attributes = Held::taken(PyObject_GenericGetDict(optimizer, nullptr));
    if (attributes.get() == nullptr) return nullptr;
    const Held repeats(PyDict_GetItemWithError(attributes.get(), own));
    const Held group(repeats.get() == nullptr ? nullptr : only_group(attributes.get()));
    if (group.get() == nullptr) return PyErr_Occurred() ? nullptr : Py_NewRef(Py_False);
    if (PyDict_SetItem(attributes.get(), called, Py_True) < 0) return nullptr;
    const Held of_groups = Held::taken(PyObject_GetAttr(repeats.get(), by_group));
    const Held key = Held::taken(PyLong_FromVoidPtr(group.get()));
    if (of_groups.get() == nullptr || key.get() == nullptr) return nullptr;
    const Held repeat(PyDict_Check(of_groups.get()) ? PyDict_GetItemWithError(of_groups.get(), key.get()) : nullptr);
    if (repeat.get() == nullptr) return PyErr_Occurred() ? nullptr : Py_NewRef(Py_False);
    PyObject* made = step_again(nullptr, repeat.get());
    if (made == nullptr) add_note(optimizer);
    return made;
}

PyObject* step_again(PyObject*, PyObject* repeat) {
    if (!is_told(repeat)) return PyErr_Format(PyExc_TypeError, "step_again: it wants a step to repeat");
    int same = same_params(PyTuple_GET_ITEM(repeat, kListed), PyTuple_GET_ITEM(repeat, kParams));
    if (same > 0) same = same_arrays(PyTuple_GET_ITEM(repeat, kArrays));
    if (same > 0) same = is_true(same_items(nullptr, PyTuple_GET_ITEM(repeat, kMappings)));
    if (same > 0) same = is_true(same_names(nullptr, PyTuple_GET_ITEM(repeat, kEntries)));
    if (same < 0) return nullptr;
    Operands operands;
    if (same == 0 || !operands.put(repeat)) Py_RETURN_FALSE;
    PyObject *counters = PyTuple_GET_ITEM(repeat, kCounters), *read = PyTuple_GET_ITEM(repeat, kRead);
    Held count;
    if (PyList_GET_SIZE(counters) > 0) {
        count = Held::taken(count_in(counters, read));
        if (count.get() == nullptr) return PyErr_Occurred() ? nullptr : Py_NewRef(Py_False);
        if (!count_on(counters)) return nullptr;
        count = Held::taken(PyObject_CallOneArg(read, PyList_GET_ITEM(counters, 0)));
        if (count.get() == nullptr) return nullptr;
        operands.set_value(PyLong_AsSsize_t(PyTuple_GET_ITEM(repeat, kCountAt)), count.get());
    }
    const bool right = written(PyTuple_GET_ITEM(repeat, kWritten)) && call_kernel(PyTuple_GET_ITEM(repeat, kTable), PyTuple_GET_ITEM(repeat, kOp),
        operands.data(), operands.positional(), PyTuple_GET_ITEM(repeat, kNames));
    return right ? Py_NewRef(Py_True) : nullptr;
}

namespace {

struct RepeatingStep {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *general, *before, *after;  // the hooks of all optimizers
};

PyTypeObject RepeatingStepType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.RepeatingStep"};

PyObject* reduce(PyObject* object, PyObject*) { return PyObject_GetAttrString(object, "__qualname__"); }

PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, "Pickled by its name."}, {}};
PyGetSetDef getset[] = {{"__doc__", documentation<RepeatingStep, &RepeatingStep::general>, nullptr, nullptr, nullptr}, {}};

PyObject* step(PyObject* object, PyObject* const* arguments, size_t flags, PyObject* names) {
    auto* self = reinterpret_cast<RepeatingStep*>(object);
    const bool has_hooks = PyDict_GET_SIZE(self->before) > 0 || PyDict_GET_SIZE(self->after) > 0;
    if (PyVectorcall_NARGS(flags) == 1 && (names == nullptr || PyTuple_GET_SIZE(names) == 0) && !has_hooks) {
        const int modes = flags_on();  // of those, some watch which functions of Python's are called
        const int made = modes != 0 ? (modes < 0 ? -1 : 0) : is_true(stepped_again(nullptr, arguments[0]));
        if (made != 0) return made < 0 ? nullptr : Py_NewRef(Py_None);
    }
    return PyObject_Vectorcall(self->general, arguments, flags, names);
}

}  // namespace

PyObject* repeating(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 3 || !PyCallable_Check(arguments[0]) || !PyDict_CheckExact(arguments[1]) || !PyDict_CheckExact(arguments[2]))
        return PyErr_Format(PyExc_TypeError, "repeating: it wants a step and two dicts of hooks");
    RepeatingStep* made = PyObject_GC_New(RepeatingStep, &RepeatingStepType);
    if (made == nullptr) return nullptr;
    made->vectorcall = step;
    PyObject** const fields[] = {&made->general, &made->before, &made->after};
    for (int i = 0; i < 3; ++i) *fields[i] = Py_NewRef(arguments[i]);
    PyObject_GC_Track(made);
    return reinterpret_cast<PyObject*>(made);
}

int ready_repeats() {
    wrap<RepeatingStep, &RepeatingStep::general>(RepeatingStepType);
    RepeatingStepType.tp_methods = methods;
    RepeatingStepType.tp_getset = getset;
    Owning<RepeatingStep, &RepeatingStep::general, &RepeatingStep::before, &RepeatingStep::after>::put_into(RepeatingStepType);
    return PyType_Ready(&RepeatingStepType);
}

}  // namespace lamina
