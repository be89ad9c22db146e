// Results as compiling/plain_calls.py of lamina_tensor makes them, and gradients as compiling/late_gradients.py does.
#include "programs/made_tensors.hpp"

#include "arrays/arrays.hpp"
#include "objects/held.hpp"
#include "objects/slots.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

// Flat arrays, each put over the memory of one of the arrays.
bool put_over(PyObject* rows, PyObject* list) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); ++i) {
        PyObject* flat = part(rows, i, 0);
        const Py_ssize_t which = PyLong_AsSsize_t(part(rows, i, 1));
        if (which < 0 || which >= PyList_GET_SIZE(list) || !is_a(flat, arrays.flat)) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "make_over: it wants rows of a flat array and which array");
            return false;
        }
        PyObject* memory = Py_NewRef(at(flat_of(PyList_GET_ITEM(list, which)), arrays.flat_memory));
        Py_XSETREF(at(flat, arrays.flat_memory), memory);
    }
    return true;
}

bool are_tensors(PyObject* list) {
    bool right = PyList_CheckExact(list);
    for (Py_ssize_t i = 0; right && i < PyList_GET_SIZE(list); ++i) right = is_tensor(PyList_GET_ITEM(list, i));
    return right;
}

}  // namespace

bool is_list_of_pairs(PyObject* rows) {
    bool right = PyList_CheckExact(rows);
    for (Py_ssize_t i = 0; right && i < PyList_GET_SIZE(rows); ++i) {
        PyObject* row = PyList_GET_ITEM(rows, i);
        right = PyTuple_CheckExact(row) && PyTuple_GET_SIZE(row) == 2;
    }
    return right;
}

PyObject* part(PyObject* rows, Py_ssize_t i, int which) { return PyTuple_GET_ITEM(PyList_GET_ITEM(rows, i), which); }

PyObject* made_arrays(PyObject* kinds) {
    const Py_ssize_t n = PyList_GET_SIZE(kinds);
    PyObject* list = PyList_New(n);
    for (Py_ssize_t i = 0; list != nullptr && i < n; ++i) {
        PyObject* row[2] = {part(kinds, i, 0), part(kinds, i, 1)};
        PyObject* array = empty_of(nullptr, row, 2);
        if (array == nullptr)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, array);
    }
    return list;
}

bool as_tensors(PyObject* list) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i) {
        PyObject* tensor = leaf(Py_NewRef(PyList_GET_ITEM(list, i)));
        if (tensor == nullptr || PyList_SetItem(list, i, tensor) < 0) return false;
    }
    return true;
}

PyObject* make_over(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 3 || !is_list_of_pairs(arguments[0]) || !is_list_of_pairs(arguments[1]) || !PyList_CheckExact(arguments[2]))
        return PyErr_Format(PyExc_TypeError, "make_over: it wants kernel tables and layouts, flat arrays and which tensor, and a list");
    const Held made = Held::taken(made_arrays(arguments[0]));
    if (made.get() == nullptr || !put_over(arguments[1], made.get()) || !as_tensors(made.get())) return nullptr;
    if (PyList_SetSlice(arguments[2], 0, PyList_GET_SIZE(arguments[2]), made.get()) < 0) return nullptr;
    Py_RETURN_NONE;
}

PyObject* give_made(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    static PyObject *const acquire = PyUnicode_InternFromString("acquire"), *const release = PyUnicode_InternFromString("release");
    if (count != 3 || !are_tensors(arguments[1]) || !are_tensors(arguments[2]))
        return PyErr_Format(PyExc_TypeError, "give_made: it wants a lock, a list of leaves, and one of tensors");
    PyObject *lock = arguments[0], *leaves = arguments[1], *made = arguments[2];
    const Held entered = Held::taken(PyObject_CallMethodNoArgs(lock, acquire));
    if (entered.get() == nullptr) return nullptr;
    const Py_ssize_t n = PyList_GET_SIZE(leaves) < PyList_GET_SIZE(made) ? PyList_GET_SIZE(leaves) : PyList_GET_SIZE(made);
    for (Py_ssize_t i = 0; i < n && i < PyList_GET_SIZE(made); ++i) set_gradient(PyList_GET_ITEM(leaves, i), PyList_GET_ITEM(made, i));
    const Held left = Held::taken(PyObject_CallMethodNoArgs(lock, release));
    if (left.get() == nullptr || PyList_SetSlice(made, 0, n, nullptr) < 0) return nullptr;
    Py_RETURN_NONE;
}

}  // namespace lamina
