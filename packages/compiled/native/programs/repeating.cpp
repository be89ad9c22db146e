// What compiling/state.py of lamina_tensor and programs/program.py of lamina_ndarray do before and during each run of a program.
#include "programs/repeating.hpp"

#include "arrays/arrays.hpp"
#include "objects/slots.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

// A new reference to the dict of a mapping: itself, or that of a class's or an object's attributes.
PyObject* dict_of(PyObject* mapping) {
    if (PyDict_Check(mapping)) return Py_NewRef(mapping);
    if (PyType_Check(mapping)) return Py_XNewRef(reinterpret_cast<PyTypeObject*>(mapping)->tp_dict);
    PyObject* own = PyObject_GenericGetDict(mapping, nullptr);
    if (own != nullptr || !PyErr_ExceptionMatches(PyExc_AttributeError)) return own;
    PyErr_Clear();
    return PyObject_GetAttrString(mapping, "__dict__");  // another's, which it stands for
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

bool call_kernel(PyObject* table, PyObject* op, PyObject* const* operands, Py_ssize_t positional, PyObject* names) {
    PyObject* kernel = PyDict_Check(table) ? Py_XNewRef(PyDict_GetItemWithError(table, op)) : nullptr;
    if (kernel == nullptr) kernel = PyErr_Occurred() ? nullptr : PyObject_GetItem(table, op);  // the table makes it
    if (kernel == nullptr) return false;
    PyObject* nothing = PyObject_Vectorcall(kernel, operands, positional, names);
    Py_DECREF(kernel);
    Py_XDECREF(nothing);
    return nothing != nullptr;
}

int is_true(PyObject* answer) {
    if (answer == nullptr) return -1;
    const int truth = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return truth;
}

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

int are_of_kinds(PyObject* const* arguments, Py_ssize_t count, PyObject* kinds) {
    if (PyList_GET_SIZE(kinds) != count) return 0;
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject *tensor = arguments[i], *kind = PyList_GET_ITEM(kinds, i);
        if (!is_row(kind, 3)) return wants("same_kinds", "rows of a kernel table, a layout, and whether gradients are wanted") == nullptr ? -1 : 0;
        if (!is_plain_tensor(tensor)) return 0;
        PyObject* array = array_in(tensor);
        if (kernels_of(array) != PyTuple_GET_ITEM(kind, 0) || layout_of(array) != PyTuple_GET_ITEM(kind, 1)) return 0;
        if (wants_gradient(tensor) != (PyTuple_GET_ITEM(kind, 2) == Py_True)) return 0;
    }
    return 1;
}

PyObject* same_kinds(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2 || !PyTuple_CheckExact(arguments[0]) || !PyList_CheckExact(arguments[1]))
        return wants("same_kinds", "a tuple of arguments and a list of kinds");
    const int same = are_of_kinds(&PyTuple_GET_ITEM(arguments[0], 0), PyTuple_GET_SIZE(arguments[0]), arguments[1]);
    return same < 0 ? nullptr : PyBool_FromLong(same);
}

namespace {

bool put(PyObject* flat, PyObject* memory) {
    if (!is_a(flat, arrays.flat)) {
        PyErr_SetString(PyExc_TypeError, "run: it wants flat arrays");
        return false;
    }
    Py_XSETREF(at(flat, arrays.flat_memory), Py_NewRef(memory));
    return true;
}

// The item that a number says; null with an exception set where there is none.
template <class T>
const T* item_at(const Few<T>& values, PyObject* place) {
    const Py_ssize_t i = PyLong_AsSsize_t(place);
    if (i >= 0 && i < values.size()) return &values[i];
    if (!PyErr_Occurred()) PyErr_Format(PyExc_IndexError, "run: there is no memory %zd", i);
    return nullptr;
}

// (flat array, which, bytes): puts it over what is given.
bool put_given(PyObject* row, const Few<Given>& given) {
    if (!is_row(row, 3)) return wants("run", "rows of a flat array, which memory, and an offset") != nullptr;
    const Given* over = item_at(given, PyTuple_GET_ITEM(row, 1));
    if (over == nullptr) return false;
    PyObject* offset = PyNumber_Add(over->offset.get(), PyTuple_GET_ITEM(row, 2));
    if (offset == nullptr) return false;
    PyObject* flat = PyTuple_GET_ITEM(row, 0);
    const bool right = put(flat, over->memory.get());
    if (right)
        Py_XSETREF(at(flat, arrays.flat_offset), offset);
    else
        Py_DECREF(offset);
    return right;
}

bool put_kept(PyObject* row, const Few<Held>& kept) {
    if (!is_row(row, 2)) return wants("run", "rows of a flat array and which memory") != nullptr;
    const Held* memory = item_at(kept, PyTuple_GET_ITEM(row, 1));
    return memory != nullptr && put(PyTuple_GET_ITEM(row, 0), memory->get());
}

// (op, kernel table, positional arguments and then those by name, names or None).
bool call_row(PyObject* row) {
    if (!is_row(row, 4) || !PyTuple_CheckExact(PyTuple_GET_ITEM(row, 2)))
        return wants("run", "rows of an op, its table, its arguments and their names") != nullptr;
    PyObject *operands = PyTuple_GET_ITEM(row, 2), *names = PyTuple_GET_ITEM(row, 3) == Py_None ? nullptr : PyTuple_GET_ITEM(row, 3);
    const Py_ssize_t positional = PyTuple_GET_SIZE(operands) - (names == nullptr ? 0 : PyTuple_GET_SIZE(names));
    return call_kernel(PyTuple_GET_ITEM(row, 1), PyTuple_GET_ITEM(row, 0), &PyTuple_GET_ITEM(operands, 0), positional, names) &&
           PyErr_CheckSignals() == 0;
}

// The same for an operand of another class, also where an exception is on its way.
bool release(PyObject* operand) {
    PyObject *kind, *value, *trace;
    PyErr_Fetch(&kind, &value, &trace);
    PyObject* flat = PyObject_GetAttrString(operand, "flat");
    const bool right = flat != nullptr && PyObject_SetAttrString(operand, "native", Py_None) == 0 &&
                       PyObject_SetAttrString(flat, "memory", Py_None) == 0;
    Py_XDECREF(flat);
    if (kind != nullptr) PyErr_Restore(kind, value, trace);
    return right;
}

}  // namespace

bool run_program(const ProgramRows& rows, const Few<Given>& given, const Few<Held>& kept) {
    bool right = true;
    for (Py_ssize_t i = 0; right && i < PyList_GET_SIZE(rows.given); ++i) right = put_given(PyList_GET_ITEM(rows.given, i), given);
    for (Py_ssize_t i = 0; right && i < PyList_GET_SIZE(rows.kept); ++i) right = put_kept(PyList_GET_ITEM(rows.kept, i), kept);
    for (Py_ssize_t i = 0; right && i < PyList_GET_SIZE(rows.calls); ++i) right = call_row(PyList_GET_ITEM(rows.calls, i));
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows.moving); ++i) {  // what was given or kept is others'
        PyObject* array = PyList_GET_ITEM(rows.moving, i);
        if (!is_array(array)) {
            right = release(array) && right;
            continue;
        }
        Py_XSETREF(at(array, arrays.array_native), Py_NewRef(Py_None));
        Py_XSETREF(at(flat_of(array), arrays.flat_memory), Py_NewRef(Py_None));
    }
    return right;
}

PyObject* run(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    for (Py_ssize_t i = 0; i < count; ++i)
        if (!PyList_CheckExact(arguments[i])) return wants("run", "lists");
    if (count != 6) return wants("run", "rows and memories given, rows and memories kept, calls, and the arrays that move");
    Few<Given> given(PyList_GET_SIZE(arguments[1]));
    for (Py_ssize_t i = 0; i < given.size(); ++i) {
        PyObject* pair = PyList_GET_ITEM(arguments[1], i);
        if (!is_row(pair, 2)) return wants("run", "pairs of memory and a beginning");
        given[i] = {Held(PyTuple_GET_ITEM(pair, 0)), Held(PyTuple_GET_ITEM(pair, 1))};
    }
    Few<Held> kept(PyList_GET_SIZE(arguments[3]));
    for (Py_ssize_t i = 0; i < kept.size(); ++i) kept[i] = Held(PyList_GET_ITEM(arguments[3], i));
    return run_program({arguments[0], arguments[2], arguments[4], arguments[5]}, given, kept) ? Py_NewRef(Py_None) : nullptr;
}

}  // namespace lamina
