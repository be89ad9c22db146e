// Reads affinities and quotas from Linux; elsewhere there are as many cores as the machine has, and threads run where they like.
#include "runtime/cores.hpp"

#ifdef __linux__
#include <pthread.h>
#include <time.h>
#endif

#include <algorithm>
#include <cstdio>

namespace lamina {
namespace {

constexpr int64_t kBetweenLooks = 4000000;  // nanoseconds

int cgroup_quota() {
    long long quota = -1, period = 0;
    if (FILE* file = std::fopen("/sys/fs/cgroup/cpu.max", "r")) {
        if (std::fscanf(file, "%lld %lld", &quota, &period) != 2) quota = -1;
        std::fclose(file);
    } else {
        if (FILE* old = std::fopen("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "r")) {
            if (std::fscanf(old, "%lld", &quota) != 1) quota = -1;
            std::fclose(old);
        }
        if (FILE* old = std::fopen("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "r")) {
            if (std::fscanf(old, "%lld", &period) != 1) period = 0;
            std::fclose(old);
        }
    }
    return quota > 0 && period > 0 ? int(std::max<long long>(1, (quota + period - 1) / period)) : 1 << 20;
}

// In nanoseconds, to a few milliseconds: quicker than to ask for the affinity each time.
int64_t coarse_time() {
#ifdef __linux__
    timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
#else
    return 0;
#endif
}

}  // namespace

int available_cores() {
    int cores = int(std::thread::hardware_concurrency());
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) cores = CPU_COUNT(&set);
#endif
    return std::max(1, std::min(cores, cgroup_quota()));
}

#ifdef __linux__

CoreSet CoreSet::of_this_thread() {
    CoreSet cores;
    cores.known_ = sched_getaffinity(0, sizeof cores.set_, &cores.set_) == 0;
    return cores;
}

bool CoreSet::operator==(const CoreSet& other) const { return known_ == other.known_ && (!known_ || CPU_EQUAL(&set_, &other.set_)); }

void CoreSet::give_all(ThreadHandle thread) const {
    if (known_) pthread_setaffinity_np(thread, sizeof set_, &set_);
}

bool CoreSet::give_all_but_mine(ThreadHandle thread) const {
    const int mine = sched_getcpu();
    if (!known_ || mine < 0 || mine >= CPU_SETSIZE) return false;
    cpu_set_t others = set_;
    CPU_CLR(mine, &others);
    return CPU_COUNT(&others) > 0 && pthread_setaffinity_np(thread, sizeof others, &others) == 0;
}

#else

CoreSet CoreSet::of_this_thread() { return {}; }
bool CoreSet::operator==(const CoreSet&) const { return true; }
void CoreSet::give_all(ThreadHandle) const {}
bool CoreSet::give_all_but_mine(ThreadHandle) const { return false; }

#endif

bool SeenCores::due() const { return count() == 0 || coarse_time() > next_.load(std::memory_order_relaxed); }

void SeenCores::look_if_due() {
    if (!due()) return;
    next_.store(coarse_time() + kBetweenLooks, std::memory_order_relaxed);
    const CoreSet now = CoreSet::of_this_thread();
    if (count() != 0 && now == set) return;
    set = now;
    count_.store(available_cores(), std::memory_order_relaxed);
}

}  // namespace lamina
