// bag_sums: rows of a table, added up bag by bag by the loops of weighted sums.
#include <vector>

#include "kernels/indices/index_arrays.hpp"
#include "kernels/products/weighted_items.hpp"
#include "runtime/kernel.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

const WeightedItems* loops_of;

// Items of one axis, read once.
std::vector<int64_t> numbers_of(const View& view) {
    std::vector<int64_t> found(size_t(view.g.size));
    for (int64_t i = 0; i < view.g.size; ++i) found[size_t(i)] = read_once(reinterpret_cast<const int64_t*>(view.data) + i * view.g.strides[0]);
    return found;
}

template <class T>
std::vector<T> weights_of(const View* view, int64_t n) {
    std::vector<T> found(size_t(n), T(1));
    for (int64_t i = 0; view != nullptr && i < n; ++i) found[size_t(i)] = reinterpret_cast<const T*>(view->data)[i * view->g.strides[0]];
    return found;
}

template <class T>
void add_up(const View& out, const View& x, const View* weights, const std::vector<int64_t>& begin, const std::vector<int64_t>& places) {
    const std::vector<T> factors = weights_of<T>(weights, int64_t(places.size()));
    const int64_t bags = out.g.shape[0], columns = out.g.shape[1], work = (int64_t(places.size()) + bags) * columns;
    const WeightTable table{begin.data(), places.data(), reinterpret_cast<const char*>(factors.data())};
    const WithoutGil free(work >= kReleaseGil);
    parallel(bags, grain_of(bags, work), [&](int64_t first, int64_t last) {
        loops_of->rows[sizeof(T) == 8]({table, x.data, out.data, first, last, columns, x.g.strides[0], out.g.strides[0]});
    });
}

bool run_bag_sums(const Kernel& kernel, const Call& call) {
    call.require_keywords(0);
    if (call.count != 5) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, x, indices, ends and weights", call.op, call.count);
    View out, x, indices, ends, weights;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op);
    indices.read(call.positional[2], false, call.op);
    ends.read(call.positional[3], false, call.op);
    const bool weighted = call.positional[4] != Py_None;
    if (weighted) weights.read(call.positional[4], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    if (x.g.ndim != 2 || indices.g.ndim != 1 || ends.g.ndim != 1)
        fail(PyExc_ValueError, "%s: it wants a matrix, and indices and ends of one axis", call.op);
    const int64_t shape[] = {ends.g.shape[0], x.g.shape[1]}, n = indices.g.shape[0];
    require(out, "out", x.code, shape, 2, call.op);
    require(ends, "ends", kInt64, shape, 1, call.op);
    if (weighted) require(weights, "the weights", x.code, &n, 1, call.op);
    require_within(indices, 0, x.g.shape[0], 0, call.op);
    const bool along = (shape[1] <= 1 || (x.g.strides[1] == 1 && out.g.strides[1] == 1));
    if (!along || may_meet(out, x) || may_meet(out, indices) || may_meet(out, ends) || (weighted && may_meet(out, weights))) return false;
    std::vector<int64_t> begin = numbers_of(ends), places = numbers_of(indices);
    begin.insert(begin.begin(), 0);
    for (size_t i = 1; i < begin.size(); ++i)
        if (begin[i] < begin[i - 1]) fail(PyExc_ValueError, "%s: ends must not be negative, nor decrease", call.op);
    if (begin.back() > n) fail(PyExc_ValueError, "%s: the last of ends is more than there are indices", call.op);
    for (int64_t& place : places) place = index_at(&place, x.g.shape[0]);  // another thread may have written since they were looked at
    if (out.g.size == 0) return true;
    if (x.code == kFloat32)
        add_up<float>(out, x, weighted ? &weights : nullptr, begin, places);
    else
        add_up<double>(out, x, weighted ? &weights : nullptr, begin, places);
    return true;
}

const Registration registration([](const Loops& loops) {
    loops_of = loops.weighted_items;
    for (const int code : {kFloat32, kFloat64}) kernel_named("bag_sums", run_bag_sums).rows[code] = kServed;
});

}  // namespace
}  // namespace lamina
