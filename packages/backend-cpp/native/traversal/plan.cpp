// Plans: dimensions sorted by the output's strides and merged where all operands step evenly over both.
#include "traversal/plan.hpp"

#include <algorithm>
#include <cstdlib>

#include "runtime/threads.hpp"

namespace lamina {
namespace {

constexpr int64_t kBlock = 128;  // items of a dimension that is cut

}  // namespace

Plan::Plan(View* const* views, int count, const char* op) : operands(count) {
    const Geometry& g = views[0]->g;
    ndim = g.ndim;
    size = g.size;
    for (int i = 0; i < count; ++i) {
        const View& view = *views[i];
        data[i] = view.data;
        itemsize[i] = view.itemsize();
        codes[i] = view.code;
        if (view.scalar) {
            for (int d = 0; d < ndim; ++d) strides[d][i] = 0;
            continue;
        }
        if (i > 0 && view.g.shape != g.shape) require_same_shape(*views[0], view, op);
        for (int d = 0; d < ndim; ++d) strides[d][i] = view.g.strides[d];
    }
    for (int d = 0; d < ndim; ++d) shape[d] = g.shape[d];
    if (size == 0) return;
    drop_and_sort();
    merge();
}

void Plan::drop_and_sort() {
    int kept = 0;
    for (int d = 0; d < ndim; ++d) {
        if (shape[d] == 1) continue;
        int64_t n = shape[d], steps[kMaxOperands];
        const bool flip = strides[d][0] < 0;  // walk the output forwards
        for (int i = 0; i < operands; ++i) {
            steps[i] = flip ? -strides[d][i] : strides[d][i];
            if (flip) data[i] += (n - 1) * strides[d][i] * itemsize[i];
        }
        int at = kept++;
        while (at > 0 && strides[at - 1][0] < steps[0]) {  // insertion: the longest strides first, in order if equal
            shape[at] = shape[at - 1];
            std::copy_n(strides[at - 1], operands, strides[at]);
            --at;
        }
        shape[at] = n;
        std::copy_n(steps, operands, strides[at]);
    }
    ndim = kept;
}

void Plan::merge() {
    if (ndim == 0) {
        ndim = 1;
        shape[0] = 1;
        for (int i = 0; i < operands; ++i) strides[0][i] = 0;
        return;
    }
    int last = 0;
    for (int d = 1; d < ndim; ++d) {
        bool even = true;
        for (int i = 0; i < operands; ++i) even = even && strides[last][i] == strides[d][i] * shape[d];
        if (even) {
            shape[last] *= shape[d];
        } else {
            ++last;
            shape[last] = shape[d];
        }
        std::copy_n(strides[d], operands, strides[last]);
    }
    ndim = last + 1;
}

void Plan::walk(MapLoop loop, int64_t begin, int64_t end) const {
    const int inner = ndim - 1;
    const int64_t length = shape[inner];
    char* p[kMaxOperands];
    int64_t index[kMaxDims + 1];
    int64_t rest = begin / length, within = begin % length;
    std::copy_n(data, operands, p);
    for (int d = inner - 1; d >= 0; --d) {
        index[d] = rest % shape[d];
        rest /= shape[d];
        for (int i = 0; i < operands; ++i) p[i] += index[d] * strides[d][i] * itemsize[i];
    }
    int64_t next[kMaxOperands];  // bytes from a row to the next along the dimension beside the innermost one
    for (int i = 0; i < operands && inner > 0; ++i) next[i] = strides[inner - 1][i] * itemsize[i];
    for (;;) {
        if (inner > 0 && within == 0 && adapter == nullptr) {
            int64_t rows = std::min(shape[inner - 1] - 1 - index[inner - 1], (end - begin - 1) / length);
            index[inner - 1] += rows;
            for (begin += rows * length; rows > 0; --rows) {
                loop(p, strides[inner], length);
                for (int i = 0; i < operands; ++i) p[i] += next[i];
            }
        }
        const int64_t some = std::min(length - within, end - begin);
        if (within == 0 && adapter == nullptr) {
            loop(p, strides[inner], some);
        } else {
            char* shifted[kMaxOperands];
            for (int i = 0; i < operands; ++i) shifted[i] = p[i] + within * strides[inner][i] * itemsize[i];
            if (adapter != nullptr)
                adapter(*this, loop, shifted, strides[inner], some);
            else
                loop(shifted, strides[inner], some);
            within = 0;
        }
        begin += some;
        if (begin >= end) return;
        for (int d = inner - 1; d >= 0; --d) {
            const bool carry = ++index[d] == shape[d];
            const int64_t steps = carry ? 1 - shape[d] : 1;
            for (int i = 0; i < operands; ++i) p[i] += steps * strides[d][i] * itemsize[i];
            if (!carry) break;
            index[d] = 0;
        }
    }
}

// The dimension to be cut in blocks that become the innermost one; -1 for none. That is the innermost one itself, where some operand
// is walked across its cache lines although another dimension would go along them: they are still in cache at the next row. Or it is a
// longer one, where the innermost is so short that calling the loop costs more than its items do: that whose items lie nearest to each
// other.
int Plan::cut_dimension() const {
    constexpr int64_t kShort = 12, kLong = 16, kLine = 64;
    const int inner = ndim - 1;
    if (ndim < 2 || ndim > kMaxDims - 1) return -1;
    if (shape[inner] <= kShort) {
        int best = -1;
        int64_t least = 0;
        for (int d = 0; d < inner; ++d) {
            if (shape[d] < kLong) continue;
            int64_t bytes = 0;
            for (int i = 0; i < operands; ++i) bytes += std::min<int64_t>(std::llabs(strides[d][i]) * itemsize[i], kLine);
            if (best >= 0 && (bytes > least || (bytes == least && shape[d] <= shape[best]))) continue;
            best = d;
            least = bytes;
        }
        return best;
    }
    if (size < 4096 || shape[inner] <= kBlock) return -1;
    for (int i = 0; i < operands; ++i) {
        if (std::llabs(strides[inner][i]) * itemsize[i] < kLine) continue;
        for (int d = 0; d < inner; ++d)
            if (strides[d][i] != 0 && std::llabs(strides[d][i]) * itemsize[i] < kLine) return inner;
    }
    return -1;
}

// The first `count` blocks of a dimension: the blocks lie next to the innermost dimension, or outside of all where it is that which
// is cut; the items of a block are innermost.
Plan Plan::in_blocks(int cut, int64_t count, int64_t block) const {
    Plan made = *this;
    const int inner = ndim - 1;
    int to = 0;
    const auto put = [&](int64_t length, int from, int64_t step) {
        made.shape[to] = length;
        for (int i = 0; i < operands; ++i) made.strides[to][i] = strides[from][i] * step;
        ++to;
    };
    if (cut == inner) put(count, cut, block);
    for (int d = 0; d < inner; ++d)
        if (d != cut) put(shape[d], d, 1);
    if (cut != inner) {
        put(count, cut, block);
        put(shape[inner], inner, 1);
    }
    put(block, cut, 1);
    made.ndim = to;
    made.size = size / shape[cut] * count * block;
    return made;
}

void Plan::run(MapLoop loop, int cost) const {
    if (size == 0 || run_transposed(loop, cost)) return;
    const int cut = cut_dimension();
    if (cut >= 0) {
        const int64_t block = std::min(shape[cut], kBlock), count = shape[cut] / block, left = shape[cut] % block;
        const Plan blocked = in_blocks(cut, count, block);
        parallel(blocked.size, std::max(grain_of(blocked.size, blocked.size * cost), block),
                 [&](int64_t begin, int64_t end) { blocked.walk(loop, begin, end); });
        if (left == 0) return;
        Plan rest = in_blocks(cut, 1, left);
        for (int i = 0; i < operands; ++i) rest.data[i] += count * block * strides[cut][i] * itemsize[i];
        rest.walk(loop, 0, rest.size);
        return;
    }
    if (size * cost < kParallel) return walk(loop, 0, size);
    const int64_t lines = (grain_of(size, size * cost) + 63) / 64;  // of 64 items: no two threads write to one cache line
    parallel(size, lines * 64, [&](int64_t begin, int64_t end) { walk(loop, begin, end); });
}

}  // namespace lamina
