// What results of compiled functions know of where they came from, as compiling/histories.py of lamina_tensor says it.
#include "programs/histories.hpp"

#include <cstddef>
#include <initializer_list>

#include "arrays/arrays.hpp"
#include "objects/held.hpp"
#include "objects/slots.hpp"
#include "objects/wrappers.hpp"
#include "programs/made_tensors.hpp"
#include "programs/plain_calls.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

// The fields of History.
enum Field { kPlan, kState, kResults, kGiven, kArity, kWanting, kLeaves, kCarrying, kFields };

bool is_history(PyObject* history) {
    if (!PyTuple_Check(history) || PyTuple_GET_SIZE(history) != kFields) return false;
    for (const int field : {kState, kResults, kGiven, kWanting, kLeaves, kCarrying})
        if (!PyList_CheckExact(PyTuple_GET_ITEM(history, field))) return false;
    return PyList_GET_SIZE(PyTuple_GET_ITEM(history, kCarrying)) == 1;
}

// The place that a number says, among so many; -1 with an exception set where there is none.
Py_ssize_t place_in(Py_ssize_t count, PyObject* number) {
    const Py_ssize_t i = PyLong_AsSsize_t(number);
    if (i >= 0 && i < count) return i;
    if (!PyErr_Occurred()) PyErr_Format(PyExc_IndexError, "give_history: there is no item %zd", i);
    return -1;
}

PyObject* wants_tensors() { return PyErr_Format(PyExc_TypeError, "give_history: it wants tensors"); }

// The argument or result that a number says, borrowed; null with an exception set where it is no tensor.
PyObject* tensor_at(const Arguments& arguments, PyObject* number) {
    const Py_ssize_t i = place_in(arguments.count, number);
    return i < 0 ? nullptr : is_tensor(arguments.tensors[i]) ? arguments.tensors[i] : wants_tensors();
}

PyObject* tensor_at(const Few<Held>& results, PyObject* number) {
    const Py_ssize_t i = place_in(results.size(), number);
    return i < 0 ? nullptr : is_tensor(results[i].get()) ? results[i].get() : wants_tensors();
}

// A new reference to the flat array that owns the memory.
PyObject* whole(PyObject* flat) {
    static PyObject* const name = PyUnicode_InternFromString("whole");
    if (Py_IS_TYPE(flat, arrays.flat)) return Py_NewRef(flat);
    PyObject* owner = PyObject_GetAttr(flat, name);
    if (owner != nullptr || !PyErr_ExceptionMatches(PyExc_AttributeError)) return owner;
    PyErr_Clear();
    return Py_NewRef(flat);
}

// Adds a flat array and its version; takes the reference.
bool add_version(PyObject* rows, PyObject* taken) {
    const Held flat = Held::taken(taken);
    if (flat.get() == nullptr || !is_a(flat.get(), arrays.flat)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "give_history: it wants flat arrays");
        return false;
    }
    const Held pair = Held::taken(PyTuple_Pack(2, flat.get(), at(flat.get(), arrays.flat_version)));
    return pair.get() != nullptr && PyList_Append(rows, pair.get()) == 0;
}

PyObject* versions_read(PyObject* history, const Arguments& arguments, const Few<Held>& results) {
    Held rows = Held::taken(PyList_New(0));
    if (rows.get() == nullptr) return nullptr;
    PyObject *state = PyTuple_GET_ITEM(history, kState), *of_results = PyTuple_GET_ITEM(history, kResults);
    PyObject* given = PyTuple_GET_ITEM(history, kGiven);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(state); ++i)
        if (!add_version(rows.get(), Py_NewRef(PyList_GET_ITEM(state, i)))) return nullptr;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(of_results); ++i) {
        PyObject* tensor = tensor_at(results, PyList_GET_ITEM(of_results, i));
        if (tensor == nullptr || !add_version(rows.get(), Py_NewRef(flat_of(array_in(tensor))))) return nullptr;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(given); ++i) {
        PyObject* tensor = tensor_at(arguments, PyList_GET_ITEM(given, i));
        if (tensor == nullptr || !add_version(rows.get(), whole(flat_of(array_in(tensor))))) return nullptr;
    }
    return Py_NewRef(rows.get());
}

// The memory that a pass is given of each argument, and what the forward program made.
PyObject* memories_saved(PyObject* history, const Few<Given>& given, const Few<Held>& kept) {
    static PyObject* const none = Py_BuildValue("(Oi)", Py_None, 0);
    static PyObject* const zero = PyLong_FromLong(0);
    const Py_ssize_t count = PyLong_AsSsize_t(PyTuple_GET_ITEM(history, kArity));
    if (count < 0) return nullptr;
    Held list = Held::taken(PyList_New(count + kept.size()));
    if (list.get() == nullptr) return nullptr;
    for (Py_ssize_t i = 0; i < count; ++i) PyList_SET_ITEM(list.get(), i, Py_NewRef(none));
    PyObject* which = PyTuple_GET_ITEM(history, kGiven);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(which); ++i) {
        const Py_ssize_t place = place_in(given.size() < count ? given.size() : count, PyList_GET_ITEM(which, i));
        PyObject* pair = place < 0 ? nullptr : PyTuple_Pack(2, given[place].memory.get(), given[place].offset.get());
        if (pair == nullptr || PyList_SetItem(list.get(), place, pair) < 0) return nullptr;
    }
    for (Py_ssize_t i = 0; i < kept.size(); ++i) {
        PyObject* pair = PyTuple_Pack(2, kept[i].get(), zero);
        if (pair == nullptr) return nullptr;
        PyList_SET_ITEM(list.get(), count + i, pair);
    }
    return Py_NewRef(list.get());
}

PyObject* edges_to(PyObject* history, const Arguments& arguments) {
    PyObject *wanting = PyTuple_GET_ITEM(history, kWanting), *leaves = PyTuple_GET_ITEM(history, kLeaves);
    const Py_ssize_t n = PyList_GET_SIZE(wanting), all = n + PyList_GET_SIZE(leaves);
    Held edges = Held::taken(PyTuple_New(all));
    for (Py_ssize_t i = 0; edges.get() != nullptr && i < all; ++i) {
        PyObject* tensor = i < n ? tensor_at(arguments, PyList_GET_ITEM(wanting, i)) : PyList_GET_ITEM(leaves, i - n);
        if (tensor == nullptr || !is_tensor(tensor)) return tensor == nullptr ? nullptr : wants_tensors();
        PyTuple_SET_ITEM(edges.get(), i, Py_NewRef(edge_of(tensor, true)));
    }
    return Py_XNewRef(edges.get());
}

struct PassFunction {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *general, *passes;
};

PyTypeObject PassFunctionType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.PassFunction"};

// Whether arrays are as they were noted: rows of a flat array and its version.
bool are_unchanged(PyObject* rows) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); ++i) {
        PyObject* flat = part(rows, i, 0);
        if (!is_a(flat, arrays.flat) || PyObject_RichCompareBool(at(flat, arrays.flat_version), part(rows, i, 1), Py_EQ) != 1) return false;
    }
    return true;
}

// (gradient, ((memories, versions),)); where more was saved, it is for `general`.
PyObject* call(PyObject* object, PyObject* const* arguments, size_t flags, PyObject* names) {
    auto* self = reinterpret_cast<PassFunction*>(object);
    PyObject* saved = PyVectorcall_NARGS(flags) == 2 && names == nullptr ? arguments[1] : Py_None;
    if (PyTuple_CheckExact(saved) && PyTuple_GET_SIZE(saved) == 1) saved = PyTuple_GET_ITEM(saved, 0);
    const bool is_plain = PyTuple_CheckExact(saved) && PyTuple_GET_SIZE(saved) == 2 && is_list_of_pairs(PyTuple_GET_ITEM(saved, 0)) &&
                          is_list_of_pairs(PyTuple_GET_ITEM(saved, 1)) && are_unchanged(PyTuple_GET_ITEM(saved, 1));
    for (Py_ssize_t i = 0; is_plain && i < PyList_GET_SIZE(self->passes); ++i) {
        PyObject* told[3] = {PyList_GET_ITEM(self->passes, i), arguments[0], PyTuple_GET_ITEM(saved, 0)};
        PyObject* gradients = plain_pass(nullptr, told, 3);
        if (gradients != Py_None) return gradients;
        Py_DECREF(gradients);
    }
    return PyErr_Occurred() ? nullptr : PyObject_Vectorcall(self->general, arguments, flags, names);
}

}  // namespace

bool give_history(PyObject* history, const Arguments& arguments, const Few<Given>& given, const Few<Held>& kept, const Few<Held>& results) {
    if (!is_history(history)) {
        PyErr_SetString(PyExc_TypeError, "give_history: it wants the history of one result");
        return false;
    }
    PyObject* result = tensor_at(results, PyList_GET_ITEM(PyTuple_GET_ITEM(history, kCarrying), 0));
    if (result == nullptr) return false;
    const Held versions = Held::taken(versions_read(history, arguments, results));
    const Held memories = versions.get() == nullptr ? Held() : Held::taken(memories_saved(history, given, kept));
    const Held edges = memories.get() == nullptr ? Held() : Held::taken(edges_to(history, arguments));
    const Held saved = edges.get() == nullptr ? Held() : Held::taken(Py_BuildValue("((OO))", memories.get(), versions.get()));
    if (saved.get() == nullptr) return false;
    PyObject* array = array_in(result);
    PyObject* node = new_node(PyTuple_GET_ITEM(history, kPlan), edges.get(), saved.get(), layout_of(array), kernels_of(array));
    if (node != nullptr) give_node(result, node);
    return node != nullptr;
}

PyObject* pass_function(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2 || !PyCallable_Check(arguments[0]) || !PyList_CheckExact(arguments[1]))
        return PyErr_Format(PyExc_TypeError, "pass_function: it wants a function and a list");
    PassFunction* made = PyObject_GC_New(PassFunction, &PassFunctionType);
    if (made == nullptr) return nullptr;
    made->vectorcall = call;
    made->general = Py_NewRef(arguments[0]);
    made->passes = Py_NewRef(arguments[1]);
    PyObject_GC_Track(made);
    return reinterpret_cast<PyObject*>(made);
}

int ready_histories() {
    PassFunctionType.tp_basicsize = sizeof(PassFunction);
    PassFunctionType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION;
    PassFunctionType.tp_vectorcall_offset = offsetof(PassFunction, vectorcall);
    PassFunctionType.tp_call = PyVectorcall_Call;
    Owning<PassFunction, &PassFunction::general, &PassFunction::passes>::put_into(PassFunctionType);
    return PyType_Ready(&PassFunctionType);
}

}  // namespace lamina
