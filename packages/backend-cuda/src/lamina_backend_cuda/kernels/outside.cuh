// What is wrong with an item, noted for the host to find when it waits. A position that is outside: the length in the upper half of a word,
// the position in the lower one. The greatest note stays, so that what is told does not depend on which thread was first.
#define OUTSIDE ((i64)(1ull << 63))

LAMINA void note_outside(u64* wrong, i64 position, i64 length) {
  const i64 most = 2147483647;
  u64 low = (unsigned)(int)(position < -most ? -most : position > most ? most : position);
  atomicMax(wrong, 1ull << 63 | (u64)(length > most ? most : length) << 32 | low);
}

// An item that is none of those allowed. The greatest bits stay.
LAMINA void note_value(u64* wrong, float value) { atomicMax(wrong, 1ull << 63 | (u64)(unsigned)__float_as_int(value)); }
