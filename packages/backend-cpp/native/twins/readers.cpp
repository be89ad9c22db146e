// Readers of items: one number, or nested lists of them, made in C where memory, layout and dtype are of the usual kind.
#include "twins/readers.hpp"

#include <cstddef>
#include <cstring>

#include "runtime/operand.hpp"

namespace lamina {
namespace {

struct Reader {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject* plain;
    bool nested;
};

template <class T>
T item(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

// A new number; null with an exception set. Only for dtypes that are `readable`.
PyObject* number(const char* at, int code) {
    switch (code) {
        case kBool: return PyBool_FromLong(*at != 0);
        case kUInt8: return PyLong_FromLong(item<uint8_t>(at));
        case kInt8: return PyLong_FromLong(item<int8_t>(at));
        case kInt16: return PyLong_FromLong(item<int16_t>(at));
        case kInt32: return PyLong_FromLong(item<int32_t>(at));
        case kInt64: return PyLong_FromLongLong(item<int64_t>(at));
        case kUInt16: return PyLong_FromLong(item<uint16_t>(at));
        case kUInt32: return PyLong_FromUnsignedLong(item<uint32_t>(at));
        case kUInt64: return PyLong_FromUnsignedLongLong(item<uint64_t>(at));
        case kFloat32: return PyFloat_FromDouble(item<float>(at));
        case kFloat64: return PyFloat_FromDouble(item<double>(at));
        case kComplex64: return PyComplex_FromDoubles(item<float>(at), item<float>(at + 4));
        default: return PyComplex_FromDoubles(item<double>(at), item<double>(at + 8));
    }
}

bool readable(int code) { return code != kFloat16 && code != kBFloat16; }

PyObject* list(const Geometry& g, int dim, const char* at, int code) {
    if (dim == g.ndim) return number(at, code);
    PyObject* made = PyList_New(Py_ssize_t(g.shape[dim]));
    for (Py_ssize_t i = 0; made != nullptr && i < g.shape[dim]; ++i) {
        PyObject* part = list(g, dim + 1, at + i * g.strides[dim] * kItemSize[code], code);
        if (part != nullptr)
            PyList_SET_ITEM(made, i, part);
        else
            Py_CLEAR(made);
    }
    return made;
}

// All items. Lists may set off the garbage collector, and so any code: the memory is held.
PyObject* lists(const Glance& seen, const Geometry& g) {
    PyObject* memory = Py_NewRef(seen.memory);
    PyObject* all = list(g, 0, seen.start + g.offset * kItemSize[seen.code], seen.code);
    Py_DECREF(memory);
    return all;
}

PyObject* read(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
    auto* reader = reinterpret_cast<Reader*>(self);
    Glance seen;
    Geometry g;
    if (PyVectorcall_NARGS(flags) != 1 || names != nullptr || !glance(arguments[0], seen) || !readable(seen.code) ||
        !measure(seen.packed, g) || g.low < 0 || (g.size > 0 && (g.high + 1) * kItemSize[seen.code] > seen.nbytes))
        return PyObject_Vectorcall(reader->plain, arguments, flags, names);
    if (reader->nested) return lists(seen, g);
    if (g.size != 1) return PyObject_Vectorcall(reader->plain, arguments, flags, names);
    return number(seen.start + g.offset * kItemSize[seen.code], seen.code);
}

PyTypeObject ReaderType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_backend_cpp._native.Reader"};

}  // namespace

// Readers live as long as the process, as constructors do.
PyObject* make_reader(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2 || !PyCallable_Check(arguments[0]) || !PyBool_Check(arguments[1])) {
        PyErr_SetString(PyExc_TypeError, "reader: it wants a callable and whether to read all items");
        return nullptr;
    }
    Reader* made = PyObject_New(Reader, &ReaderType);
    if (made == nullptr) return nullptr;
    made->vectorcall = read;
    made->plain = Py_NewRef(arguments[0]);
    made->nested = arguments[1] == Py_True;
    return reinterpret_cast<PyObject*>(made);
}

int ready_readers() {
    ReaderType.tp_basicsize = sizeof(Reader);
    ReaderType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_HAVE_VECTORCALL;
    ReaderType.tp_vectorcall_offset = offsetof(Reader, vectorcall);
    ReaderType.tp_call = PyVectorcall_Call;
    ReaderType.tp_doc = "Reads the items of arrays.";
    return PyType_Ready(&ReaderType);
}

}  // namespace lamina
