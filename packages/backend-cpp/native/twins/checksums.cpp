// CRC-32 by carry-less products: 64 bytes at a time are folded over the next 64, so that but 16 bytes are left to divide.
//
// V. Gopal et al., Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction, 2009. Bits are reflected: the
// lowest bit of the first byte has the highest power of x.
#include "twins/checksums.hpp"

#include <array>
#include <cstdint>

#include "runtime/operand.hpp"
#include "runtime/threads.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace lamina {
namespace {

constexpr uint32_t kPolynomial = 0xEDB88320;  // reflected

constexpr std::array<uint32_t, 256> remainders() {
    std::array<uint32_t, 256> table{};
    for (uint32_t byte = 0; byte < 256; ++byte) {
        uint32_t rest = byte;
        for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
        table[byte] = rest;
    }
    return table;
}

constexpr std::array<uint32_t, 256> kRemainders = remainders();

// Byte by byte; `rest` is the complement of the CRC so far.
uint32_t divided(const uint8_t* data, int64_t n, uint32_t rest) {
    for (int64_t i = 0; i < n; ++i) rest = (rest >> 8) ^ kRemainders[(rest ^ data[i]) & 255];
    return rest;
}

#if defined(__x86_64__)

// x**power modulo the polynomial, reflected, as a factor for the products: one bit further left, which these are short of.
constexpr uint64_t power_of_x(int power) {
    uint32_t rest = 0x80000000;  // x**0
    for (int i = 0; i < power; ++i) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    return uint64_t(rest) << 1;
}

// To move 128 bits on by so many bits: the factors of their low and of their high half.
template <int kBits>
struct Ahead {
    static constexpr uint64_t low = power_of_x(kBits + 32), high = power_of_x(kBits - 32);
};

#define LAMINA_PCLMUL __attribute__((target("pclmul,sse4.1")))

LAMINA_PCLMUL inline __m128i folded(__m128i x, __m128i factors, __m128i next) {
    return _mm_xor_si128(next, _mm_xor_si128(_mm_clmulepi64_si128(x, factors, 0x00), _mm_clmulepi64_si128(x, factors, 0x11)));
}

LAMINA_PCLMUL inline __m128i loaded(const uint8_t* data) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(data)); }

template <int kBits>
LAMINA_PCLMUL inline __m128i ahead() {
    return _mm_set_epi64x(int64_t(Ahead<kBits>::high), int64_t(Ahead<kBits>::low));
}

// What is left of x, and of the n bytes behind it.
LAMINA_PCLMUL uint32_t finished(__m128i x, const uint8_t* data, int64_t n) {
    for (; n >= 16; data += 16, n -= 16) x = folded(x, ahead<128>(), loaded(data));
    alignas(16) uint8_t left[16];
    _mm_store_si128(reinterpret_cast<__m128i*>(left), x);
    return divided(data, n, divided(left, 16, 0));
}

LAMINA_PCLMUL uint32_t multiplied(const uint8_t* data, int64_t n, uint32_t rest) {
    if (n < 128) return divided(data, n, rest);
    const __m128i far = ahead<512>(), near = ahead<128>();
    __m128i x0 = _mm_xor_si128(loaded(data), _mm_cvtsi32_si128(int(rest)));
    __m128i x1 = loaded(data + 16), x2 = loaded(data + 32), x3 = loaded(data + 48);
    for (data += 64, n -= 64; n >= 64; data += 64, n -= 64) {
        x0 = folded(x0, far, loaded(data));
        x1 = folded(x1, far, loaded(data + 16));
        x2 = folded(x2, far, loaded(data + 32));
        x3 = folded(x3, far, loaded(data + 48));
    }
    return finished(folded(folded(folded(x0, near, x1), near, x2), near, x3), data, n);
}

#define LAMINA_VPCLMUL __attribute__((target("vpclmulqdq,pclmul,avx2")))

LAMINA_VPCLMUL inline __m256i folded(__m256i x, __m256i factors, __m256i next) {
    const __m256i low = _mm256_clmulepi64_epi128(x, factors, 0x00), high = _mm256_clmulepi64_epi128(x, factors, 0x11);
    return _mm256_xor_si256(next, _mm256_xor_si256(low, high));
}

LAMINA_VPCLMUL inline __m256i loaded_twice(const uint8_t* data) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data));
}

// As `multiplied`, two products at once.
LAMINA_VPCLMUL uint32_t multiplied_twice(const uint8_t* data, int64_t n, uint32_t rest) {
    if (n < 256) return multiplied(data, n, rest);
    const __m256i far = _mm256_broadcastsi128_si256(ahead<1024>()), near = _mm256_broadcastsi128_si256(ahead<256>());
    __m256i x0 = _mm256_xor_si256(loaded_twice(data), _mm256_zextsi128_si256(_mm_cvtsi32_si128(int(rest))));
    __m256i x1 = loaded_twice(data + 32), x2 = loaded_twice(data + 64), x3 = loaded_twice(data + 96);
    for (data += 128, n -= 128; n >= 128; data += 128, n -= 128) {
        x0 = folded(x0, far, loaded_twice(data));
        x1 = folded(x1, far, loaded_twice(data + 32));
        x2 = folded(x2, far, loaded_twice(data + 64));
        x3 = folded(x3, far, loaded_twice(data + 96));
    }
    const __m256i x = folded(folded(folded(x0, near, x1), near, x2), near, x3);
    return finished(folded(_mm256_castsi256_si128(x), ahead<128>(), _mm256_extracti128_si256(x, 1)), data, n);
}

bool has_wide_products() {
    static const bool has = __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx2");
    return has;
}

#endif

}  // namespace

bool has_crc32() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
#else
    return false;
#endif
}

PyObject* crc32(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count < 1 || count > 2) return PyErr_Format(PyExc_TypeError, "crc32: %zd arguments given; it wants 1 or 2", count);
    const uint32_t before = count == 2 ? uint32_t(PyLong_AsUnsignedLongMask(arguments[1])) : 0;
    if (PyErr_Occurred()) return nullptr;
    Py_buffer buffer;
    if (PyObject_GetBuffer(arguments[0], &buffer, PyBUF_SIMPLE) < 0) return nullptr;
    uint32_t rest = ~before;
    {
        const WithoutGil free(buffer.len >= kReleaseGil);
        const auto* data = static_cast<const uint8_t*>(buffer.buf);
#if defined(__x86_64__)
        rest = has_wide_products() ? multiplied_twice(data, buffer.len, rest)
               : has_crc32()       ? multiplied(data, buffer.len, rest)
                                   : divided(data, buffer.len, rest);
#else
        rest = divided(data, buffer.len, rest);
#endif
    }
    PyBuffer_Release(&buffer);
    return PyLong_FromUnsignedLong(~rest);
}

}  // namespace lamina
