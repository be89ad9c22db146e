// Steps of Adam and its kin, which divide a mean of gradients by that of their squares; operations in PyTorch's order.
#pragma once

#include "loops/optimizers/steps.hpp"

namespace lamina::LAMINA_ISA {

// torch.optim.Adam and AdamW: https://docs.pytorch.org/docs/stable/generated/torch.optim.Adam.html
template <class T>
void adam(const Step& step) {
    enum { kLr, kBeta1, kBeta2, kEps, kDecay, kDecoupled, kMaximize, kStep };
    const double* s = step.numbers;
    const bool decoupled = s[kDecoupled] != 0;
    T *parameter = array_of<T>(step, 0), *first = array_of<T>(step, 2), *second = array_of<T>(step, 3);
    T* greatest = array_of<T>(step, 4);
    const Gradient<T> gradient(step, decoupled ? 0 : s[kDecay], s[kMaximize]);
    const T shrink = decoupled ? T(1 - s[kLr] * s[kDecay]) : T(1);
    const Mean<T> mean(s[kBeta1]);
    const MeanSquare<T> square(s[kBeta2]);
    const double root = std::sqrt(1 - std::pow(s[kBeta2], s[kStep]));  // taken into both numbers: a division less for each item
    const T eps = T(s[kEps] * root), size = T(s[kLr] / (1 - std::pow(s[kBeta1], s[kStep])) * root);
    const auto one = [=](int64_t i, T* top) {
        const T p = parameter[i] * shrink;
        const T g = gradient.at(i, p);
        const T m = mean.of(first[i], g);
        T v = square.of(second[i], g);
        first[i] = m;
        second[i] = v;
        if (top != nullptr) {
            const T old = top[i];
            v = (old > v) | (old != old) ? old : v;
            top[i] = v;
        }
        parameter[i] = p - size * m / (std::sqrt(v) + eps);
    };
    if (greatest == nullptr)
        each(step.n, [=](int64_t i) { one(i, nullptr); });
    else
        each(step.n, [=](int64_t i) { one(i, greatest); });
}

// torch.optim.Adamax: https://docs.pytorch.org/docs/stable/generated/torch.optim.Adamax.html
template <class T>
void adamax(const Step& step) {
    enum { kLr, kBeta1, kBeta2, kEps, kDecay, kMaximize, kStep };
    const double* s = step.numbers;
    T *parameter = array_of<T>(step, 0), *first = array_of<T>(step, 2), *greatest = array_of<T>(step, 3);
    const Gradient<T> gradient(step, s[kDecay], s[kMaximize]);
    const Mean<T> mean(s[kBeta1]);
    const T keep = T(s[kBeta2]), eps = T(s[kEps]), size = T(s[kLr] / (1 - std::pow(s[kBeta1], s[kStep])));
    each(step.n, [=](int64_t i) {
        const T g = gradient.at(i, parameter[i]);
        const T m = mean.of(first[i], g), kept = greatest[i] * keep, fresh = std::fabs(g) + eps;
        const T most = (kept > fresh) | (kept != kept) ? kept : fresh;
        first[i] = m;
        greatest[i] = most;
        parameter[i] -= size * m / most;
    });
}

// torch.optim.NAdam: https://docs.pytorch.org/docs/stable/generated/torch.optim.NAdam.html
template <class T>
void nadam(const Step& step) {
    enum { kLr, kBeta1, kBeta2, kEps, kDecay, kDecoupled, kMaximize, kMomentum, kNext, kProduct, kStep };
    const double* s = step.numbers;
    const bool decoupled = s[kDecoupled] != 0;
    T *parameter = array_of<T>(step, 0), *first = array_of<T>(step, 2), *second = array_of<T>(step, 3);
    const Gradient<T> gradient(step, decoupled ? 0 : s[kDecay], s[kMaximize]);
    const T shrink = decoupled ? T(1 - s[kLr] * s[kDecay]) : T(1);
    const Mean<T> mean(s[kBeta1]);
    const MeanSquare<T> square(s[kBeta2]);
    const T eps = T(s[kEps]), correction = T(1 - std::pow(s[kBeta2], s[kStep]));
    const T of_gradient = T(s[kLr] * (1 - s[kMomentum]) / (1 - s[kProduct]));
    const T of_mean = T(s[kLr] * s[kNext] / (1 - s[kProduct] * s[kNext]));
    each(step.n, [=](int64_t i) {
        const T p = parameter[i] * shrink;
        const T g = gradient.at(i, p);
        const T m = mean.of(first[i], g), v = square.of(second[i], g);
        first[i] = m;
        second[i] = v;
        const T root = std::sqrt(v / correction) + eps;
        parameter[i] = p - of_gradient * g / root - of_mean * m / root;
    });
}

// torch.optim.RAdam: https://docs.pytorch.org/docs/stable/generated/torch.optim.RAdam.html
template <class T>
void radam(const Step& step) {
    enum { kLr, kBeta1, kBeta2, kEps, kDecay, kDecoupled, kMaximize, kStep };
    const double* s = step.numbers;
    const bool decoupled = s[kDecoupled] != 0;
    T *parameter = array_of<T>(step, 0), *first = array_of<T>(step, 2), *second = array_of<T>(step, 3);
    const Gradient<T> gradient(step, decoupled ? 0 : s[kDecay], s[kMaximize]);
    const T shrink = decoupled ? T(1 - s[kLr] * s[kDecay]) : T(1);
    const Mean<T> mean(s[kBeta1]);
    const MeanSquare<T> square(s[kBeta2]);
    const double power = std::pow(s[kBeta2], s[kStep]), correction = 1 - power, longest = 2 / (1 - s[kBeta2]) - 1;
    const double length = longest - 2 * s[kStep] * power / correction;  // over how many steps the squares are averaged
    const T eps = T(s[kEps]), size = T(s[kLr] / (1 - std::pow(s[kBeta1], s[kStep])));
    const T rectified =
        T(std::sqrt(correction * ((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length))));
    const auto one = [=](int64_t i, bool rectify) {
        const T p = parameter[i] * shrink;
        const T g = gradient.at(i, p);
        const T m = mean.of(first[i], g), v = square.of(second[i], g);
        first[i] = m;
        second[i] = v;
        parameter[i] = rectify ? p - m * size * (rectified / (std::sqrt(v) + eps)) : p - m * size;
    };
    if (length > 5)
        each(step.n, [=](int64_t i) { one(i, true); });
    else
        each(step.n, [=](int64_t i) { one(i, false); });
}

}  // namespace lamina::LAMINA_ISA
