// TorchFunction: a public function of tensors, which asks about modes and derived classes before its body runs, as
// dispatch/torch_function.py of lamina_tensor says it.
#include <Python.h>
#include <structmember.h>

#include <cstddef>

#include "calls/functions.hpp"
#include "objects/wrappers.hpp"
#include "plans/call_plans.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

struct TorchFunction {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject* function;   // the body, which has the name and the signature
    PyObject* op;         // of a function that is one op; null for others
    PyObject* policy;     // its CallPolicy: what is called while a mode is on, and where an argument is not taken at a glance
    PyObject* overriding; // the list of classes that have a say in functions
    PyObject* types;      // the policy's ArgumentTypes; null, as the three below, until the first call that wants them
    PyObject* masks;      // of the parameters taken by position: flags of the classes that each takes at a glance, 0 for any
    PyObject* by_keyword; // the same by name, of all
    PyObject* spellings;  // NumPy's names of its arguments -> PyTorch's
    PyObject* dict;
    PyObject* weakrefs;
    int arity, tensors;  // of the op: how many operands there are, and how many leading ones may not be numbers
    CallPlans* plans;    // of a function whose calls may be repeated; null for others
};

// The flag of a value's class, as flag_of of dispatch/argument_types.py has it; 0 for all other classes.
long flag_of(PyObject* value) {
    if (is_tensor(value)) return 1;
    PyTypeObject* type = Py_TYPE(value);
    if (value == Py_None) return 2;
    if (type == &PyBool_Type) return 4;
    if (type == &PyLong_Type) return 8;
    if (type == &PyFloat_Type) return 16;
    if (type == &PyComplex_Type) return 32;
    if (type == &PyUnicode_Type) return 64;
    return type == &PyTuple_Type || type == &PyList_Type ? 128 : 0;
}

bool takes(PyObject* mask, PyObject* value) {
    const long flags = PyLong_AsLong(mask);
    return flags == 0 || (flags & flag_of(value)) != 0;
}

bool takes_all(TorchFunction* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    const Py_ssize_t positional = PyTuple_GET_SIZE(self->masks);
    for (Py_ssize_t i = 0; i < count && i < positional; ++i)
        if (!takes(PyTuple_GET_ITEM(self->masks, i), arguments[i])) return false;
    for (Py_ssize_t i = 0; names != nullptr && i < PyTuple_GET_SIZE(names); ++i) {
        PyObject* mask = PyDict_GetItemWithError(self->by_keyword, PyTuple_GET_ITEM(names, i));
        if (mask != nullptr && !takes(mask, arguments[count + i])) return false;
    }
    return true;
}

// Has the policy read the function's signature, if it has not yet; false with an error set where it cannot be read.
bool settled(TorchFunction* self) {
    if (self->spellings != nullptr) return true;
    PyObject* types = PyObject_GetAttrString(self->policy, "types");
    PyObject* masks = types == nullptr ? nullptr : PyObject_GetAttrString(types, "masks");
    PyObject* by_keyword = masks == nullptr ? nullptr : PyObject_GetAttrString(types, "by_keyword");
    PyObject* spellings = by_keyword == nullptr ? nullptr : PyObject_GetAttrString(self->policy, "spellings");
    if (spellings == nullptr || !PyTuple_Check(masks) || !PyDict_Check(by_keyword) || !PyDict_Check(spellings)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "torch_function: masks must be a tuple, names and spellings dicts");
        Py_XDECREF(types);
        Py_XDECREF(masks);
        Py_XDECREF(by_keyword);
        Py_XDECREF(spellings);
        return false;
    }
    // Another thread may have been first.
    Py_XSETREF(self->types, types);
    Py_XSETREF(self->masks, masks);
    Py_XSETREF(self->by_keyword, by_keyword);
    Py_XSETREF(self->spellings, spellings);
    return true;
}

// Whether a keyword is one of NumPy's.
bool respells(TorchFunction* self, PyObject* names) {
    if (PyDict_GET_SIZE(self->spellings) == 0) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i)
        if (PyDict_Contains(self->spellings, PyTuple_GET_ITEM(names, i)) == 1) return true;
    return false;
}

bool overrides(PyObject* classes, PyObject* value) {
    if (!is_tensor(value) || is_plain_tensor(value)) return false;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(classes); ++i)
        if (PyList_GET_ITEM(classes, i) == reinterpret_cast<PyObject*>(Py_TYPE(value))) return true;
    return false;
}

// Whether a value, or one of its parts down to a depth of lists and tuples, is a tensor of one of the classes.
bool overrides_within(PyObject* classes, PyObject* value, int depth) {
    if (depth == 0 || !(PyTuple_Check(value) || PyList_Check(value))) return overrides(classes, value);
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value); ++i)
        if (overrides_within(classes, PySequence_Fast_GET_ITEM(value, i), depth - 1)) return true;
    return false;
}

// Whether the tensors among the arguments have a say, as overriding_kinds of dispatch/torch_function.py finds them.
bool overridden(TorchFunction* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (PyList_GET_SIZE(self->overriding) == 0) return false;
    const Py_ssize_t all = count + (names == nullptr ? 0 : PyTuple_GET_SIZE(names));
    for (Py_ssize_t i = 0; i < all; ++i)
        if (overrides_within(self->overriding, arguments[i], 2)) return true;
    return false;
}

// Calls a method of an object with the arguments of a call as a tuple and a dict, after `first` if there is one.
PyObject* handed_on(
    PyObject* object, const char* method, PyObject* first, PyObject* const* arguments, Py_ssize_t count, PyObject* names
) {
    PyObject* function = PyObject_GetAttrString(object, method);
    PyObject* args = function == nullptr ? nullptr : PyTuple_New(count);
    PyObject* kwargs = args == nullptr ? nullptr : PyDict_New();
    if (kwargs == nullptr) {
        Py_XDECREF(function);
        Py_XDECREF(args);
        return nullptr;
    }
    for (Py_ssize_t i = 0; i < count; ++i) PyTuple_SET_ITEM(args, i, Py_NewRef(arguments[i]));
    bool right = true;
    for (Py_ssize_t i = 0; right && names != nullptr && i < PyTuple_GET_SIZE(names); ++i)
        right = PyDict_SetItem(kwargs, PyTuple_GET_ITEM(names, i), arguments[count + i]) == 0;
    PyObject* result = nullptr;
    if (right && first != nullptr) result = PyObject_CallFunctionObjArgs(function, first, args, kwargs, nullptr);
    else if (right) result = PyObject_CallFunctionObjArgs(function, args, kwargs, nullptr);
    Py_DECREF(function);
    Py_DECREF(args);
    Py_DECREF(kwargs);
    return result;
}

// The result, or null with the error that `explain` makes of the one that is set.
PyObject* explained(TorchFunction* self, PyObject* result, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (result != nullptr || !PyErr_ExceptionMatches(PyExc_Exception)) return result;
    PyObject *type, *error, *traceback;
    PyErr_Fetch(&type, &error, &traceback);
    PyErr_NormalizeException(&type, &error, &traceback);
    PyObject* done = settled(self) ? handed_on(self->types, "explain", error, arguments, count, names) : nullptr;
    if (done != nullptr) {
        Py_DECREF(done);
        PyErr_Restore(type, error, traceback);
        return nullptr;
    }
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(traceback);
    return nullptr;
}

// Whether an argument leads to the base of a result, or may do so unseen, as _leads_to of dispatch/hidden_bases.py has it.
bool leads_to(PyObject* value, PyObject* result, PyObject* base, int depth) {
    if (is_tensor(value)) return value == result || value == base || base_of(value) == base;
    if (PyTuple_Check(value) || PyList_Check(value)) {
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value); ++i)
            if (depth == 0 || leads_to(PySequence_Fast_GET_ITEM(value, i), result, base, depth - 1)) return true;
        return depth == 0;
    }
    return flag_of(value) == 0;
}

// A part of a result is a tensor of its own if it is a view of what no argument leads to, and no other part is.
void own(PyObject* part, PyObject* parts, PyObject* const* arguments, Py_ssize_t all) {
    if (!is_tensor(part) || base_of(part) == nullptr || base_of(part) == Py_None) return;
    PyObject* base = base_of(part);
    for (Py_ssize_t i = 0; parts != nullptr && i < PySequence_Fast_GET_SIZE(parts); ++i)
        if (PySequence_Fast_GET_ITEM(parts, i) == base) return;
    for (Py_ssize_t i = 0; i < all; ++i)
        if (leads_to(arguments[i], part, base, 2)) return;
    Py_SETREF(base_of(part), Py_NewRef(Py_None));
}

PyObject* owned(PyObject* result, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (result == nullptr) return nullptr;
    const Py_ssize_t all = count + (names == nullptr ? 0 : PyTuple_GET_SIZE(names));
    if (PyTuple_Check(result) || PyList_Check(result))
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(result); ++i) own(PySequence_Fast_GET_ITEM(result, i), result, arguments, all);
    else
        own(result, nullptr, arguments, all);
    return result;
}

bool leads_with_tensors(TorchFunction* self, PyObject* const* arguments) {
    for (int i = 0; i < self->tensors; ++i)
        if (!is_tensor(arguments[i])) return false;
    return true;
}

// What the body gives for arguments that it takes; of a form that is due, a plan is looked for.
PyObject* made(TorchFunction* self, const Form* due, PyObject* const* arguments, size_t flags_, PyObject* names) {
    const Py_ssize_t count = PyVectorcall_NARGS(flags_);
    if (!settled(self)) return nullptr;
    if (!takes_all(self, arguments, count, names)) {
        PyObject* done = handed_on(self->types, "check", nullptr, arguments, count, names);
        if (done == nullptr) return nullptr;
        Py_DECREF(done);
        if (done == Py_None) return handed_on(self->policy, "checked", nullptr, arguments, count, names);  // NumPy's scalars
    }
    PyObject* answer = due != nullptr ? self->plans->search(*due, self->function, arguments, count, names)
                                      : PyObject_Vectorcall(self->function, arguments, flags_, names);
    return owned(explained(self, answer, arguments, count, names), arguments, count, names);
}

PyObject* call(PyObject* object, PyObject* const* arguments, size_t flags_, PyObject* names) {
    auto* self = reinterpret_cast<TorchFunction*>(object);
    const Py_ssize_t count = PyVectorcall_NARGS(flags_);
    const int flags = flags_on();
    if (flags < 0) return nullptr;
    if (names != nullptr && !settled(self)) return nullptr;
    if ((flags & kIntercepting) != 0 || overridden(self, arguments, count, names) || (names != nullptr && respells(self, names)))
        return handed_on(self->policy, "intercept", object, arguments, count, names);
    if (self->op != nullptr && names == nullptr && count == self->arity && leads_with_tensors(self, arguments)) {
        PyObject* result =
            count == 1 ? tensor_unary(self->op, arguments[0], flags) : tensor_binary(self->op, arguments[0], arguments[1], flags);
        if (result != nullptr) return result;
        if (PyErr_Occurred()) return explained(self, nullptr, arguments, count, names);
    }
    if (self->plans == nullptr || !may_repeat(flags) || !self->plans->look_at_all()) return made(self, nullptr, arguments, flags_, names);
    Form form;
    if (!form.read(arguments, count + (names == nullptr ? 0 : PyTuple_GET_SIZE(names)), names, flags)) {
        self->plans->missed();
        return made(self, nullptr, arguments, flags_, names);
    }
    const CallPlans::Known known = self->plans->look_up(form);
    PyObject* result = known.plan == nullptr ? nullptr : self->plans->repeat(*known.plan, form);
    if (result != nullptr || PyErr_Occurred()) return result;
    return made(self, known.due ? &form : nullptr, arguments, flags_, names);
}

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
    Py_VISIT(self->policy);
    Py_VISIT(self->overriding);
    Py_VISIT(self->types);
    Py_VISIT(self->masks);
    Py_VISIT(self->by_keyword);
    Py_VISIT(self->spellings);
    Py_VISIT(self->dict);
    return 0;
}

int clear(PyObject* object) {
    auto* self = reinterpret_cast<TorchFunction*>(object);
    Py_CLEAR(self->function);
    Py_CLEAR(self->op);
    Py_CLEAR(self->policy);
    Py_CLEAR(self->types);
    Py_CLEAR(self->masks);
    Py_CLEAR(self->by_keyword);
    Py_CLEAR(self->spellings);
    Py_CLEAR(self->dict);
    return 0;
}

void deallocate(PyObject* object) {
    auto* self = reinterpret_cast<TorchFunction*>(object);
    PyObject_GC_UnTrack(object);
    if (self->weakrefs != nullptr) PyObject_ClearWeakRefs(object);
    clear(object);
    Py_CLEAR(self->overriding);
    delete self->plans;
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
    if (count != 7 || !PyCallable_Check(arguments[0]) || !PyList_Check(arguments[3]) || !PyLong_Check(arguments[4])) {
        PyErr_SetString(PyExc_TypeError, "torch_function: it wants a function, an op, a policy, a list of classes, an arity, tensors, a bool");
        return nullptr;
    }
    TorchFunction* made = PyObject_GC_New(TorchFunction, &TorchFunctionType);
    if (made == nullptr) return nullptr;
    made->vectorcall = call;
    made->function = Py_NewRef(arguments[0]);
    made->op = arguments[1] == Py_None ? nullptr : Py_NewRef(arguments[1]);
    made->policy = Py_NewRef(arguments[2]);
    made->overriding = Py_NewRef(arguments[3]);
    made->types = made->masks = made->by_keyword = made->spellings = made->dict = made->weakrefs = nullptr;
    made->arity = int(PyLong_AsLong(arguments[4]));
    made->tensors = int(PyLong_AsLong(arguments[5]));
    made->plans = arguments[6] == Py_True ? new CallPlans : nullptr;
    PyObject_GC_Track(reinterpret_cast<PyObject*>(made));
    return reinterpret_cast<PyObject*>(made);
}

int ready_functions() {
    PyTypeObject& type = TorchFunctionType;
    wrap<TorchFunction, &TorchFunction::function>(type);
    type.tp_dictoffset = offsetof(TorchFunction, dict);
    type.tp_weaklistoffset = offsetof(TorchFunction, weakrefs);
    type.tp_setattro = PyObject_GenericSetAttr;
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
