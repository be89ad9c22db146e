// Finds the state by the public C interface of NumPy's bit generators, and makes sure once that it lies there as we think.
#include "stream.hpp"

#include <algorithm>
#include <cstring>

#include "operand.hpp"

namespace lamina {
namespace {

PyTypeObject* source_type() {  // lamina_flatarray's MT19937
    static PyObject* type = nullptr;  // set without a guard: an import lets other threads run, which would wait for it with the lock
    if (type == nullptr) {
        Owned module(PyImport_ImportModule("lamina_flatarray.random.mt19937"));
        PyObject* found = PyObject_GetAttrString(module.object, "MT19937");
        if (found == nullptr) throw PythonError{};
        type = found;
    }
    return reinterpret_cast<PyTypeObject*>(type);
}

PyObject* name(const char* text) { return PyUnicode_InternFromString(text); }

bool lies_as_expected(PyObject* bits, const uint32_t* key, int position) {
    Owned whole(PyObject_GetAttrString(bits, "state"));
    Owned inner(PyMapping_GetItemString(whole.object, "state"));
    Owned said(PyMapping_GetItemString(inner.object, "pos"));
    Owned words(PyMapping_GetItemString(inner.object, "key"));
    if (PyLong_AsLong(said.object) != position) return false;
    Py_buffer buffer;
    if (PyObject_GetBuffer(words.object, &buffer, PyBUF_SIMPLE) < 0) throw PythonError{};
    const bool same = buffer.len == 624 * 4 && std::memcmp(buffer.buf, key, 624 * 4) == 0;
    PyBuffer_Release(&buffer);
    return same;
}

}  // namespace

Stream::Stream(PyObject* generator, const Draws& draws) : draws_(draws) {
    static PyObject *const lock = name("lock"), *const acquire = name("acquire"), *const source = name("source"),
                    *const kept = name("_source"), *const bits = name("_bits"), *const capsule = name("capsule");
    static int known = -1;  // whether the state lies as we think: looked at once
    PyTypeObject* const wanted = source_type();
    lock_ = PyObject_GetAttr(generator, lock);
    if (lock_ == nullptr) throw PythonError{};
    PyObject* held = PyObject_CallMethodNoArgs(lock_, acquire);
    if (held == nullptr) {
        Py_CLEAR(lock_);
        throw PythonError{};
    }
    Py_DECREF(held);
    source_ = PyObject_GetAttr(generator, kept);
    if (source_ == Py_None) {
        Py_DECREF(source_);
        source_ = PyObject_GetAttr(generator, source);
    }
    PyObject* engine = source_ != nullptr && Py_IS_TYPE(source_, wanted) ? PyObject_GetAttr(source_, bits) : nullptr;
    PyObject* handle = engine != nullptr ? PyObject_GetAttr(engine, capsule) : nullptr;
    if (handle != nullptr) {
        // bitgen_t begins with the address of the engine's state.
        void* const interface = PyCapsule_GetPointer(handle, "BitGenerator");
        state_ = interface != nullptr ? *static_cast<State**>(interface) : nullptr;
        Py_DECREF(handle);
        try {
            if (state_ != nullptr && known < 0) known = lies_as_expected(engine, state_->key, state_->position);
        } catch (const PythonError&) {
        }
    }
    Py_XDECREF(engine);
    PyErr_Clear();
    served = state_ != nullptr && known == 1;
}

Stream::~Stream() {
    static PyObject* const release = name("release");
    Py_XDECREF(source_);
    if (lock_ == nullptr) return;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    Py_XDECREF(PyObject_CallMethodNoArgs(lock_, release));
    PyErr_Restore(type, value, trace);
    Py_DECREF(lock_);
}

void Stream::words(uint32_t* to, int64_t n) {
    while (n > 0) {
        if (state_->position >= 624) {
            draws_.twist(state_->key);
            state_->position = 0;
        }
        const int64_t some = std::min<int64_t>(n, 624 - state_->position);
        draws_.temper(state_->key + state_->position, to, some);
        state_->position += int(some);
        to += some;
        n -= some;
    }
}

void Stream::note_drawn() {
    static PyObject* const fresh = name("_fresh");
    if (PyObject_SetAttr(source_, fresh, Py_False) < 0) throw PythonError{};
}

bool Stream::waiting_normal(double& value) {
    static PyObject* const next = name("next_normal");
    Owned waiting(PyObject_GetAttr(source_, next));
    if (waiting.object == Py_None) return false;
    value = PyFloat_AsDouble(waiting.object);
    if (value == -1.0 && PyErr_Occurred()) throw PythonError{};
    if (PyObject_SetAttr(source_, next, Py_None) < 0) throw PythonError{};
    return true;
}

void Stream::leave_normal(double value) {
    static PyObject* const next = name("next_normal");
    Owned number(PyFloat_FromDouble(value));
    if (PyObject_SetAttr(source_, next, number.object) < 0) throw PythonError{};
}

}  // namespace lamina
