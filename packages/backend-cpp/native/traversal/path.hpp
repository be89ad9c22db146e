// Path: the way through one operand in row-major order, in straight runs.
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

}  // namespace lamina
