// Memory of the pool for the length of a call.
#pragma once

#include "memory.hpp"
#include "operand.hpp"

namespace lamina {

class Pooled {
   public:
    explicit Pooled(int64_t nbytes) {
        PyObject* count = PyLong_FromLongLong(nbytes);
        held_ = count == nullptr ? nullptr : allocate(nullptr, count);
        Py_XDECREF(count);
        if (held_ == nullptr) throw PythonError{};
    }
    Pooled(const Pooled&) = delete;
    Pooled& operator=(const Pooled&) = delete;
    ~Pooled() { Py_DECREF(held_); }
    char* data() const { return reinterpret_cast<Memory*>(held_)->data; }

   private:
    PyObject* held_;
};

}  // namespace lamina
