// The kernels of the random family on the host's stream: the words are drawn in order by one thread, and transformed by several.
#include <algorithm>
#include <cmath>
#include <memory>

#include "kernels/random/one_by_one.hpp"
#include "runtime/kernel.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

const RandomLoops* random_loops = nullptr;

constexpr int64_t kChunk = 2048;  // words drawn at once where they do not fit into out

struct Fill {
    View out;
    PyObject* generator;
    int64_t n;

    // Items in order: out must be dense.
    bool read(const Kernel& kernel, const Call& call, Py_ssize_t keywords) {
        if (call.count != 1) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out alone", call.op, call.count);
        call.require_keywords(keywords);
        out.read(call.positional[0], true, call.op);
        generator = call.keyword("generator");
        n = out.g.size;
        return kernel.rows[out.code] != nullptr && out.g.contiguous;
    }
};

bool number(const Call& call, const char* name, double& value) {
    PyObject* given = call.keyword(name);
    if (!PyFloat_CheckExact(given) && !PyLong_CheckExact(given)) return false;
    value = PyFloat_AsDouble(given);
    if (value == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        return false;
    }
    return true;
}

// -- uniform ----------------------------------------------------------------------------------------------------------

template <class T>
void uniform(Stream& stream, T* out, int64_t n, T first, T last) {
    constexpr int64_t kWords = sizeof(T) / 4;
    uint32_t words[kChunk];
    const bool plain = first == T(0) && last == T(1);
    for (int64_t at = 0; at < n; at += kChunk / kWords) {
        const int64_t some = std::min(kChunk / kWords, n - at);
        stream.words(words, some * kWords);
        if constexpr (kWords == 1)
            random_loops->uniform32(out + at, words, some, last - first, first);
        else
            random_loops->uniform64(out + at, words, some, last - first, first);
        if (!plain)  // rounding may reach the upper end, which is excluded
            for (int64_t i = at; i < at + some; ++i) out[i] = out[i] == last ? first : out[i];
    }
}

bool run_uniform(const Kernel& kernel, const Call& call) {
    Fill fill;
    double low, high;
    if (!fill.read(kernel, call, 3) || !number(call, "low", low) || !number(call, "high", high)) return false;
    const bool single = fill.out.code == kFloat32;
    if (!(low <= high) || !(high - low <= (single ? 3.4028234663852886e38 : 1.7976931348623157e308))) return false;
    if (!(std::fabs(low) < (single ? 1e38 : 1e290)) || !(std::fabs(high) < (single ? 1e38 : 1e290))) return false;
    Stream stream(fill.generator, *random_loops);
    if (!stream.served) return false;
    if (fill.n == 0) return true;
    stream.note_drawn();
    const WithoutGil free(fill.n >= kReleaseGil);
    if (single)
        uniform(stream, reinterpret_cast<float*>(fill.out.data), fill.n, float(low), float(high));
    else
        uniform(stream, reinterpret_cast<double*>(fill.out.data), fill.n, low, high);
    return true;
}

// -- normal -----------------------------------------------------------------------------------------------------------

double scaled(double x, double scale, double shift) {
    return shift == 0.0 ? (scale == 1.0 ? x : x * scale) : std::fma(x, scale, shift);
}

// Number i and number i + 8 of every 16 make a pair.
void transform(double* out, const uint32_t* words, int64_t n, double scale, double shift) {
    for (int64_t at = 0; at < n; at += 16) {
        double uniforms[16];
        for (int i = 0; i < 16; ++i) uniforms[i] = unit(words + 2 * (at + i));
        for (int i = 0; i < 8; ++i) {
            const double radius = std::sqrt(-2.0 * std::log(1.0 - uniforms[i])), angle = kTurn * uniforms[i + 8];
            out[at + i] = scaled(radius * std::cos(angle), scale, shift);
            out[at + i + 8] = scaled(radius * std::sin(angle), scale, shift);
        }
    }
}

void transform(float* out, const uint32_t* words, int64_t n, float scale, float shift) {
    random_loops->normal32(out, words, n, scale, shift);
}

template <class T>
void block_normal(Stream& stream, T* out, int64_t n, T scale, T shift) {
    constexpr int64_t kWords = sizeof(T) / 4;
    const int64_t whole = n & ~int64_t(15);
    auto* words = reinterpret_cast<uint32_t*>(out);  // drawn into out itself: a word, or a pair, is as large as an item
    stream.words(words, whole * kWords);
    parallel(whole / 16, whole < kParallel / 4 ? whole / 16 : 256, [&](int64_t begin, int64_t end) {
        transform(out + 16 * begin, words + 16 * begin * kWords, 16 * (end - begin), scale, shift);
    });
    if (whole == n) return;
    uint32_t tail[16 * kWords];
    stream.words(tail, (n - whole) * kWords);  // lost: the last 16 are drawn anew
    stream.words(tail, 16 * kWords);
    T last[16];
    transform(last, tail, 16, scale, shift);
    std::copy_n(last, 16, out + n - 16);
}

bool run_normal(const Kernel& kernel, const Call& call) {
    Fill fill;
    double mean, std;
    if (!fill.read(kernel, call, 3) || !number(call, "mean", mean) || !number(call, "std", std)) return false;
    const double most = fill.out.code == kFloat32 ? 1e38 : 1e290;
    if (!(std >= 0.0 && std < most) || !(std::fabs(mean) < most)) return false;
    Stream stream(fill.generator, *random_loops);
    if (!stream.served) return false;
    if (fill.n == 0) return true;
    const bool single = fill.out.code == kFloat32;
    auto* singles = reinterpret_cast<float*>(fill.out.data);
    auto* doubles = reinterpret_cast<double*>(fill.out.data);
    stream.note_drawn();
    if (fill.n < 16) {
        Normals normals(stream);
        for (int64_t i = 0; i < fill.n; ++i) {
            const double value = scaled(normals.next(), std, mean);
            single ? void(singles[i] = float(value)) : void(doubles[i] = value);
        }
        normals.give_back();
        return true;
    }
    const WithoutGil free(fill.n >= kReleaseGil / 4);
    single ? block_normal(stream, singles, fill.n, float(std), float(mean)) : block_normal(stream, doubles, fill.n, std, mean);
    return true;
}

// One by one for any size, as PyTorch's.
bool run_log_normal(const Kernel& kernel, const Call& call) {
    Fill fill;
    double mean, std;
    if (!fill.read(kernel, call, 3) || !number(call, "mean", mean) || !number(call, "std", std)) return false;
    if (!(std > 0.0)) return false;
    Stream stream(fill.generator, *random_loops);
    if (!stream.served) return false;
    if (fill.n == 0) return true;
    stream.note_drawn();
    Normals normals(stream);
    {
        const WithoutGil free(fill.n >= kReleaseGil / 16);
        for (int64_t i = 0; i < fill.n; ++i) {
            const double value = std::exp(scaled(normals.next(), std, mean));
            if (fill.out.code == kFloat32)
                reinterpret_cast<float*>(fill.out.data)[i] = float(value);
            else
                reinterpret_cast<double*>(fill.out.data)[i] = value;
        }
    }
    normals.give_back();
    return true;
}

// -- bernoulli, integers, permutation ---------------------------------------------------------------------------------

template <class T>
void choose_ones(T* out, const uint8_t* chosen, int64_t n, T one) {
    for (int64_t i = 0; i < n; ++i) out[i] = chosen[i] ? one : T(0);
}

bool run_bernoulli(const Kernel& kernel, const Call& call) {
    Fill fill;
    double probability;
    if (!fill.read(kernel, call, 2) || !number(call, "probability", probability)) return false;
    if (!(probability >= 0.0 && probability <= 1.0)) return false;
    Stream stream(fill.generator, *random_loops);
    if (!stream.served) return false;
    if (fill.n == 0) return true;
    alignas(16) char one[16];
    if (PyObject* number_one = PyLong_FromLong(1)) {
        write_item(number_one, fill.out.code, one, call.op);
        Py_DECREF(number_one);
    }
    stream.note_drawn();
    const WithoutGil free(fill.n >= kReleaseGil);
    uint32_t words[kChunk];
    uint8_t chosen[kChunk / 2];
    for (int64_t at = 0; at < fill.n; at += kChunk / 2) {
        const int64_t some = std::min(kChunk / 2, fill.n - at);
        stream.words(words, 2 * some);
        random_loops->below(chosen, words, some, probability);
        char* to = fill.out.data + at * fill.out.itemsize();
        switch (fill.out.itemsize()) {
            case 1: choose_ones(reinterpret_cast<uint8_t*>(to), chosen, some, *reinterpret_cast<uint8_t*>(one)); break;
            case 2: choose_ones(reinterpret_cast<uint16_t*>(to), chosen, some, *reinterpret_cast<uint16_t*>(one)); break;
            case 4: choose_ones(reinterpret_cast<uint32_t*>(to), chosen, some, *reinterpret_cast<uint32_t*>(one)); break;
            default: choose_ones(reinterpret_cast<uint64_t*>(to), chosen, some, *reinterpret_cast<uint64_t*>(one));
        }
    }
    return true;
}

// x % width by two multiplications (Lemire, Kaser and Kurz, "Faster remainder by direct computation", 2019).
struct Remainder {
    uint64_t inverse;
    uint32_t width;
    explicit Remainder(uint32_t w) : inverse(~uint64_t(0) / w + 1), width(w) {}
    uint32_t of(uint32_t x) const {
        if (width == 1) return 0;
        return uint32_t((__uint128_t(inverse * x) * width) >> 64);
    }
};

template <class T>
void integers(Stream& stream, T* out, int64_t n, int64_t low, uint64_t width) {
    uint32_t words[kChunk];
    const bool narrow = width < (uint64_t(1) << 28);  // else two words make a number
    const Remainder remainder(narrow ? uint32_t(width) : 1);
    const int64_t chunk = narrow ? kChunk : kChunk / 2;
    for (int64_t at = 0; at < n; at += chunk) {
        const int64_t some = std::min(chunk, n - at);
        stream.words(words, narrow ? some : 2 * some);
        if (narrow)
            for (int64_t i = 0; i < some; ++i) out[at + i] = T(uint64_t(low) + remainder.of(words[i]));
        else
            for (int64_t i = 0; i < some; ++i)
                out[at + i] = T(uint64_t(low) + (uint64_t(words[2 * i]) << 32 | words[2 * i + 1]) % width);
    }
}

bool run_integers(const Kernel& kernel, const Call& call) {
    Fill fill;
    if (!fill.read(kernel, call, 3)) return false;
    PyObject* ends[] = {call.keyword("low"), call.keyword("high")};
    int64_t bounds[2];
    for (int i = 0; i < 2; ++i) {
        int overflow = 0;
        if (!PyLong_CheckExact(ends[i])) return false;
        bounds[i] = PyLong_AsLongLongAndOverflow(ends[i], &overflow);
        if (overflow != 0) return false;
    }
    const int bits = 8 * fill.out.itemsize();
    const bool is_signed = kNames[fill.out.code][0] == 'i';
    const int64_t most = is_signed ? int64_t(~uint64_t(0) >> (65 - bits)) : bits == 64 ? INT64_MAX : int64_t(~uint64_t(0) >> (64 - bits));
    const int64_t least = is_signed ? -most - 1 : 0;
    if (bounds[0] >= bounds[1] || bounds[0] < least || bounds[1] - 1 > most) return false;
    Stream stream(fill.generator, *random_loops);
    if (!stream.served) return false;
    if (fill.n == 0) return true;
    stream.note_drawn();
    const uint64_t width = uint64_t(bounds[1]) - uint64_t(bounds[0]);
    const WithoutGil free(fill.n >= kReleaseGil);
    switch (bits) {
        case 8: integers(stream, reinterpret_cast<uint8_t*>(fill.out.data), fill.n, bounds[0], width); break;
        case 16: integers(stream, reinterpret_cast<uint16_t*>(fill.out.data), fill.n, bounds[0], width); break;
        case 32: integers(stream, reinterpret_cast<uint32_t*>(fill.out.data), fill.n, bounds[0], width); break;
        default: integers(stream, reinterpret_cast<uint64_t*>(fill.out.data), fill.n, bounds[0], width);
    }
    return true;
}

// Fisher and Yates from the front.
template <class T>
void permute(Stream& stream, T* out, int64_t n) {
    for (int64_t i = 0; i < n; ++i) out[i] = T(i);
    uint32_t words[kChunk];
    for (int64_t at = 0; at < n - 1; at += kChunk) {
        const int64_t some = std::min(kChunk, n - 1 - at);
        stream.words(words, some);
        for (int64_t i = 0; i < some; ++i) words[i] %= uint32_t(n - at - i);
        for (int64_t i = 0; i < some; ++i) std::swap(out[at + i], out[at + i + words[i]]);
    }
}

bool run_permutation(const Kernel& kernel, const Call& call) {
    Fill fill;
    if (!fill.read(kernel, call, 1)) return false;
    if (fill.n >= 214748364) return false;  // there two words make a number
    Stream stream(fill.generator, *random_loops);
    if (!stream.served) return false;
    if (fill.n == 0) return true;
    if (fill.n > 1) stream.note_drawn();
    const WithoutGil free(fill.n >= kReleaseGil);
    if (fill.out.code == kInt64)
        permute(stream, reinterpret_cast<int64_t*>(fill.out.data), fill.n);
    else
        permute(stream, reinterpret_cast<int32_t*>(fill.out.data), fill.n);
    return true;
}

const Registration registration([](const Loops& loops) {
    random_loops = loops.random_loops;
    for (int code : {kFloat32, kFloat64}) {
        kernel_named("random_uniform", run_uniform).rows[code] = kServed;
        kernel_named("random_normal", run_normal).rows[code] = kServed;
        kernel_named("random_log_normal", run_log_normal).rows[code] = kServed;
    }
    for (int code = 0; code < kCodes; ++code)
        if (code != kComplex64 && code != kComplex128) kernel_named("random_bernoulli", run_bernoulli).rows[code] = kServed;
    for (int code : {kUInt8, kInt8, kInt16, kInt32, kInt64, kUInt16, kUInt32, kUInt64})
        kernel_named("random_integers", run_integers).rows[code] = kServed;
    for (int code : {kInt32, kInt64}) kernel_named("random_permutation", run_permutation).rows[code] = kServed;
});

}  // namespace
}  // namespace lamina
