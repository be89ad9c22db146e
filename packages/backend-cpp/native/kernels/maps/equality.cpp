// array_equal: whether all items are equal, block by block, up to the first that holds one that is not.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "runtime/kernel.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

bool run_array_equal(const Kernel& kernel, const Call& call) {
    call.require_inputs(2);
    View out, a, b;
    out.read(call.positional[0], true, call.op);
    a.read(call.positional[1], false, call.op);
    b.read(call.positional[2], false, call.op, &a);
    const auto* row = static_cast<const MapRow*>(kernel.rows[a.code]);
    if (row == nullptr || row->code != a.code || !a.g.contiguous || !b.g.contiguous) return false;
    require(out, "out", kBool, nullptr, 0, call.op);
    require(b, "b", a.code, a.g.shape, a.g.ndim, call.op);
    constexpr int64_t kBlock = 1024;
    constexpr int64_t kSteps[] = {1, 1, 1};
    bool same = true;
    {
        const WithoutGil free(a.g.size >= kReleaseGil);
        char found[kBlock];
        for (int64_t at = 0; same && at < a.g.size; at += kBlock) {
            const int64_t some = std::min(kBlock, a.g.size - at);
            char* const p[] = {found, a.data + at * a.itemsize(), b.data + at * b.itemsize()};
            row->loop(p, kSteps, some);
            same = std::memchr(found, 0, size_t(some)) == nullptr;
        }
    }
    *out.data = char(same);
    return true;
}

const Registration registration([](const Loops&) {
    const Kernel* equal = find_kernel("equal");
    Kernel& kernel = kernel_named("array_equal", run_array_equal);
    std::copy(std::begin(equal->rows), std::end(equal->rows), std::begin(kernel.rows));
}, Registration::kAfterRows);

}  // namespace
}  // namespace lamina
