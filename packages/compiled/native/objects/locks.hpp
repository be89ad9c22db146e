// TriedLock: a lock of Python's, taken without waiting, and held for as long as this lasts.
#pragma once

#include <Python.h>

namespace lamina {

class TriedLock {
public:
    explicit TriedLock(PyObject* lock) : lock_(lock) {
        static PyObject* const acquire = PyUnicode_InternFromString("acquire");
        PyObject* const without_waiting[2] = {lock, Py_False};
        PyObject* answer = PyObject_VectorcallMethod(acquire, without_waiting, 2, nullptr);
        if (answer == nullptr) return;
        ours_ = PyObject_IsTrue(answer);
        Py_DECREF(answer);
    }
    TriedLock(const TriedLock&) = delete;
    TriedLock& operator=(const TriedLock&) = delete;
    ~TriedLock() {
        if (ours_ <= 0) return;
        static PyObject* const release = PyUnicode_InternFromString("release");
        PyObject *kind, *value, *trace;
        PyErr_Fetch(&kind, &value, &trace);  // of what was done while it was held
        PyObject* nothing = PyObject_CallMethodNoArgs(lock_, release);
        if (nothing == nullptr) PyErr_WriteUnraisable(lock_);
        Py_XDECREF(nothing);
        PyErr_Restore(kind, value, trace);
    }
    int ours() const { return ours_; }  // 1, or 0 where another thread holds it, or -1 with an exception set

private:
    PyObject* lock_;  // borrowed
    int ours_ = -1;
};

}  // namespace lamina
