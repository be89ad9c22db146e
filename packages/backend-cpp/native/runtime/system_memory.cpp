#include "runtime/system_memory.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif
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

void return_free_pages() {
#ifdef __GLIBC__
    malloc_trim(0);  // free blocks between others stay with the process otherwise
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
