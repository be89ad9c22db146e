// Arrays of parameters and of what belongs to them, as optim/memory/gathering.py of lamina_nn says it.
#include "tensors/gathering.hpp"

#include "arrays/arrays.hpp"
#include "objects/held.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

// The arrays of tensors that share one kernel table, in a new list.
class Row {
public:
    explicit Row(Py_ssize_t n) : list_(Held::taken(PyList_New(n))) {}

    // Takes the array of one more tensor; false where it shows none, or one of another table.
    bool put(Py_ssize_t i, PyObject* tensor) {
        if (list_.get() == nullptr || tensor == nullptr || !shows_array(tensor)) return false;
        PyObject* array = array_in(tensor);
        if (array == nullptr || !is_array(array) || (table_ != nullptr && kernels_of(array) != table_)) return false;
        table_ = kernels_of(array);
        PyList_SET_ITEM(list_.get(), i, Py_NewRef(array));
        return true;
    }

    PyObject* list() const { return list_.get(); }
    PyObject* table() const { return table_; }

private:
    Held list_;
    PyObject* table_ = nullptr;
};

// What the state of a parameter has under a name, borrowed; null, mostly without an exception set, where it has nothing.
PyObject* entry_of(PyObject* state, PyObject* parameter, PyObject* name) {
    PyObject* entries = PyDict_GetItemWithError(state, parameter);
    return entries == nullptr || !PyDict_Check(entries) ? nullptr : PyDict_GetItemWithError(entries, name);
}

// None, or null with an exception set.
PyObject* nothing() { return PyErr_Occurred() ? nullptr : Py_NewRef(Py_None); }

}  // namespace

PyObject* gathered(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 4 || !PyList_CheckExact(arguments[0]) || !PyDict_Check(arguments[1]) || !PyTuple_CheckExact(arguments[3]))
        return PyErr_Format(PyExc_TypeError, "gathered: it wants a list of parameters, their state, a name or None, and a tuple of names");
    PyObject *params = arguments[0], *state = arguments[1], *counter = arguments[2], *names = arguments[3];
    const Py_ssize_t n = PyList_GET_SIZE(params);
    Row parameters(n), gradients(n), counters(counter == Py_None ? 0 : n);
    for (Py_ssize_t i = 0; i < n; ++i) {
        PyObject* parameter = PyList_GET_ITEM(params, i);
        if (!parameters.put(i, parameter) || !gradients.put(i, gradient_of(parameter))) return nothing();
        if (counter != Py_None && !counters.put(i, entry_of(state, parameter, counter))) return nothing();
    }
    if (gradients.table() != parameters.table()) return nothing();
    const Held beside = Held::taken(PyList_New(0));
    for (Py_ssize_t k = 0; beside.get() != nullptr && k < PyTuple_GET_SIZE(names); ++k) {
        Row row(n);
        for (Py_ssize_t i = 0; i < n; ++i)
            if (!row.put(i, entry_of(state, PyList_GET_ITEM(params, i), PyTuple_GET_ITEM(names, k)))) return nothing();
        if (row.table() != parameters.table()) return nothing();
        if (PyList_Append(beside.get(), row.list()) < 0) return nullptr;
    }
    if (n == 0 || beside.get() == nullptr) return nothing();
    return PyTuple_Pack(5, parameters.table(), parameters.list(), gradients.list(), counters.list(), beside.get());
}

PyObject* note_writes(PyObject*, PyObject* written) {
    if (!PyList_Check(written)) return PyErr_Format(PyExc_TypeError, "note_writes: it wants a list of arrays");
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(written); ++i)
        if (!note_write(PyList_GET_ITEM(written, i))) return nullptr;
    Py_RETURN_NONE;
}

}  // namespace lamina
