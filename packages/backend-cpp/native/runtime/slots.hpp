// Where Python classes keep their attributes: the offsets of slots, so that they are read without calling into Python.
#pragma once

#include <Python.h>
#include <structmember.h>

#include <atomic>

#include "runtime/gil.hpp"

namespace lamina {

// What lies in a slot: null while nothing was put there.
inline PyObject*& at(PyObject* object, Py_ssize_t offset) {
    return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + offset);
}

// What lies in a slot for the length of a call; held where other threads run, which may put something else there.
class InSlot {
   public:
#ifdef Py_GIL_DISABLED
    InSlot(PyObject* owner, Py_ssize_t offset) {
        const Locked locked(owner);
        object_ = Py_XNewRef(at(owner, offset));
    }
    ~InSlot() { Py_XDECREF(object_); }
#else
    InSlot(PyObject* owner, Py_ssize_t offset) : object_(at(owner, offset)) {}
#endif
    InSlot(const InSlot&) = delete;
    InSlot& operator=(const InSlot&) = delete;
    operator PyObject*() const { return object_; }

   private:
    PyObject* object_;
};

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
        const int known = known_.load(std::memory_order_acquire);
        for (int i = 0; i < known; ++i)
            if (entries_[i].type == type) return entries_[i].offsets[0] > 0 ? entries_[i].offsets : nullptr;
        return known < kEntries ? learn(type) : nullptr;  // more classes than anybody has are read by attribute
    }

   private:
    static constexpr int kEntries = 16;
    struct Entry {
        PyTypeObject* type;
        Py_ssize_t offsets[N];
    };

    const Py_ssize_t* learn(PyTypeObject* type) {
        Entry entry = {type, {}};
        for (int i = 0; i < N; ++i) {
            entry.offsets[i] = slot_offset(type, names_[i]);
            if (entry.offsets[i] <= 0) {
                entry.offsets[0] = 0;
                break;
            }
        }
        // Another thread may have been here meanwhile: attributes are looked up by any code.
        const Guard guard(lock_);
        const int known = known_.load(std::memory_order_relaxed);
        int i = 0;
        while (i < known && entries_[i].type != type) ++i;
        if (i == kEntries) return nullptr;
        if (i == known) {
            Py_INCREF(type);  // so that the address stays this class's
            entries_[i] = entry;
            known_.store(known + 1, std::memory_order_release);
        }
        return entries_[i].offsets[0] > 0 ? entries_[i].offsets : nullptr;
    }

    const char* names_[N];
    Entry entries_[kEntries];
    std::atomic<int> known_{0};
    StateLock lock_;
};

}  // namespace lamina
