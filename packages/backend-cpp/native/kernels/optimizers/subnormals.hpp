// WithoutSubnormals: while it lasts, this thread takes numbers below the least normal one for zero, and makes none.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace lamina {

class WithoutSubnormals {
public:
    WithoutSubnormals() : before_(control()) { set_control(before_ | kZeros); }
    WithoutSubnormals(const WithoutSubnormals&) = delete;
    WithoutSubnormals& operator=(const WithoutSubnormals&) = delete;
    ~WithoutSubnormals() { set_control(before_); }

private:
#if defined(__x86_64__)
    static constexpr uint64_t kZeros = 0x8040;  // of results, and of operands
    static uint64_t control() { return _mm_getcsr(); }
    static void set_control(uint64_t bits) { _mm_setcsr(uint32_t(bits)); }
#elif defined(__aarch64__)
    static constexpr uint64_t kZeros = uint64_t(1) << 24;
    static uint64_t control() {
        uint64_t bits;
        asm volatile("mrs %0, fpcr" : "=r"(bits));
        return bits;
    }
    static void set_control(uint64_t bits) { asm volatile("msr fpcr, %0" : : "r"(bits)); }
#else
    static constexpr uint64_t kZeros = 0;
    static uint64_t control() { return 0; }
    static void set_control(uint64_t) {}
#endif
    uint64_t before_;
};

}  // namespace lamina
