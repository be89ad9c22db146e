// The cores that the program may use: those of the calling thread's affinity, but no more than its control group's quota.
#pragma once

#ifdef __linux__
#include <sched.h>
#endif

#include <atomic>
#include <cstdint>
#include <thread>

namespace lamina {

using ThreadHandle = std::thread::native_handle_type;

int available_cores();

// Cores that threads are kept to; where the system does not say, nothing is done.
class CoreSet {
   public:
    static CoreSet of_this_thread();

    bool operator==(const CoreSet& other) const;
    void give_all(ThreadHandle thread) const;
    bool give_all_but_mine(ThreadHandle thread) const;  // false where there are no others

   private:
#ifdef __linux__
    cpu_set_t set_;
    bool known_ = false;
#endif
};

// The calling threads' cores as they were a moment ago: the program, or who started it, may change them at any time.
class SeenCores {
   public:
    // Looks, if the last time was more than a few milliseconds ago. Only one thread at a time may do so, and read `set`.
    void look_if_due();
    bool due() const;

    CoreSet set;
    int count() const { return count_.load(std::memory_order_relaxed); }  // 0 before the first look

   private:
    std::atomic<int> count_{0};
    std::atomic<int64_t> next_{0};
};

}  // namespace lamina
