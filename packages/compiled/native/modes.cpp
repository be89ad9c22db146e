// The methods of `switched`, flags of the word of modes within a `with` block, as modes.py of lamina_flatarray says it: an interrupt
// comes before them or after them, and never within.
#include "modes.hpp"

#include "slots.hpp"
#include "tensors.hpp"

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

PyMethodDef enter_method = {"__enter__", enter, METH_NOARGS, nullptr};
PyMethodDef leave_method = {"__exit__", leave, METH_VARARGS, nullptr};

bool give(PyTypeObject* type, PyMethodDef* method) {
    PyObject* descriptor = PyDescr_NewMethod(type, method);
    if (descriptor == nullptr) return false;
    const bool right = PyObject_SetAttrString(reinterpret_cast<PyObject*>(type), method->ml_name, descriptor) == 0;
    Py_DECREF(descriptor);
    return right;
}

}  // namespace

PyObject* use_switched(PyObject*, PyObject* kind) {
    if (!PyType_Check(kind)) return PyErr_Format(PyExc_TypeError, "use_switched: %R is no class", kind);
    auto* type = reinterpret_cast<PyTypeObject*>(kind);
    flags_slot = slot_offset(type, "flags");
    within_slot = flags_slot == 0 ? 0 : slot_offset(type, "within");
    before_slot = within_slot == 0 ? 0 : slot_offset(type, "before");
    if (before_slot == 0 || !give(type, &enter_method) || !give(type, &leave_method)) return nullptr;
    Py_RETURN_NONE;
}

}  // namespace lamina
