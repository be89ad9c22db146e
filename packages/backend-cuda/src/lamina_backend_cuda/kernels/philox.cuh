// Philox4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011): item i of a fill owns the words of the
// counter (i, offset) under the key seed, so its value depends on nothing else.
struct Words {
  u32 of[4];
  LAMINA u64 both() const { return (u64)of[0] << 32 | of[1]; }
};

LAMINA Words words_of(u64 i, u64 seed, u64 offset) {
  u32 c0 = (u32)i, c1 = (u32)(i >> 32), c2 = (u32)offset, c3 = (u32)(offset >> 32), k0 = (u32)seed, k1 = (u32)(seed >> 32);
#pragma unroll
  for (int turn = 0; turn < 10; ++turn) {
    u32 left_high = __umulhi(0xD2511F53u, c0), left_low = 0xD2511F53u * c0;
    u32 right_high = __umulhi(0xCD9E8D57u, c2), right_low = 0xCD9E8D57u * c2;
    c0 = right_high ^ c1 ^ k0;
    c1 = right_low;
    c2 = left_high ^ c3 ^ k1;
    c3 = left_low;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return Words{{c0, c1, c2, c3}};
}

// Numbers of [0, 1) of the low 24 or 53 bits.
LAMINA float unit(u32 word) { return (float)(word & 0xFFFFFF) * 5.9604644775390625e-8f; }
LAMINA double unit(u64 words) { return (double)(i64)(words & 0x1FFFFFFFFFFFFFull) * 1.1102230246251565e-16; }
LAMINA float unit_of(Words w, float) { return unit(w.of[0]); }
LAMINA double unit_of(Words w, double) { return unit(w.both()); }
