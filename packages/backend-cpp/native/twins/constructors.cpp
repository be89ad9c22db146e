// Constructors of slotted classes, told by name which slots there are: the Python functions that they stand for fill the same.
#include "twins/constructors.hpp"

#include <cstddef>

#include "runtime/memory.hpp"
#include "runtime/slots.hpp"

namespace lamina {
namespace {

constexpr int kMost = 12;  // slots of either kind

struct Constructor {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyTypeObject* kind;
    int given, fixed;
    Py_ssize_t to[kMost];       // where the arguments go
    PyObject* from[kMost];      // the attribute of the argument that is taken; null for the argument itself
    Py_ssize_t fixed_to[kMost];
    PyObject* values[kMost];
};

struct Emptier {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyTypeObject *array, *flat;
    Py_ssize_t at_flat, at_layout, at_native;                                        // in the array
    Py_ssize_t at_memory, at_offset, at_size, at_dtype, at_kernels, at_version;      // in the flat array
};

Slots<3> table_slots({"allocate", "itemsize", "dtype"});
Slots<1> layout_slots({"size"});

PyObject* no_arguments;

// As `object.__new__(kind)`.
PyObject* bare(PyTypeObject* kind) { return PyBaseObject_Type.tp_new(kind, no_arguments, nullptr); }

bool takes(PyObject* self, size_t flags, PyObject* names, Py_ssize_t wanted) {
    if (PyVectorcall_NARGS(flags) == wanted && (names == nullptr || PyTuple_GET_SIZE(names) == 0)) return true;
    PyErr_Format(PyExc_TypeError, "%s: %zd arguments given%s; it wants %zd by position", Py_TYPE(self)->tp_name,
                 PyVectorcall_NARGS(flags), names != nullptr ? " and keywords" : "", wanted);
    return false;
}

PyObject* construct(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
    auto* constructor = reinterpret_cast<Constructor*>(self);
    if (!takes(self, flags, names, constructor->given)) return nullptr;
    PyObject* made = bare(constructor->kind);
    if (made == nullptr) return nullptr;
    for (int i = 0; i < constructor->given; ++i) {
        PyObject* name = constructor->from[i];
        PyObject* value = name == nullptr ? Py_NewRef(arguments[i]) : PyObject_GetAttr(arguments[i], name);
        if (value == nullptr) {
            Py_DECREF(made);
            return nullptr;
        }
        at(made, constructor->to[i]) = value;
    }
    for (int i = 0; i < constructor->fixed; ++i) at(made, constructor->fixed_to[i]) = Py_NewRef(constructor->values[i]);
    return made;
}

// Memory as the table's own allocation gives it: called in place where it is this module's.
PyObject* memory_for(PyObject* allocate_, PyObject* size, PyObject* itemsize) {
    if (PyCFunction_Check(allocate_) && PyCFunction_GET_FUNCTION(allocate_) == allocate) {
        int64_t nbytes;
        const int64_t items = PyLong_AsLongLong(size), each = PyLong_AsLongLong(itemsize);
        if (!PyErr_Occurred() && !__builtin_mul_overflow(items, each, &nbytes)) return new_memory(nbytes);
        PyErr_Clear();
    }
    PyObject* nbytes = PyNumber_Multiply(size, itemsize);
    if (nbytes == nullptr) return nullptr;
    PyObject* memory = PyObject_CallOneArg(allocate_, nbytes);
    Py_DECREF(nbytes);
    return memory;
}

PyObject* empty(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
    auto* emptier = reinterpret_cast<Emptier*>(self);
    if (!takes(self, flags, names, 2)) return nullptr;
    PyObject *kernels = arguments[0], *layout = arguments[1];
    const Py_ssize_t* of_table = table_slots.find(Py_TYPE(kernels));
    const Py_ssize_t* of_layout = layout_slots.find(Py_TYPE(layout));
    const auto refused = [&] {
        return PyErr_Format(PyExc_TypeError, "empty: a %s and a %s given; it wants a kernel table and a layout",
                            Py_TYPE(kernels)->tp_name, Py_TYPE(layout)->tp_name);
    };
    if (of_table == nullptr || of_layout == nullptr) return refused();
    const InSlot allocate_(kernels, of_table[0]), itemsize(kernels, of_table[1]), dtype(kernels, of_table[2]), size(layout, of_layout[0]);
    if (allocate_ == nullptr || itemsize == nullptr || dtype == nullptr || size == nullptr) return refused();
    PyObject* memory = memory_for(allocate_, size, itemsize);
    if (memory == nullptr) return nullptr;
    PyObject* flat = bare(emptier->flat);
    PyObject* array = flat == nullptr ? nullptr : bare(emptier->array);
    if (array == nullptr) {
        Py_DECREF(memory);
        Py_XDECREF(flat);
        return nullptr;
    }
    static PyObject* const zero = PyLong_FromLong(0);
    at(flat, emptier->at_memory) = memory;
    at(flat, emptier->at_offset) = Py_NewRef(zero);
    at(flat, emptier->at_size) = Py_NewRef(size);
    at(flat, emptier->at_dtype) = Py_NewRef(dtype);
    at(flat, emptier->at_kernels) = Py_NewRef(kernels);
    at(flat, emptier->at_version) = Py_NewRef(zero);
    at(array, emptier->at_flat) = flat;
    at(array, emptier->at_layout) = Py_NewRef(layout);
    at(array, emptier->at_native) = Py_NewRef(Py_None);
    return array;
}

PyTypeObject ConstructorType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_backend_cpp._native.Constructor"};
PyTypeObject EmptierType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_backend_cpp._native.Emptier"};

// The offset of a slot by the name that a Python string holds; -1 with an exception set where there is none.
Py_ssize_t slot_named(PyTypeObject* kind, PyObject* name) {
    const char* text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : nullptr;
    const Py_ssize_t offset = text != nullptr ? slot_offset(kind, text) : 0;
    if (offset > 0) return offset;
    if (!PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "constructor: %s has no slot %R", kind->tp_name, name);
    return -1;
}

bool read_given(Constructor* made, PyObject* given) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(given); ++i) {
        PyObject* entry = PyTuple_GET_ITEM(given, i);
        const bool pair = PyTuple_Check(entry) && PyTuple_GET_SIZE(entry) == 2;
        const Py_ssize_t offset = slot_named(made->kind, pair ? PyTuple_GET_ITEM(entry, 0) : entry);
        if (offset < 0) return false;
        made->to[i] = offset;
        made->from[i] = pair ? Py_NewRef(PyTuple_GET_ITEM(entry, 1)) : nullptr;
        made->given += 1;
    }
    return true;
}

bool read_fixed(Constructor* made, PyObject* fixed) {
    PyObject *name, *value;
    Py_ssize_t place = 0;
    while (PyDict_Next(fixed, &place, &name, &value)) {
        const Py_ssize_t offset = slot_named(made->kind, name);
        if (offset < 0) return false;
        made->fixed_to[made->fixed] = offset;
        made->values[made->fixed++] = Py_NewRef(value);
    }
    return true;
}

// A class whose instances are made by `object.__new__`, as the functions that these stand for make them.
bool is_class(PyObject* kind) {
    return PyType_Check(kind) && PyType_HasFeature(reinterpret_cast<PyTypeObject*>(kind), Py_TPFLAGS_HEAPTYPE);
}

void prepare(PyTypeObject& type, size_t size, Py_ssize_t vectorcall, const char* doc) {
    type.tp_basicsize = Py_ssize_t(size);
    type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_HAVE_VECTORCALL;
    type.tp_vectorcall_offset = vectorcall;
    type.tp_call = PyVectorcall_Call;
    type.tp_doc = doc;
}

}  // namespace

// Constructors live as long as the process, as the classes and kernels do: they are never deallocated by their users.
PyObject* make_constructor(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 3 || !is_class(arguments[0]) || !PyTuple_Check(arguments[1]) || !PyDict_Check(arguments[2]) ||
        PyTuple_GET_SIZE(arguments[1]) > kMost || PyDict_GET_SIZE(arguments[2]) > kMost) {
        PyErr_SetString(PyExc_TypeError, "constructor: it wants a class, a tuple of slots and a dict of at most 12 each");
        return nullptr;
    }
    Constructor* made = PyObject_New(Constructor, &ConstructorType);
    if (made == nullptr) return nullptr;
    made->vectorcall = construct;
    made->kind = reinterpret_cast<PyTypeObject*>(Py_NewRef(arguments[0]));
    made->given = made->fixed = 0;
    auto* object = reinterpret_cast<PyObject*>(made);
    if (read_given(made, arguments[1]) && read_fixed(made, arguments[2])) return object;
    Py_DECREF(object);
    return nullptr;
}

PyObject* make_emptier(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2 || !is_class(arguments[0]) || !is_class(arguments[1])) {
        PyErr_SetString(PyExc_TypeError, "emptier: it wants the class of arrays and that of flat arrays");
        return nullptr;
    }
    auto* array = reinterpret_cast<PyTypeObject*>(arguments[0]);
    auto* flat = reinterpret_cast<PyTypeObject*>(arguments[1]);
    Emptier* made = PyObject_New(Emptier, &EmptierType);
    if (made == nullptr) return nullptr;
    made->vectorcall = empty;
    made->array = reinterpret_cast<PyTypeObject*>(Py_NewRef(arguments[0]));
    made->flat = reinterpret_cast<PyTypeObject*>(Py_NewRef(arguments[1]));
    const struct {
        Py_ssize_t* at;
        PyTypeObject* kind;
        const char* name;
    } wanted[] = {{&made->at_flat, array, "flat"},      {&made->at_layout, array, "layout"}, {&made->at_native, array, "native"},
                  {&made->at_memory, flat, "memory"},   {&made->at_offset, flat, "offset"},  {&made->at_size, flat, "size"},
                  {&made->at_dtype, flat, "dtype"},     {&made->at_kernels, flat, "kernels"}, {&made->at_version, flat, "version"}};
    for (const auto& slot : wanted) {
        *slot.at = slot_offset(slot.kind, slot.name);
        if (*slot.at > 0) continue;
        PyErr_Format(PyExc_TypeError, "emptier: %s has no slot %s", slot.kind->tp_name, slot.name);
        Py_DECREF(reinterpret_cast<PyObject*>(made));
        return nullptr;
    }
    return reinterpret_cast<PyObject*>(made);
}

int ready_constructors() {
    no_arguments = PyTuple_New(0);
    prepare(ConstructorType, sizeof(Constructor), offsetof(Constructor, vectorcall), "Makes objects of one slotted class.");
    prepare(EmptierType, sizeof(Emptier), offsetof(Emptier, vectorcall), "Makes uninitialised arrays: empty(kernels, layout).");
    return no_arguments == nullptr || PyType_Ready(&ConstructorType) < 0 || PyType_Ready(&EmptierType) < 0 ? -1 : 0;
}

}  // namespace lamina
