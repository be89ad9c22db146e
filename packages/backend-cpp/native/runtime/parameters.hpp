// Parameters of a call as C++ values.
#pragma once

#include "runtime/kernel.hpp"

namespace lamina {

inline double number_of(const Call& call, const char* name) {
    const double value = PyFloat_AsDouble(call.keyword(name));
    if (value == -1.0 && PyErr_Occurred()) throw PythonError{};
    return value;
}

inline int64_t integer_of(const Call& call, const char* name) {
    const long long value = PyLong_AsLongLong(call.keyword(name));
    if (value == -1 && PyErr_Occurred()) throw PythonError{};
    return value;
}

inline bool bool_of(const Call& call, const char* name) {
    const int value = PyObject_IsTrue(call.keyword(name));
    if (value < 0) throw PythonError{};
    return value != 0;
}

// Which of `names` (ending with null) a parameter is.
inline int choice_of(const Call& call, const char* name, const char* const* names) {
    PyObject* given = call.keyword(name);
    if (PyUnicode_Check(given))
        for (int i = 0; names[i] != nullptr; ++i)
            if (PyUnicode_CompareWithASCIIString(given, names[i]) == 0) return i;
    fail(PyExc_ValueError, "%s: %R given for `%s`", call.op, given, name);
}

// The results of an op that has several.
inline PyObject* result_of(const Call& call, Py_ssize_t i, Py_ssize_t count) {
    PyObject* out = call.positional[0];
    if (!PyTuple_Check(out) || PyTuple_GET_SIZE(out) != count)
        fail(PyExc_TypeError, "%s: out is no tuple of %zd arrays", call.op, count);
    return PyTuple_GET_ITEM(out, i);
}

// That a view has this dtype and these lengths.
inline void require(const View& v, const char* name, int code, const int64_t* shape, int ndim, const char* op) {
    if (v.code != code) fail(PyExc_TypeError, "%s: %s is %s; it wants %s", op, name, kNames[v.code], kNames[code]);
    bool fits = v.g.ndim == ndim;
    for (int d = 0; fits && d < ndim; ++d) fits = v.g.shape[d] == shape[d];
    if (!fits) fail(PyExc_ValueError, "%s: the shape of %s does not fit", op, name);
}

}  // namespace lamina
