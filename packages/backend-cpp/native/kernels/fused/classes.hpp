// What losses of scores against classes have in common: targets are checked before anything is written, and may share no memory
// with what is.
#pragma once

#include <memory>
#include <optional>

#include "dtypes/narrow_floats.hpp"
#include "dtypes/reals.hpp"
#include "kernels/indices/index_arrays.hpp"
#include "runtime/parameters.hpp"

namespace lamina {

inline const char* const kReductions[] = {"none", "mean", "sum", nullptr};
enum { kNone, kMean, kSum };

// What all these ops have: dense rows of classes, targets and weights.
struct Classes {
    View target, weight;
    Wide factors;  // the weight
    int axis, reduction, code;
    int64_t classes;
    std::optional<int64_t> ignored;  // a target that does not count
    double smoothing = 0, total = 0, weights = 0;  // over all rows that count, and over all classes
    bool weighted = false;

    // The dense vector item of a class, or 1.
    double of(int64_t c) const { return weighted ? value(weight.data + c * weight.itemsize(), code) : 1.0; }

    // -1 where the row does not count; other threads may write targets after they were checked, and these do not count either.
    int64_t target_of(const char* p) const {
        const int64_t t = read_once(reinterpret_cast<const int64_t*>(p));
        return t == ignored || uint64_t(t) >= uint64_t(classes) ? -1 : t;
    }

    // False where the inherited kernel does it: targets or weights that are not dense, or another dtype.
    bool read(const Kernel& kernel, const Call& call, const View& x, PyObject* of_target, PyObject* of_weight) {
        ignored = integer_of(call, "ignored");
        return read_along(integer_of(call, "axis"), kernel, call, x, of_target, of_weight);
    }

    // The same of an axis that is known; `ignored` is read before, where there is one.
    bool read_along(int64_t given, const Kernel& kernel, const Call& call, const View& x, PyObject* of_target, PyObject* of_weight) {
        reduction = choice_of(call, "reduction", kReductions);
        code = x.code;
        if (kernel.rows[code] == nullptr) return false;
        if (given < 0 || given >= x.g.ndim) fail(PyExc_ValueError, "%s: there is no axis %lld", call.op, (long long)given);
        axis = int(given);
        classes = x.g.shape[axis];
        target.read(of_target, false, call.op);
        int64_t shape[kMaxDims];
        for (int d = 0, at = 0; d < x.g.ndim; ++d)
            if (d != axis) shape[at++] = x.g.shape[d];
        require(target, "target", kInt64, shape, x.g.ndim - 1, call.op);
        weighted = of_weight != Py_None;
        if (weighted) {
            weight.read(of_weight, false, call.op);
            require(weight, "weight", code, &classes, 1, call.op);
            if (!weight.g.contiguous) return false;
            for (int64_t c = 0; c < classes; ++c) weights += of(c);
        } else {
            weights = double(classes);
        }
        if (!target.g.contiguous) return false;
        factors.read(weight);
        const auto* wanted = reinterpret_cast<const int64_t*>(target.data);
        for (int64_t i = 0; i < target.g.size; ++i) {
            const int64_t t = read_once(wanted + i);
            if (t == ignored) continue;
            if (t < 0 || t >= classes) fail(PyExc_IndexError, "Target %lld is out of bounds.", (long long)t);
            total += of(t);
        }
        return true;
    }

    // The gradient of one row's loss, from that of the results.
    double share(double g) const { return reduction == kMean ? g / total : g; }

    // The view's shape is that of targets, or of nothing where the losses are reduced.
    void require_losses(const View& v, const char* name, const char* op) const {
        require(v, name, code, target.g.shape, reduction == kNone ? target.g.ndim : 0, op);
    }
};

// The losses of rows, written where they are wanted one by one, else kept to be reduced.
class Losses {
   public:
    Losses(const Classes& all, const View& out)
        : all_(all), out_(out), kept_(all.reduction == kNone ? nullptr : new double[size_t(all.target.g.size + 1)]) {}

    void set(int64_t row, double loss) const {
        if (kept_ == nullptr)
            put(out_, row, loss);
        else
            kept_[size_t(row)] = loss;
    }

    void reduce() const {
        if (kept_ == nullptr) return;
        double sum = 0;
        for (int64_t i = 0; i < all_.target.g.size; ++i) sum += kept_[size_t(i)];
        put(out_, 0, all_.reduction == kMean ? sum / all_.total : sum);
    }

   private:
    const Classes& all_;
    const View& out_;
    const std::unique_ptr<double[]> kept_;
};

}  // namespace lamina
