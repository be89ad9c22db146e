// dropout and its gradient: one thread draws which items are kept, and notes it in bits; several threads scale the items by them.
#include <algorithm>
#include <cstring>

#include "dtypes/narrow_floats.hpp"
#include "kernels/random/stream.hpp"
#include "runtime/kernel.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

const RandomLoops* random_loops = nullptr;

constexpr int64_t kBlock = 1024;  // items that are drawn, or widened, at once; a multiple of 64

// Out, what it is made of, and the bits: dense, and apart from each other (but that x may be out).
struct Dropped {
    View out, x, kept;
    double p = 0;

    // False where the inherited kernel does it.
    bool read(const Kernel& kernel, const Call& call, PyObject* result, PyObject* given, PyObject* bits, bool drawn) {
        out.read(result, true, call.op);
        x.read(given, false, call.op, &out);
        kept.read(bits, drawn, call.op);
        require(x, "the input", out.code, out.g.shape, out.g.ndim, call.op);
        const int64_t bytes = (out.g.size + 7) / 8;
        require(kept, "what is kept", kUInt8, &bytes, 1, call.op);
        p = number_of(call, "p");
        return kernel.rows[out.code] != nullptr && p >= 0.0 && p < 1.0 && out.g.contiguous && x.g.contiguous && kept.g.contiguous &&
               (x.data == out.data || !may_meet(out, x)) && !may_meet(kept, out) && !may_meet(kept, x);
    }

    // What kept items are multiplied by: rounded as an item of x is.
    double factor() const {
        if (out.code == kFloat64) return 1.0 / (1.0 - p);
        float found = 1.0f / float(1.0 - p);
        if (is_narrow(out.code)) {
            char item[2];
            narrow(item, &found, out.code, 1, 1);
            widen(&found, item, out.code, 1, 1);
        }
        return found;
    }

    void scale() const {
        const int64_t n = out.g.size, item = out.itemsize();
        const auto* bits = reinterpret_cast<const uint8_t*>(kept.data);
        const bool staged = is_narrow(out.code);
        const double by = factor();
        const int64_t blocks = (grain_of(n, staged ? 4 * n : n) + kBlock - 1) / kBlock;
        parallel(n, blocks * kBlock, [&](int64_t begin, int64_t end) {
            if (!staged) return random_loops->dropped[out.code == kFloat64](out.data + begin * item, x.data + begin * item, bits + begin / 8, end - begin, by);
            float wide[kBlock];
            for (int64_t at = begin; at < end; at += kBlock) {
                const int64_t some = std::min(kBlock, end - at);
                widen(wide, x.data + at * item, out.code, 1, some);
                random_loops->dropped[0](reinterpret_cast<char*>(wide), reinterpret_cast<char*>(wide), bits + at / 8, some, by);
                narrow(out.data + at * item, wide, out.code, 1, some);
            }
        });
    }
};

void draw(Stream& stream, uint8_t* bits, int64_t n, double probability) {
    uint32_t words[2 * kBlock];
    uint8_t chosen[kBlock];
    for (int64_t at = 0; at < n; at += kBlock) {
        const int64_t some = std::min(kBlock, n - at), bytes = (some + 7) / 8;
        stream.words(words, 2 * some);
        random_loops->below(chosen, words, some, probability);
        std::memset(chosen + some, 0, size_t(8 * bytes - some));
        for (int64_t i = 0; i < bytes; ++i) {  // the product gathers the lowest bits of eight bytes in the highest byte
            uint64_t eight;
            std::memcpy(&eight, chosen + 8 * i, 8);
            bits[at / 8 + i] = uint8_t(eight * 0x0102040810204080u >> 56);
        }
    }
}

bool run_dropout(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    call.require_keywords(2);
    Dropped dropped;
    if (!dropped.read(kernel, call, result_of(call, 0, 2), call.positional[1], result_of(call, 1, 2), true)) return false;
    Stream stream(call.keyword("generator"), *random_loops);
    if (!stream.served) return false;
    const int64_t n = dropped.out.g.size;
    if (n == 0) return true;
    stream.note_drawn();
    const WithoutGil free(n >= kReleaseGil / 4);
    draw(stream, reinterpret_cast<uint8_t*>(dropped.kept.data), n, 1.0 - dropped.p);
    dropped.scale();
    return true;
}

bool run_dropout_gradient(const Kernel& kernel, const Call& call) {
    if (call.count != 3) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, gradient and kept", call.op, call.count);
    call.require_keywords(1);
    Dropped dropped;
    if (!dropped.read(kernel, call, call.positional[0], call.positional[1], call.positional[2], false)) return false;
    const WithoutGil free(dropped.out.g.size >= kReleaseGil);
    dropped.scale();
    return true;
}

const Registration registration([](const Loops& loops) {
    random_loops = loops.random_loops;
    for (int code : kFloats) {
        kernel_named("dropout", run_dropout).rows[code] = kServed;
        kernel_named("dropout_gradient", run_dropout_gradient).rows[code] = kServed;
    }
});

}  // namespace
}  // namespace lamina
