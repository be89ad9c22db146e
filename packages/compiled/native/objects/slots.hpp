// Where slotted Python classes keep their attributes, found once per class and read without a call.
#pragma once

#include <Python.h>
#include <structmember.h>

#include <cstddef>

namespace lamina {

// What lies in a slot: null while nothing was put there.
inline PyObject*& at(PyObject* object, Py_ssize_t offset) {
    return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + offset);
}

// The offset of a class's slot; 0 with an exception set where the class has none of this name.
inline Py_ssize_t slot_offset(PyTypeObject* type, const char* name) {
    PyObject* attribute = PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), name);
    if (attribute == nullptr) return 0;
    Py_ssize_t offset = 0;
    if (Py_IS_TYPE(attribute, &PyMemberDescr_Type)) {
        auto* descriptor = reinterpret_cast<PyMemberDescrObject*>(attribute);
        if (descriptor->d_member->type == T_OBJECT_EX) offset = descriptor->d_member->offset;
    }
    Py_DECREF(attribute);
    if (offset == 0) PyErr_Format(PyExc_TypeError, "%s has no slot %s", type->tp_name, name);
    return offset;
}

// A slot, and where its offset is to be noted.
struct Slot {
    Py_ssize_t* offset;
    PyTypeObject* of;
    const char* name;
};

// Whether all slots are there; false with an exception set.
template <size_t n>
bool found_all(const Slot (&slots)[n]) {
    for (const Slot& slot : slots)
        if ((*slot.offset = slot_offset(slot.of, slot.name)) == 0) return false;
    return true;
}

// A new object whose slots are empty, as `object.__new__` makes it.
inline PyObject* bare(PyTypeObject* type) { return type->tp_alloc(type, 0); }

inline bool is_a(PyObject* object, PyTypeObject* type) {
    return Py_TYPE(object) == type || PyType_IsSubtype(Py_TYPE(object), type);
}

}  // namespace lamina
