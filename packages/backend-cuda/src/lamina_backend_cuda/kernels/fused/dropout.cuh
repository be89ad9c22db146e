// Items times 0 or 1 / share; each thread has the eight items of one byte of bits. Item i is kept where number i of Philox's stream
// is below the share that is kept.
typedef Item<In>::Wide W;
#define BITS 8

LAMINA W scale_of(W share) { return widened(Cast<In>::of(W(1) / share)); }

// Items i ... i + count - 1 of x, times the scale where their bit is set, or 0.
LAMINA void scaled(In* out, const In* x, const Walk<2>& walk, i64 i, int count, bool aligned, u32 bits, W scale) {
  if (aligned && count == BITS) {
    Pack<In, BITS> items = *(const Pack<In, BITS>*)(x + i);
#pragma unroll
    for (int j = 0; j < BITS; ++j) items.items[j] = Cast<In>::of(widened(items.items[j]) * (bits >> j & 1 ? scale : W(0)));
    *(Pack<In, BITS>*)(out + i) = items;
    return;
  }
  for (int j = 0; j < count; ++j) {
    Place<2> at = place_of(walk, i + j);
    out[at.at[0]] = Cast<In>::of(widened(x[at.at[1]]) * (bits >> j & 1 ? scale : W(0)));
  }
}

extern "C" __global__ void dropout(
    In* out, const In* x, u8* kept, Walk<2> walk, i64 kept_step, int aligned, u64 seed, u64 offset, double probability, W share) {
  W scale = scale_of(share);
  for (i64 byte = first(); byte * BITS < walk.size; byte += stride()) {
    i64 i = byte * BITS;
    int count = walk.size - i < BITS ? (int)(walk.size - i) : BITS;
    u32 bits = 0;
    for (int j = 0; j < count; ++j) bits |= (u32)(unit(words_of((u64)(i + j), seed, offset).both()) < probability) << j;
    kept[byte * kept_step] = (u8)bits;
    scaled(out, x, walk, i, count, aligned, bits, scale);
  }
}

extern "C" __global__ void dropout_gradient(
    In* out, const In* gradient, const u8* kept, Walk<2> walk, i64 kept_step, int aligned, W share) {
  W scale = scale_of(share);
  for (i64 byte = first(); byte * BITS < walk.size; byte += stride()) {
    i64 i = byte * BITS;
    int count = walk.size - i < BITS ? (int)(walk.size - i) : BITS;
    scaled(out, gradient, walk, i, count, aligned, kept[byte * kept_step], scale);
  }
}
