// Held: a reference to an object, for as long as it lasts. Few: so many of them, or of the like, mostly without a word to the allocator.
#pragma once

#include <Python.h>

#include <memory>
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

template <class T>
class Few {
public:
    explicit Few(Py_ssize_t size) : size_(size), more_(size > kInside ? new T[size_t(size)] : nullptr) {}
    Py_ssize_t size() const { return size_; }
    T& operator[](Py_ssize_t i) { return more_ == nullptr ? inside_[i] : more_[size_t(i)]; }
    const T& operator[](Py_ssize_t i) const { return more_ == nullptr ? inside_[i] : more_[size_t(i)]; }

private:
    static constexpr Py_ssize_t kInside = 6;
    Py_ssize_t size_;
    std::unique_ptr<T[]> more_;
    T inside_[kInside];
};

}  // namespace lamina
