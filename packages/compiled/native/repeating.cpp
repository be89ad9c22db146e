// What compiling/state.py and compiling/program.py of lamina_tensor do before and during each run of a program.
#include "repeating.hpp"

#include "arrays.hpp"
#include "slots.hpp"
#include "tensors.hpp"

namespace lamina {
namespace {

// A new reference to the dict of a mapping: itself, or that of a class's or an object's attributes.
PyObject* dict_of(PyObject* mapping) {
    if (PyDict_Check(mapping)) return Py_NewRef(mapping);
    if (PyType_Check(mapping)) return Py_XNewRef(reinterpret_cast<PyTypeObject*>(mapping)->tp_dict);
    return PyObject_GenericGetDict(mapping, nullptr);
}

bool has(PyObject* dict, PyObject* keys, PyObject* values) {
    if (!PyDict_Check(dict) || PyDict_GET_SIZE(dict) != PyTuple_GET_SIZE(keys)) return false;
    PyObject *key, *value;
    for (Py_ssize_t at = 0, k = 0; PyDict_Next(dict, &at, &key, &value); ++k)
        if (key != PyTuple_GET_ITEM(keys, k) || value != PyTuple_GET_ITEM(values, k)) return false;
    return true;
}

bool is_row(PyObject* row, Py_ssize_t width) { return PyTuple_CheckExact(row) && PyTuple_GET_SIZE(row) == width; }

PyObject* wants(const char* function, const char* what) { return PyErr_Format(PyExc_TypeError, "%s: it wants %s", function, what); }

}  // namespace

// Rows of (mapping, keys, values), where a class or an object stands for its attributes: whether each has these very keys and values, in
// this order.
PyObject* same_items(PyObject*, PyObject* rows) {
    if (!PyList_CheckExact(rows)) return wants("same_items", "a list");
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); ++i) {
        PyObject* row = PyList_GET_ITEM(rows, i);
        if (!is_row(row, 3)) return wants("same_items", "rows of a mapping, its keys and its values");
        PyObject* dict = dict_of(PyTuple_GET_ITEM(row, 0));
        if (dict == nullptr) return nullptr;
        const bool same = has(dict, PyTuple_GET_ITEM(row, 1), PyTuple_GET_ITEM(row, 2));
        Py_DECREF(dict);
        if (!same) Py_RETURN_FALSE;
    }
    Py_RETURN_TRUE;
}

// Rows of (dict, name, value): whether each name stands for this very value.
PyObject* same_names(PyObject*, PyObject* rows) {
    if (!PyList_CheckExact(rows)) return wants("same_names", "a list");
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); ++i) {
        PyObject* row = PyList_GET_ITEM(rows, i);
        if (!is_row(row, 3) || !PyDict_Check(PyTuple_GET_ITEM(row, 0))) return wants("same_names", "rows of a dict, a name and a value");
        PyObject* value = PyDict_GetItemWithError(PyTuple_GET_ITEM(row, 0), PyTuple_GET_ITEM(row, 1));
        if (value == nullptr && PyErr_Occurred()) return nullptr;
        if (value != PyTuple_GET_ITEM(row, 2)) Py_RETURN_FALSE;
    }
    Py_RETURN_TRUE;
}

// Whether tensors have these arrays, in these memories, want gradients as they did, and are leaves without hooks if they do.
PyObject* same_tensors(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 4) return wants("same_tensors", "tensors, arrays, memories, and whether they want gradients");
    const Py_ssize_t n = PyList_CheckExact(arguments[0]) ? PyList_GET_SIZE(arguments[0]) : -1;
    for (int i = 1; i < 4; ++i)
        if (!PyList_CheckExact(arguments[i]) || PyList_GET_SIZE(arguments[i]) != n) return wants("same_tensors", "lists of one length");
    for (Py_ssize_t i = 0; i < n; ++i) {
        PyObject *tensor = PyList_GET_ITEM(arguments[0], i), *wanted = PyList_GET_ITEM(arguments[3], i);
        if (!is_tensor(tensor)) return wants("same_tensors", "tensors");
        PyObject* array = array_in(tensor);
        if (array != PyList_GET_ITEM(arguments[1], i) || at(flat_of(array), arrays.flat_memory) != PyList_GET_ITEM(arguments[2], i))
            Py_RETURN_FALSE;
        if (!is_as_leaf(tensor, wanted)) Py_RETURN_FALSE;
    }
    Py_RETURN_TRUE;
}

// Rows of (op, kernel table, positional arguments and then those by name, names or None): calls each kernel.
PyObject* repeat(PyObject*, PyObject* rows) {
    if (!PyList_CheckExact(rows)) return wants("repeat", "a list");
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); ++i) {
        PyObject* row = PyList_GET_ITEM(rows, i);
        if (!is_row(row, 4) || !PyTuple_CheckExact(PyTuple_GET_ITEM(row, 2)))
            return wants("repeat", "rows of an op, its table, its arguments and their names");
        PyObject *op = PyTuple_GET_ITEM(row, 0), *table = PyTuple_GET_ITEM(row, 1), *operands = PyTuple_GET_ITEM(row, 2);
        PyObject* names = PyTuple_GET_ITEM(row, 3) == Py_None ? nullptr : PyTuple_GET_ITEM(row, 3);
        PyObject* kernel = PyDict_Check(table) ? Py_XNewRef(PyDict_GetItemWithError(table, op)) : nullptr;
        if (kernel == nullptr) kernel = PyErr_Occurred() ? nullptr : PyObject_GetItem(table, op);  // the table makes it
        if (kernel == nullptr) return nullptr;
        const Py_ssize_t positional = PyTuple_GET_SIZE(operands) - (names == nullptr ? 0 : PyTuple_GET_SIZE(names));
        PyObject* nothing = PyObject_Vectorcall(kernel, &PyTuple_GET_ITEM(operands, 0), positional, names);
        Py_DECREF(kernel);
        if (nothing == nullptr) return nullptr;
        Py_DECREF(nothing);
        if (PyErr_CheckSignals() < 0) return nullptr;
    }
    Py_RETURN_NONE;
}

}  // namespace lamina
