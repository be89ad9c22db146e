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
bool lie_apart(PyObject* tensors, PyObject* rows) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tensors); ++i)
        for (Py_ssize_t k = 0; k < PyList_GET_SIZE(rows); ++k)
            if (at(flat_of(array_in(PyTuple_GET_ITEM(tensors, i))), arrays.flat_memory) == at(part(rows, k, 0), arrays.flat_memory)) return false;
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

// The memory of each tensor, and the byte where it begins.
PyObject* memory_given(PyObject* tensors) {
    PyObject* list = PyList_New(PyTuple_GET_SIZE(tensors));
    for (Py_ssize_t i = 0; list != nullptr && i < PyList_GET_SIZE(list); ++i) {
        PyObject* flat = flat_of(array_in(PyTuple_GET_ITEM(tensors, i)));
        PyObject* pair = PyTuple_Pack(2, at(flat, arrays.flat_memory), at(flat, arrays.flat_offset));
        if (pair == nullptr)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, pair);
    }
    return list;
}

// The memory of each result, and then what is kept for backward passes, if any is: rows of a function and how many bytes it is to give.
PyObject* memory_kept(PyObject* results, PyObject* keeps) {
    const Py_ssize_t n = PyList_GET_SIZE(results);
    PyObject* list = PyList_New(n + (keeps == nullptr ? 0 : PyList_GET_SIZE(keeps)));
    for (Py_ssize_t i = 0; list != nullptr && i < PyList_GET_SIZE(list); ++i) {
        PyObject* memory = i < n ? Py_NewRef(at(flat_of(PyList_GET_ITEM(results, i)), arrays.flat_memory))
                                 : PyObject_CallOneArg(part(keeps, i - n, 0), part(keeps, i - n, 1));
        if (memory == nullptr)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, memory);
    }
    return list;
}

// Runs a program under its lock: 1 where it did, 0 where another thread does, -1 with an exception set. From `first` on are rows of what is given and
// kept, the calls, and the arrays that move; behind these the lock.
int run_locked(PyObject* told, int first, PyObject* given, PyObject* kept) {
    const TriedLock lock(PyTuple_GET_ITEM(told, first + 4));
    if (lock.ours() <= 0) return lock.ours();
    PyObject* arguments[6] = {PyTuple_GET_ITEM(told, first), given, PyTuple_GET_ITEM(told, first + 1), kept,
                              PyTuple_GET_ITEM(told, first + 2), PyTuple_GET_ITEM(told, first + 3)};
    PyObject* done = run(nullptr, arguments, 6);
    Py_XDECREF(done);
    return done == nullptr ? -1 : 1;
}

bool is_told(PyObject* told) {
    if (!PyTuple_Check(told) || PyTuple_GET_SIZE(told) != kFields) return false;
    PyObject* state = PyTuple_GET_ITEM(told, kState);
    if (!PyTuple_Check(state) || PyTuple_GET_SIZE(state) != kStateFields) return false;
    for (const int field : {kEmpty, kUnlocked})
        if (!PyList_CheckExact(PyTuple_GET_ITEM(told, field))) return false;
    for (const int field : {kAbsent, kCells})
        if (!is_list_of_pairs(PyTuple_GET_ITEM(state, field))) return false;
    for (const int field : {kVariables, kBefore, kWritten, kResults, kKeeps})
        if (!is_list_of_pairs(PyTuple_GET_ITEM(told, field))) return false;
    if (PyTuple_GET_ITEM(told, kIsAll) == Py_True && PyList_GET_SIZE(PyTuple_GET_ITEM(told, kResults)) != 1) return false;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(PyTuple_GET_ITEM(told, kWritten)); ++i)
        if (!Py_IS_TYPE(part(PyTuple_GET_ITEM(told, kWritten), i, 0), arrays.flat)) return false;
    return true;
}

}  // namespace

PyObject* plain_call(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2 || !is_told(arguments[0]) || !PyTuple_CheckExact(arguments[1]))
        return PyErr_Format(PyExc_TypeError, "plain_call: it wants what is looked at and run, and a tuple of arguments");
    PyObject *told = arguments[0], *given_arguments = arguments[1];
    const long flags = PyLong_AsLong(PyTuple_GET_ITEM(told, kFlags)), now = flags == -1 ? -1 : flags_on();
    if (now < 0) return nullptr;
    if (now != flags) Py_RETURN_NONE;
    PyObject* kinds[2] = {given_arguments, PyTuple_GET_ITEM(told, kKinds)};
    int same = is_true(same_kinds(nullptr, kinds, 2));
    if (same > 0) same = all_empty(PyTuple_GET_ITEM(told, kEmpty));
    if (same > 0) same = all_unlocked(PyTuple_GET_ITEM(told, kUnlocked));
    if (same > 0) same = same_variables(PyTuple_GET_ITEM(told, kVariables));
    if (same > 0) same = is_true(same_names(nullptr, PyTuple_GET_ITEM(told, kNames)));
    if (same > 0) same = same_state(PyTuple_GET_ITEM(told, kState));
    if (same > 0) same = same_before(PyTuple_GET_ITEM(told, kBefore));
    if (same < 0) return nullptr;
    if (same == 0 || !lie_apart(given_arguments, PyTuple_GET_ITEM(told, kWritten))) Py_RETURN_NONE;
    const Held results = Held::taken(made_arrays(PyTuple_GET_ITEM(told, kResults)));
    if (results.get() == nullptr) return nullptr;
    const Held given = Held::taken(memory_given(given_arguments));
    if (given.get() == nullptr) return nullptr;
    const Held kept = Held::taken(memory_kept(results.get(), PyTuple_GET_ITEM(told, kKeeps)));
    if (kept.get() == nullptr) return nullptr;
    const int done = run_locked(told, kGivenRows, given.get(), kept.get());
    if (done == 0) Py_RETURN_NONE;
    if (done < 0 || !note_writes_of(PyTuple_GET_ITEM(told, kWritten)) || !as_tensors(results.get())) return nullptr;
    PyObject* history = PyTuple_GET_ITEM(told, kHistory);
    if (history != Py_None && !give_history(history, given_arguments, given.get(), kept.get(), results.get())) return nullptr;
    if (PyTuple_GET_ITEM(told, kIsAll) == Py_True) return Py_NewRef(PyList_GET_ITEM(results.get(), 0));
    return PyTuple_Pack(3, results.get(), given.get(), kept.get());
}

PyObject* plain_pass(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    PyObject* told = count == 3 ? arguments[0] : Py_None;
    const bool right = PyTuple_Check(told) && PyTuple_GET_SIZE(told) == kPassFields && PyList_CheckExact(arguments[2]) &&
                       PyList_CheckExact(PyTuple_GET_ITEM(told, kPassPlaces)) && is_list_of_pairs(PyTuple_GET_ITEM(told, kPassResults));
    if (!right) return PyErr_Format(PyExc_TypeError, "plain_pass: it wants what is run, a gradient, and a list of memories");
    PyObject* gradient = arguments[1];
    if (!is_array(gradient) || layout_of(gradient) != PyTuple_GET_ITEM(told, kPassLayout)) Py_RETURN_NONE;
    if (kernels_of(gradient) != PyTuple_GET_ITEM(told, kPassKernels)) Py_RETURN_NONE;
    const Held results = Held::taken(made_arrays(PyTuple_GET_ITEM(told, kPassResults)));
    if (results.get() == nullptr) return nullptr;
    const Held given = Held::taken(PyList_GetSlice(arguments[2], 0, PyList_GET_SIZE(arguments[2])));
    const Held own = Held::taken(PyTuple_Pack(2, at(flat_of(gradient), arrays.flat_memory), at(flat_of(gradient), arrays.flat_offset)));
    if (given.get() == nullptr || own.get() == nullptr || PyList_Append(given.get(), own.get()) < 0) return nullptr;
    const Held kept = Held::taken(memory_kept(results.get(), nullptr));
    if (kept.get() == nullptr) return nullptr;
    const int done = run_locked(told, kPassGivenRows, given.get(), kept.get());
    if (done == 0) Py_RETURN_NONE;
    if (done < 0) return nullptr;
    PyObject* places = PyTuple_GET_ITEM(told, kPassPlaces);
    const Held gradients = Held::taken(PyList_New(PyList_GET_SIZE(places)));
    for (Py_ssize_t i = 0; gradients.get() != nullptr && i < PyList_GET_SIZE(places); ++i) {
        const Py_ssize_t place = PyList_GET_ITEM(places, i) == Py_None ? -1 : PyLong_AsSsize_t(PyList_GET_ITEM(places, i));
        if (place >= PyList_GET_SIZE(results.get())) return PyErr_Format(PyExc_IndexError, "plain_pass: there is no result %zd", place);
        PyList_SET_ITEM(gradients.get(), i, Py_NewRef(place < 0 ? Py_None : PyList_GET_ITEM(results.get(), place)));
    }
    return gradients.get() == nullptr ? nullptr : as_gradients(gradients.get());
}

int ready_plain_calls() {
    locked_name = PyUnicode_InternFromString("locked");
    return locked_name != nullptr ? 0 : -1;
}

}  // namespace lamina
