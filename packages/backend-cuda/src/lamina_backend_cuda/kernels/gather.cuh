// Items at positions. What is included before says the type In, and how many INDICES there are; a walk counts the items that are
// moved, over those at hand, the part of the array that the positions do not choose, and the positions themselves. POINTERS stands
// for one parameter of each array of positions, and NAMES for their names.
struct Steps {
  i64 of[INDICES];       // items of the array between neighbouring positions
  i64 lengths[INDICES];  // how many positions there are
};

LAMINA i64 chosen(const i64* const* positions, const Steps& steps, const Place<2 + INDICES>& place) {
  i64 at = place.at[1];
#pragma unroll
  for (int k = 0; k < INDICES; ++k) {
    i64 position = positions[k][place.at[2 + k]];
    at += (position < 0 ? position + steps.lengths[k] : position) * steps.of[k];
  }
  return at;
}

extern "C" __global__ void take(In* out, const In* x, POINTERS, Walk<2 + INDICES> walk, Steps steps) {
  const i64* positions[INDICES] = {NAMES};
  for (i64 i = first(); i < walk.size; i += stride()) {
    Place<2 + INDICES> place = place_of(walk, i);
    out[place.at[0]] = x[chosen(positions, steps, place)];
  }
}

// Which place the positions choose for each item that is put: they are put in the order of these.
extern "C" __global__ void targets(i64* made, POINTERS, Walk<2 + INDICES> walk, Steps steps) {
  const i64* positions[INDICES] = {NAMES};
  for (i64 i = first(); i < walk.size; i += stride()) made[i] = chosen(positions, steps, place_of(walk, i));
}

// Each thread has one item of one run of equal targets, of which `order` tells who they are: the last one is kept, or all are added.
extern "C" __global__ void put(In* out, const In* values, const i64* sorted, const i64* order, Walk<1> choices, Walk<2> rest, i64 count) {
  for (i64 i = first(); i < count * rest.size; i += stride()) {
    i64 at = i / rest.size;
    if (at && sorted[at - 1] == sorted[at]) continue;
    Place<2> place = place_of(rest, i % rest.size);
    i64 to = sorted[at] + place.at[0];
#if ADDED
    Item<In>::Wide total = widened(out[to]);
    for (; at < count && sorted[at] == to - place.at[0]; ++at)
      total = Cast<Item<In>::Wide>::of(total + widened(values[place_of(choices, order[at]).at[0] + place.at[1]]));
    out[to] = Cast<In>::of(total);
#else
    while (at + 1 < count && sorted[at + 1] == sorted[at]) ++at;
    out[to] = values[place_of(choices, order[at]).at[0] + place.at[1]];
#endif
  }
}
