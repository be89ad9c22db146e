// Making arrays, and running map ops on them, as array_fields.py and elementwise/dispatcher.py of lamina_ndarray say it.
#include "arrays/arrays.hpp"

#include <algorithm>
#include <initializer_list>

#include "tensors/tensors.hpp"

namespace lamina {

ArrayClasses arrays;

namespace {

// A kernel table's allocation for so many items.
PyObject* memory_for(PyObject* kernels, PyObject* size) {
    const int64_t items = PyLong_AsLongLong(size), each = PyLong_AsLongLong(at(kernels, arrays.table_itemsize));
    if (PyErr_Occurred()) return nullptr;
    int64_t bytes;
    if (__builtin_mul_overflow(items, each, &bytes))
        return PyErr_Format(PyExc_MemoryError, "%S items of %S bytes do not fit into any memory", size, at(kernels, arrays.table_itemsize));
    PyObject* nbytes = PyLong_FromLongLong(bytes);
    if (nbytes == nullptr) return nullptr;
    PyObject* memory = PyObject_CallOneArg(at(kernels, arrays.table_allocate), nbytes);
    Py_DECREF(nbytes);
    return memory;
}

// The table of an op's result by that of its inputs, as far as it is known; null where it is not, or where the op casts.
PyObject* result_table(PyObject* op, PyObject* kernels) {
    if (Py_TYPE(kernels) != arrays.table) return nullptr;  // a table with ways of its own
    PyObject* table = PyDict_GetItemWithError(at(op, arrays.op_results), kernels);
    return table == nullptr || Py_TYPE(table) != arrays.table ? nullptr : table;
}

// Whether a number is of a kind that takes no promotion of the dtype of a kernel table: a float of inexact ones, an int
// of 64 bits of all but bool.
bool holds(PyObject* kernels, PyObject* number) {
    static PyObject* const is_inexact = PyUnicode_InternFromString("is_inexact");
    static PyObject* const kind = PyUnicode_InternFromString("kind");
    PyObject* dtype = at(kernels, arrays.table_dtype);
    if (PyFloat_CheckExact(number)) {
        PyObject* answer = PyObject_GetAttr(dtype, is_inexact);
        if (answer == nullptr) PyErr_Clear();
        Py_XDECREF(answer);
        return answer == Py_True;
    }
    int overflow = 0;
    if (!PyLong_CheckExact(number) || (PyLong_AsLongLongAndOverflow(number, &overflow), overflow != 0)) return false;
    PyObject* letter = PyObject_GetAttr(dtype, kind);
    if (letter == nullptr) PyErr_Clear();
    const bool boolean = letter == nullptr || PyUnicode_CompareWithASCIIString(letter, "b") == 0;
    Py_XDECREF(letter);
    return !boolean;
}

// What the layouts of two operands make, where they met before: the result's layout and theirs, borrowed.
bool met_before(PyObject* a, PyObject* b, PyObject*& layout, PyObject*& left, PyObject*& right) {
    PyObject* met = at(a, arrays.layout_met);
    if (met == nullptr || !PyTuple_CheckExact(met) || PyTuple_GET_SIZE(met) != 5) return false;
    if (PyTuple_GET_ITEM(met, 0) != at(b, arrays.layout_packed)) return false;
    if (PyTuple_GET_ITEM(met, 4) != Py_False && (flags_on() & kIntercepting) != 0) return false;  // ranks differ: strict mode refuses that
    layout = PyTuple_GET_ITEM(met, 1);
    left = PyTuple_GET_ITEM(met, 2);
    right = PyTuple_GET_ITEM(met, 3);
    return true;
}

// Runs a kernel that writes a new array of a table and layout.
PyObject* run(PyObject* op, PyObject* kernels, PyObject* table, PyObject* layout, PyObject* a, PyObject* b) {
    PyObject* kernel = PyDict_GetItemWithError(kernels, at(op, arrays.op_name));
    if (kernel == nullptr) return nullptr;  // the table makes it when it is asked in Python
    Py_INCREF(kernel);
    PyObject* result = new_empty(table, layout);
    if (result != nullptr) {
        PyObject* operands[] = {result, a, b};
        PyObject* nothing = PyObject_Vectorcall(kernel, operands, b == nullptr ? 2 : 3, nullptr);
        if (nothing == nullptr) Py_CLEAR(result);
        Py_XDECREF(nothing);
    }
    Py_DECREF(kernel);
    return result;
}

// The version of memory that is about to be written; null without an exception set for a slice of a flat array, which has the whole one's.
PyObject* next_version(PyObject* flat) {
    if (!Py_IS_TYPE(flat, arrays.flat)) return nullptr;
    const long version = PyLong_AsLong(at(flat, arrays.flat_version));
    return version == -1 && PyErr_Occurred() ? nullptr : PyLong_FromLong(version + 1);
}

bool wants(const char* function, Py_ssize_t count, Py_ssize_t expected) {
    if (count == expected) return true;
    PyErr_Format(PyExc_TypeError, "%s: %zd arguments given; it wants %zd", function, count, expected);
    return false;
}

}  // namespace

PyObject* new_empty(PyObject* kernels, PyObject* layout) {
    static PyObject* const zero = PyLong_FromLong(0);
    PyObject* size = at(layout, arrays.layout_size);
    PyObject* memory = memory_for(kernels, size);
    if (memory == nullptr) return nullptr;
    PyObject* flat = bare(arrays.flat);
    PyObject* array = flat == nullptr ? nullptr : bare(arrays.array);
    if (array == nullptr) {
        Py_DECREF(memory);
        Py_XDECREF(flat);
        return nullptr;
    }
    at(flat, arrays.flat_memory) = memory;
    at(flat, arrays.flat_offset) = Py_NewRef(zero);
    at(flat, arrays.flat_size) = Py_NewRef(size);
    at(flat, arrays.flat_dtype) = Py_NewRef(at(kernels, arrays.table_dtype));
    at(flat, arrays.flat_kernels) = Py_NewRef(kernels);
    at(flat, arrays.flat_version) = Py_NewRef(zero);
    at(array, arrays.array_flat) = flat;
    at(array, arrays.array_layout) = Py_NewRef(layout);
    at(array, arrays.array_native) = Py_NewRef(Py_None);
    return array;
}

PyObject* new_view(PyObject* array, PyObject* layout) {
    PyObject* view = bare(arrays.array);
    if (view == nullptr) return nullptr;
    at(view, arrays.array_flat) = Py_NewRef(flat_of(array));
    at(view, arrays.array_layout) = Py_NewRef(layout);
    at(view, arrays.array_native) = Py_NewRef(Py_None);
    return view;
}

bool note_write(PyObject* array) {
    static PyObject* const name = PyUnicode_InternFromString("version");
    static PyObject* const one = PyLong_FromLong(1);
    if (!is_array(array)) {
        PyErr_SetString(PyExc_TypeError, "note_writes: it wants arrays");
        return false;
    }
    PyObject *flat = flat_of(array), *version = next_version(flat);
    if (version != nullptr) {
        Py_SETREF(at(flat, arrays.flat_version), version);
        return true;
    }
    if (PyErr_Occurred()) return false;
    PyObject* before = PyObject_GetAttr(flat, name);  // the whole one's
    PyObject* after = before == nullptr ? nullptr : PyNumber_Add(before, one);
    const bool right = after != nullptr && PyObject_SetAttr(flat, name, after) == 0;
    Py_XDECREF(before);
    Py_XDECREF(after);
    return right;
}

PyObject* map_unary(PyObject* op, PyObject* x) {
    if (!is_array(x)) return nullptr;
    PyObject* kernels = kernels_of(x);
    PyObject* table = result_table(op, kernels);
    return table == nullptr ? nullptr : run(op, kernels, table, at(layout_of(x), arrays.layout_result), x, nullptr);
}

PyObject* map_binary(PyObject* op, PyObject* a, PyObject* b) {
    if (!is_array(a)) {
        if (!is_array(b) || !holds(kernels_of(b), a)) return nullptr;
        PyObject* table = result_table(op, kernels_of(b));
        return table == nullptr ? nullptr : run(op, kernels_of(b), table, at(layout_of(b), arrays.layout_result), a, b);
    }
    PyObject* kernels = kernels_of(a);
    PyObject* table = result_table(op, kernels);
    if (table == nullptr) return nullptr;
    PyObject* own = layout_of(a);
    if (!is_array(b)) return holds(kernels, b) ? run(op, kernels, table, at(own, arrays.layout_result), a, b) : nullptr;
    if (kernels_of(b) != kernels) return nullptr;
    PyObject* other = layout_of(b);
    if (other == own) return run(op, kernels, table, at(own, arrays.layout_result), a, b);
    PyObject *layout, *left, *right;
    if (!met_before(own, other, layout, left, right)) return nullptr;
    for (PyObject* held : {layout, left, right}) Py_INCREF(held);  // another meeting may take this one's place meanwhile
    PyObject* x = left == own ? Py_NewRef(a) : new_view(a, left);
    PyObject* y = right == other ? Py_NewRef(b) : new_view(b, right);
    PyObject* result = x != nullptr && y != nullptr ? run(op, kernels, table, layout, x, y) : nullptr;
    Py_XDECREF(x);
    Py_XDECREF(y);
    for (PyObject* held : {layout, left, right}) Py_DECREF(held);
    return result;
}

int map_over(PyObject* op, PyObject* a, PyObject* b) {
    PyObject *kernels = kernels_of(a), *own = layout_of(a);
    if (result_table(op, kernels) != kernels || at(own, arrays.layout_contiguous) != Py_True) return 0;
    PyObject* y = nullptr;
    if (b == nullptr) {
    } else if (!is_array(b)) {
        if (!holds(kernels, b)) return 0;
        y = Py_NewRef(b);
    } else {
        if (kernels_of(b) != kernels) return 0;
        if (b != a && at(flat_of(b), arrays.flat_memory) == at(flat_of(a), arrays.flat_memory)) return 0;
        PyObject *other = layout_of(b), *layout, *left = own, *right = other;
        if (other != own && (!met_before(own, other, layout, left, right) || left != own)) return 0;
        y = right == other ? Py_NewRef(b) : new_view(b, right);
        if (y == nullptr) return -1;
    }
    PyObject* kernel = PyDict_GetItemWithError(kernels, at(op, arrays.op_name));
    PyObject* version = kernel == nullptr ? nullptr : next_version(flat_of(a));
    if (version == nullptr) {
        Py_XDECREF(y);
        return PyErr_Occurred() ? -1 : 0;
    }
    Py_INCREF(kernel);
    Py_SETREF(at(flat_of(a), arrays.flat_version), version);
    PyObject* operands[] = {a, a, y};
    PyObject* nothing = PyObject_Vectorcall(kernel, operands, y == nullptr ? 2 : 3, nullptr);
    Py_DECREF(kernel);
    Py_XDECREF(y);
    Py_XDECREF(nothing);
    return nothing == nullptr ? -1 : 1;
}

namespace {

constexpr Py_ssize_t kMostNumbers = 4;  // by name, of a map op of three

// Whether a number is of a kind that takes no promotion, and so small that every dtype of this kind holds it.
bool holds_small(PyObject* kernels, PyObject* number) {
    if (!holds(kernels, number)) return false;
    const double value = PyFloat_AsDouble(number);
    if (value == -1.0 && PyErr_Occurred()) {  // an integer beyond all floats
        PyErr_Clear();
        return false;
    }
    return value >= -127.0 && value <= 127.0;
}

// Whether a kernel may write over `out` at once, whose layout is that of the operands.
bool may_write(PyObject* out, PyObject* table, PyObject* const* operands) {
    if (!is_array(out) || kernels_of(out) != table || layout_of(out) != layout_of(operands[0])) return false;
    if (at(layout_of(out), arrays.layout_contiguous) != Py_True) return false;
    PyObject* memory = at(flat_of(out), arrays.flat_memory);
    for (int i = 0; i < 3; ++i)
        if (is_array(operands[i]) && operands[i] != out && at(flat_of(operands[i]), arrays.flat_memory) == memory) return false;
    return true;
}

}  // namespace

PyObject* map_ternary(PyObject* op, PyObject* const* operands, PyObject* const* numbers, PyObject* names, PyObject* out) {
    PyObject *a = operands[0], *b = operands[1], *c = operands[2];
    if (!is_array(a) || !is_array(b) || layout_of(a) != layout_of(b) || kernels_of(a) != kernels_of(b)) return nullptr;
    PyObject* kernels = kernels_of(a);
    if (is_array(c) ? layout_of(c) != layout_of(a) || kernels_of(c) != kernels : !holds(kernels, c)) return nullptr;
    const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
    if (named > kMostNumbers) return nullptr;
    for (Py_ssize_t i = 0; i < named; ++i)
        if (!holds_small(kernels, numbers[i])) return nullptr;
    PyObject* table = result_table(op, kernels);
    PyObject* kernel = table == nullptr ? nullptr : PyDict_GetItemWithError(kernels, at(op, arrays.op_name));
    if (kernel == nullptr) return nullptr;
    if (out == nullptr) {
        out = new_empty(table, at(layout_of(a), arrays.layout_result));
        if (out == nullptr) return nullptr;
    } else {
        PyObject* version = may_write(out, table, operands) ? next_version(flat_of(out)) : nullptr;
        if (version == nullptr) return nullptr;
        Py_SETREF(at(flat_of(out), arrays.flat_version), version);
        Py_INCREF(out);
    }
    PyObject* given[4 + kMostNumbers] = {out, a, b, c};
    std::copy_n(numbers, named, given + 4);
    Py_INCREF(kernel);
    PyObject* nothing = PyObject_Vectorcall(kernel, given, 4, names);
    Py_DECREF(kernel);
    if (nothing == nullptr) Py_CLEAR(out);
    Py_XDECREF(nothing);
    return out;
}

PyObject* use_arrays(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (!wants("use_arrays", count, 5)) return nullptr;
    PyTypeObject* classes[5];
    for (int i = 0; i < 5; ++i) {
        if (!PyType_Check(arguments[i])) return PyErr_Format(PyExc_TypeError, "use_arrays: %R is no class", arguments[i]);
        classes[i] = reinterpret_cast<PyTypeObject*>(arguments[i]);
    }
    ArrayClasses told;
    const struct {
        Py_ssize_t* offset;
        int of;
        const char* name;
    } slots[] = {
        {&told.array_flat, 0, "flat"},        {&told.array_layout, 0, "layout"},     {&told.array_native, 0, "native"},
        {&told.flat_memory, 1, "memory"},     {&told.flat_offset, 1, "offset"},      {&told.flat_size, 1, "size"},
        {&told.flat_dtype, 1, "dtype"},       {&told.flat_kernels, 1, "kernels"},    {&told.flat_version, 1, "version"},
        {&told.layout_size, 2, "size"},       {&told.layout_result, 2, "result"},    {&told.layout_packed, 2, "packed"},
        {&told.layout_met, 2, "met"},         {&told.layout_contiguous, 2, "contiguous"},
        {&told.layout_shape, 2, "shape"},     {&told.table_allocate, 3, "allocate"}, {&told.table_itemsize, 3, "itemsize"},
        {&told.table_dtype, 3, "dtype"},      {&told.op_name, 4, "name"},            {&told.op_results, 4, "results"},
    };
    for (const auto& slot : slots)
        if ((*slot.offset = slot_offset(classes[slot.of], slot.name)) == 0) return nullptr;
    for (PyObject* kind : {arguments[0], arguments[1], arguments[2], arguments[3], arguments[4]}) Py_INCREF(kind);
    told.array = classes[0];
    told.flat = classes[1];
    told.layout = classes[2];
    told.table = classes[3];
    told.op = classes[4];
    arrays = told;
    Py_RETURN_NONE;
}

PyObject* empty_of(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (!wants("empty_of", count, 2)) return nullptr;
    if (!is_a(arguments[0], arrays.table) || !is_a(arguments[1], arrays.layout))
        return PyErr_Format(PyExc_TypeError, "empty_of: a %s and a %s given; it wants a kernel table and a layout",
                            Py_TYPE(arguments[0])->tp_name, Py_TYPE(arguments[1])->tp_name);
    return new_empty(arguments[0], arguments[1]);
}

PyObject* view_of(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (!wants("view_of", count, 2)) return nullptr;
    if (!is_a(arguments[0], arrays.array) || !is_a(arguments[1], arrays.layout))
        return PyErr_Format(PyExc_TypeError, "view_of: a %s and a %s given; it wants an array and a layout",
                            Py_TYPE(arguments[0])->tp_name, Py_TYPE(arguments[1])->tp_name);
    return new_view(arguments[0], arguments[1]);
}

}  // namespace lamina
