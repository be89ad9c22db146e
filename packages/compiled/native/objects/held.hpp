// Held: a reference to an object, for as long as it lasts.
#pragma once

#include <Python.h>

#include <utility>

namespace lamina {

class Held {
public:
    Held() = default;
    explicit Held(PyObject* borrowed) : object_(Py_XNewRef(borrowed)) {}
    Held(Held&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Held& operator=(Held&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Held() { Py_XDECREF(object_); }
    PyObject* get() const { return object_; }

    static Held taken(PyObject* owned) {
        Held held;
        held.object_ = owned;
        return held;
    }

private:
    PyObject* object_ = nullptr;
};

}  // namespace lamina
