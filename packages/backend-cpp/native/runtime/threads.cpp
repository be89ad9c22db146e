// A pool of threads that wait for the next piece of work, then sleep; a forked child starts a new one.
//
// Each thread begins with its own part of the work, the same one in each call, and goes through it the other way round than in the call
// before: what it wrote last is still in its cache. When it is through it takes from the other end of the others' parts. A thread is
// started and woken on another core than the caller's: there it would not run before the caller is done, and the system moves it only
// after many milliseconds. Else all run where the one that calls may run, as it was a few milliseconds ago at most.
#include "runtime/threads.hpp"

#ifndef _WIN32
#include <pthread.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "runtime/cores.hpp"

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
    uint64_t begin = 0, end = 0;

    void fill(int64_t first, int64_t last) {
        begin = uint64_t(first);
        end = uint64_t(last);
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

    int64_t mirrored(int64_t piece) const { return int64_t(begin + end) - 1 - piece; }
};

struct Worker {
    ThreadHandle thread;
    bool elsewhere = false;  // kept from the core of who started or woke it, until it runs
    bool asleep = false;
};

thread_local bool is_worker = false;

struct Pool {
    // What a job is; changed between jobs only.
    int64_t n = 0, grain = 1;
    bool backwards = false;
    void (*part)(const void*, int64_t, int64_t) = nullptr;
    const void* context = nullptr;
    int sharing = 1;   // threads that have a share
    int helping = 0;   // workers that take part
    Share shares[kMostShares];
    // Bit 0 while there is work to be had, 2 for each worker that is at it, and in the upper half the number of the job.
    alignas(64) std::atomic<uint64_t> state{0};
    alignas(64) std::atomic<int> sleeping{0};
    std::mutex sleep;  // also of the list of workers, from the first one on, and of what they may run on
    std::deque<Worker> listed;
    CoreSet cores;
    std::condition_variable wake;
    std::mutex busy;  // held by the one caller that the workers serve
    int workers = 0;

    static uint64_t job(uint64_t state) { return state >> 32; }

    void work(int me) {
        for (int other = 0; other < sharing; ++other) {
            Share& share = shares[(me + other) % sharing];
            for (int64_t piece; (piece = share.take(other == 0)) >= 0;) {
                const int64_t first = (backwards ? share.mirrored(piece) : piece) * grain;
                part(context, first, std::min(n, first + grain));
            }
        }
    }

    void send_elsewhere(Worker& worker) {
        if (!worker.elsewhere) worker.elsewhere = cores.give_all_but_mine(worker.thread);
    }

    void come_back(Worker& self) {
        if (self.elsewhere) cores.give_all(self.thread);
        self.elsewhere = false;
    }

    // Workers run where their caller may, also after the program has changed that.
    void follow(const CoreSet& now) {
        if (now == cores) return;
        std::lock_guard<std::mutex> lock(sleep);
        cores = now;
        for (Worker& worker : listed) {
            cores.give_all(worker.thread);
            worker.elsewhere = false;
        }
    }

    // Throws where there are no more threads to be had.
    void add_worker() {
        std::lock_guard<std::mutex> lock(sleep);
        Worker& worker = listed.emplace_back();
        try {
            std::thread thread([this, &worker, seen = job(state.load()), me = workers + 1] { serve(worker, me, seen); });
            worker.thread = thread.native_handle();
            cores.give_all(worker.thread);  // it began with those of the thread that starts it
            send_elsewhere(worker);
            thread.detach();
        } catch (const std::exception&) {
            listed.pop_back();
            throw;
        }
        ++workers;
    }

    void serve(Worker& self, int me, uint64_t seen) {
        is_worker = true;
        {
            std::lock_guard<std::mutex> lock(sleep);
            come_back(self);
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
        come_back(self);
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
                if (worker.asleep) send_elsewhere(worker);
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
std::mutex starting;   // held by who looks at `pool`, or for cores
SeenCores seen_cores;
std::atomic<int> wanted{0};  // by the user; 0 for as many as there are cores

#ifndef _WIN32
// A fork waits until no thread is starting the pool; in the child the threads are gone.
void before_fork() { starting.lock(); }
void in_parent() { starting.unlock(); }
void in_child() {
    pool = nullptr;
    starting.unlock();
}
[[maybe_unused]] const int registered = pthread_atfork(before_fork, in_parent, in_child);
#endif

Pool* ready_pool(int threads) {
    if (pool == nullptr) pool = new Pool;
    std::unique_lock<std::mutex> busy(pool->busy, std::try_to_lock);
    if (!busy.owns_lock()) return nullptr;
    seen_cores.look_if_due();
    pool->follow(seen_cores.set);
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

}  // namespace

bool turn_round() {
    static thread_local bool backwards = false;
    return backwards = !backwards;
}

int default_threads() { return available_cores(); }

int num_threads() {
    const int asked = wanted.load(std::memory_order_relaxed);
    if (asked != 0) return asked;
    if (seen_cores.due() && !is_worker) {  // a worker's cores are those that its caller had
        const std::unique_lock<std::mutex> lock(starting, std::try_to_lock);
        if (lock.owns_lock()) seen_cores.look_if_due();
    }
    const int cores = seen_cores.count();
    return cores != 0 ? cores : default_threads();
}

void set_num_threads(int n) { wanted = n; }

int64_t grain_of(int64_t n, int64_t work) {
    if (work < kParallel) return std::max<int64_t>(n, 1);
    constexpr int64_t kLeastWork = 8192;
    const int64_t threads = num_threads();
    const int64_t pieces = threads * std::max<int64_t>(1, std::min(kPiecesEach, work / (threads * kLeastWork)));
    return std::max<int64_t>(1, (n + pieces - 1) / pieces);
}

void parallel_ranges(int64_t n, int64_t grain, bool backwards, void (*part)(const void*, int64_t, int64_t), const void* context) {
    grain = std::max<int64_t>(grain, 1);
    const int threads = n > grain && n / grain < kMostPieces ? num_threads() : 1;
    Pool* mine = nullptr;
    if (threads > 1) {
        std::unique_lock<std::mutex> lock(starting, std::try_to_lock);
        if (lock.owns_lock()) mine = ready_pool(threads);
    }
    if (mine == nullptr) {
        const int64_t pieces = (n + grain - 1) / grain;
        for (int64_t i = 0; i < pieces; ++i) {
            const int64_t begin = (backwards ? pieces - 1 - i : i) * grain;
            part(context, begin, std::min(n, begin + grain));
        }
        return;
    }
    mine->n = n;
    mine->grain = grain;
    mine->backwards = backwards;
    mine->part = part;
    mine->context = context;
    mine->run();
    mine->busy.unlock();
}

}  // namespace lamina
