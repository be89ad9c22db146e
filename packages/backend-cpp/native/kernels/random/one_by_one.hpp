// Uniform and normal numbers in float64, one by one: for what takes as many of them as chance asks for.
#pragma once

#include <cmath>

#include "kernels/random/stream.hpp"

namespace lamina {

// In [0, 1), of the low 53 bits of two words.
inline double unit(const uint32_t* words) {
    const uint64_t word = (uint64_t(words[0]) << 32 | words[1]) & ((uint64_t(1) << 53) - 1);
    return double(int64_t(word)) * 0x1p-53;
}

constexpr double kTurn = 6.283185307179586;

class Uniforms {
 public:
    explicit Uniforms(Stream& stream) : stream_(stream) {}

    double next() {
        const uint32_t words[2] = {stream_.word(), stream_.word()};
        return unit(words);
    }

 private:
    Stream& stream_;
};

// Pairs by Box and Muller's transform. The second of a pair may wait in the generator for whoever draws next.
class Normals {
 public:
    explicit Normals(Stream& stream) : stream_(stream) { waits_ = stream.waiting_normal(second_); }

    double next() {
        if (waits_) {
            waits_ = false;
            return second_;
        }
        const uint32_t words[4] = {stream_.word(), stream_.word(), stream_.word(), stream_.word()};
        const double angle = kTurn * unit(words), radius = std::sqrt(-2.0 * std::log1p(-unit(words + 2)));
        second_ = radius * std::sin(angle);
        waits_ = true;
        return radius * std::cos(angle);
    }

    // At the end, with the GIL.
    void give_back() {
        if (waits_) stream_.leave_normal(second_);
    }

 private:
    Stream& stream_;
    double second_ = 0.0;
    bool waits_;
};

}  // namespace lamina
