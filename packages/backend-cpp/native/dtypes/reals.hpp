// Items of floating dtypes, read and written as doubles.
#pragma once

#include "dtypes/number.hpp"
#include "runtime/operand.hpp"

namespace lamina {

inline double value(const char* p, int code) {
    if (code == kFloat32) return *reinterpret_cast<const float*>(p);
    if (code == kFloat64) return *reinterpret_cast<const double*>(p);
    return code == kFloat16 ? reinterpret_cast<const Half*>(p)->value() : reinterpret_cast<const BFloat16*>(p)->value();
}

inline void put(char* p, int code, double x) {
    if (code == kFloat32)
        *reinterpret_cast<float*>(p) = float(x);
    else if (code == kFloat64)
        *reinterpret_cast<double*>(p) = x;
    else if (code == kFloat16)
        *reinterpret_cast<Half*>(p) = Half::from(x);
    else
        *reinterpret_cast<BFloat16*>(p) = BFloat16::from(x);
}

// Of a dense view, by index.
inline double value(const View& v, int64_t i) { return value(v.data + i * v.itemsize(), v.code); }
inline void put(const View& v, int64_t i, double x) { put(v.data + i * v.itemsize(), v.code, x); }

}  // namespace lamina
