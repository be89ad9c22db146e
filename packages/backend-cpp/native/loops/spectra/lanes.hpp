// Square roots and sizes of all lanes.
#pragma once

#include <cmath>

#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
inline Vec<T> root(const Vec<T>& x) {
    T lanes[kLanes<T>];
    store<T>(lanes, x);
    for (int l = 0; l < kLanes<T>; ++l) lanes[l] = std::sqrt(lanes[l]);
    return load<T>(lanes);
}

template <class T>
inline Vec<T> size_of(const Vec<T>& x) {
    return choose(x < Vec<T>{}, -x, x);
}

}  // namespace lamina::LAMINA_ISA
