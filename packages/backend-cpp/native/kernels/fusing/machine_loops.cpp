// Loops that an engine made, on rows that lie as it takes them, and on others; and on what is left of the last vector of each row.
#include <algorithm>
#include <cstring>

#include "kernels/fusing/fused_kernel.hpp"
#include "kernels/maps/map.hpp"

namespace lamina {
namespace {

// n items of some size, from one place to another; strides in items.
void copy_items(char* to, int64_t to_stride, const char* from, int64_t from_stride, int64_t n, int64_t size) {
    if (to_stride == 1 && from_stride == 1) {
        std::memcpy(to, from, size_t(n * size));
        return;
    }
    for (int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_stride * size, from + i * from_stride * size, size_t(size));
}

// The operands of a loop: where each begins, its bytes from vector to vector and from row to row, and those of an item.
struct Operands {
    int count, results;
    char* at[kMaxStepSlots];
    int64_t strides[kMaxStepSlots], row_strides[kMaxStepSlots], sizes[kMaxStepSlots];

    // Whether no result lies where an input does, so that what was made already may be made again.
    bool results_lie_apart(int64_t n, int64_t rows) const {
        char *low[kMaxStepSlots], *high[kMaxStepSlots];
        for (int k = 0; k < count; ++k) {
            const int64_t last = (rows - 1) * row_strides[k];
            low[k] = at[k] + std::min<int64_t>(0, last);
            high[k] = at[k] + std::max<int64_t>(0, last) + n * sizes[k];
        }
        for (int r = 0; r < results; ++r)
            for (int k = results; k < count; ++k)
                if (low[r] < high[k] && low[k] < high[r]) return false;
        return true;
    }

    void move(int64_t items, int64_t rows) {
        for (int k = 0; k < count; ++k) at[k] += rows * row_strides[k] + (strides[k] != 0 ? items * sizes[k] : 0);
    }
};

// Items of a row from `done` to n by way of vectors of their own; s are the strides in items.
void run_copied(const MachineLoop& machine, const Operands& row, const int64_t* s, int64_t done, int64_t n) {
    alignas(64) char vectors[kMaxStepSlots][kMaxMachineWidth * kMachineItem];
    Operands copied = row;
    for (int k = 0; k < row.count; ++k) {
        if (k >= row.results && s[k] == 0) continue;
        copied.at[k] = vectors[k];
        copied.strides[k] = machine.width * row.sizes[k];
        std::memset(vectors[k], 0, size_t(copied.strides[k]));
    }
    for (; done < n; done += machine.width) {
        const int64_t some = std::min<int64_t>(machine.width, n - done);
        const auto item = [&](int k) { return row.at[k] + done * s[k] * row.sizes[k]; };
        for (int k = row.results; k < row.count; ++k)
            if (s[k] != 0) copy_items(vectors[k], 1, item(k), s[k], some, row.sizes[k]);
        machine.loop(copied.at, copied.strides, copied.row_strides, 1, 1);
        for (int k = 0; k < row.results; ++k) copy_items(item(k), s[k], vectors[k], 1, some, row.sizes[k]);
    }
}

void run_machine_loop(const FusedKernel& fused, const FusedStep& step, char* const* p, const int64_t* s, const int64_t* down,
                      int64_t n, int64_t rows) {
    const MachineLoop& machine = step.machine;
    Operands all;
    all.count = step.count();
    all.results = machine.results;
    bool in_place = true;  // whether each operand is vectors, one after the other, or one item for a row
    for (int k = 0; k < all.count; ++k) {
        const bool repeated = s[k] == 0 && k >= all.results;
        all.sizes[k] = kItemSize[fused.codes[size_t(step.slots[size_t(k)])]];
        all.at[k] = p[k];
        all.strides[k] = repeated ? 0 : machine.width * all.sizes[k];
        all.row_strides[k] = down[k] * all.sizes[k];
        in_place = in_place && (repeated || s[k] == 1);
    }
    int64_t done = 0;
    if (in_place && n >= machine.width) {
        machine.loop(all.at, all.strides, all.row_strides, n / machine.width, rows);
        done = n / machine.width * machine.width;
        if (done == n) return;
        if (all.results_lie_apart(n, rows)) {  // the last vector begins within the one before
            all.move(n - machine.width, 0);
            machine.loop(all.at, all.strides, all.row_strides, 1, rows);
            return;
        }
    }
    for (int64_t row = 0; row < rows; ++row, all.move(0, 1)) run_copied(machine, all, s, done, n);
}

}  // namespace

void run_step(const FusedKernel& fused, const FusedStep& step, char* const* p, const int64_t* s, int64_t n) {
    if (step.machine.loop != nullptr) {
        const int64_t down[kMaxStepSlots] = {};
        return run_machine_loop(fused, step, p, s, down, n, 1);
    }
    if (!step.widened) return step.loop(p, s, n);
    int codes[kMaxStepSlots];
    for (int k = 0; k < step.count(); ++k) codes[k] = fused.codes[size_t(step.slots[size_t(k)])];
    through_floats(step.loop, codes, step.count(), p, s, n);
}

void run_step_on_rows(const FusedKernel& fused, const FusedStep& step, char* const* p, const int64_t* s, const int64_t* down,
                      int64_t n, int64_t rows) {
    if (step.machine.loop != nullptr) return run_machine_loop(fused, step, p, s, down, n, rows);
    char* at[kMaxStepSlots];
    std::copy_n(p, step.count(), at);
    for (int64_t row = 0; row < rows; ++row) {
        run_step(fused, step, at, s, n);
        for (int k = 0; k < step.count(); ++k) at[k] += down[k] * kItemSize[fused.codes[size_t(step.slots[size_t(k)])]];
    }
}

}  // namespace lamina
