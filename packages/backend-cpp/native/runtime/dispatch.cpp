// Chooses the best of the compiled instruction sets that this processor has.
#include <cstdlib>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "loops/loops.hpp"

namespace lamina {

namespace baseline {
extern const Loops loops;
}
#if defined(__x86_64__) && !defined(LAMINA_ONLY_BASELINE)
namespace avx2 {
extern const Loops loops;
}
namespace avx512 {
extern const Loops loops;
}
#endif

#if defined(__x86_64__) && !defined(LAMINA_ONLY_BASELINE)
// Whether the processor has all that x86-64-v3 is; not every compiler's __builtin_cpu_supports knows the last three.
bool has_v3() {
    unsigned a, b, c, d;
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2"))
        return false;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_F16C) == 0 || (c & bit_MOVBE) == 0) return false;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT) != 0;
}
#endif

const Loops& best_loops() {
#if defined(__x86_64__) && !defined(LAMINA_ONLY_BASELINE)
    const char* at_most = std::getenv("LAMINA_CPP_ISA");  // for tests: "baseline" or "avx2"
    const bool plain = at_most != nullptr && std::strcmp(at_most, "baseline") == 0;
    const bool narrow = at_most != nullptr && std::strcmp(at_most, "avx2") == 0;
    if (!plain && has_v3()) {
        if (!narrow && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
            return avx512::loops;
        return avx2::loops;
    }
#endif
    return baseline::loops;
}

}  // namespace lamina
