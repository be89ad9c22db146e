// What the steps of all optimizers begin with: their arrays and settings, and the gradient with its sign and decay.
#pragma once

#include <cmath>

#include "loops/loops.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
inline T* array_of(const Step& step, int i) {
    return reinterpret_cast<T*>(step.arrays[i]);
}

// The gradient where it is added to the loss, or taken from it; the parameter's decay comes with it.
template <class T>
struct Gradient {
    const T* gradient;
    T sign, decay;
    bool decays;  // 0 * infinity would be NaN

    Gradient(const Step& step, double weight_decay, double maximize)
        : gradient(array_of<T>(step, 1)), sign(maximize != 0 ? T(-1) : T(1)), decay(T(weight_decay)), decays(weight_decay != 0) {}

    T at(int64_t i, T parameter) const { return decays ? sign * gradient[i] + decay * parameter : sign * gradient[i]; }
};

// A running mean which `weight` of a new value goes into; it starts from the end that is nearer.
template <class T>
struct Mean {
    T weight, keep;
    bool near;

    explicit Mean(double beta) : weight(T(1 - beta)), keep(T(beta)), near(1 - beta < 0.5) {}

    T of(T mean, T value) const { return near ? mean + weight * (value - mean) : value - (value - mean) * keep; }
};

// The same of squares.
template <class T>
struct MeanSquare {
    T weight, keep;

    explicit MeanSquare(double beta) : weight(T(1 - beta)), keep(T(beta)) {}

    T of(T mean, T value) const { return keep * mean + weight * (value * value); }
};

template <class F>
inline void each(int64_t n, const F& f) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) f(i);
}

}  // namespace lamina::LAMINA_ISA
