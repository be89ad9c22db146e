// Items of 16 bits as kernels of float32 take them, and their results rounded once.
#pragma once

#include <memory>

#include "loops.hpp"
#include "operand.hpp"

namespace lamina {

inline bool is_narrow(int code) { return code == kFloat16 || code == kBFloat16; }

// The dtype that items are computed with.
inline int wide(int code) { return is_narrow(code) ? int(kFloat32) : code; }

// `stride` is that of the narrow items.
inline void widen(float* to, const char* from, int code, int64_t stride, int64_t n) {
    static const Narrows& narrows = *best_loops().narrows;
    narrows.widen[code == kBFloat16](to, from, stride, n);
}

inline void narrow(char* to, const float* from, int code, int64_t stride, int64_t n) {
    static const Narrows& narrows = *best_loops().narrows;
    narrows.narrow[code == kBFloat16](to, stride, from, n);
}

// The items of a dense operand in the dtype that is computed with; null where the operand was left out.
class Wide {
   public:
    void read(const View& v) {
        data = v.data;
        if (v.data == nullptr || !is_narrow(v.code)) return;
        room_.reset(new float[size_t(v.g.size + 1)]);
        widen(room_.get(), v.data, v.code, 1, v.g.size);
        data = reinterpret_cast<const char*>(room_.get());
    }

    const char* data = nullptr;

   private:
    std::unique_ptr<float[]> room_;
};

}  // namespace lamina
