// Matrices transposed tile by tile, band by band: a band of 64 columns touches no more pages than their addresses are kept for.
#include "kernels/copies/transposing.hpp"

#include <algorithm>

#include "runtime/threads.hpp"

namespace lamina {
namespace {

constexpr int64_t kBand = 64;

// Where each of the bands of a length begins; the last one takes what is left.
struct Bands {
    int64_t length, count = std::max<int64_t>(length / kBand, 1);

    int64_t begin(int64_t i) const { return i == count ? length : i * kBand; }
    int64_t width(int64_t i) const { return begin(i + 1) - begin(i); }
};

}  // namespace

bool copy_transposed(const Plan& plan) {
    static const Transposes& transposes = *best_loops().transposes;
    const int inner = plan.ndim - 1, item = plan.itemsize[0];
    if (plan.ndim < 2 || item > 8 || plan.strides[inner][0] != 1) return false;
    int across = 0, kind = 0;  // which of the sizes
    while (1 << kind < item) ++kind;
    while (across < inner && plan.strides[across][1] != 1) ++across;
    const int64_t least = transposes.least[kind], out_row = plan.strides[across][0], x_row = plan.strides[inner][1];
    const Bands rows{plan.shape[inner]}, columns{plan.shape[across]};
    if (across == inner || rows.length < least || columns.length < least) return false;
    const int64_t each = rows.length * columns.length, bands = plan.size / each * columns.count;
    parallel(bands, grain_of(bands, plan.size), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            int64_t matrix = i / columns.count, at[2] = {0, 0};
            for (int d = inner - 1; d >= 0; --d) {
                if (d == across) continue;
                for (int k = 0; k < 2; ++k) at[k] += matrix % plan.shape[d] * plan.strides[d][k];
                matrix /= plan.shape[d];
            }
            const int64_t column = columns.begin(i % columns.count), width = columns.width(i % columns.count);
            for (int64_t r = 0; r < rows.count; ++r) {
                const int64_t row = rows.begin(r);
                char* out = plan.data[0] + (at[0] + column * out_row + row) * item;
                const char* x = plan.data[1] + (at[1] + row * x_row + column) * item;
                transposes.of[kind](out, out_row, x, x_row, rows.width(r), width);
            }
        }
    });
    return true;
}

}  // namespace lamina
