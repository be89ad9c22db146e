// Fused maps: step by step over a tile that stays in the cache, with the loops that the ops have one by one, so that all bits are theirs.
#include <algorithm>
#include <cstring>

#include "kernels/fusing/fused_kernel.hpp"
#include "kernels/fusing/tiles.hpp"
#include "runtime/threads.hpp"
#include "traversal/plan.hpp"

namespace lamina {
namespace {

struct FusedMaps {
    const FusedKernel& fused;
    const FusedSteps& steps;

    // Runs all steps on n items, a tile at a time; p and s are those of the operands.
    void run(char* const* p, const int64_t* s, int64_t n) const {
        alignas(64) char buffer[kTileBytes];
        char* data[kMaxFusedSlots];
        int64_t strides[kMaxFusedSlots];
        const int slots = int(fused.codes.size());
        char* next = buffer;
        for (int i = fused.operands; i < slots; ++i) {
            const int number = i - fused.operands - fused.temporaries;
            strides[i] = number < 0 ? 1 : 0;
            data[i] = number < 0 ? next : const_cast<char*>(fused.numbers[size_t(number)].data());
            if (number < 0) next += fused.tile * kItemSize[fused.codes[size_t(i)]];
        }
        std::copy_n(s, fused.operands, strides);
        for (int64_t at = 0; at < n; at += fused.tile) {
            const int64_t some = std::min(fused.tile, n - at);
            for (int i = 0; i < fused.operands; ++i) data[i] = p[i] + at * s[i] * kItemSize[fused.codes[size_t(i)]];
            for (const FusedStep& step : steps) {
                char* q[kMaxStepSlots];
                int64_t along[kMaxStepSlots];
                for (int k = 0; k < step.count(); ++k) {
                    q[k] = data[step.slots[size_t(k)]];
                    along[k] = strides[step.slots[size_t(k)]];
                }
                run_step(fused, step, q, along, some);
            }
        }
    }
};

void run_steps(const Plan& plan, MapLoop, char* const* p, const int64_t* s, int64_t n) {
    static_cast<const FusedMaps*>(plan.context)->run(p, s, n);
}

// Short rows one after the other, beside which some operands are one and the same row, such as a bias: that is laid down several times, so
// that as many rows are done together.
struct ShortRows {
    const FusedMaps& maps;
    const Plan& plan;
    int64_t length = 1, together = 0;  // items of a row; rows at once, 0 where there are other rows
    bool repeated[kMaxOperands] = {};

    ShortRows(const FusedMaps& told, const Plan& walked) : maps(told), plan(walked) {
        if (plan.ndim != 2 || plan.size == 0) return;
        length = plan.shape[1];
        int64_t bytes = 0;  // of an item of each repeated row
        for (int i = 0; i < plan.operands; ++i) {
            repeated[i] = plan.strides[0][i] == 0 && plan.strides[1][i] != 0;
            if (repeated[i]) bytes += plan.itemsize[i];
            if (!repeated[i] && plan.strides[0][i] != plan.strides[1][i] * length) return;
        }
        for (const FusedStep& step : maps.steps)
            for (int k = 0; k < step.machine.results; ++k)
                if (step.slots[size_t(k)] < plan.operands && repeated[step.slots[size_t(k)]]) return;
        if (bytes == 0) return;
        together = std::min(std::min(maps.fused.tile, kTileBytes / bytes) / length, plan.shape[0]);
        if (together < 2) together = 0;
    }

    void run(int64_t begin, int64_t end) const {
        alignas(64) char rows[kTileBytes + 64 * kMaxOperands];
        char *first[kMaxOperands], *p[kMaxOperands], *next = rows;
        int64_t s[kMaxOperands];
        for (int i = 0; i < plan.operands; ++i) {
            const int64_t item = plan.itemsize[i], step = plan.strides[1][i] * item;
            first[i] = repeated[i] ? next : plan.data[i];
            s[i] = repeated[i] ? 1 : plan.strides[1][i];
            if (!repeated[i]) continue;
            for (int64_t j = 0; j < length; ++j) std::memcpy(next + j * item, plan.data[i] + j * step, size_t(item));
            for (int64_t r = 1; r < together; ++r) std::memcpy(next + r * length * item, next, size_t(length * item));
            next += (together * length * item + 63) / 64 * 64;
        }
        for (int64_t row = begin; row < end; row += together) {
            for (int i = 0; i < plan.operands; ++i) p[i] = first[i] + (repeated[i] ? 0 : row * plan.strides[0][i] * plan.itemsize[i]);
            maps.run(p, s, std::min(together, end - row) * length);
        }
    }
};

// Rows of one loop of an engine's, which walks them itself: false where there are other steps, or no rows.
bool run_rows_of_a_loop(const FusedMaps& maps, const Plan& plan) {
    const FusedStep& step = maps.steps[0];
    if (maps.steps.size() != 1 || step.machine.loop == nullptr || plan.ndim != 2 || plan.size == 0) return false;
    int64_t along[kMaxStepSlots], down[kMaxStepSlots];
    for (int k = 0; k < step.count(); ++k) {
        const size_t operand = size_t(step.slots[size_t(k)]);
        along[k] = plan.strides[1][operand];
        down[k] = plan.strides[0][operand];
    }
    parallel(plan.shape[0], grain_of(plan.shape[0], plan.size * maps.fused.cost), [&](int64_t begin, int64_t end) {
        char* p[kMaxStepSlots];
        for (int k = 0; k < step.count(); ++k) {
            const size_t operand = size_t(step.slots[size_t(k)]);
            p[k] = plan.data[operand] + begin * down[k] * plan.itemsize[operand];
        }
        run_step_on_rows(maps.fused, step, p, along, down, plan.shape[1], end - begin);
    });
    return true;
}

}  // namespace

void run_fused_maps(const FusedKernel& fused, const JoinedSteps* joined, View* const* views) {
    const FusedMaps maps{fused, joined != nullptr ? joined->steps : fused.steps};
    Plan plan(views, fused.operands, "fused ops");
    plan.adapter = run_steps;
    plan.context = &maps;
    for (const FusedStep& step : maps.steps)
        for (int k = 0; k < step.machine.results; ++k)
            if (step.slots[size_t(k)] < fused.operands) plan.written |= 1u << step.slots[size_t(k)];
    const ShortRows short_rows(maps, plan);
    const WithoutGil free(plan.size * fused.cost >= kReleaseGil);
    if (short_rows.together == 0) {
        if (!run_rows_of_a_loop(maps, plan)) plan.run(nullptr, fused.cost);
        return;
    }
    const int64_t tiles = (plan.shape[0] + short_rows.together - 1) / short_rows.together;
    parallel(tiles, grain_of(tiles, plan.size * fused.cost), [&](int64_t begin, int64_t end) {
        short_rows.run(begin * short_rows.together, std::min(plan.shape[0], end * short_rows.together));
    });
}

}  // namespace lamina
