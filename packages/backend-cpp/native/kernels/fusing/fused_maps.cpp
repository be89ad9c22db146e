// Fused maps: step by step over a tile that stays in the cache, with the loops that the ops have one by one, so that all bits are theirs.
#include <algorithm>

#include "kernels/fusing/fused_kernel.hpp"
#include "kernels/fusing/tiles.hpp"
#include "runtime/threads.hpp"
#include "traversal/plan.hpp"

namespace lamina {
namespace {

struct FusedMaps {
    const FusedKernel& fused;
    const FusedSteps& steps;
};

// Runs all steps on n items, a tile at a time; in the place of one loop.
void run_steps(const Plan& plan, MapLoop, char* const* p, const int64_t* s, int64_t n) {
    const auto& [fused, all] = *static_cast<const FusedMaps*>(plan.context);
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
        for (int i = 0; i < fused.operands; ++i) data[i] = p[i] + at * s[i] * plan.itemsize[i];
        for (const FusedStep& step : all) {
            char* q[kMaxStepSlots];
            int64_t steps[kMaxStepSlots];
            for (int k = 0; k < step.count(); ++k) {
                q[k] = data[step.slots[size_t(k)]];
                steps[k] = strides[step.slots[size_t(k)]];
            }
            run_step(fused, step, q, steps, some);
        }
    }
}

}  // namespace

void run_fused_maps(const FusedKernel& fused, const JoinedSteps* joined, View* const* views) {
    const FusedMaps maps{fused, joined != nullptr ? joined->steps : fused.steps};
    Plan plan(views, fused.operands, "fused ops");
    plan.adapter = run_steps;
    plan.context = &maps;
    const WithoutGil free(plan.size * fused.cost >= kReleaseGil);
    plan.run(nullptr, fused.cost);
}

}  // namespace lamina
