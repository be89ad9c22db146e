// Positions: int64 index arrays, checked against the lengths that they count along before anything is written.
#pragma once

#include "runtime/operand.hpp"

namespace lamina {

// One operand's dimensions in row-major order, merged where it steps evenly over two.
struct Path {
    int ndim = 0;
    int64_t shape[kMaxDims], strides[kMaxDims];

    void add(int64_t n, int64_t stride) {  // the next inner dimension
        if (n == 1) return;
        if (ndim > 0 && strides[ndim - 1] == stride * n) {
            shape[ndim - 1] *= n;
            strides[ndim - 1] = stride;
            return;
        }
        shape[ndim] = n;
        strides[ndim++] = stride;
    }

    // Calls part(at, stride, count) for straight runs that make up items begin .. end; `at` and `stride` as given to `add`.
    template <class F>
    void runs(int64_t begin, int64_t end, const F& part) const {
        if (ndim <= 1) {
            const int64_t stride = ndim == 1 ? strides[0] : 0;
            if (begin < end) part(begin * stride, stride, end - begin);
            return;
        }
        const int inner = ndim - 1;
        int64_t index[kMaxDims], at = 0, rest = begin / shape[inner], within = begin % shape[inner];
        for (int d = inner - 1; d >= 0; --d) {
            index[d] = rest % shape[d];
            rest /= shape[d];
            at += index[d] * strides[d];
        }
        while (begin < end) {
            const int64_t left = shape[inner] - within, some = left < end - begin ? left : end - begin;
            part(at + within * strides[inner], strides[inner], some);
            begin += some;
            within = 0;
            for (int d = inner - 1; d >= 0; --d) {
                at += strides[d];
                if (++index[d] < shape[d]) break;
                at -= index[d] * strides[d];
                index[d] = 0;
            }
        }
    }
};

// A number that other threads may write: read once.
inline int64_t read_once(const int64_t* at) { return __atomic_load_n(at, __ATOMIC_RELAXED); }

// A position as one that counts from the front, read once. What was within -length ... length - 1 when it was checked, and is not
// now, becomes 0.
inline int64_t position_at(const int64_t* at, int64_t length) {
    const int64_t position = read_once(at);
    if (uint64_t(position) < uint64_t(length)) return position;
    const int64_t found = position + ((position >> 63) & length);
    return uint64_t(found) < uint64_t(length) ? found : 0;
}

// Raises IndexOutOfRange unless all items of an int64 operand are in -length ... length - 1. Threads that write them later
// may still change them: `position_at` reads them where they are used.
void require_within(const View& positions, int64_t length, int axis, const char* op);

// Whether two operands may share memory.
bool may_meet(const View& a, const View& b);

constexpr int kMaxIndices = 16;

// Index arrays of one shape, for the first axes of an array.
class Positions {
 public:
    // Reads and checks them; `steps` are the bytes from one position to the next along each indexed axis.
    void read(PyObject* const* operands, int count, const int64_t* lengths, const int64_t* strides, int itemsize, const char* op);

    // Where in the array the positions begin .. begin + n are, in bytes from its start.
    void offsets(int64_t begin, int64_t n, int64_t* to) const;

    const View& shape() const { return views_[0]; }
    const View& at(int i) const { return views_[i]; }
    int count = 0;
    int64_t size = 0;

 private:
    View views_[kMaxIndices];
    Path paths_[kMaxIndices];
    int64_t lengths_[kMaxIndices], steps_[kMaxIndices];
};

}  // namespace lamina
