// Fused maps and reductions of rows: all steps over a few rows that stay in the cache, with the loops that the ops have one by one.
#include <algorithm>
#include <vector>

#include "kernels/fusing/fused_kernel.hpp"
#include "kernels/fusing/tiles.hpp"
#include "kernels/reductions/reduce.hpp"
#include "runtime/scratch.hpp"
#include "runtime/threads.hpp"
#include "traversal/plan.hpp"

namespace lamina {
namespace {

constexpr int64_t kMostRows = 512;  // at once

// Where a slot lies for one step: the steps between items of a row, and between rows. One item a row, where it is what a row came to.
struct Side {
    bool reduced;
    int64_t along, down;
};

struct FusedRows {
    const FusedKernel& fused;
    int64_t length = 1, rows = 1, inner = 1;  // items of a row; rows in all, and in the innermost of the leading dimensions
    int64_t block = 1;                        // rows at once
    int leading = 0;                          // dimensions besides the innermost
    int64_t shape[kMaxDims], strides[kMaxDims][kMaxOperands];
    char* data[kMaxOperands];
    Side sides[kMaxOperands];
    const FusedSteps* steps = nullptr;
    std::vector<std::vector<Side>> walks;  // of each step
    std::vector<bool> reduced;             // whether each plain step gives one item a row
    std::vector<int64_t> places;           // of the temporaries in scratch memory
    int64_t scratch_bytes = 0;

    FusedRows(const FusedKernel& told, const JoinedSteps* joined, View* const* views) : fused(told) {
        read_shapes(views);
        read_steps(fused.steps);
        for (size_t i = 0; i < walks.size(); ++i) reduced.push_back(walks[i][0].reduced);
        if (joined != nullptr && joined->reduced == reduced) read_steps(joined->steps);
        for (int i = 0; i < fused.operands; ++i) data[i] = views[i]->data;
    }

    void read_shapes(View* const* views) {
        const View* whole = views[0];
        for (int i = 1; i < fused.operands; ++i)
            if (views[i]->g.size > whole->g.size) whole = views[i];
        const int n = fused.dimensions, first = n - fused.axes;
        for (int d = first; d < n && whole->g.ndim == n; ++d) length *= whole->g.shape[d];
        for (int i = 0; i < fused.operands; ++i) {
            const Geometry& g = views[i]->g;
            bool fits = g.ndim == n && whole->g.ndim == n, reduced = fits && length > 1, even = true;
            for (int d = 0; d < n && fits; ++d) {
                fits = g.shape[d] == whole->g.shape[d] || (d >= first && g.shape[d] == 1);
                if (d >= first && g.shape[d] != 1) reduced = false;
            }
            int64_t along = 0, reach = 1;  // of the last dimensions together
            for (int d = n - 1; d >= first && fits && !reduced; --d) {
                if (g.shape[d] != whole->g.shape[d]) fits = false;
                if (g.shape[d] == 1) continue;
                if (reach == 1) along = g.strides[d];
                even = even && g.strides[d] == along * reach;
                reach *= g.shape[d];
            }
            if (!fits) fail(PyExc_ValueError, "fused ops: operand %d has neither the shape of the others nor that of what rows come to", i);
            if (!even) fail(PyExc_ValueError, "fused ops: the last %d axes of operand %d do not lie evenly", fused.axes, i);
            sides[i] = {reduced, along, 0};
        }
        for (int d = 0; d < first; ++d) {
            rows *= whole->g.shape[d];
            if (whole->g.shape[d] != 1) add_dimension(views, d, whole->g.shape[d]);
        }
        if (leading > 0) {
            --leading;
            inner = shape[leading];
            for (int i = 0; i < fused.operands; ++i) sides[i].down = strides[leading][i];
        }
        for (int i = 0; i < fused.operands && length == 1; ++i) sides[i].along = sides[i].down;
    }

    void add_dimension(View* const* views, int d, int64_t n) {
        bool merges = leading > 0;
        for (int i = 0; i < fused.operands && merges; ++i) merges = strides[leading - 1][i] == views[i]->g.strides[d] * n;
        if (merges)
            shape[leading - 1] *= n;
        else
            shape[leading++] = n;
        for (int i = 0; i < fused.operands; ++i) strides[leading - 1][i] = views[i]->g.strides[d];
    }

    // Which temporaries hold rows, and which what these come to.
    void read_steps(const FusedSteps& told) {
        steps = &told;
        walks.clear();
        places.clear();
        scratch_bytes = 0;
        const int slots = int(fused.codes.size());
        std::vector<Side> now(size_t(slots), Side{true, 0, 0});  // numbers
        std::copy_n(sides, fused.operands, now.begin());
        std::vector<bool> whole(size_t(fused.temporaries), false);
        for (const FusedStep& step : told) {
            bool reduced = true;
            const size_t results = size_t(step.machine.results);
            for (size_t k = results; k < step.slots.size(); ++k) reduced = reduced && now[size_t(step.slots[k])].reduced;
            std::vector<Side> walk(step.slots.size());
            for (size_t k = results; k < walk.size(); ++k) walk[k] = now[size_t(step.slots[k])];
            if (step.reduction != nullptr) {
                const Side& x = now[size_t(step.slots[1])];
                if (length > 1 && (x.reduced || x.along != 1)) fail(PyExc_ValueError, "fused ops: the items of a row that is reduced are not adjacent");
                reduced = true;
            }
            for (size_t r = 0; r < results; ++r) {
                const int out = step.slots[r];
                Side& result = now[size_t(out)];
                if (out >= fused.operands) {
                    for (size_t k = results; k < step.slots.size(); ++k)
                        if (step.slots[k] == out && result.reduced != reduced)
                            fail(PyExc_ValueError, "fused ops: a step writes over what it reads");
                    result = reduced && length > 1 ? Side{true, 0, 1} : Side{false, 1, length};
                    if (!result.reduced) whole[size_t(out - fused.operands)] = true;
                } else if (length > 1 && result.reduced != reduced) {
                    fail(PyExc_ValueError, "fused ops: operand %d does not have the shape of its step's result", out);
                }
                walk[r] = result;
            }
            walks.push_back(std::move(walk));
        }
        int64_t bytes = 1;  // of an item of each whole temporary
        for (int i = 0; i < fused.temporaries; ++i)
            if (whole[size_t(i)]) bytes += kItemSize[fused.codes[size_t(fused.operands + i)]];
        block = std::min({kTileBytes / bytes / std::max<int64_t>(length, 1), 2 * kMaxTile / std::max<int64_t>(length, 1), kMostRows, inner});
        block = std::max<int64_t>(block, 1);
        for (int i = 0; i < fused.temporaries; ++i) {
            places.push_back(scratch_bytes);
            scratch_bytes += aligned((whole[size_t(i)] ? block * length : block) * kItemSize[fused.codes[size_t(fused.operands + i)]]);
        }
    }

    // All steps on rows begin .. end.
    void run(int64_t begin, int64_t end, char* scratch) const {
        char* at[kMaxFusedSlots];
        const int slots = int(fused.codes.size());
        for (int i = fused.operands; i < slots; ++i) {
            const int number = i - fused.operands - fused.temporaries;
            at[i] = number < 0 ? scratch + places[size_t(i - fused.operands)] : const_cast<char*>(fused.numbers[size_t(number)].data());
        }
        while (begin < end) {
            const int64_t along = begin % inner, some = std::min({block, inner - along, end - begin});
            for (int i = 0; i < fused.operands; ++i) {
                int64_t item = along * sides[i].down, rest = begin / inner;
                for (int d = leading - 1; d >= 0; --d) {
                    item += rest % shape[d] * strides[d][i];
                    rest /= shape[d];
                }
                at[i] = data[i] + item * kItemSize[fused.codes[size_t(i)]];
            }
            for (size_t i = 0; i < steps->size(); ++i) {
                const FusedStep& step = (*steps)[i];
                char* p[kMaxStepSlots];
                for (int k = 0; k < step.count(); ++k) p[k] = at[step.slots[size_t(k)]];
                if (step.reduction != nullptr)
                    reduce(step, walks[i].data(), p, some);
                else
                    map(step, walks[i].data(), p, some);
            }
            begin += some;
        }
    }

    void map(const FusedStep& step, const Side* sides, char** p, int64_t some) const {
        int64_t s[kMaxStepSlots];
        bool together = true;  // whether rows follow one another in all slots
        for (int k = 0; k < step.count(); ++k) {
            s[k] = sides[0].reduced ? sides[k].down : sides[k].along;
            together = together && sides[k].down == length * sides[k].along;
        }
        if (sides[0].reduced) return run_step(fused, step, p, s, some);
        if (together || some == 1) return run_step(fused, step, p, s, some * length);
        const bool across = some > length;  // short rows: all first items, then all second ones
        for (int64_t i = 0; i < std::min(some, length); ++i) {
            for (int k = 0; k < step.count(); ++k) s[k] = across ? sides[k].down : sides[k].along;
            run_step(fused, step, p, s, across ? some : length);
            for (int k = 0; k < step.count(); ++k)
                p[k] += (across ? sides[k].along : sides[k].down) * kItemSize[fused.codes[size_t(step.slots[size_t(k)])]];
        }
    }

    void reduce(const FusedStep& step, const Side* sides, char* const* p, int64_t some) const {
        const ReductionRow& row = *step.reduction;
        const double divisor = (row.traits & kCorrected) != 0 ? std::max(double(length) - step.correction, 0.0) : double(length);
        uint64_t partials[kMostRows * kMostWords];
        if (short_rows(rows, length) && length > 1) {
            row.start(partials, some);
            row.columns(p[1], sides[1].down, some, 1, length, partials);
            return row.finish(p[0], sides[0].down, partials, some, divisor);
        }
        const int64_t out = sides[0].down * kItemSize[row.out_code], in = sides[1].down * kItemSize[row.code];
        for (int64_t i = 0; i < some; ++i) {
            row.start(partials, 1);
            row.row(p[1] + i * in, length > 1, length, partials);
            row.finish(p[0] + i * out, 0, partials, 1, divisor);
        }
    }
};

}  // namespace

std::vector<bool> reduced_steps(const FusedKernel& fused, View* const* views) {
    if (fused.axes == 0) return std::vector<bool>(fused.steps.size(), false);
    return FusedRows(fused, nullptr, views).reduced;
}

void run_fused_rows(const FusedKernel& fused, const JoinedSteps* joined, View* const* views) {
    const FusedRows made(fused, joined, views);
    if (made.rows == 0 || made.length == 0) return;
    const int64_t work = made.rows * made.length * fused.cost, blocks = (made.rows + made.block - 1) / made.block;
    const int64_t grain = grain_of(blocks, work), parts = (blocks + grain - 1) / grain, slots = std::min<int64_t>(parts, num_threads());
    const Scratch scratch(slots * made.scratch_bytes);
    const WithoutGil free(work >= kReleaseGil);
    share(parts, slots, [&](int64_t part, int64_t slot) {
        const int64_t begin = part * grain * made.block, end = std::min(made.rows, begin + grain * made.block);
        made.run(begin, end, scratch.data() + slot * made.scratch_bytes);
    });
}

}  // namespace lamina
