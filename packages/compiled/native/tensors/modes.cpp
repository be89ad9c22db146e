// The methods of `switched` and `region`, flags of the word of modes and a variable's value within a `with` block, as modes.py of
// lamina_flatarray says it: an interrupt comes before they change anything or after they have changed all.
#include "tensors/modes.hpp"

#include "objects/slots.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

Py_ssize_t flags_slot = 0, within_slot = 0, before_slot = 0;

// The flags of an instance, of which `before` is a list; -1 with an exception set.
long flags_in(PyObject* self, Py_ssize_t slot) {
    PyObject *value = at(self, slot), *before = at(self, before_slot);
    if (value != nullptr && before != nullptr && PyList_CheckExact(before)) return PyLong_AsLong(value);
    PyErr_SetString(PyExc_RuntimeError, "switched: `before` is no list, or __init__ was not called");
    return -1;
}

PyObject* enter(PyObject* self, PyObject*) {
    const long flags = flags_in(self, flags_slot), within = flags < 0 ? -1 : flags_in(self, within_slot);
    const long now = within < 0 ? -1 : flags_on();
    PyObject* before = now < 0 ? nullptr : PyLong_FromLong(now & flags);
    if (before == nullptr) return nullptr;
    const bool right = PyList_Append(at(self, before_slot), before) == 0 && set_flags((now & ~flags) | within);
    Py_DECREF(before);
    return right ? Py_NewRef(Py_None) : nullptr;
}

PyObject* leave(PyObject* self, PyObject*) {
    PyObject* stack = at(self, before_slot);
    const long flags = flags_in(self, flags_slot), now = flags < 0 ? -1 : flags_on();
    if (now < 0) return nullptr;
    const Py_ssize_t depth = PyList_GET_SIZE(stack);
    if (depth == 0) return PyErr_Format(PyExc_IndexError, "switched: more blocks are left than were entered");
    const long before = PyLong_AsLong(PyList_GET_ITEM(stack, depth - 1));
    if (!set_flags((now & ~flags) | before) || PyList_SetSlice(stack, depth - 1, depth, nullptr) < 0) return nullptr;
    Py_RETURN_NONE;
}

Py_ssize_t region_flags = 0, region_variable = 0, region_before = 0;
PyObject *entered_name = nullptr, *left_name = nullptr;

// The region's list of what was before, borrowed; null with an exception set.
PyObject* stack_of(PyObject* region) {
    PyObject* before = at(region, region_before);
    const bool right = before != nullptr && PyList_CheckExact(before) && at(region, region_flags) != nullptr &&
                       at(region, region_variable) != nullptr && PyContextVar_CheckExact(at(region, region_variable));
    if (!right) PyErr_SetString(PyExc_RuntimeError, "region: __init__ was not called");
    return right ? before : nullptr;
}

// The flags that are the region's, and its variable's value, from now on.
bool set_both(PyObject* region, long flags_within, PyObject* value) {
    const long flags = PyLong_AsLong(at(region, region_flags)), now = flags_on();
    if (now < 0 || PyErr_Occurred()) return false;
    PyObject* token = PyContextVar_Set(at(region, region_variable), value);
    Py_XDECREF(token);
    return token != nullptr && set_flags((now & ~flags) | flags_within);
}

PyObject* enter_region(PyObject* self, PyObject*) {
    PyObject *outer = nullptr, *value = nullptr, *before = nullptr;
    if (stack_of(self) == nullptr || PyContextVar_Get(at(self, region_variable), nullptr, &outer) < 0) return nullptr;
    if (outer == nullptr) return PyErr_Format(PyExc_LookupError, "region: the variable has no value");
    PyObject* said = PyObject_CallMethodOneArg(self, entered_name, outer);  // here an interrupt may come, and nothing is changed
    PyObject* stack = said == nullptr ? nullptr : stack_of(self);
    long flags = 0;
    if (stack != nullptr && PyArg_ParseTuple(said, "lO", &flags, &value)) {
        const long now = flags_on(), own = PyLong_AsLong(at(self, region_flags));
        if (now >= 0 && own >= 0) before = Py_BuildValue("lO", now & own, outer);
    }
    const bool right = before != nullptr && PyList_Append(stack, before) == 0 && set_both(self, flags, value);
    Py_XDECREF(before);
    Py_XDECREF(said);
    Py_DECREF(outer);
    return right ? Py_NewRef(self) : nullptr;
}

PyObject* leave_region(PyObject* self, PyObject*) {
    PyObject* stack = stack_of(self);
    if (stack == nullptr) return nullptr;
    const Py_ssize_t depth = PyList_GET_SIZE(stack);
    if (depth == 0) return PyErr_Format(PyExc_IndexError, "region: more blocks are left than were entered");
    PyObject* before = Py_NewRef(PyList_GET_ITEM(stack, depth - 1));
    PyObject* outer = nullptr;
    long flags = 0;
    const bool right = PyArg_ParseTuple(before, "lO", &flags, &outer) && PyList_SetSlice(stack, depth - 1, depth, nullptr) == 0 &&
                       set_both(self, flags, outer);
    Py_DECREF(before);
    return right ? PyObject_CallMethodNoArgs(self, left_name) : nullptr;
}

PyMethodDef enter_method = {"__enter__", enter, METH_NOARGS, nullptr};
PyMethodDef leave_method = {"__exit__", leave, METH_VARARGS, nullptr};
PyMethodDef enter_region_method = {"__enter__", enter_region, METH_NOARGS, nullptr};
PyMethodDef leave_region_method = {"__exit__", leave_region, METH_VARARGS, nullptr};

bool give(PyTypeObject* type, PyMethodDef* method) {
    PyObject* descriptor = PyDescr_NewMethod(type, method);
    if (descriptor == nullptr) return false;
    const bool right = PyObject_SetAttrString(reinterpret_cast<PyObject*>(type), method->ml_name, descriptor) == 0;
    Py_DECREF(descriptor);
    return right;
}

}  // namespace

PyObject* use_switched(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2 || !PyType_Check(arguments[0]) || !PyType_Check(arguments[1]))
        return PyErr_Format(PyExc_TypeError, "use_switched: it wants the classes `switched` and `region`");
    auto *switched = reinterpret_cast<PyTypeObject*>(arguments[0]), *region = reinterpret_cast<PyTypeObject*>(arguments[1]);
    entered_name = PyUnicode_InternFromString("_entered");
    left_name = PyUnicode_InternFromString("_left");
    if (entered_name == nullptr || left_name == nullptr) return nullptr;
    flags_slot = slot_offset(switched, "flags");
    within_slot = flags_slot == 0 ? 0 : slot_offset(switched, "within");
    before_slot = within_slot == 0 ? 0 : slot_offset(switched, "before");
    region_flags = before_slot == 0 ? 0 : slot_offset(region, "_flags");
    region_variable = region_flags == 0 ? 0 : slot_offset(region, "_variable");
    region_before = region_variable == 0 ? 0 : slot_offset(region, "_before");
    if (region_before == 0 || !give(switched, &enter_method) || !give(switched, &leave_method) ||
        !give(region, &enter_region_method) || !give(region, &leave_region_method)) return nullptr;
    Py_RETURN_NONE;
}

PyObject* within(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 4 || !PyTuple_CheckExact(arguments[2]) || !PyDict_CheckExact(arguments[3]))
        return PyErr_Format(PyExc_TypeError, "within: it wants flags, a function, a tuple and a dict");
    const long flags = PyLong_AsLong(arguments[0]), before = flags < 0 ? -1 : flags_on();
    if (before < 0 || !set_flags(before | flags)) return nullptr;
    PyObject* result = PyObject_Call(arguments[1], arguments[2], arguments[3]);
    PyObject *kind = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&kind, &value, &trace);
    const long now = flags_on();
    if (now < 0 || !set_flags((now & ~flags) | (before & flags))) Py_CLEAR(result);
    if (kind != nullptr) PyErr_Restore(kind, value, trace);
    return result;
}

}  // namespace lamina
