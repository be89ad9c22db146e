// Fused maps and reductions of rows: all steps over a few rows that stay in the cache, with the loops that the ops have one by one. Totals
// are reduced in the pieces in which their ops reduce alone: what they read is kept for so many rows as are reduced at once.
#include <algorithm>
#include <vector>

#include "kernels/fusing/fused_kernel.hpp"
#include "kernels/reductions/reduce.hpp"
#include "runtime/scratch.hpp"
#include "runtime/threads.hpp"
#include "traversal/plan.hpp"

namespace lamina {
namespace {

constexpr int64_t kBlockBytes = 32768, kBlockItems = 8192;  // of all temporaries; items of each
constexpr int64_t kMostRows = 512;    // at once
constexpr int64_t kColumnRows = 64;   // that are reduced at once into columns, or a multiple of them

// Where a slot lies for one step: the steps between items of a row, and between rows. One item a row, where it is what a row came to.
struct Side {
    bool reduced;
    int64_t along, down;
};

struct FusedRows {
    const FusedKernel& fused;
    int64_t length = 1, rows = 1, inner = 1;  // items of a row; rows in all, and in the innermost of the leading dimensions
    int64_t block = 1;                        // rows at once
    int64_t columns = 1, totaled = 1;         // of each total, and how many items each is of
    int64_t piece = 0, pieces = 0;            // of the rows, where there are totals
    int64_t group = 1;                        // how many rows of a piece totals reduce at once
    int leading = 0;                          // dimensions besides the innermost
    int64_t shape[kMaxDims], strides[kMaxDims][kMaxOperands];
    char* data[kMaxOperands];
    Side sides[kMaxOperands];
    bool is_total[kMaxOperands] = {};
    const FusedSteps* steps = nullptr;
    std::vector<Side> walks;         // of the slots of each step
    int64_t places[kMaxFusedSlots];  // of the temporaries in scratch memory
    bool kept[kMaxFusedSlots];       // whether each is kept for a total
    int64_t scratch_bytes = 0;

    FusedRows(const FusedKernel& told, const JoinedSteps* joined, View* const* views) : fused(told) {
        for (const FusedTotal& total : fused.totals) is_total[total.out] = true;
        read_shapes(views);
        read_steps(fused.steps);
        if (joined != nullptr && joined->reduced == reduced()) read_steps(joined->steps);
        for (int i = 0; i < fused.operands; ++i) data[i] = views[i]->data;
    }

    // Whether each step gives one item a row.
    std::vector<bool> reduced() const {
        std::vector<bool> answers;
        const Side* walk = walks.data();
        for (const FusedStep& step : *steps) {
            answers.push_back(walk->reduced);
            walk += step.count();
        }
        return answers;
    }

    void read_shapes(View* const* views) {
        const View* whole = views[0];
        for (int i = 1; i < fused.operands; ++i)
            if (views[i]->g.size > whole->g.size) whole = views[i];
        const int n = fused.axes > 0 ? fused.dimensions : whole->g.ndim, first = n - fused.axes;
        for (int d = first; d < n && whole->g.ndim == n; ++d) length *= whole->g.shape[d];
        for (int i = 0; i < fused.operands; ++i) {
            sides[i] = {false, 0, 0};
            if (is_total[i]) continue;
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
        if (!fused.totals.empty()) read_totals(views, whole->g);
        if (leading > 0) {
            --leading;
            inner = shape[leading];
            for (int i = 0; i < fused.operands; ++i) sides[i].down = strides[leading][i];
        }
        for (int i = 0; i < fused.operands && length == 1; ++i) sides[i].along = sides[i].down;
    }

    void read_totals(View* const* views, const Geometry& whole) {
        if (fused.first_axes > whole.ndim) fail(PyExc_ValueError, "fused ops: totals of %d axes of an array with %d", fused.first_axes, whole.ndim);
        for (int d = 0; d < whole.ndim; ++d) (d < fused.first_axes ? totaled : columns) *= whole.shape[d];
        for (const FusedTotal& total : fused.totals) {
            const bool fits = total.x >= fused.operands || (views[total.x]->g.contiguous && views[total.x]->g.size == whole.size);
            const Geometry& out = views[total.out]->g;
            if (!fits || !out.contiguous || out.size != columns)
                fail(PyExc_ValueError, "fused ops: a total, or what it is of, is not row-major, or of another shape");
        }
        const Pieces divided = pieces_of(totaled, columns);
        int64_t items = columns > 1 ? kColumnRows * columns : divided.length;
        if ((columns > 1 && columns < kFewestColumns) || items % length != 0)
            fail(PyExc_ValueError, "fused ops: totals of %lld columns beside rows of %lld items", (long long)columns, (long long)length);
        piece = divided.length * columns / length;
        pieces = divided.count;
        if (columns == 1 && kRowPart % length == 0) items = std::min(items, kRowPart);
        group = items / length;
    }

    void add_dimension(View* const* views, int d, int64_t n) {
        bool merges = leading > 0;
        for (int i = 0; i < fused.operands && merges; ++i) merges = is_total[i] || strides[leading - 1][i] == views[i]->g.strides[d] * n;
        if (merges)
            shape[leading - 1] *= n;
        else
            shape[leading++] = n;
        for (int i = 0; i < fused.operands; ++i) strides[leading - 1][i] = is_total[i] ? 0 : views[i]->g.strides[d];
    }

    // Which temporaries hold rows, and which what these come to.
    void read_steps(const FusedSteps& told) {
        steps = &told;
        walks.clear();
        scratch_bytes = 0;
        const int slots = int(fused.codes.size());
        Side now[kMaxFusedSlots];
        std::fill_n(now, slots, Side{true, 0, 0});  // numbers
        std::copy_n(sides, fused.operands, now);
        bool whole[kMaxFusedSlots] = {};
        size_t count = 0;
        for (const FusedStep& step : told) count += step.slots.size();
        walks.reserve(count);
        for (const FusedStep& step : told) {
            bool reduced = true;
            const size_t first = walks.size(), results = size_t(step.machine.results);
            for (const int slot : step.slots) walks.push_back(now[slot]);
            for (size_t k = results; k < step.slots.size(); ++k) reduced = reduced && walks[first + k].reduced;
            if (step.reduction != nullptr) {
                const Side& x = walks[first + 1];
                if (length > 1 && (x.reduced || x.along != 1)) fail(PyExc_ValueError, "fused ops: the items of a row that is reduced are not adjacent");
                reduced = true;
            }
            for (size_t r = 0; r < results; ++r) {
                const int out = step.slots[r];
                Side& result = now[out];
                if (out >= fused.operands) {
                    for (size_t k = results; k < step.slots.size(); ++k)
                        if (step.slots[k] == out && result.reduced != reduced)
                            fail(PyExc_ValueError, "fused ops: a step writes over what it reads");
                    result = reduced && length > 1 ? Side{true, 0, 1} : Side{false, 1, length};
                    if (!result.reduced) whole[out - fused.operands] = true;
                } else if (length > 1 && result.reduced != reduced) {
                    fail(PyExc_ValueError, "fused ops: operand %d does not have the shape of its step's result", out);
                }
                walks[first + r] = result;
            }
        }
        int64_t bytes = 1;  // of an item of each whole temporary
        for (int i = 0; i < fused.temporaries; ++i)
            if (whole[i]) bytes += kItemSize[fused.codes[size_t(fused.operands + i)]];
        block = std::min(kBlockBytes / bytes, kBlockItems) / std::max<int64_t>(length, 1);
        if (fused.axes > 0) block = std::min(block, kMostRows);
        block = std::max<int64_t>(std::min(block, inner), 1);
        std::fill_n(kept, fused.temporaries, false);
        for (const FusedTotal& total : fused.totals)
            if (total.x >= fused.operands) kept[total.x - fused.operands] = true;
        for (int i = 0; i < fused.temporaries; ++i) {
            places[i] = scratch_bytes;
            if (kept[i] && !whole[i]) fail(PyExc_ValueError, "fused ops: a total is of what rows come to");
            const int64_t items = kept[i] ? group * length : whole[i] ? block * length : block;
            scratch_bytes += aligned(items * kItemSize[fused.codes[size_t(fused.operands + i)]]);
        }
    }

    // All steps on rows begin .. end, of whose items those are kept that totals are of.
    void run(int64_t begin, int64_t end, char* scratch) const {
        char* at[kMaxFusedSlots];
        const int slots = int(fused.codes.size());
        for (int i = fused.operands; i < slots; ++i) {
            const int number = i - fused.operands - fused.temporaries;
            at[i] = number < 0 ? scratch + places[i - fused.operands] : const_cast<char*>(fused.numbers[size_t(number)].data());
        }
        for (const int64_t from = begin; begin < end;) {
            for (int i = 0; i < fused.temporaries; ++i)
                if (kept[i])
                    at[fused.operands + i] =
                        scratch + places[i] + (begin - from) * length * kItemSize[fused.codes[size_t(fused.operands + i)]];
            const int64_t along = begin % inner, some = std::min({block, inner - along, end - begin});
            for (int i = 0; i < fused.operands; ++i) {
                int64_t item = along * sides[i].down, rest = begin / inner;
                for (int d = leading - 1; d >= 0; --d) {
                    item += rest % shape[d] * strides[d][i];
                    rest /= shape[d];
                }
                at[i] = data[i] + item * kItemSize[fused.codes[size_t(i)]];
            }
            const Side* walk = walks.data();
            for (const FusedStep& step : *steps) {
                char* p[kMaxStepSlots];
                for (int k = 0; k < step.count(); ++k) p[k] = at[step.slots[size_t(k)]];
                if (step.reduction != nullptr)
                    reduce(step, walk, p, some);
                else
                    map(step, walk, p, some);
                walk += step.count();
            }
            begin += some;
        }
    }

    // All steps on the rows of a piece, and what they add to each total.
    void run_piece(int64_t index, char* scratch, uint64_t* partials) const {
        for (size_t t = 0; t < fused.totals.size(); ++t) fused.totals[t].row->start(partial(partials, t, index), columns);
        const int64_t end = std::min(rows, (index + 1) * piece);
        for (int64_t begin = index * piece; begin < end; begin += group) {
            const int64_t some = std::min(group, end - begin);
            run(begin, begin + some, scratch);
            for (size_t t = 0; t < fused.totals.size(); ++t) {
                const auto& [row, correction, out, x] = fused.totals[t];
                const bool has_memory = x < fused.operands;
                const char* items = has_memory ? data[x] + begin * length * kItemSize[row->code] : scratch + places[x - fused.operands];
                if (columns == 1)
                    row->row(items, 1, some * length, partial(partials, t, index));
                else
                    row->columns(items, 1, columns, columns, some * length / columns, partial(partials, t, index));
            }
        }
    }

    void finish_totals(uint64_t* partials) const {
        for (size_t t = 0; t < fused.totals.size(); ++t) {
            const FusedTotal& total = fused.totals[t];
            for (int64_t i = 1; i < pieces; ++i) total.row->join(partial(partials, t, 0), partial(partials, t, i), columns);
            const double divisor = (total.row->traits & kCorrected) != 0 ? std::max(double(totaled) - total.correction, 0.0) : double(totaled);
            total.row->finish(data[total.out], 1, partial(partials, t, 0), columns, divisor);
        }
    }

    uint64_t* partial(uint64_t* partials, size_t total, int64_t index) const {
        return partials + (int64_t(total) * pieces + index) * columns * kMostWords;
    }

    void map(const FusedStep& step, const Side* sides, char* const* p, int64_t some) const {
        int64_t s[kMaxStepSlots];
        bool together = true;  // whether rows follow one another in all slots
        for (int k = 0; k < step.count(); ++k) {
            s[k] = sides[0].reduced ? sides[k].down : sides[k].along;
            together = together && sides[k].down == length * sides[k].along;
        }
        if (sides[0].reduced) return run_step(fused, step, p, s, some);
        if (together || some == 1) return run_step(fused, step, p, s, some * length);
        int64_t down[kMaxStepSlots];
        for (int k = 0; k < step.count(); ++k) down[k] = sides[k].down;
        if (some > length)  // short rows: all first items, then all second ones
            run_step_on_rows(fused, step, p, down, s, some, length);
        else
            run_step_on_rows(fused, step, p, s, down, length, some);
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
        const int64_t in = sides[1].down * kItemSize[row.code];
        const int64_t size = (row.traits & kNoIdentity) != 0 ? kItemSize[row.code] : 8 * row.words;  // of a partial result
        row.start(partials, some);
        for (int64_t i = 0; i < some; ++i) row.row(p[1] + i * in, length > 1, length, reinterpret_cast<char*>(partials) + i * size);
        row.finish(p[0], sides[0].down, partials, some, divisor);
    }
};

void run_with_totals(const FusedRows& made, int64_t work) {
    const bool alone = grain_of(made.pieces, work) >= made.pieces;
    const int64_t slots = alone ? 1 : std::min<int64_t>(made.pieces, num_threads());
    const int64_t words = int64_t(made.fused.totals.size()) * made.pieces * made.columns * kMostWords;
    const Scratch scratch(slots * made.scratch_bytes), partials(words * 8);
    const WithoutGil free(work >= kReleaseGil);
    auto* first = reinterpret_cast<uint64_t*>(partials.data());
    share(made.pieces, slots, [&](int64_t index, int64_t slot) { made.run_piece(index, scratch.data() + slot * made.scratch_bytes, first); });
    made.finish_totals(first);
}

}  // namespace

std::vector<bool> reduced_steps(const FusedKernel& fused, View* const* views) {
    if (fused.axes == 0) return std::vector<bool>(fused.steps.size(), false);  // no row comes to anything
    return FusedRows(fused, nullptr, views).reduced();
}

void run_fused_rows(const FusedKernel& fused, const JoinedSteps* joined, View* const* views) {
    const FusedRows made(fused, joined, views);
    if (made.rows == 0 || made.length == 0) return;
    const int64_t work = made.rows * made.length * fused.cost;
    if (!fused.totals.empty()) return run_with_totals(made, work);
    const int64_t blocks = (made.rows + made.block - 1) / made.block;
    const int64_t grain = grain_of(blocks, work), parts = (blocks + grain - 1) / grain, slots = std::min<int64_t>(parts, num_threads());
    const Scratch scratch(slots * made.scratch_bytes);
    const WithoutGil free(work >= kReleaseGil);
    share(parts, slots, [&](int64_t part, int64_t slot) {
        const int64_t begin = part * grain * made.block, end = std::min(made.rows, begin + grain * made.block);
        made.run(begin, end, scratch.data() + slot * made.scratch_bytes);
    });
}

}  // namespace lamina
