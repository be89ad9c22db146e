// One step of an optimizer over one parameter, in one pass; operations in PyTorch's order, so results agree.
#include "loops/optimizers/moment_steps.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

// torch.optim.SGD: https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html
template <class T>
void sgd(const Step& step) {
    enum { kLr, kMomentum, kDampening, kDecay, kNesterov, kMaximize, kFirst };
    const double* s = step.numbers;
    T *parameter = array_of<T>(step, 0), *buffer = array_of<T>(step, 2);
    const Gradient<T> gradient(step, s[kDecay], s[kMaximize]);
    const T lr = T(s[kLr]);
    if (buffer == nullptr || s[kMomentum] == 0) {
        each(step.n, [=](int64_t i) { parameter[i] -= lr * gradient.at(i, parameter[i]); });
        return;
    }
    const T momentum = T(s[kMomentum]), fresh = T(1 - s[kDampening]);
    const bool first = s[kFirst] != 0, nesterov = s[kNesterov] != 0;
    each(step.n, [=](int64_t i) {
        const T g = gradient.at(i, parameter[i]);
        const T b = first ? g : momentum * buffer[i] + fresh * g;  // a first buffer may hold anything, even NaN
        buffer[i] = b;
        parameter[i] -= lr * (nesterov ? g + momentum * b : b);
    });
}

// torch.optim.RMSprop: https://docs.pytorch.org/docs/stable/generated/torch.optim.RMSprop.html
template <class T>
void rmsprop(const Step& step) {
    enum { kLr, kAlpha, kEps, kDecay, kMomentum, kMaximize };
    const double* s = step.numbers;
    T *parameter = array_of<T>(step, 0), *squares = array_of<T>(step, 2);
    T *means = array_of<T>(step, 3), *buffers = array_of<T>(step, 4);
    const Gradient<T> gradient(step, s[kDecay], s[kMaximize]);
    const Mean<T> mean(s[kAlpha]);
    const MeanSquare<T> square(s[kAlpha]);
    const T lr = T(s[kLr]), eps = T(s[kEps]), momentum = T(s[kMomentum]);
    const auto one = [=](int64_t i, T* centre, T* buffer) {
        const T g = gradient.at(i, parameter[i]);
        T v = square.of(squares[i], g);
        squares[i] = v;
        if (centre != nullptr) {
            const T m = mean.of(centre[i], g);
            centre[i] = m;
            v -= m * m;
        }
        const T root = std::sqrt(v) + eps;
        if (buffer == nullptr) {
            parameter[i] -= lr * g / root;
        } else {
            const T b = momentum * buffer[i] + g / root;
            buffer[i] = b;
            parameter[i] -= lr * b;
        }
    };
    if (means == nullptr && buffers == nullptr)
        each(step.n, [=](int64_t i) { one(i, nullptr, nullptr); });
    else if (means == nullptr)
        each(step.n, [=](int64_t i) { one(i, nullptr, buffers); });
    else if (buffers == nullptr)
        each(step.n, [=](int64_t i) { one(i, means, nullptr); });
    else
        each(step.n, [=](int64_t i) { one(i, means, buffers); });
}

// torch.optim.Adagrad: https://docs.pytorch.org/docs/stable/generated/torch.optim.Adagrad.html
template <class T>
void adagrad(const Step& step) {
    enum { kLr, kEps, kDecay, kMaximize };
    const double* s = step.numbers;
    T *parameter = array_of<T>(step, 0), *sums = array_of<T>(step, 2);
    const Gradient<T> gradient(step, s[kDecay], s[kMaximize]);
    const T lr = T(s[kLr]), eps = T(s[kEps]);
    each(step.n, [=](int64_t i) {
        const T g = gradient.at(i, parameter[i]);
        const T sum = sums[i] + g * g;
        sums[i] = sum;
        parameter[i] -= lr * g / (std::sqrt(sum) + eps);
    });
}

// torch.optim.Adadelta: https://docs.pytorch.org/docs/stable/generated/torch.optim.Adadelta.html
template <class T>
void adadelta(const Step& step) {
    enum { kLr, kRho, kEps, kDecay, kMaximize };
    const double* s = step.numbers;
    T *parameter = array_of<T>(step, 0), *squares = array_of<T>(step, 2), *changes = array_of<T>(step, 3);
    const Gradient<T> gradient(step, s[kDecay], s[kMaximize]);
    const MeanSquare<T> square(s[kRho]);
    const T lr = T(s[kLr]), eps = T(s[kEps]);
    each(step.n, [=](int64_t i) {
        const T g = gradient.at(i, parameter[i]);
        const T v = square.of(squares[i], g);
        const T change = std::sqrt(changes[i] + eps) / std::sqrt(v + eps) * g;
        squares[i] = v;
        changes[i] = square.of(changes[i], change);
        parameter[i] -= lr * change;
    });
}

// torch.optim.ASGD: https://docs.pytorch.org/docs/stable/generated/torch.optim.ASGD.html
template <class T>
void asgd(const Step& step) {
    enum { kLength, kLambd, kShare, kDecay, kMaximize };
    const double* s = step.numbers;
    T *parameter = array_of<T>(step, 0), *averages = array_of<T>(step, 2);
    const Gradient<T> gradient(step, s[kDecay], s[kMaximize]);
    const T length = T(s[kLength]), shrink = T(1 - s[kLambd] * s[kLength]), share = T(s[kShare]);
    const bool whole = s[kShare] == 1;
    each(step.n, [=](int64_t i) {
        const T p = parameter[i] * shrink - length * gradient.at(i, parameter[i]);
        parameter[i] = p;
        averages[i] = whole ? p : averages[i] + (p - averages[i]) * share;
    });
}

// torch.optim.Rprop: https://docs.pytorch.org/docs/stable/generated/torch.optim.Rprop.html
template <class T>
void rprop(const Step& step) {
    enum { kShrink, kGrow, kShortest, kLongest, kMaximize };
    const double* s = step.numbers;
    T *parameter = array_of<T>(step, 0), *previous = array_of<T>(step, 2), *sizes = array_of<T>(step, 3);
    const Gradient<T> gradient(step, 0, s[kMaximize]);
    const T shrink = T(s[kShrink]), grow = T(s[kGrow]), shortest = T(s[kShortest]), longest = T(s[kLongest]);
    each(step.n, [=](int64_t i) {
        const T g = gradient.at(i, T(0)), agreement = g * previous[i];
        const T factor = agreement > 0 ? grow : agreement < 0 ? shrink : agreement == 0 ? T(1) : agreement;  // NaN stays
        T length = sizes[i] * factor;
        length = length < shortest ? shortest : length;
        length = length > longest ? longest : length;
        const T kept = agreement < 0 ? T(0) : g;  // no step back; the next one counts as neither kept nor turned
        const T sign = kept > 0 ? T(1) : kept < 0 ? T(-1) : T(0);
        sizes[i] = length;
        previous[i] = kept;
        parameter[i] -= sign * length;
    });
}

#define LAMINA_STEP(name, states, numbers) {#name "_step", states, numbers, {name<float>, name<double>}}

const StepRow kSteps[] = {
    LAMINA_STEP(sgd, "buffers?", "lr momentum dampening weight_decay nesterov maximize first"),
    LAMINA_STEP(adam, "firsts seconds maxima?", "lr beta1 beta2 eps weight_decay decoupled maximize step"),
    LAMINA_STEP(adamax, "firsts greatest", "lr beta1 beta2 eps weight_decay maximize step"),
    LAMINA_STEP(nadam, "firsts seconds",
                "lr beta1 beta2 eps weight_decay decoupled maximize momentum next_momentum product step"),
    LAMINA_STEP(radam, "firsts seconds", "lr beta1 beta2 eps weight_decay decoupled maximize step"),
    LAMINA_STEP(rmsprop, "squares means? buffers?", "lr alpha eps weight_decay momentum maximize"),
    LAMINA_STEP(adagrad, "sums", "lr eps weight_decay maximize"),
    LAMINA_STEP(adadelta, "squares changes", "lr rho eps weight_decay maximize"),
    LAMINA_STEP(asgd, "averages", "length lambd share weight_decay maximize"),
    LAMINA_STEP(rprop, "previous step_sizes", "shrink grow shortest longest maximize"),
};

extern const Updates updates = {kSteps, int(sizeof kSteps / sizeof *kSteps)};

}  // namespace lamina::LAMINA_ISA
