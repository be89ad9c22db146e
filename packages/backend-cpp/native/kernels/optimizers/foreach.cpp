// total_norm and the foreach ops: one call for many arrays, whose items are read or changed as those of one vector.
#include <cmath>

#include "dtypes/narrow_floats.hpp"
#include "dtypes/reals.hpp"
#include "runtime/parameters.hpp"
#include "traversal/columns.hpp"

namespace lamina {
namespace {

const Vectors* vectors = nullptr;

constexpr int64_t kChunk = 16384;  // items whose sum is taken at once, whatever the number of threads

int loop_of(int code) { return code == kFloat64; }

bool run_total_norm(const Kernel& kernel, const Call& call) {
    call.require_keywords(1);
    const double order = number_of(call, "order");
    const int kind = order == 1 ? 0 : order == 2 ? 1 : order == INFINITY ? 2 : -1;
    if (kind < 0) return false;
    View out;
    out.read(call.positional[0], true, call.op);
    Columns arrays(call.count - 1, 1, call.op);
    for (Py_ssize_t i = 0; i < arrays.count; ++i) {
        arrays.read_first(i, call.positional[i + 1], false);
        const View& x = arrays.at(i, 0);
        if (x.code != out.code)
            fail(PyExc_TypeError, "%s: out is %s, but an input %s", call.op, kNames[out.code], kNames[x.code]);
    }
    if (out.g.size != 1) fail(PyExc_ValueError, "%s: out has %lld items; it wants one", call.op, (long long)out.g.size);
    if (kernel.rows[out.code] == nullptr || !arrays.served(kernel)) return false;
    const int itemsize = out.itemsize();
    const auto total = vectors->totals[kind][loop_of(out.code)];
    // A range of the vector may lie in several arrays: the one thread that has it joins its parts.
    const int64_t chunks = (arrays.count_items() + kChunk - 1) / kChunk;
    const std::unique_ptr<double[]> sums(new double[size_t(chunks)]());
    const auto join = [kind](double a, double b) { return kind < 2 ? a + b : std::isnan(b) || b > a ? b : a; };
    arrays.each(1, kChunk, [&](Py_ssize_t i, int64_t begin, int64_t n) {
        double& sum = sums[(arrays.before(i) + begin) / kChunk];
        char* const items = arrays.at(i, 0).data + begin * itemsize;
        in_blocks<1>(out.code, &items, 1, 0, n, [&](char* const* p, int64_t some) { sum = join(sum, total(p[0], some)); });
    });
    double found = 0;
    for (int64_t k = 0; k < chunks; ++k) found = join(found, sums[k]);
    if (kind == 1) found = std::sqrt(found);
    put(out, 0, found);
    return true;
}

// The arrays that a call changes: its `out` is the list of them.
class Targets {
   public:
    Targets(const Kernel& kernel, const Call& call)
        : given_(call.positional[0], call.op, "out"), arrays_(given_.size(), 1, call.op) {
        for (Py_ssize_t i = 0; i < arrays_.count; ++i) arrays_.read_first(i, given_[i], true);
        served = arrays_.served(kernel);
    }

    bool served;

    // Calls loops[dtype](data, n, numbers...) for all items.
    template <class F, class... Numbers>
    void change(F* const* loops, Numbers... numbers) const {
        arrays_.each(1, 0, [&](Py_ssize_t i, int64_t begin, int64_t n) {
            const View& x = arrays_.at(i, 0);
            char* const items = x.data + begin * x.itemsize();
            in_blocks<1>(x.code, &items, 1, 1, n, [&](char* const* p, int64_t some) { loops[loop_of(x.code)](p[0], some, numbers...); });
        });
    }

   private:
    const Sequence given_;
    Columns arrays_;
};

void require_no_inputs(const Call& call, Py_ssize_t parameters) {
    call.require_keywords(parameters);
    if (call.count != 1) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out alone", call.op, call.count);
}

bool run_scale(const Kernel& kernel, const Call& call) {
    call.require_inputs(1);
    const Targets targets(kernel, call);
    View factor;
    factor.read(call.positional[1], false, call.op);
    if (factor.g.size != 1) fail(PyExc_ValueError, "%s: the factor has %lld items; it wants one", call.op, (long long)factor.g.size);
    if (!targets.served || kernel.rows[factor.code] == nullptr) return false;
    const double by = value(factor, 0);
    if (by != 1) targets.change(vectors->scale, by);  // items times 1 are themselves
    return true;
}

bool run_clip(const Kernel& kernel, const Call& call) {
    require_no_inputs(call, 2);
    const Targets targets(kernel, call);
    const double low = number_of(call, "min"), high = number_of(call, "max");
    if (targets.served) targets.change(vectors->clip, low, high);
    return targets.served;
}

bool run_add(const Kernel& kernel, const Call& call) {
    require_no_inputs(call, 1);
    const Targets targets(kernel, call);
    const double value = number_of(call, "value");
    if (targets.served) targets.change(vectors->add, value);
    return targets.served;
}

const Registration registration([](const Loops& loops) {
    vectors = loops.vectors;
    for (int code : kFloats) {
        kernel_named("total_norm", run_total_norm).rows[code] = kServed;
        kernel_named("foreach_multiply", run_scale).rows[code] = kServed;
        kernel_named("foreach_clip", run_clip).rows[code] = kServed;
        kernel_named("foreach_add", run_add).rows[code] = kServed;
    }
});

}  // namespace
}  // namespace lamina
