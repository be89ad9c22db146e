// The pool of threads without Python, so that a sanitizer can watch it: several callers at once, their number changing meanwhile.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "runtime/threads.hpp"

int main() {
    lamina::set_num_threads(4);
    std::atomic<long> wrong{0};
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 4; ++caller)
        callers.emplace_back([&wrong, caller] {
            for (int round = 0; round < 200; ++round) {
                if (caller == 0 && round % 50 == 0) lamina::set_num_threads(1 + round / 50);
                const int64_t n = 1 + (round * 37) % 5000;
                std::vector<int> items(n);  // each part writes its own: no lock, and none needed
                lamina::parallel(n, 1 + round % 64, [&items](int64_t begin, int64_t end) {
                    for (int64_t i = begin; i < end; ++i) items[i] += int(i) + 1;
                });
                long sum = 0;
                for (const int item : items) sum += item;
                if (sum != n * (n + 1) / 2) ++wrong;
            }
        });
    for (std::thread& caller : callers) caller.join();
    std::printf("%ld wrong\n", wrong.load());
    return wrong.load() != 0;
}
