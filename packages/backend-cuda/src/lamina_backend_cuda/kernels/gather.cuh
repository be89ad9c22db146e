// Items at positions. What is included before says the type In, how many INDICES there are, and whether values are FOLDED into what is
// there; a walk counts the items that are moved, over those at hand, the part of the array that the positions do not choose, and the
// positions themselves. POINTERS stands for one parameter of each array of positions, and NAMES for their names.
struct Steps {
  i64 of[INDICES];       // items of the array between neighbouring positions
  i64 lengths[INDICES];  // how many positions there are
};

// Where the item at some positions lies; OUTSIDE, and a note of it, where there is none.
LAMINA i64 chosen(const i64* const* positions, const Steps& steps, const Place<2 + INDICES>& place, int from_front, u64* wrong) {
  i64 at = place.at[1];
  bool inside = true;
#pragma unroll
  for (int k = 0; k < INDICES; ++k) {
    i64 position = positions[k][place.at[2 + k]], length = steps.lengths[k];
    if (position >= length || position < (from_front ? 0 : -length)) {
      note_outside(wrong, position, length);
      inside = false;
    }
    at += (position < 0 ? position + length : position) * steps.of[k];
  }
  return inside ? at : OUTSIDE;
}

extern "C" __global__ void take(In* out, const In* x, POINTERS, Walk<2 + INDICES> walk, Steps steps, int from_front, u64* wrong) {
  const i64* positions[INDICES] = {NAMES};
  for (i64 i = first(); i < walk.size; i += stride()) {
    Place<2 + INDICES> place = place_of(walk, i);
    i64 from = chosen(positions, steps, place, from_front, wrong);
    out[place.at[0]] = from == OUTSIDE ? Cast<In>::of((i64)0) : x[from];
  }
}

// Which place the positions choose for each item that is put: they are put in the order of these.
extern "C" __global__ void targets(i64* made, POINTERS, Walk<2 + INDICES> walk, Steps steps, int from_front, u64* wrong) {
  const i64* positions[INDICES] = {NAMES};
  for (i64 i = first(); i < walk.size; i += stride()) made[i] = chosen(positions, steps, place_of(walk, i), from_front, wrong);
}

// Each thread has one item of one run of equal targets, of which `order` tells who they are: the last one is kept, or all are
// folded into what is there.
extern "C" __global__ void put(In* out, const In* values, const i64* sorted, const i64* order, Walk<1> choices, Walk<2> rest, i64 count) {
  for (i64 i = first(); i < count * rest.size; i += stride()) {
    i64 at = i / rest.size;
    if (sorted[at] == OUTSIDE || (at && sorted[at - 1] == sorted[at])) continue;
    Place<2> place = place_of(rest, i % rest.size);
    i64 to = sorted[at] + place.at[0];
#if FOLDED
    Item<In>::Wide total = widened(out[to]);
    for (; at < count && sorted[at] == to - place.at[0]; ++at)
      total = folded(total, widened(values[place_of(choices, order[at]).at[0] + place.at[1]]));
    out[to] = Cast<In>::of(total);
#else
    while (at + 1 < count && sorted[at + 1] == sorted[at]) ++at;
    out[to] = values[place_of(choices, order[at]).at[0] + place.at[1]];
#endif
  }
}
