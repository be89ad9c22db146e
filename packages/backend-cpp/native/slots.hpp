// Where Python classes keep their attributes: the offsets of slots, so that they are read without calling into Python.
#pragma once

#include <Python.h>
#include <structmember.h>

namespace lamina {

// What lies in a slot: null while nothing was put there.
inline PyObject*& at(PyObject* object, Py_ssize_t offset) {
    return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + offset);
}

// The offset of a class's slot of this name; 0 where the class keeps it otherwise. No exception is left set.
inline Py_ssize_t slot_offset(PyTypeObject* type, const char* name) {
    PyObject* found = PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), name);
    if (found == nullptr) {
        PyErr_Clear();
        return 0;
    }
    Py_ssize_t offset = 0;
    if (Py_IS_TYPE(found, &PyMemberDescr_Type)) {
        auto* descriptor = reinterpret_cast<PyMemberDescrObject*>(found);
        if (descriptor->d_member->type == T_OBJECT_EX && PyType_IsSubtype(type, descriptor->d_common.d_type))
            offset = descriptor->d_member->offset;
    }
    Py_DECREF(found);
    return offset;
}

// The offsets of several slots, found once per class.
template <int N>
class Slots {
   public:
    explicit Slots(const char* const (&names)[N]) {
        for (int i = 0; i < N; ++i) names_[i] = names[i];
    }

    const Py_ssize_t* find(PyTypeObject* type) {
        for (int i = 0; i < known_; ++i)
            if (entries_[i].type == type) return entries_[i].offsets[0] > 0 ? entries_[i].offsets : nullptr;
        return learn(type);
    }

   private:
    static constexpr int kEntries = 16;
    struct Entry {
        PyTypeObject* type;
        Py_ssize_t offsets[N];
    };

    const Py_ssize_t* learn(PyTypeObject* type) {
        if (known_ == kEntries) return nullptr;  // more classes than anybody has: these are read by attribute
        Entry entry = {type, {}};
        for (int i = 0; i < N; ++i) {
            entry.offsets[i] = slot_offset(type, names_[i]);
            if (entry.offsets[i] <= 0) {
                entry.offsets[0] = 0;
                break;
            }
        }
        Py_INCREF(type);  // so that the address stays this class's
        entries_[known_] = entry;
        return entries_[known_++].offsets[0] > 0 ? entries_[known_ - 1].offsets : nullptr;
    }

    const char* names_[N];
    Entry entries_[kEntries];
    int known_ = 0;
};

}  // namespace lamina
