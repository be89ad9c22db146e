// A pool of threads that spin briefly for the next piece of work, then sleep; a forked child starts a new one.
#include "threads.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace lamina {
namespace {

struct Pool {
    std::mutex busy;  // held by the one caller that the workers serve
    std::mutex sleep;
    std::condition_variable wake;
    std::atomic<uint64_t> turn{0};  // counts jobs; a change wakes the workers
    std::atomic<int64_t> job{0};  // 1 while there is work to be had, and 2 for each worker that is at it
    std::atomic<int64_t> next{0};
    int64_t n = 0, grain = 1;
    void (*part)(const void*, int64_t, int64_t) = nullptr;
    const void* context = nullptr;
    int workers = 0;
    int helping = 0;  // how many of them take part in this job
    int sleeping = 0;

    void work() {
        for (;;) {
            const int64_t begin = next.fetch_add(grain, std::memory_order_relaxed);
            if (begin >= n) return;
            part(context, begin, std::min(n, begin + grain));
        }
    }

    void serve(int index, uint64_t seen) {
        for (;;) {
            wait(seen);
            seen = turn.load(std::memory_order_acquire);
            int64_t now = job.load(std::memory_order_acquire);
            while ((now & 1) != 0 && !job.compare_exchange_weak(now, now + 2, std::memory_order_acq_rel)) {
            }
            if ((now & 1) == 0) continue;  // woken too late: nobody waited
            if (index < helping) work();
            job.fetch_sub(2, std::memory_order_release);
        }
    }

    void wait(uint64_t seen) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
        do {
            for (int i = 0; i < 64; ++i) {
                if (turn.load(std::memory_order_acquire) != seen) return;
#if defined(__x86_64__)
                __builtin_ia32_pause();
#endif
            }
        } while (std::chrono::steady_clock::now() < until);
        std::unique_lock<std::mutex> lock(sleep);
        ++sleeping;
        wake.wait(lock, [&] { return turn.load(std::memory_order_acquire) != seen; });
        --sleeping;
    }

    void run() {
        next.store(0, std::memory_order_relaxed);
        job.store(1, std::memory_order_release);
        {
            std::lock_guard<std::mutex> lock(sleep);  // so that a worker going to sleep does not miss the turn
            turn.fetch_add(1, std::memory_order_release);
            if (sleeping > 0) wake.notify_all();
        }
        work();
        job.fetch_sub(1, std::memory_order_acq_rel);
        for (int i = 0; job.load(std::memory_order_acquire) != 0; ++i) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
            if (i > 4096) std::this_thread::yield();  // a worker may have lost its core
        }
    }
};

Pool* pool = nullptr;  // never deleted: its threads live as long as the process
int wanted = 0;

void forget_pool() { pool = nullptr; }  // in a forked child the threads are gone

Pool* ready_pool(int threads) {
    if (pool == nullptr) {
        static const int registered = pthread_atfork(nullptr, nullptr, forget_pool);
        (void)registered;
        pool = new Pool;
    }
    std::unique_lock<std::mutex> busy(pool->busy, std::try_to_lock);
    if (!busy.owns_lock()) return nullptr;
    while (pool->workers < threads - 1) {
        Pool* mine = pool;
        const uint64_t seen = mine->turn.load();
        try {
            std::thread([mine, seen, index = mine->workers] { mine->serve(index, seen); }).detach();
        } catch (const std::exception&) {  // no more threads to be had: work with those there are
            wanted = pool->workers + 1;
            break;
        }
        ++pool->workers;
    }
    pool->helping = threads - 1;
    busy.release();
    return pool;
}

std::mutex starting;

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

}  // namespace

int default_threads() {
    int cores = int(std::thread::hardware_concurrency());
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) cores = CPU_COUNT(&set);
#endif
    return std::max(1, std::min(cores, cgroup_quota()));
}

int num_threads() {
    if (wanted == 0) wanted = default_threads();
    return wanted;
}

void set_num_threads(int n) { wanted = n; }

void parallel_ranges(int64_t n, int64_t grain, void (*part)(const void*, int64_t, int64_t), const void* context) {
    grain = std::max<int64_t>(grain, 1);
    const int threads = num_threads();
    Pool* mine = nullptr;
    if (threads > 1 && n > grain) {
        std::unique_lock<std::mutex> lock(starting, std::try_to_lock);
        if (lock.owns_lock()) mine = ready_pool(threads);
    }
    if (mine == nullptr) {
        for (int64_t begin = 0; begin < n; begin += grain) part(context, begin, std::min(n, begin + grain));
        return;
    }
    mine->n = n;
    mine->grain = grain;
    mine->part = part;
    mine->context = context;
    mine->run();
    mine->busy.unlock();
}

}  // namespace lamina
