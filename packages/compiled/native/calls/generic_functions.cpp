// GenericFunction and Namespace: `generic` and `namespace` as dispatch/namespace.py of lamina_ndarray says them.
#include "calls/generic_functions.hpp"

#include "objects/wrappers.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

struct GenericFunction {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject* guarded;   // Python's, which has the name and the signature, and is called while a mode is on
    PyObject* function;  // its body
    PyObject* refused;   // the classes of errors that `refusal` looks at
    PyObject* refusal;   // from the name, such an error and the operands to the error that is raised
};

// All arguments, those by keyword last.
PyObject* operands_of(PyObject* const* arguments, Py_ssize_t all) {
    PyObject* operands = PyTuple_New(all);
    for (Py_ssize_t i = 0; operands != nullptr && i < all; ++i) PyTuple_SET_ITEM(operands, i, Py_NewRef(arguments[i]));
    return operands;
}

PyObject* call(PyObject* object, PyObject* const* arguments, size_t flags_, PyObject* names) {
    auto* self = reinterpret_cast<GenericFunction*>(object);
    const int flags = flags_on();
    if (flags < 0) return nullptr;
    if ((flags & kIntercepting) != 0) return PyObject_Vectorcall(self->guarded, arguments, flags_, names);
    PyObject* result = PyObject_Vectorcall(self->function, arguments, flags_, names);
    if (result != nullptr || !PyErr_ExceptionMatches(self->refused)) return result;
    PyObject *type, *error, *trace;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    if (trace != nullptr) PyException_SetTraceback(error, trace);
    PyObject* name = PyObject_GetAttrString(self->guarded, "__name__");
    PyObject* operands = operands_of(arguments, PyVectorcall_NARGS(flags_) + (names == nullptr ? 0 : PyTuple_GET_SIZE(names)));
    PyObject* told = name == nullptr || operands == nullptr ? nullptr : PyObject_CallFunctionObjArgs(self->refusal, name, error, operands, nullptr);
    if (told != nullptr) {
        PyException_SetCause(told, nullptr);  // which also leaves the error before it untold
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(told)), told);
    }
    Py_XDECREF(told);
    Py_XDECREF(name);
    Py_XDECREF(operands);
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(trace);
    return nullptr;
}

PyObject* reduce(PyObject* object, PyObject*) {
    return PyObject_GetAttrString(reinterpret_cast<GenericFunction*>(object)->guarded, "__qualname__");
}

PyGetSetDef getset[] = {{"__doc__", documentation<GenericFunction, &GenericFunction::guarded>, nullptr, nullptr, nullptr}, {}};
PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {}};

PyTypeObject GenericFunctionType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.GenericFunction"};

struct Namespace {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject* general;
    PyObject* known;  // the dictionary from classes to what their arrays answered
};

PyObject* answer(PyObject* object, PyObject* const* arguments, size_t flags, PyObject* names) {
    auto* self = reinterpret_cast<Namespace*>(object);
    if (PyVectorcall_NARGS(flags) > 0) {
        PyObject* functions = PyDict_GetItemWithError(self->known, reinterpret_cast<PyObject*>(Py_TYPE(arguments[0])));
        if (functions != nullptr) return Py_NewRef(functions);
    }
    return PyErr_Occurred() ? nullptr : PyObject_Vectorcall(self->general, arguments, flags, names);
}

PyTypeObject NamespaceType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.Namespace"};

}  // namespace

PyObject* generic(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 4 || !PyTuple_Check(arguments[2])) {
        PyErr_SetString(PyExc_TypeError, "generic: it wants Python's function, its body, a tuple of classes of errors, and what tells these");
        return nullptr;
    }
    GenericFunction* made = PyObject_GC_New(GenericFunction, &GenericFunctionType);
    if (made == nullptr) return nullptr;
    made->vectorcall = call;
    made->guarded = Py_NewRef(arguments[0]);
    made->function = Py_NewRef(arguments[1]);
    made->refused = Py_NewRef(arguments[2]);
    made->refusal = Py_NewRef(arguments[3]);
    PyObject_GC_Track(reinterpret_cast<PyObject*>(made));
    return reinterpret_cast<PyObject*>(made);
}

PyObject* namespace_(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2 || !PyDict_Check(arguments[1])) {
        PyErr_SetString(PyExc_TypeError, "namespace_: it wants Python's function, and the dictionary of what it knows");
        return nullptr;
    }
    Namespace* made = PyObject_GC_New(Namespace, &NamespaceType);
    if (made == nullptr) return nullptr;
    made->vectorcall = answer;
    made->general = Py_NewRef(arguments[0]);
    made->known = Py_NewRef(arguments[1]);
    PyObject_GC_Track(reinterpret_cast<PyObject*>(made));
    return reinterpret_cast<PyObject*>(made);
}

int ready_generic_functions() {
    wrap<GenericFunction, &GenericFunction::guarded>(GenericFunctionType);
    Owning<GenericFunction, &GenericFunction::guarded, &GenericFunction::function, &GenericFunction::refused,
           &GenericFunction::refusal>::put_into(GenericFunctionType);
    GenericFunctionType.tp_getset = getset;
    GenericFunctionType.tp_methods = methods;
    wrap<Namespace, &Namespace::general>(NamespaceType);
    Owning<Namespace, &Namespace::general, &Namespace::known>::put_into(NamespaceType);
    if (PyType_Ready(&GenericFunctionType) < 0) return -1;
    return PyType_Ready(&NamespaceType);
}

}  // namespace lamina
