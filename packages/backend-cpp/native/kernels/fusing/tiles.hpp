// How much of the temporaries of fused ops is worked on at a time.
#pragma once

#include <cstdint>

namespace lamina {

constexpr int64_t kTileBytes = 16384, kMaxTile = 1024;  // of all temporaries; items of each

}  // namespace lamina
