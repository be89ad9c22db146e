// What guards the module's own state: the GIL, which costs nothing more, or locks where Python is built without it.
#pragma once

#include <Python.h>

#include <mutex>

namespace lamina {

// Held for a few instructions that do not call into Python: whoever stops for the collector or for a fork holds none.
#ifdef Py_GIL_DISABLED
constexpr bool kFreeThreaded = true;
using StateLock = std::mutex;
#else
constexpr bool kFreeThreaded = false;
struct StateLock {
    void lock() {}
    void unlock() {}
};
#endif
using Guard = std::lock_guard<StateLock>;

// While it lives nobody else changes the object's slots, for those who lock it too, as Python's own attributes do.
class Locked {
   public:
#ifdef Py_GIL_DISABLED
    explicit Locked(PyObject* object) { PyCriticalSection_Begin(&section_, object); }
    ~Locked() { PyCriticalSection_End(&section_); }
#else
    explicit Locked(PyObject*) {}
    ~Locked() {}
#endif
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

   private:
#ifdef Py_GIL_DISABLED
    PyCriticalSection section_;
#endif
};

}  // namespace lamina
