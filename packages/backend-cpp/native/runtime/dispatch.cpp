// Chooses the best of the compiled instruction sets that this processor has. The build says which are compiled, best first:
// LAMINA_SETS(X) is X(avx512) X(baseline), say.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "loops/loops.hpp"

#define LAMINA_DECLARE(set) namespace set { extern const Loops loops; }
#define LAMINA_ADDRESS(set) &set::loops,

namespace lamina {

LAMINA_SETS(LAMINA_DECLARE)

namespace {

enum Rank { kBaseline, kAvx2, kAvx512, kAmx };

Rank rank_of(const char* name) {
    constexpr const char* kNames[] = {"baseline", "avx2", "avx512"};  // in the order of ranks
    int rank = 0;
    while (rank < kAmx && std::strcmp(name, kNames[rank]) != 0) ++rank;
    return Rank(rank);
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

// AMX_TILE and AMX_BF16.
bool processor_has_tiles() {
    constexpr unsigned kBFloat16 = 1u << 22, kTiles = 1u << 24;
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & kBFloat16) != 0 && (d & kTiles) != 0;
}

Rank rank_of_processor() {
    if (!has_v3()) return kBaseline;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512cd") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
        return kAvx2;
    return processor_has_tiles() ? kAmx : kAvx512;
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

// Linux wants to be asked before a process uses the registers of tiles, as signals then store 8 KiB more.
bool may_use_tiles() {
#if defined(__linux__) && defined(__x86_64__)
    constexpr long kAskForRegisters = 0x1023, kTiles = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
    return syscall(SYS_arch_prctl, kAskForRegisters, kTiles) == 0;
#else
    return false;
#endif
}

Rank highest_rank() {
    const char* at_most = std::getenv("LAMINA_CPP_ISA");  // for tests: "baseline", "avx2" or "avx512"
    const Rank most = at_most == nullptr ? kAmx : rank_of(at_most);
    return std::min(most, rank_of_processor());
}

const Loops* chosen() {
    const Rank most = highest_rank();
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

bool has_amx() {
    static const bool has = best_loops().products->gemm[kOfBFloat16] != nullptr && highest_rank() == kAmx && may_use_tiles();
    return has;
}

}  // namespace lamina
