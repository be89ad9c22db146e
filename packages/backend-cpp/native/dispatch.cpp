// Chooses the best of the compiled instruction sets that this processor has.
#include <cstdlib>
#include <cstring>

#include "loops.hpp"

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

const Loops& best_loops() {
#if defined(__x86_64__) && !defined(LAMINA_ONLY_BASELINE)
    const char* at_most = std::getenv("LAMINA_CPP_ISA");  // for tests: "baseline" or "avx2"
    const bool plain = at_most != nullptr && std::strcmp(at_most, "baseline") == 0;
    const bool narrow = at_most != nullptr && std::strcmp(at_most, "avx2") == 0;
    __builtin_cpu_init();
    if (!plain && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("bmi")) {
        if (!narrow && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
            return avx512::loops;
        return avx2::loops;
    }
#endif
    return baseline::loops;
}

}  // namespace lamina
