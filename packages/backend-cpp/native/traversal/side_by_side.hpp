// Rows along an axis that is not the last, walked side by side.
#pragma once

#include <algorithm>

#include "dtypes/narrow_floats.hpp"
#include "loops/loops.hpp"
#include "runtime/operand.hpp"
#include "runtime/threads.hpp"

namespace lamina {

// Rows whose items lie apart, but beside those of the next row, as those of an image's pixels do.
struct SideBySide {
    bool found = false;
    int64_t batch = 1, inner = 1, pieces = 0, stride = 0;

    SideBySide(const View& x, int axis) {
        for (int d = 0; d < axis; ++d) batch *= x.g.shape[d];
        for (int d = axis + 1; d < x.g.ndim; ++d) inner *= x.g.shape[d];
        found = x.g.contiguous && inner > 1 && !is_narrow(x.code);
        pieces = (inner + kRowsSideBySide - 1) / kRowsSideBySide;
        stride = inner;
    }

    // Whether there are enough for all but the fewest lanes.
    bool worthwhile() const { return found && inner >= 4; }

    // Calls f(row, start, count): `count` rows of n items from number `row` on, the first of which begins at item `start`.
    template <class F>
    void run(int64_t n, int64_t cost, const F& f) const {
        const int64_t work = batch * inner * n * cost;
        const int64_t parts = work < kParallel ? 1 : 4 * num_threads();
        const WithoutGil free(work >= kReleaseGil);
        parallel(batch * pieces, (batch * pieces + parts - 1) / parts, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
                const int64_t b = i / pieces, at = i % pieces * kRowsSideBySide;
                f(b * inner + at, b * n * inner + at, std::min(kRowsSideBySide, inner - at));
            }
        });
    }
};

}  // namespace lamina
