// concat: several arrays one after another along an axis, all of them in one pass over the result.
#include <cstring>

#include "kernels/copies/copy.hpp"
#include "traversal/columns.hpp"
#include "traversal/plan.hpp"

namespace lamina {
namespace {

// The operands of a list: few of them without an allocation.
class Views {
   public:
    explicit Views(int64_t count) : many_(count > kFew ? new View[size_t(count)] : nullptr) {}
    View& operator[](int64_t i) { return many_ ? many_[i] : few_[i]; }

   private:
    static constexpr int64_t kFew = 4;
    View few_[kFew];
    std::unique_ptr<View[]> many_;
};

// The part of `out` that begins at `start` of the axis and has the shape of x.
void read_part(View& part, const View& out, const View& x, int axis, int64_t start) {
    part.g = out.g;
    part.g.shape = x.g.shape;
    part.g.size = x.g.size;
    part.code = out.code;
    part.data = out.data + start * out.g.strides[axis] * out.itemsize();
}

int64_t checked_length(const View& out, const View& x, int axis, const char* op) {
    bool fits = x.g.ndim == out.g.ndim;
    for (int d = 0; fits && d < out.g.ndim; ++d) fits = d == axis || x.g.shape[d] == out.g.shape[d];
    if (!fits) fail(PyExc_ValueError, "%s: an input does not have out's shape on the axes other than %d", op, axis);
    return x.g.shape[axis];
}

// Few items of one dtype, all without gaps: out is filled from its beginning. False where the stretches would be too short.
bool fill_in_order(const View& out, Views& inputs, int64_t count, int axis) {
    int64_t outer = 1;
    for (int d = 0; d < axis; ++d) outer *= out.g.shape[d];
    if (outer * count * 8 > out.g.size && outer > 1) return false;
    char* to = out.data;
    for (int64_t row = 0; row < outer; ++row)
        for (int64_t i = 0; i < count; ++i) {
            const int64_t nbytes = inputs[i].g.size / outer * out.itemsize();
            if (nbytes > 0) std::memcpy(to, inputs[i].data + row * nbytes, size_t(nbytes));
            to += nbytes;
        }
    return true;
}

bool run_concat(const Kernel&, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arguments given; it wants out and a list", call.op, call.count);
    call.require_keywords(1);
    const long axis = PyLong_AsLong(call.keyword("axis"));
    if (axis == -1 && PyErr_Occurred()) throw PythonError{};
    const Sequence given(call.positional[1], call.op, "arrays");
    const int64_t count = given.size();
    View out;
    out.read(call.positional[0], true, call.op);
    if (axis < 0 || axis >= out.g.ndim)
        fail(PyExc_ValueError, "%s: axis %ld of an array with %d dimensions", call.op, axis, out.g.ndim);
    Views inputs(count);
    int64_t length = 0;
    bool straight = true, alike = out.g.contiguous, meet = false;
    for (int64_t i = 0; i < count; ++i) {
        View& x = inputs[i];
        x.read(given[i], false, call.op);
        if (__builtin_add_overflow(length, checked_length(out, x, int(axis), call.op), &length)) length = -1;
        straight = straight && x.g.contiguous;
        alike = alike && x.code == out.code;
        meet = meet || may_meet(out, x);
    }
    if (length != out.g.shape[axis])
        fail(PyExc_ValueError, "%s: the inputs have %lld items along axis %ld, but out has %lld", call.op, (long long)length, axis,
             (long long)out.g.shape[axis]);
    if (out.g.size == 0) return true;
    if (meet) return false;
    if (straight && alike && out.g.size < kParallel && fill_in_order(out, inputs, count, int(axis))) return true;
    const int64_t each = out.g.size / length;  // items of one step along the axis
    const WithoutGil free(out.g.size >= kReleaseGil);
    // Items begin .. end of all inputs in a row: a loop over those inputs, for each the range that is its own.
    const auto copy = [&](int64_t begin, int64_t end) {
        int64_t start = 0;
        for (int64_t i = 0; i < count && start * each < end; ++i) {
            View& x = inputs[i];
            const int64_t first = start * each, from = std::max(begin, first), to = std::min(end, first + x.g.size);
            if (from < to) {
                View part;
                read_part(part, out, x, int(axis), start);
                View* pair[] = {&part, &x};
                const Plan plan(pair, 2, call.op);
                if (straight)
                    plan.walk(copy_loop(out.code, x.code), from - first, to - first);
                else
                    copy_planned(plan);
            }
            start += x.g.shape[axis];
        }
    };
    if (out.g.size < kParallel || !straight) {
        copy(0, out.g.size);
        return true;
    }
    const int64_t pieces = int64_t(num_threads()) * 4;  // few, as longer copies go past the caches
    parallel(out.g.size, std::max<int64_t>(16384, (out.g.size + pieces - 1) / pieces), copy);
    return true;
}

const Registration registration([](const Loops&) {
    for (int code = 0; code < kCodes; ++code) kernel_named("concat", run_concat).rows[code] = kServed;
});

}  // namespace
}  // namespace lamina
