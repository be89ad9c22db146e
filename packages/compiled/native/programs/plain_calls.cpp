// A call of a compiled function of plain tensors, from what it depends on to its results, as compiling/plain_calls.py of lamina_tensor says it.
#include "programs/plain_calls.hpp"

#include <initializer_list>

#include "arrays/arrays.hpp"
#include "objects/held.hpp"
#include "objects/locks.hpp"
#include "objects/slots.hpp"
#include "passes/backward_pass.hpp"
#include "programs/histories.hpp"
#include "programs/made_tensors.hpp"
#include "programs/repeating.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

// The fields of PlainCall, of PlainPass, and of Identities.
enum Field {
    kFlags, kKinds, kVariables, kEmpty, kUnlocked, kState, kNames, kBefore, kWritten, kResults, kKeeps, kGivenRows, kKeptRows, kCalls, kMoving,
    kLock, kHistory, kIsAll, kFields
};
enum PassField {
    kPassKernels, kPassLayout, kPassResults, kPassPlaces, kPassGivenRows, kPassKeptRows, kPassCalls, kPassMoving, kPassLock, kPassFields
};
enum StateField { kTensors, kArrays, kMemories, kWanting, kItems, kStateNames, kAbsent, kCells, kStateFields };

PyObject* locked_name = nullptr;

// Each of these: 1 where all is as it was, 0 where not, -1 with an exception set.
int same_variables(PyObject* rows) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); ++i) {
        PyObject* value = nullptr;
        if (PyContextVar_Get(part(rows, i, 0), nullptr, &value) < 0) return -1;
        const bool same = value == part(rows, i, 1);
        Py_XDECREF(value);
        if (!same) return 0;
    }
    return 1;
}

int all_empty(PyObject* containers) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(containers); ++i) {
        PyObject* container = PyList_GET_ITEM(containers, i);
        const int full = PyDict_Check(container) ? PyDict_GET_SIZE(container) != 0 : PyObject_IsTrue(container);
        if (full != 0) return full < 0 ? -1 : 0;
    }
    return 1;
}

int all_unlocked(PyObject* locks) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(locks); ++i) {
        const int locked = is_true(PyObject_CallMethodNoArgs(PyList_GET_ITEM(locks, i), locked_name));
        if (locked != 0) return locked < 0 ? -1 : 0;
    }
    return 1;
}

int all_absent(PyObject* rows) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); ++i) {
        const int there = PyDict_Check(part(rows, i, 0)) ? PyDict_Contains(part(rows, i, 0), part(rows, i, 1))
                                                         : PySequence_Contains(part(rows, i, 0), part(rows, i, 1));
        if (there != 0) return there < 0 ? -1 : 0;
    }
    return 1;
}

bool same_cells(PyObject* rows) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); ++i) {
        PyObject* cell = part(rows, i, 0);
        if (!PyCell_Check(cell) || PyCell_GET(cell) != part(rows, i, 1)) return false;  // an empty one is looked at by Python
    }
    return true;
}

int same_state(PyObject* state) {
    PyObject* tensors[4];
    for (int i = 0; i < 4; ++i) tensors[i] = PyTuple_GET_ITEM(state, kTensors + i);
    int same = is_true(same_tensors(nullptr, tensors, 4));
    if (same > 0) same = is_true(same_items(nullptr, PyTuple_GET_ITEM(state, kItems)));
    if (same > 0) same = is_true(same_names(nullptr, PyTuple_GET_ITEM(state, kStateNames)));
    if (same > 0) same = all_absent(PyTuple_GET_ITEM(state, kAbsent));
    return same > 0 ? same_cells(PyTuple_GET_ITEM(state, kCells)) : same;
}

int same_before(PyObject* rows) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); ++i) {
        PyObject* gradient = is_tensor(part(rows, i, 0)) ? gradient_of(part(rows, i, 0)) : nullptr;
        if (gradient == nullptr || (gradient != Py_None) != (part(rows, i, 1) == Py_True)) return 0;
    }
    return 1;
}

// Whether no argument lies in memory that a run writes into.
bool lie_apart(const Few<Given>& given, PyObject* rows) {
    for (Py_ssize_t i = 0; i < given.size(); ++i)
        for (Py_ssize_t k = 0; k < PyList_GET_SIZE(rows); ++k)
            if (given[i].memory.get() == at(part(rows, k, 0), arrays.flat_memory)) return false;
    return true;
}

bool note_writes_of(PyObject* rows) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); ++i) {
        PyObject *flat = part(rows, i, 0), *version = PyNumber_Add(at(flat, arrays.flat_version), part(rows, i, 1));
        if (version == nullptr) return false;
        Py_SETREF(at(flat, arrays.flat_version), version);
    }
    return true;
}

// The memory of an array, and the byte where it begins.
Given given_of(PyObject* array) {
    PyObject* flat = flat_of(array);
    return {Held(at(flat, arrays.flat_memory)), Held(at(flat, arrays.flat_offset))};
}

// The memory of each result, and then what is kept for backward passes: rows of a function and how many bytes it is to give; false with an
// exception set.
bool keep_memory(const Few<Held>& results, PyObject* keeps, Few<Held>& kept) {
    const Py_ssize_t n = results.size();
    for (Py_ssize_t i = 0; i < kept.size(); ++i) {
        kept[i] = i < n ? Held(at(flat_of(results[i].get()), arrays.flat_memory))
                        : Held::taken(PyObject_CallOneArg(part(keeps, i - n, 0), part(keeps, i - n, 1)));
        if (kept[i].get() == nullptr) return false;
    }
    return true;
}

PyObject* list_of(const Few<Held>& objects) {
    PyObject* list = PyList_New(objects.size());
    for (Py_ssize_t i = 0; list != nullptr && i < objects.size(); ++i) PyList_SET_ITEM(list, i, Py_NewRef(objects[i].get()));
    return list;
}

PyObject* list_of(const Few<Given>& given) {
    PyObject* list = PyList_New(given.size());
    for (Py_ssize_t i = 0; list != nullptr && i < given.size(); ++i) {
        PyObject* pair = PyTuple_Pack(2, given[i].memory.get(), given[i].offset.get());
        if (pair == nullptr)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, pair);
    }
    return list;
}

// Runs a program under its lock: 1 where it did, 0 where another thread does, -1 with an exception set. From `first` on are rows of what is given and
// kept, the calls, and the arrays that move; behind these the lock.
int run_locked(PyObject* told, int first, const Few<Given>& given, const Few<Held>& kept) {
    const TriedLock lock(PyTuple_GET_ITEM(told, first + 4));
    if (lock.ours() <= 0) return lock.ours();
    const ProgramRows rows = {PyTuple_GET_ITEM(told, first), PyTuple_GET_ITEM(told, first + 1), PyTuple_GET_ITEM(told, first + 2),
                              PyTuple_GET_ITEM(told, first + 3)};
    return run_program(rows, given, kept) ? 1 : -1;
}

bool is_told(PyObject* told) {
    if (!PyTuple_Check(told) || PyTuple_GET_SIZE(told) != kFields) return false;
    PyObject* state = PyTuple_GET_ITEM(told, kState);
    if (!PyTuple_Check(state) || PyTuple_GET_SIZE(state) != kStateFields) return false;
    for (const int field : {kEmpty, kUnlocked})
        if (!PyList_CheckExact(PyTuple_GET_ITEM(told, field))) return false;
    for (const int field : {kAbsent, kCells})
        if (!is_list_of_pairs(PyTuple_GET_ITEM(state, field))) return false;
    for (const int field : {kGivenRows, kKeptRows, kCalls, kMoving, kKinds})
        if (!PyList_CheckExact(PyTuple_GET_ITEM(told, field))) return false;
    for (const int field : {kVariables, kBefore, kWritten, kResults, kKeeps})
        if (!is_list_of_pairs(PyTuple_GET_ITEM(told, field))) return false;
    if (PyTuple_GET_ITEM(told, kIsAll) == Py_True && PyList_GET_SIZE(PyTuple_GET_ITEM(told, kResults)) != 1) return false;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(PyTuple_GET_ITEM(told, kWritten)); ++i)
        if (!Py_IS_TYPE(part(PyTuple_GET_ITEM(told, kWritten), i, 0), arrays.flat)) return false;
    return true;
}

}  // namespace

PyObject* called_plainly(PyObject* told, PyObject* const* arguments, Py_ssize_t count) {
    if (!is_told(told)) return PyErr_Format(PyExc_TypeError, "plain_call: it wants what is looked at and run");
    const long flags = PyLong_AsLong(PyTuple_GET_ITEM(told, kFlags)), now = flags == -1 ? -1 : flags_on();
    if (now < 0) return nullptr;
    if (now != flags) Py_RETURN_NONE;
    int same = are_of_kinds(arguments, count, PyTuple_GET_ITEM(told, kKinds));
    if (same > 0) same = all_empty(PyTuple_GET_ITEM(told, kEmpty));
    if (same > 0) same = all_unlocked(PyTuple_GET_ITEM(told, kUnlocked));
    if (same > 0) same = same_variables(PyTuple_GET_ITEM(told, kVariables));
    if (same > 0) same = is_true(same_names(nullptr, PyTuple_GET_ITEM(told, kNames)));
    if (same > 0) same = same_state(PyTuple_GET_ITEM(told, kState));
    if (same > 0) same = same_before(PyTuple_GET_ITEM(told, kBefore));
    if (same <= 0) return same < 0 ? nullptr : Py_NewRef(Py_None);
    Few<Given> given(count);
    for (Py_ssize_t i = 0; i < count; ++i) given[i] = given_of(array_in(arguments[i]));
    if (!lie_apart(given, PyTuple_GET_ITEM(told, kWritten))) Py_RETURN_NONE;
    PyObject *kinds = PyTuple_GET_ITEM(told, kResults), *keeps = PyTuple_GET_ITEM(told, kKeeps);
    Few<Held> results(PyList_GET_SIZE(kinds)), kept(results.size() + PyList_GET_SIZE(keeps));
    if (!make_arrays(kinds, results) || !keep_memory(results, keeps, kept)) return nullptr;
    const int done = run_locked(told, kGivenRows, given, kept);
    if (done == 0) Py_RETURN_NONE;
    if (done < 0 || !note_writes_of(PyTuple_GET_ITEM(told, kWritten)) || !make_tensors(results)) return nullptr;
    PyObject* history = PyTuple_GET_ITEM(told, kHistory);
    if (history != Py_None && !give_history(history, {arguments, count}, given, kept, results)) return nullptr;
    if (PyTuple_GET_ITEM(told, kIsAll) == Py_True) return Py_NewRef(results[0].get());
    return Py_BuildValue("(NNN)", list_of(results), list_of(given), list_of(kept));
}

PyObject* plain_call(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2 || !PyTuple_CheckExact(arguments[1]))
        return PyErr_Format(PyExc_TypeError, "plain_call: it wants what is looked at and run, and a tuple of arguments");
    return called_plainly(arguments[0], &PyTuple_GET_ITEM(arguments[1], 0), PyTuple_GET_SIZE(arguments[1]));
}

bool is_whole_result(PyObject* told) { return PyTuple_GET_ITEM(told, kIsAll) == Py_True; }

PyObject* plain_pass(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    PyObject* told = count == 3 ? arguments[0] : Py_None;
    bool right = PyTuple_Check(told) && PyTuple_GET_SIZE(told) == kPassFields && is_list_of_pairs(arguments[2]) &&
                 is_list_of_pairs(PyTuple_GET_ITEM(told, kPassResults));
    for (const int field : {kPassPlaces, kPassGivenRows, kPassKeptRows, kPassCalls, kPassMoving})
        right = right && PyList_CheckExact(PyTuple_GET_ITEM(told, field));
    if (!right) return PyErr_Format(PyExc_TypeError, "plain_pass: it wants what is run, a gradient, and a list of memories");
    PyObject *gradient = arguments[1], *saved = arguments[2];
    if (!is_array(gradient) || layout_of(gradient) != PyTuple_GET_ITEM(told, kPassLayout)) Py_RETURN_NONE;
    if (kernels_of(gradient) != PyTuple_GET_ITEM(told, kPassKernels)) Py_RETURN_NONE;
    const Py_ssize_t n = PyList_GET_SIZE(saved);
    Few<Given> given(n + 1);
    for (Py_ssize_t i = 0; i < n; ++i) given[i] = {Held(part(saved, i, 0)), Held(part(saved, i, 1))};
    given[n] = given_of(gradient);
    PyObject* kinds = PyTuple_GET_ITEM(told, kPassResults);
    Few<Held> results(PyList_GET_SIZE(kinds)), kept(results.size());
    if (!make_arrays(kinds, results) || !keep_memory(results, nullptr, kept)) return nullptr;
    const int done = run_locked(told, kPassGivenRows, given, kept);
    if (done == 0) Py_RETURN_NONE;
    if (done < 0) return nullptr;
    PyObject* places = PyTuple_GET_ITEM(told, kPassPlaces);
    const Held gradients = Held::taken(PyList_New(PyList_GET_SIZE(places)));
    for (Py_ssize_t i = 0; gradients.get() != nullptr && i < PyList_GET_SIZE(places); ++i) {
        const Py_ssize_t place = PyList_GET_ITEM(places, i) == Py_None ? -1 : PyLong_AsSsize_t(PyList_GET_ITEM(places, i));
        if (place >= results.size()) return PyErr_Format(PyExc_IndexError, "plain_pass: there is no result %zd", place);
        PyList_SET_ITEM(gradients.get(), i, Py_NewRef(place < 0 ? Py_None : results[place].get()));
    }
    return gradients.get() == nullptr ? nullptr : as_gradients(gradients.get());
}

int ready_plain_calls() {
    locked_name = PyUnicode_InternFromString("locked");
    return locked_name != nullptr ? 0 : -1;
}

}  // namespace lamina
