// Chooses the best of the compiled instruction sets that this processor has. The build says which are compiled, best first:
// LAMINA_SETS(X) is X(avx512) X(baseline), say.
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "loops/loops.hpp"

#define LAMINA_DECLARE(set) namespace set { extern const Loops loops; }
#define LAMINA_ADDRESS(set) &set::loops,

namespace lamina {

LAMINA_SETS(LAMINA_DECLARE)

namespace {

enum Rank { kBaseline, kAvx2, kAvx512 };

Rank rank_of(const char* set) {
    return std::strcmp(set, "baseline") == 0 ? kBaseline : std::strcmp(set, "avx2") == 0 ? kAvx2 : kAvx512;
}

#if defined(__x86_64__)
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

Rank rank_of_processor() {
    if (!has_v3()) return kBaseline;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
               ? kAvx512
               : kAvx2;
}

// AVX512_BF16, which fewer compilers know by name.
bool processor_has_pairs() {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 5) != 0;
}
#else
Rank rank_of_processor() { return kBaseline; }
bool processor_has_pairs() { return false; }
#endif

const Loops* chosen() {
    const char* at_most = std::getenv("LAMINA_CPP_ISA");  // for tests: "baseline" or "avx2"
    Rank most = rank_of_processor();
    if (at_most != nullptr && rank_of(at_most) < most) most = rank_of(at_most);
    for (const Loops* loops : {LAMINA_SETS(LAMINA_ADDRESS)})
        if (rank_of(loops->instruction_set) <= most) return loops;
    return nullptr;
}

}  // namespace

const Loops* loops_that_run() {
    static const Loops* const loops = chosen();
    return loops;
}

const Loops& best_loops() { return *loops_that_run(); }

bool has_pairs() {
    static const bool has = best_loops().products->gemm[kOfPairs] != nullptr && processor_has_pairs();
    return has;
}

}  // namespace lamina
