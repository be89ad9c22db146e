// Plans some of whose operands lie side by side along another dimension than the output: these are transposed first, tile by tile, into
// memory of the walk's own, where a loop meets them as it meets the others.
#include <algorithm>
#include <cstdlib>

#include "runtime/threads.hpp"
#include "traversal/plan.hpp"

namespace lamina {
namespace {

constexpr int64_t kTile = 64;                         // rows and columns of a tile
constexpr int64_t kFewest = 16, kFewestItems = 1024;  // of a dimension, and of a plan, for which it pays

int kind_of(int itemsize) { return __builtin_ctz(unsigned(itemsize)); }  // of the sizes 1, 2, 4 and 8

int64_t tiles(int64_t length) { return (length + kTile - 1) / kTile; }

}  // namespace

// The dimension along which operands lie that are to be transposed, and these, if they are not too many.
bool Plan::crossing(Crossing& found) const {
    const int inner = ndim - 1;
    if (ndim < 2 || size < kFewestItems || shape[inner] < kFewest) return false;
    for (int i = 0; i < operands; ++i) {
        if (written >> i & 1 || itemsize[i] > 8 || std::llabs(strides[inner][i]) * itemsize[i] < 64) continue;
        int d = found.count > 0 ? found.across : 0;
        while (d < inner && strides[d][i] != 1) ++d;
        if (d == inner || (found.count > 0 && d != found.across) || shape[d] < kFewest) continue;
        if (found.count == Crossing::kMost) return false;
        found.across = d;
        found.which[found.count++] = i;
    }
    return found.count > 0;
}

// Tiles begin .. end, counted along the innermost dimension, then along that which is crossed, then along all others.
void Plan::walk_tiles(MapLoop loop, const Crossing& crossing, int64_t begin, int64_t end) const {
    static const Transposes& transposes = *best_loops().transposes;
    const int inner = ndim - 1, across = crossing.across;
    const int64_t rows = tiles(shape[inner]), columns = tiles(shape[across]);
    alignas(64) char turned[Crossing::kMost][kTile * kTile * 8];
    for (int64_t tile = begin; tile < end; ++tile) {
        int64_t rest = tile / (rows * columns);
        const int64_t row = tile % rows * kTile, column = tile / rows % columns * kTile;
        const int64_t height = std::min(kTile, shape[inner] - row), width = std::min(kTile, shape[across] - column);
        int64_t at[kMaxOperands], s[kMaxOperands], steps[kMaxOperands];
        char* p[kMaxOperands];
        for (int i = 0; i < operands; ++i) {
            at[i] = row * strides[inner][i] + column * strides[across][i];
            s[i] = strides[inner][i];
            steps[i] = strides[across][i];
        }
        for (int d = inner - 1; d >= 0; --d) {
            if (d == across) continue;
            for (int i = 0; i < operands; ++i) at[i] += rest % shape[d] * strides[d][i];
            rest /= shape[d];
        }
        for (int i = 0; i < operands; ++i) p[i] = data[i] + at[i] * itemsize[i];
        if (crossing.moved) {
            transposes.of[kind_of(itemsize[0])](p[0], steps[0], p[1], s[1], height, width);
            continue;
        }
        for (int k = 0; k < crossing.count; ++k) {
            const int i = crossing.which[k];
            transposes.of[kind_of(itemsize[i])](turned[k], kTile, p[i], s[i], height, width);
            p[i] = turned[k];
            s[i] = 1;
            steps[i] = kTile;
        }
        for (int64_t c = 0; c < width; ++c) {
            if (adapter != nullptr)
                adapter(*this, loop, p, s, height);
            else
                loop(p, s, height);
            for (int i = 0; i < operands; ++i) p[i] += steps[i] * itemsize[i];
        }
    }
}

void Plan::run_tiles(MapLoop loop, int cost, const Crossing& crossing) const {
    const int64_t rows = shape[ndim - 1], columns = shape[crossing.across];
    const int64_t count = size / (rows * columns) * tiles(rows) * tiles(columns);
    parallel(count, grain_of(count, size * cost), [&](int64_t begin, int64_t end) { walk_tiles(loop, crossing, begin, end); });
}

bool Plan::run_transposed(MapLoop loop, int cost) const {
    Crossing found;
    if (!crossing(found)) return false;
    run_tiles(loop, cost, found);
    return true;
}

bool Plan::move_transposed() const {
    Crossing found;
    if (strides[ndim - 1][0] != 1 || !crossing(found)) return false;
    found.moved = true;
    run_tiles(nullptr, 1, found);
    return true;
}

}  // namespace lamina
