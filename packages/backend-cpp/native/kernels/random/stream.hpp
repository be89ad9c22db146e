// The generator's mt19937 stream, drawn from where NumPy's engine keeps it: no copy of the state goes either way.
#pragma once

#include <Python.h>

#include <cstdint>

#include "loops/loops.hpp"

namespace lamina {

int ready_streams();  // prepares the names; -1 with an exception set

// Holds the generator's lock while it lives.
class Stream {
 public:
    // `served` is false where the generator is of another kind (or NumPy keeps its state otherwise than we know).
    Stream(PyObject* generator, const RandomLoops& loops);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    // The next n words. Needs no GIL.
    void words(uint32_t* to, int64_t n);

    // The next one.
    uint32_t word() {
        if (state_->pos >= 624) twist();
        uint32_t y = state_->key[state_->pos++];
        y ^= y >> 11;
        y ^= y << 7 & 0x9d2c5680u;
        y ^= y << 15 & 0xefc60000u;
        return y ^ y >> 18;
    }

    void note_drawn();                     // the stream is not fresh any more; once per fill that draws
    bool waiting_normal(double& value);    // takes the second half of a pair that waits for its turn
    void leave_normal(double value);       // puts one there

    bool served = false;

 private:
    struct State {
        uint32_t key[624];
        int pos;
    };

    void twist();

    PyObject *lock_ = nullptr, *source_ = nullptr;
    State* state_ = nullptr;
    const RandomLoops& loops_;
};

}  // namespace lamina
