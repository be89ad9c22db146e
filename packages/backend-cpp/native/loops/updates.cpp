// One step of an optimizer over one parameter, in one pass; operations in PyTorch's order, so results agree.
#include <cmath>

#include "tables.hpp"

namespace lamina::LAMINA_ISA {

// torch.optim.SGD: https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html
template <class T>
void sgd(const SgdStep& step) {
    T* parameter = reinterpret_cast<T*>(step.parameter);
    T* buffer = reinterpret_cast<T*>(step.buffer);
    const T* gradient = reinterpret_cast<const T*>(step.gradient);
    const T sign = step.maximize ? T(-1) : T(1);
    const T lr = T(step.lr), decay = T(step.weight_decay), momentum = T(step.momentum), fresh = T(1 - step.dampening);
    const bool decays = step.weight_decay != 0;  // 0 * infinity would be NaN
    if (buffer == nullptr || step.momentum == 0) {
#pragma GCC ivdep
        for (int64_t i = 0; i < step.n; ++i)
            parameter[i] -= lr * (decays ? sign * gradient[i] + decay * parameter[i] : sign * gradient[i]);
        return;
    }
    const T keep = step.first ? T(0) : momentum, take = step.first ? T(1) : fresh;
    const bool first = step.first, nesterov = step.nesterov;
#pragma GCC ivdep
    for (int64_t i = 0; i < step.n; ++i) {
        const T g = decays ? sign * gradient[i] + decay * parameter[i] : sign * gradient[i];
        const T b = first ? g : keep * buffer[i] + take * g;  // a first buffer may hold anything, even NaN
        buffer[i] = b;
        parameter[i] -= lr * (nesterov ? g + momentum * b : b);
    }
}

// torch.optim.Adam and AdamW: https://docs.pytorch.org/docs/stable/generated/torch.optim.Adam.html
template <class T>
void adam(const AdamStep& step) {
    T* parameter = reinterpret_cast<T*>(step.parameter);
    T* first = reinterpret_cast<T*>(step.first);
    T* second = reinterpret_cast<T*>(step.second);
    T* greatest = reinterpret_cast<T*>(step.greatest);
    const T* gradient = reinterpret_cast<const T*>(step.gradient);
    const T sign = step.maximize ? T(-1) : T(1);
    const T coupled = step.decoupled ? T(0) : T(step.weight_decay);
    const T shrink = step.decoupled ? T(1 - step.lr * step.weight_decay) : T(1);
    const T weight = T(1 - step.beta1), beta1 = T(step.beta1), beta2 = T(step.beta2), rest2 = T(1 - step.beta2);
    const T eps = T(step.eps), root = T(step.root_correction2), size = T(step.lr / step.correction1);
    const bool near = step.beta1 > 0.5;  // lerp starts from the end that is nearer
    const auto one = [&](int64_t i, T* top) {
        const T p = parameter[i] * shrink;
        const T g = coupled != 0 ? sign * gradient[i] + coupled * p : sign * gradient[i];
        const T m = near ? first[i] + weight * (g - first[i]) : g - (g - first[i]) * beta1;
        T v = beta2 * second[i] + rest2 * (g * g);
        first[i] = m;
        second[i] = v;
        if (top != nullptr) {
            const T old = top[i];
            v = (old > v) | (old != old) ? old : v;
            top[i] = v;
        }
        parameter[i] = p - size * m / (std::sqrt(v) / root + eps);
    };
    if (greatest == nullptr) {
#pragma GCC ivdep
        for (int64_t i = 0; i < step.n; ++i) one(i, nullptr);
    } else {
#pragma GCC ivdep
        for (int64_t i = 0; i < step.n; ++i) one(i, greatest);
    }
}

extern const Updates updates = {{sgd<float>, sgd<double>}, {adam<float>, adam<double>}};

}  // namespace lamina::LAMINA_ISA
