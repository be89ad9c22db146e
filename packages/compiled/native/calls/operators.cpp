// Operator: a public function of tensors as an operator of Python, which leaves operands that it does not take to their own
// classes, as dispatch/operators.py of lamina_tensor says it.
#include "calls/operators.hpp"

#include <structmember.h>

#include <cstddef>

#include "objects/wrappers.hpp"

namespace lamina {
namespace {

struct Operator {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject* function;
    PyObject* refusal;    // the class of the errors that mean: not an operand of this function
    PyObject* otherwise;  // called with the operands then
    PyObject *module, *name, *qualname;  // where it is defined; null until it is the attribute of a class
};

PyObject* call(PyObject* object, PyObject* const* arguments, size_t flags, PyObject* names) {
    auto* self = reinterpret_cast<Operator*>(object);
    PyObject* result = PyObject_Vectorcall(self->function, arguments, flags, names);
    if (result != nullptr || !PyErr_ExceptionMatches(self->refusal)) return result;
    PyErr_Clear();
    return PyObject_Vectorcall(self->otherwise, arguments, flags, names);
}

// As an attribute of a class it has a name of its own.
PyObject* set_name(PyObject* object, PyObject* const* arguments, Py_ssize_t count) {
    auto* self = reinterpret_cast<Operator*>(object);
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "__set_name__: it wants a class and a name");
        return nullptr;
    }
    PyObject* owner = PyObject_GetAttrString(arguments[0], "__qualname__");
    PyObject* module = owner == nullptr ? nullptr : PyObject_GetAttrString(arguments[0], "__module__");
    PyObject* qualname = module == nullptr ? nullptr : PyUnicode_FromFormat("%S.%S", owner, arguments[1]);
    Py_XDECREF(owner);
    if (qualname == nullptr) {
        Py_XDECREF(module);
        return nullptr;
    }
    Py_XSETREF(self->module, module);
    Py_XSETREF(self->qualname, qualname);
    Py_XSETREF(self->name, Py_NewRef(arguments[1]));
    Py_RETURN_NONE;
}

PyObject* reduce(PyObject* object, PyObject*) { return PyObject_GetAttrString(object, "__qualname__"); }

template <PyObject* Operator::*own>
PyObject* own_or_function(PyObject* object, void* name) {
    auto* self = reinterpret_cast<Operator*>(object);
    if constexpr (own != nullptr)
        if (self->*own != nullptr) return Py_NewRef(self->*own);
    return PyObject_GetAttrString(self->function, static_cast<const char*>(name));
}

#define ATTRIBUTE(text, own) {text, own_or_function<own>, nullptr, nullptr, const_cast<char*>(text)}
PyGetSetDef getset[] = {
    ATTRIBUTE("__doc__", nullptr), ATTRIBUTE("__module__", &Operator::module), ATTRIBUTE("__name__", &Operator::name),
    ATTRIBUTE("__qualname__", &Operator::qualname), {}};
PyMemberDef members[] = {{"__func__", T_OBJECT, offsetof(Operator, function), READONLY, "The function."}, {}};
PyMethodDef methods[] = {
    {"__set_name__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(set_name)), METH_FASTCALL, nullptr},
    {"__reduce__", reduce, METH_NOARGS, "Pickled by its name."},
    {}};

PyTypeObject OperatorType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.Operator"};

}  // namespace

PyObject* operator_(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 3 || !PyCallable_Check(arguments[0]) || !PyExceptionClass_Check(arguments[1]) || !PyCallable_Check(arguments[2])) {
        PyErr_SetString(PyExc_TypeError, "operator_: it wants a function, a class of errors, and what is called where one is raised");
        return nullptr;
    }
    Operator* made = PyObject_GC_New(Operator, &OperatorType);
    if (made == nullptr) return nullptr;
    made->vectorcall = call;
    made->function = Py_NewRef(arguments[0]);
    made->refusal = Py_NewRef(arguments[1]);
    made->otherwise = Py_NewRef(arguments[2]);
    made->module = made->name = made->qualname = nullptr;
    PyObject_GC_Track(reinterpret_cast<PyObject*>(made));
    return reinterpret_cast<PyObject*>(made);
}

int ready_operators() {
    PyTypeObject& type = OperatorType;
    wrap<Operator, &Operator::function>(type);
    Owning<Operator, &Operator::function, &Operator::refusal, &Operator::otherwise, &Operator::module, &Operator::name,
           &Operator::qualname>::put_into(type);
    type.tp_getset = getset;
    type.tp_methods = methods;
    type.tp_members = members;
    return PyType_Ready(&type);
}

}  // namespace lamina
