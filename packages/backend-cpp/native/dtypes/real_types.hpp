// The C++ type of a real dtype's items.
#pragma once

#include "dtypes/dtypes.hpp"
#include "dtypes/number.hpp"

namespace lamina {

// Calls run(T()) for the type of a real dtype; bool as a whole number.
template <class Run>
void with_real_type(int code, const Run& run) {
    switch (code) {
        case kBool: case kUInt8: return run(uint8_t());
        case kInt8: return run(int8_t());
        case kInt16: return run(int16_t());
        case kInt32: return run(int32_t());
        case kInt64: return run(int64_t());
        case kUInt16: return run(uint16_t());
        case kUInt32: return run(uint32_t());
        case kUInt64: return run(uint64_t());
        case kFloat16: return run(Half());
        case kBFloat16: return run(BFloat16());
        case kFloat32: return run(float());
        default: return run(double());
    }
}

inline bool is_real(int code) { return code != kComplex64 && code != kComplex128; }

}  // namespace lamina
