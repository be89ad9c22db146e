// Element types by the code that lamina_flatarray gives them, and what each is in memory.
#pragma once

#include <cstdint>
#include <cstring>

namespace lamina {

enum Code : int {
    kBool, kUInt8, kInt8, kInt16, kInt32, kInt64, kFloat16, kFloat32, kFloat64, kComplex64, kComplex128, kBFloat16,
    kUInt16, kUInt32, kUInt64, kCodes
};

inline const char* const kNames[kCodes] = {
    "bool",    "uint8",   "int8",      "int16",      "int32",    "int64",  "float16", "float32",
    "float64", "complex64", "complex128", "bfloat16", "uint16", "uint32",  "uint64"};

inline const int kItemSize[kCodes] = {1, 1, 1, 2, 4, 8, 2, 4, 8, 8, 16, 2, 2, 4, 8};
inline const int kAlignment[kCodes] = {1, 1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 2, 2, 4, 8};

inline int code_named(const char* name) {
    for (int code = 0; code < kCodes; ++code)
        if (std::strcmp(kNames[code], name) == 0) return code;
    return -1;
}

}  // namespace lamina
