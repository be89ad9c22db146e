// TorchFunction: a public function of tensors, which asks about modes and derived classes before its body runs, as
// dispatch/torch_function.py of lamina_tensor says it.
#include <Python.h>
#include <structmember.h>

#include <cstddef>

#include "functions.hpp"
#include "tensors.hpp"

namespace lamina {
namespace {

struct TorchFunction {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject* function;   // the body, which has the name and the signature
    PyObject* op;         // of a function that is one op; null for others
    PyObject* spellings;  // NumPy's names of its arguments -> PyTorch's; null where there are none
    PyObject* intercept;  // what is called instead while a mode is on: intercept(args, kwargs)
    PyObject* overriding; // the list of classes that have a say in functions
    PyObject* dict;
    PyObject* weakrefs;
    int arity, tensors;  // of the op: how many operands there are, and how many leading ones may not be numbers
};

// Whether a keyword is one of NumPy's.
bool respells(TorchFunction* self, PyObject* names) {
    if (self->spellings == nullptr || names == nullptr) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i)
        if (PyDict_Contains(self->spellings, PyTuple_GET_ITEM(names, i)) == 1) return true;
    return false;
}

PyObject* intercepted(TorchFunction* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* args = PyTuple_New(count);
    PyObject* kwargs = args == nullptr ? nullptr : PyDict_New();
    if (kwargs == nullptr) {
        Py_XDECREF(args);
        return nullptr;
    }
    for (Py_ssize_t i = 0; i < count; ++i) PyTuple_SET_ITEM(args, i, Py_NewRef(arguments[i]));
    bool right = true;
    for (Py_ssize_t i = 0; right && names != nullptr && i < PyTuple_GET_SIZE(names); ++i)
        right = PyDict_SetItem(kwargs, PyTuple_GET_ITEM(names, i), arguments[count + i]) == 0;
    PyObject* result = right ? PyObject_CallFunctionObjArgs(self->intercept, args, kwargs, nullptr) : nullptr;
    Py_DECREF(args);
    Py_DECREF(kwargs);
    return result;
}

bool leads_with_tensors(TorchFunction* self, PyObject* const* arguments) {
    for (int i = 0; i < self->tensors; ++i)
        if (!is_tensor(arguments[i])) return false;
    return true;
}

PyObject* call(PyObject* object, PyObject* const* arguments, size_t flags_, PyObject* names) {
    auto* self = reinterpret_cast<TorchFunction*>(object);
    const Py_ssize_t count = PyVectorcall_NARGS(flags_);
    const int flags = flags_on();
    if (flags < 0) return nullptr;
    if ((flags & kIntercepting) != 0 || PyList_GET_SIZE(self->overriding) > 0 || respells(self, names))
        return intercepted(self, arguments, count, names);
    if (self->op != nullptr && names == nullptr && count == self->arity && leads_with_tensors(self, arguments)) {
        PyObject* result =
            count == 1 ? tensor_unary(self->op, arguments[0], flags) : tensor_binary(self->op, arguments[0], arguments[1], flags);
        if (result != nullptr || PyErr_Occurred()) return result;
    }
    return PyObject_Vectorcall(self->function, arguments, flags_, names);
}

PyObject* bind(PyObject* self, PyObject* instance, PyObject*) {
    return instance == nullptr || instance == Py_None ? Py_NewRef(self) : PyMethod_New(self, instance);
}

// What is not its own is the body's: __name__, __doc__, __module__, __code__, ...
PyObject* attribute(PyObject* object, PyObject* name) {
    PyObject* own = PyObject_GenericGetAttr(object, name);
    if (own != nullptr || !PyErr_ExceptionMatches(PyExc_AttributeError)) return own;
    PyErr_Clear();
    return PyObject_GetAttr(reinterpret_cast<TorchFunction*>(object)->function, name);
}

PyObject* represent(PyObject* object) { return PyObject_Repr(reinterpret_cast<TorchFunction*>(object)->function); }

PyObject* reduce(PyObject* object, PyObject*) {
    return PyObject_GetAttrString(reinterpret_cast<TorchFunction*>(object)->function, "__qualname__");
}

template <int offset_of_name>
PyObject* of_body(PyObject* object, void* name) {
    return PyObject_GetAttrString(reinterpret_cast<TorchFunction*>(object)->function, static_cast<const char*>(name));
}

int traverse(PyObject* object, visitproc visit, void* arg) {
    auto* self = reinterpret_cast<TorchFunction*>(object);
    Py_VISIT(self->function);
    Py_VISIT(self->op);
    Py_VISIT(self->spellings);
    Py_VISIT(self->intercept);
    Py_VISIT(self->overriding);
    Py_VISIT(self->dict);
    return 0;
}

int clear(PyObject* object) {
    auto* self = reinterpret_cast<TorchFunction*>(object);
    Py_CLEAR(self->function);
    Py_CLEAR(self->op);
    Py_CLEAR(self->spellings);
    Py_CLEAR(self->intercept);
    Py_CLEAR(self->dict);
    return 0;
}

void deallocate(PyObject* object) {
    auto* self = reinterpret_cast<TorchFunction*>(object);
    PyObject_GC_UnTrack(object);
    if (self->weakrefs != nullptr) PyObject_ClearWeakRefs(object);
    clear(object);
    Py_CLEAR(self->overriding);
    PyObject_GC_Del(object);
}

PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, "Pickled by its name."}, {}};
PyMemberDef members[] = {
    {"__wrapped__", T_OBJECT, offsetof(TorchFunction, function), READONLY, "The body."},
    {"__dictoffset__", T_PYSSIZET, offsetof(TorchFunction, dict), READONLY, nullptr},
    {}};
PyGetSetDef getset[] = {
    {"__doc__", of_body<0>, nullptr, nullptr, const_cast<char*>("__doc__")},
    {"__module__", of_body<1>, nullptr, nullptr, const_cast<char*>("__module__")},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {}};

PyTypeObject TorchFunctionType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.TorchFunction"};

}  // namespace

PyObject* torch_function(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 7 || !PyFunction_Check(arguments[0]) || !PyList_Check(arguments[4]) || !PyLong_Check(arguments[5])) {
        PyErr_SetString(PyExc_TypeError, "torch_function: it wants a function, an op, spellings, what intercepts, a list of classes, an arity, tensors");
        return nullptr;
    }
    TorchFunction* made = PyObject_GC_New(TorchFunction, &TorchFunctionType);
    if (made == nullptr) return nullptr;
    made->vectorcall = call;
    made->function = Py_NewRef(arguments[0]);
    made->op = arguments[1] == Py_None ? nullptr : Py_NewRef(arguments[1]);
    made->spellings = PyDict_Check(arguments[2]) && PyDict_GET_SIZE(arguments[2]) > 0 ? Py_NewRef(arguments[2]) : nullptr;
    made->intercept = Py_NewRef(arguments[3]);
    made->overriding = Py_NewRef(arguments[4]);
    made->dict = made->weakrefs = nullptr;
    made->arity = int(PyLong_AsLong(arguments[5]));
    made->tensors = int(PyLong_AsLong(arguments[6]));
    PyObject_GC_Track(reinterpret_cast<PyObject*>(made));
    return reinterpret_cast<PyObject*>(made);
}

int ready_functions() {
    PyTypeObject& type = TorchFunctionType;
    type.tp_basicsize = sizeof(TorchFunction);
    type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR |
                    Py_TPFLAGS_DISALLOW_INSTANTIATION;
    type.tp_vectorcall_offset = offsetof(TorchFunction, vectorcall);
    type.tp_dictoffset = offsetof(TorchFunction, dict);
    type.tp_weaklistoffset = offsetof(TorchFunction, weakrefs);
    type.tp_call = PyVectorcall_Call;
    type.tp_descr_get = bind;
    type.tp_getattro = attribute;
    type.tp_setattro = PyObject_GenericSetAttr;
    type.tp_repr = represent;
    type.tp_traverse = traverse;
    type.tp_clear = clear;
    type.tp_dealloc = deallocate;
    type.tp_methods = methods;
    type.tp_members = members;
    type.tp_getset = getset;
    return PyType_Ready(&type);
}

PyTypeObject* torch_function_type() { return &TorchFunctionType; }

}  // namespace lamina
