// TensorFunction: a function of arrays as one of tensors, as dispatch/tensor_functions.py of lamina_tensor says it.
#include "array_functions.hpp"

#include "arrays.hpp"
#include "tensors.hpp"
#include "wrappers.hpp"

namespace lamina {
namespace {

struct TensorFunction {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject* general;   // Python's, which has the name and the signature, and records gradients
    PyObject* function;  // of arrays
    PyObject* finished;  // makes tensors of results that are not plainly new arrays
    PyObject* plain;     // the set of classes of what holds no tensors
};

constexpr Py_ssize_t kMost = 16;  // arguments of a call that is answered here

bool is_plain(PyObject* plain, PyObject* value) { return PySet_Contains(plain, reinterpret_cast<PyObject*>(Py_TYPE(value))) == 1; }

bool holds_no_tensors(PyObject* plain, PyObject* value) {
    if (is_plain(plain, value)) return true;
    if (!PyTuple_CheckExact(value)) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value); ++i)
        if (!is_plain(plain, PyTuple_GET_ITEM(value, i))) return false;
    return true;
}

PyObject* memory_of(PyObject* array) { return at(flat_of(array), arrays.flat_memory); }

// Whether an array has memory that no tensor among the arguments has.
bool is_new(PyObject* array, PyObject* const* arguments, Py_ssize_t all) {
    for (Py_ssize_t i = 0; i < all; ++i)
        if (shows_array(arguments[i]) && memory_of(array_in(arguments[i])) == memory_of(array)) return false;
    return true;
}

// A tuple of arrays as one of tensors, of the same class; null without an exception set where other things are among them.
PyObject* leaves(PyObject* results) {
    const Py_ssize_t n = PyTuple_GET_SIZE(results);
    for (Py_ssize_t i = 0; i < n; ++i)
        if (!is_array(PyTuple_GET_ITEM(results, i))) return nullptr;
    PyObject* parts = PyTuple_New(n);
    for (Py_ssize_t i = 0; parts != nullptr && i < n; ++i) {
        PyObject* tensor = leaf(Py_NewRef(PyTuple_GET_ITEM(results, i)));
        if (tensor == nullptr)
            Py_CLEAR(parts);
        else
            PyTuple_SET_ITEM(parts, i, tensor);
    }
    if (parts == nullptr || PyTuple_CheckExact(results)) return parts;
    PyObject* wrapped = PyTuple_Pack(1, parts);
    PyObject* named = wrapped == nullptr ? nullptr : PyTuple_Type.tp_new(Py_TYPE(results), wrapped, nullptr);
    Py_DECREF(parts);
    Py_XDECREF(wrapped);
    return named;
}

PyObject* finish(TensorFunction* self, PyObject* result, PyObject* const* arguments, Py_ssize_t all) {
    PyObject* operands = PyTuple_New(all);
    if (operands == nullptr) return nullptr;
    for (Py_ssize_t i = 0; i < all; ++i) PyTuple_SET_ITEM(operands, i, Py_NewRef(arguments[i]));
    PyObject* finished = PyObject_CallFunctionObjArgs(self->finished, result, operands, nullptr);
    Py_DECREF(operands);
    return finished;
}

PyObject* call(PyObject* object, PyObject* const* arguments, size_t flags_, PyObject* names) {
    auto* self = reinterpret_cast<TensorFunction*>(object);
    const Py_ssize_t count = PyVectorcall_NARGS(flags_), all = count + (names == nullptr ? 0 : PyTuple_GET_SIZE(names));
    const int flags = flags_on();
    if (flags < 0) return nullptr;
    bool here = all <= kMost && (flags & kRecord) == 0;
    PyObject* values[kMost];
    for (Py_ssize_t i = 0; here && i < all; ++i) {
        const bool tensor = shows_array(arguments[i]);
        values[i] = tensor ? array_in(arguments[i]) : arguments[i];
        here = tensor ? values[i] != nullptr && is_array(values[i]) && ((flags & kNoGrad) != 0 || !wants_gradient(arguments[i]))
                      : holds_no_tensors(self->plain, arguments[i]);
    }
    if (!here) return PyObject_Vectorcall(self->general, arguments, flags_, names);
    PyObject* result = PyObject_Vectorcall(self->function, values, size_t(count), names);
    if (result == nullptr) return nullptr;
    PyObject* tensors = nullptr;
    if (is_array(result) && is_new(result, arguments, all)) tensors = leaf(Py_NewRef(result));
    else if (PyTuple_Check(result)) tensors = leaves(result);
    if (tensors == nullptr && !PyErr_Occurred()) tensors = finish(self, result, arguments, all);
    Py_DECREF(result);
    return tensors;
}

PyObject* documentation(PyObject* object, void*) {
    return PyObject_GetAttrString(reinterpret_cast<TensorFunction*>(object)->general, "__doc__");
}

int traverse(PyObject* object, visitproc visit, void* arg) {
    auto* self = reinterpret_cast<TensorFunction*>(object);
    Py_VISIT(self->general);
    Py_VISIT(self->function);
    Py_VISIT(self->finished);
    Py_VISIT(self->plain);
    return 0;
}

int clear(PyObject* object) {
    auto* self = reinterpret_cast<TensorFunction*>(object);
    Py_CLEAR(self->general);
    Py_CLEAR(self->function);
    Py_CLEAR(self->finished);
    Py_CLEAR(self->plain);
    return 0;
}

void deallocate(PyObject* object) {
    PyObject_GC_UnTrack(object);
    clear(object);
    PyObject_GC_Del(object);
}

PyGetSetDef getset[] = {{"__doc__", documentation, nullptr, nullptr, nullptr}, {}};

PyTypeObject TensorFunctionType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.TensorFunction"};

}  // namespace

PyObject* tensor_function(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 4 || !PyAnySet_Check(arguments[3])) {
        PyErr_SetString(PyExc_TypeError, "tensor_function: it wants Python's function, that of arrays, what finishes results, and a set");
        return nullptr;
    }
    TensorFunction* made = PyObject_GC_New(TensorFunction, &TensorFunctionType);
    if (made == nullptr) return nullptr;
    made->vectorcall = call;
    made->general = Py_NewRef(arguments[0]);
    made->function = Py_NewRef(arguments[1]);
    made->finished = Py_NewRef(arguments[2]);
    made->plain = Py_NewRef(arguments[3]);
    PyObject_GC_Track(reinterpret_cast<PyObject*>(made));
    return reinterpret_cast<PyObject*>(made);
}

int ready_array_functions() {
    PyTypeObject& type = TensorFunctionType;
    wrap<TensorFunction, &TensorFunction::general>(type);
    type.tp_traverse = traverse;
    type.tp_clear = clear;
    type.tp_dealloc = deallocate;
    type.tp_getset = getset;
    return PyType_Ready(&type);
}

}  // namespace lamina
