// Items of float32 and float64, read and written as doubles.
#pragma once

#include "operand.hpp"

namespace lamina {

inline double value(const char* p, int code) {
    return code == kFloat32 ? *reinterpret_cast<const float*>(p) : *reinterpret_cast<const double*>(p);
}

inline void put(char* p, int code, double x) {
    if (code == kFloat32)
        *reinterpret_cast<float*>(p) = float(x);
    else
        *reinterpret_cast<double*>(p) = x;
}

// Of a dense view, by place.
inline double value(const View& v, int64_t i) { return value(v.data + i * v.itemsize(), v.code); }
inline void put(const View& v, int64_t i, double x) { put(v.data + i * v.itemsize(), v.code, x); }

}  // namespace lamina
