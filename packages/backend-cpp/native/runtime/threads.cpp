// A pool of threads that wait for the next piece of work, then sleep; a forked child starts a new one.
//
// Each thread begins with its own part of the work, the same one in each call: what it wrote is still in its cache. When
// it is through it takes from the other end of the others' parts. A thread is started and woken on another core than the
// caller's: there it would not run before the caller is done, and the system moves it only after many milliseconds.
#include "runtime/threads.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>

namespace lamina {
namespace {

constexpr int kMostShares = 256;
constexpr int64_t kMostPieces = int64_t(1) << 31;
constexpr auto kSpin = std::chrono::microseconds(50), kYield = std::chrono::microseconds(1000);

inline void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// The pieces first .. last of one thread that nobody has begun, as two halves of a word.
struct alignas(64) Share {
    std::atomic<uint64_t> left{0};
    uint64_t begin = 0;

    void fill(int64_t first, int64_t last) {
        begin = uint64_t(first);
        left.store(uint64_t(last) << 32 | begin, std::memory_order_relaxed);
    }

    int64_t take(bool mine) {  // -1 for none
        uint64_t now = left.load(std::memory_order_relaxed);
        for (;;) {
            const uint64_t first = now & 0xffffffff, last = now >> 32;
            if (first >= last) return -1;
            if (!mine && last - first == 1 && first != begin) return -1;  // its owner is about to take it
            const uint64_t then = mine ? now + 1 : now - (uint64_t(1) << 32);
            if (left.compare_exchange_weak(now, then, std::memory_order_relaxed)) return int64_t(mine ? first : last - 1);
        }
    }
};

// Keeps a thread that does not run from this core until it gives itself `before` back.
struct Elsewhere {
#ifdef __linux__
    cpu_set_t before;
    bool moved = false;

    void move(pthread_t thread) {
        const int here = sched_getcpu();
        if (moved || here < 0 || here >= CPU_SETSIZE || pthread_getaffinity_np(thread, sizeof before, &before) != 0) return;
        cpu_set_t others = before;
        CPU_CLR(here, &others);
        moved = CPU_COUNT(&others) > 0 && pthread_setaffinity_np(thread, sizeof others, &others) == 0;
    }

    void come_back() {
        if (moved) pthread_setaffinity_np(pthread_self(), sizeof before, &before);
        moved = false;
    }
#else
    void move(pthread_t) {}
    void come_back() {}
#endif
};

struct Worker {
    pthread_t thread;
    Elsewhere elsewhere;
    bool asleep = false;
};

struct Pool {
    // What a job is; changed between jobs only.
    int64_t n = 0, grain = 1;
    void (*part)(const void*, int64_t, int64_t) = nullptr;
    const void* context = nullptr;
    int sharing = 1;   // threads that have a share
    int helping = 0;   // workers that take part
    Share shares[kMostShares];
    // Bit 0 while there is work to be had, 2 for each worker that is at it, and in the upper half the number of the job.
    alignas(64) std::atomic<uint64_t> state{0};
    alignas(64) std::atomic<int> sleeping{0};
    std::mutex sleep;  // also of the list of workers, from the first one on
    std::deque<Worker> listed;
    std::condition_variable wake;
    std::mutex busy;  // held by the one caller that the workers serve
    int workers = 0;

    static uint64_t job(uint64_t state) { return state >> 32; }

    void work(int me) {
        for (int other = 0; other < sharing; ++other) {
            Share& share = shares[(me + other) % sharing];
            for (int64_t piece; (piece = share.take(other == 0)) >= 0;)
                part(context, piece * grain, std::min(n, (piece + 1) * grain));
        }
    }

    // Throws where there are no more threads to be had.
    void add_worker() {
        std::lock_guard<std::mutex> lock(sleep);
        Worker& worker = listed.emplace_back();
        try {
            std::thread thread([this, &worker, seen = job(state.load()), me = workers + 1] { serve(worker, me, seen); });
            worker.thread = thread.native_handle();
            worker.elsewhere.move(worker.thread);
            thread.detach();
        } catch (const std::exception&) {
            listed.pop_back();
            throw;
        }
        ++workers;
    }

    void serve(Worker& self, int me, uint64_t seen) {
        {
            std::lock_guard<std::mutex> lock(sleep);
            self.elsewhere.come_back();
        }
        for (;;) {
            uint64_t now = wait(self, seen);
            seen = job(now);
            while ((now & 1) != 0 && !state.compare_exchange_weak(now, now + 2, std::memory_order_acquire)) {
            }
            if ((now & 1) == 0) continue;  // woken too late: nobody waited
            if (me <= helping) work(me);
            state.fetch_sub(2, std::memory_order_release);
        }
    }

    // For a job after `seen`: awake at first, then leaving the core to whoever wants it, then asleep.
    uint64_t wait(Worker& self, uint64_t seen) {
        uint64_t now;
        const auto begin = std::chrono::steady_clock::now();
        for (auto since = begin - begin; since < kYield; since = std::chrono::steady_clock::now() - begin) {
            for (int i = 0; i < 64; ++i) {
                if (job(now = state.load(std::memory_order_acquire)) != seen) return now;
                pause();
            }
            if (since > kSpin) std::this_thread::yield();
        }
        std::unique_lock<std::mutex> lock(sleep);
        sleeping.fetch_add(1);  // before the last look: whoever begins a job sees one or the other
        self.asleep = true;
        wake.wait(lock, [&] { return job(now = state.load()) != seen; });
        self.asleep = false;
        self.elsewhere.come_back();
        sleeping.fetch_sub(1);
        return now;
    }

    void run() {
        const int64_t pieces = (n + grain - 1) / grain;
        sharing = std::min(helping + 1, kMostShares);
        for (int t = 0; t < sharing; ++t) shares[t].fill(t * pieces / sharing, (t + 1) * pieces / sharing);
        state.fetch_add((uint64_t(1) << 32) + 1);
        if (sleeping.load() > 0) {
            std::lock_guard<std::mutex> lock(sleep);
            for (Worker& worker : listed)
                if (worker.asleep) worker.elsewhere.move(worker.thread);
            wake.notify_all();
        }
        work(0);
        state.fetch_sub(1, std::memory_order_acq_rel);
        for (int i = 0; (state.load(std::memory_order_acquire) & 0xffffffff) != 0; ++i) {
            pause();
            if (i > 4096) std::this_thread::yield();  // a worker may have lost its core
        }
    }
};

Pool* pool = nullptr;  // never deleted: its threads live as long as the process
std::mutex starting;   // held by who looks at `pool`
std::atomic<int> wanted{0};

// A fork waits until no thread is starting the pool; in the child the threads are gone.
void before_fork() { starting.lock(); }
void in_parent() { starting.unlock(); }
void in_child() {
    pool = nullptr;
    starting.unlock();
}
[[maybe_unused]] const int registered = pthread_atfork(before_fork, in_parent, in_child);

Pool* ready_pool(int threads) {
    if (pool == nullptr) pool = new Pool;
    std::unique_lock<std::mutex> busy(pool->busy, std::try_to_lock);
    if (!busy.owns_lock()) return nullptr;
    while (pool->workers < threads - 1) {
        try {
            pool->add_worker();
        } catch (const std::exception&) {  // no more threads to be had: work with those there are
            wanted = pool->workers + 1;
            break;
        }
    }
    pool->helping = threads - 1;
    busy.release();
    return pool;
}

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
    const int now = wanted.load(std::memory_order_relaxed);
    if (now != 0) return now;
    int none = 0;
    wanted.compare_exchange_strong(none, default_threads());
    return wanted;
}

void set_num_threads(int n) { wanted = n; }

int64_t grain_of(int64_t n, int64_t work) {
    if (work < kParallel) return std::max<int64_t>(n, 1);
    constexpr int64_t kMostEach = 4, kLeastWork = 8192;
    const int64_t threads = num_threads();
    const int64_t pieces = threads * std::max<int64_t>(1, std::min(kMostEach, work / (threads * kLeastWork)));
    return std::max<int64_t>(1, (n + pieces - 1) / pieces);
}

void parallel_ranges(int64_t n, int64_t grain, void (*part)(const void*, int64_t, int64_t), const void* context) {
    grain = std::max<int64_t>(grain, 1);
    const int threads = num_threads();
    Pool* mine = nullptr;
    if (threads > 1 && n > grain && n / grain < kMostPieces) {
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
