// Results as compiling/plain_calls.py of lamina_tensor makes them, and gradients as compiling/late_gradients.py does.
#include "programs/made_tensors.hpp"

#include "arrays/arrays.hpp"
#include "objects/slots.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

// Flat arrays, each put over the memory of one of the tensors.
bool put_over(PyObject* rows, PyObject* list) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); ++i) {
        PyObject* flat = part(rows, i, 0);
        const Py_ssize_t which = PyLong_AsSsize_t(part(rows, i, 1));
        if (which < 0 || which >= PyList_GET_SIZE(list) || !is_a(flat, arrays.flat)) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "make_over: it wants rows of a flat array and which tensor");
            return false;
        }
        PyObject* memory = Py_NewRef(at(flat_of(array_in(PyList_GET_ITEM(list, which))), arrays.flat_memory));
        Py_XSETREF(at(flat, arrays.flat_memory), memory);
    }
    return true;
}

// Whether nobody but one list has an object, and no weak reference leads to it.
bool is_alone(PyObject* object) {
    PyObject** weak = PyType_SUPPORTS_WEAKREFS(Py_TYPE(object)) ? PyObject_GET_WEAKREFS_LISTPTR(object) : nullptr;
    return Py_REFCNT(object) == 1 && (weak == nullptr || *weak == nullptr);
}

// Whether a tensor is as a new one of this kernel table and layout is, but for its items: nobody has any part of it. False, too, where an
// exception is set.
bool is_as_new(PyObject* tensor, PyObject* kernels, PyObject* layout) {
    if (!is_alone(tensor) || !is_plain_tensor(tensor) || !is_untouched(tensor)) return false;
    PyObject* array = array_in(tensor);
    if (!is_array(array) || !is_alone(array) || layout_of(array) != layout) return false;
    PyObject* flat = flat_of(array);
    if (!Py_IS_TYPE(flat, arrays.flat) || !is_alone(flat) || at(flat, arrays.flat_kernels) != kernels) return false;
    Py_SETREF(at(array, arrays.array_native), Py_NewRef(Py_None));  // it has the memory
    PyObject* none_written = PyLong_FromLong(0);
    if (none_written == nullptr) return false;
    Py_SETREF(at(flat, arrays.flat_version), none_written);
    return is_alone(at(flat, arrays.flat_memory));
}

// New tensors, but for those of the run before that are as new ones; null with an exception set.
PyObject* made_of(PyObject* kinds, PyObject* before) {
    const Py_ssize_t n = PyList_GET_SIZE(kinds), known = before == Py_None ? 0 : PyList_GET_SIZE(before);
    Held list = Held::taken(PyList_New(n));
    for (Py_ssize_t i = 0; list.get() != nullptr && i < n; ++i) {
        PyObject* const kind[2] = {part(kinds, i, 0), part(kinds, i, 1)};
        PyObject* tensor = i < known ? PyList_GET_ITEM(before, i) : nullptr;
        if (tensor != nullptr && is_as_new(tensor, kind[0], kind[1])) {
            Py_INCREF(tensor);
        } else if (PyErr_Occurred()) {
            return nullptr;
        } else {
            PyObject* array = empty_of(nullptr, kind, 2);
            tensor = array == nullptr ? nullptr : leaf(array);
        }
        if (tensor == nullptr) return nullptr;
        PyList_SET_ITEM(list.get(), i, tensor);
    }
    return Py_XNewRef(list.get());
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

bool make_arrays(PyObject* kinds, Few<Held>& made) {
    for (Py_ssize_t i = 0; i < made.size(); ++i) {
        PyObject* const row[2] = {part(kinds, i, 0), part(kinds, i, 1)};
        made[i] = Held::taken(empty_of(nullptr, row, 2));
        if (made[i].get() == nullptr) return false;
    }
    return true;
}

bool make_tensors(Few<Held>& arrays) {
    for (Py_ssize_t i = 0; i < arrays.size(); ++i) {
        arrays[i] = Held::taken(leaf(Py_NewRef(arrays[i].get())));
        if (arrays[i].get() == nullptr) return false;
    }
    return true;
}

PyObject* make_over(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    bool right = count == 4 && is_list_of_pairs(arguments[0]) && is_list_of_pairs(arguments[1]) && PyList_CheckExact(arguments[2]);
    if (!right || (arguments[3] != Py_None && !are_tensors(arguments[3])))
        return PyErr_Format(PyExc_TypeError, "make_over: it wants kernel tables and layouts, flat arrays and which tensor, and two lists");
    const Held made = Held::taken(made_of(arguments[0], arguments[3]));
    if (made.get() == nullptr || !put_over(arguments[1], made.get())) return nullptr;
    for (int i = 2; i < 4; ++i)
        if (arguments[i] != Py_None && PyList_SetSlice(arguments[i], 0, PyList_GET_SIZE(arguments[i]), made.get()) < 0) return nullptr;
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
