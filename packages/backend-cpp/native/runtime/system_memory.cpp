#include "runtime/system_memory.hpp"

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace lamina {

void ask_for_huge_pages([[maybe_unused]] char* block, [[maybe_unused]] int64_t bytes) {
#ifdef MADV_HUGEPAGE
    madvise(block, size_t(bytes), MADV_HUGEPAGE);
#endif
}

int64_t physical_memory() {
#ifdef _WIN32
    MEMORYSTATUSEX status;
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) ? int64_t(status.ullTotalPhys) : 0;
#else
    return int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
#endif
}

}  // namespace lamina
