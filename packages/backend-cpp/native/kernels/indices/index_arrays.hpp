// Index arrays: int64, checked against the lengths that they count along before anything is written.
#pragma once

#include "runtime/operand.hpp"
#include "traversal/path.hpp"

namespace lamina {

// A number that other threads may write: read once.
inline int64_t read_once(const int64_t* at) { return __atomic_load_n(at, __ATOMIC_RELAXED); }

// An index as one that counts from the front, read once. What was within -length ... length - 1 when it was checked, and is not
// now, becomes 0.
inline int64_t index_at(const int64_t* at, int64_t length) {
    const int64_t index = read_once(at);
    if (__builtin_expect(uint64_t(index) < uint64_t(length), 1)) return index;
    const int64_t found = index + ((index >> 63) & length);
    return uint64_t(found) < uint64_t(length) ? found : 0;
}

// Raises IndexOutOfRange unless all items of an int64 operand are in first ... length - 1, where first is -length or 0. Threads that
// write them later may still change them: `index_at` reads them where they are used.
void require_within(const View& indices, int64_t first, int64_t length, int axis, const char* op);

constexpr int kMaxIndices = 16;

// Index arrays of one shape, for the first axes of an array.
class IndexArrays {
 public:
    // Reads and checks them, negative ones refused with `from_front`; `steps` are the bytes from one index to the next along each
    // indexed axis.
    void read(PyObject* const* operands, int count, const int64_t* lengths, const int64_t* strides, int itemsize, bool from_front,
              const char* op);

    // Where in the array the indices begin .. begin + n are, in bytes from its start.
    void offsets(int64_t begin, int64_t n, int64_t* to) const;

    // Calls run(i, offset) for the indices begin .. end of one array: where each is, as above.
    template <class Run>
    void each(int64_t begin, int64_t end, const Run& run) const {
        const auto* items = reinterpret_cast<const int64_t*>(views_[0].data);
        const int64_t length = lengths_[0], step = steps_[0];
        paths_[0].runs(begin, end, [&](int64_t at, int64_t stride, int64_t some) {
#pragma GCC unroll 4
            for (int64_t i = 0; i < some; ++i) run(begin + i, index_at(items + at + i * stride, length) * step);
            begin += some;
        });
    }

    const View& shape() const { return views_[0]; }
    const View& at(int i) const { return views_[i]; }
    int count = 0;
    int64_t size = 0;

 private:
    View views_[kMaxIndices];
    Path paths_[kMaxIndices];
    int64_t lengths_[kMaxIndices], steps_[kMaxIndices];
};

}  // namespace lamina
