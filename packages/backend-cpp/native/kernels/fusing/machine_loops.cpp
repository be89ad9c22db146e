// Loops that an engine made, on operands that lie otherwise than one vector after the other, and on what is left of the last vector.
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

template <class T>
void fill_vector(char* to, const char* item) {
    T value;
    std::memcpy(&value, item, sizeof value);
    for (int i = 0; i < kMaxMachineWidth; ++i) std::memcpy(to + i * int(sizeof(T)), &value, sizeof value);
}

// One item as often as a vector may have items: of a length that the compiler knows, as rows begin with this.
void repeat_item(char* to, const char* item, int64_t size) {
    switch (size) {
        case 1: return fill_vector<uint8_t>(to, item);
        case 2: return fill_vector<uint16_t>(to, item);
        case 4: return fill_vector<uint32_t>(to, item);
        default: return fill_vector<uint64_t>(to, item);
    }
}

// Whether no result lies where an input does, so that what was made already may be made again.
bool results_lie_apart(const char* const* p, const int64_t* sizes, int results, int count, int64_t n) {
    for (int r = 0; r < results; ++r)
        for (int k = results; k < count; ++k)
            if (p[r] < p[k] + n * sizes[k] && p[k] < p[r] + n * sizes[r]) return false;
    return true;
}

void run_machine_loop(const FusedKernel& fused, const FusedStep& step, char* const* p, const int64_t* s, int64_t n) {
    const auto [loop, width, results] = step.machine;
    const int count = step.count();
    alignas(64) char vectors[kMaxStepSlots][kMaxMachineWidth * kMachineItem];
    char* at[kMaxStepSlots];
    int64_t strides[kMaxStepSlots], sizes[kMaxStepSlots];
    bool in_place = true;  // whether each operand is vectors, one after the other, or one repeated item
    for (int k = 0; k < count; ++k) {
        sizes[k] = kItemSize[fused.codes[size_t(step.slots[size_t(k)])]];
        const bool repeated = s[k] == 0 && k >= results;
        if (repeated) repeat_item(vectors[k], p[k], sizes[k]);
        at[k] = repeated ? vectors[k] : p[k];
        strides[k] = repeated ? 0 : width * sizes[k];
        in_place = in_place && (repeated || s[k] == 1);
    }
    int64_t done = 0;
    if (in_place && n >= width) {
        loop(at, strides, n / width);
        done = n / width * width;
    }
    if (done == n) return;
    if (done > 0 && results_lie_apart(p, sizes, results, count, n)) {  // the last vector begins within the one before
        for (int k = 0; k < count; ++k)
            if (strides[k] != 0) at[k] = p[k] + (n - width) * sizes[k];
        loop(at, strides, 1);
        return;
    }
    for (int k = 0; k < count; ++k) {
        at[k] = vectors[k];
        if (strides[k] != 0) std::memset(vectors[k], 0, size_t(width * sizes[k]));
        strides[k] *= k < results || s[k] != 0;
    }
    for (; done < n; done += width) {
        const int64_t some = std::min<int64_t>(width, n - done);
        for (int k = results; k < count; ++k)
            if (s[k] != 0) copy_items(vectors[k], 1, p[k] + done * s[k] * sizes[k], s[k], some, sizes[k]);
        loop(at, strides, 1);
        for (int k = 0; k < results; ++k) copy_items(p[k] + done * s[k] * sizes[k], s[k], vectors[k], 1, some, sizes[k]);
    }
}

}  // namespace

void run_step(const FusedKernel& fused, const FusedStep& step, char* const* p, const int64_t* s, int64_t n) {
    if (step.machine.loop != nullptr) return run_machine_loop(fused, step, p, s, n);
    if (!step.widened) return step.loop(p, s, n);
    int codes[kMaxStepSlots];
    for (int k = 0; k < step.count(); ++k) codes[k] = fused.codes[size_t(step.slots[size_t(k)])];
    through_floats(step.loop, codes, step.count(), p, s, n);
}

}  // namespace lamina
