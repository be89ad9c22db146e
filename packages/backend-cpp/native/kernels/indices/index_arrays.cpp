// The bounds of indices: one branchless look over all of them; only where it fails are they looked at one by one.
#include "kernels/indices/index_arrays.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "runtime/threads.hpp"

namespace lamina {
namespace {

Path path_of(const View& view) {
    Path path;
    for (int d = 0; d < view.g.ndim; ++d) path.add(view.g.shape[d], view.g.strides[d]);
    return path;
}

[[noreturn]] void fail_outside(int64_t index, int64_t length, int axis, const char* op) {
    PyObject* errors = PyImport_ImportModule("lamina_flatarray.errors");
    PyObject* type = errors == nullptr ? nullptr : PyObject_GetAttrString(errors, "IndexOutOfRange");
    Py_XDECREF(errors);
    if (type == nullptr) throw PythonError{};
    PyErr_Format(type, "%s: index %lld is out of bounds for dimension %d with size %lld", op, (long long)index, axis,
                 (long long)length);
    Py_DECREF(type);
    throw PythonError{};
}

}  // namespace

namespace {

using Pair = uint64_t __attribute__((vector_size(16)));

}  // namespace

void require_within(const View& indices, int64_t first, int64_t length, int axis, const char* op) {
    if (indices.code != kInt64) fail(PyExc_TypeError, "%s: indices are %s; it wants int64", op, kNames[indices.code]);
    Path path;
    int64_t n = indices.g.size > 0 ? 1 : 0;
    for (int d = 0; d < indices.g.ndim && n > 0; ++d) {
        if (indices.g.strides[d] == 0) continue;  // the same ones again
        path.add(indices.g.shape[d], indices.g.strides[d]);
        n *= indices.g.shape[d];
    }
    const auto* items = reinterpret_cast<const int64_t*>(indices.data);
    std::atomic<bool> odd{false};
    const auto look = [&](int64_t begin, int64_t end) {
        uint64_t wrong = 0;  // the highest bit: negative, or not below the length
        path.runs(begin, end, [&](int64_t at, int64_t stride, int64_t count) {
            const int64_t* x = items + at;
            int64_t i = 0;
            if (stride == 1) {
                Pair both[2] = {};
                for (; i + 4 <= count; i += 4)
                    for (int k = 0; k < 2; ++k) {
                        Pair some;
                        std::memcpy(&some, x + i + 2 * k, sizeof some);
                        both[k] |= some | ~(some - uint64_t(length));
                    }
                both[0] |= both[1];
                wrong |= both[0][0] | both[0][1];
            }
            for (; i < count; ++i) wrong |= uint64_t(x[i * stride]) | ~(uint64_t(x[i * stride]) - uint64_t(length));
        });
        if (wrong >> 63) odd.store(true, std::memory_order_relaxed);
    };
    {
        const WithoutGil free(n >= kReleaseGil);
        parallel(n, grain_of(n, n), look);
    }
    if (!odd.load()) return;
    int64_t outside = 0;
    bool found = false;
    path.runs(0, n, [&](int64_t at, int64_t stride, int64_t count) {
        for (int64_t i = 0; i < count && !found; ++i) {
            const int64_t index = items[at + i * stride];
            if (index >= first && index < length) continue;
            outside = index;
            found = true;
        }
    });
    if (found) fail_outside(outside, length, axis, op);
}

void IndexArrays::read(PyObject* const* operands, int given, const int64_t* lengths, const int64_t* strides, int itemsize,
                     bool from_front, const char* op) {
    count = given;
    for (int i = 0; i < count; ++i) {
        views_[i].read(operands[i], false, op, i > 0 ? &views_[0] : nullptr);
        if (i > 0) require_same_shape(views_[0], views_[i], op);
        paths_[i] = path_of(views_[i]);
        lengths_[i] = lengths[i];
        steps_[i] = strides[i] * itemsize;
    }
    size = views_[0].g.size;
    for (int i = 0; i < count; ++i) require_within(views_[i], from_front ? 0 : -lengths[i], lengths[i], i, op);
}

void IndexArrays::offsets(int64_t begin, int64_t n, int64_t* to) const {
    for (int k = 0; k < count; ++k) {
        const auto* items = reinterpret_cast<const int64_t*>(views_[k].data);
        const int64_t length = lengths_[k], step = steps_[k];
        int64_t* out = to;
        paths_[k].runs(begin, begin + n, [&](int64_t at, int64_t stride, int64_t some) {
            if (k == 0)
                for (int64_t i = 0; i < some; ++i) out[i] = index_at(items + at + i * stride, length) * step;
            else
                for (int64_t i = 0; i < some; ++i) out[i] += index_at(items + at + i * stride, length) * step;
            out += some;
        });
    }
}

}  // namespace lamina
