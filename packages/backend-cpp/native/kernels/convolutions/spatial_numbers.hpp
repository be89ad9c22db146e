// Parameters with one number per spatial axis, read and checked.
#pragma once

#include "runtime/kernel.hpp"

namespace lamina {

constexpr int64_t kMost = int64_t(1) << 31;  // of a parameter, so that no product of two overflows

struct Numbers {
    int64_t at[kSpatial];
};

// A tuple of one number per spatial axis; missing axes in front have `missing`.
inline Numbers numbers(const Call& call, const char* name, int rank, int64_t missing, int64_t least) {
    PyObject* tuple = call.keyword(name);
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != rank)
        fail(PyExc_TypeError, "%s: `%s` is %R; it wants a tuple of %d numbers, one per spatial axis", call.op, name, tuple, rank);
    Numbers found;
    for (int a = 0; a < kSpatial; ++a) {
        const int d = a - (kSpatial - rank);
        found.at[a] = missing;
        if (d < 0) continue;
        const long long number = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple, d));
        if (number == -1 && PyErr_Occurred()) throw PythonError{};
        if (number < least || number > kMost)
            fail(PyExc_ValueError, "%s: `%s` is %R; its numbers must be %lld to 2**31", call.op, name, tuple, (long long)least);
        found.at[a] = number;
    }
    return found;
}

}  // namespace lamina
