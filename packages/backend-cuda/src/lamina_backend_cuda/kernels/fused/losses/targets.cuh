// Targets of losses: which class each wants, what it weighs, and how the losses of all become one.
struct Target {
  i64 place;  // of its class; -1 where it is ignored, or no class
  W factor;   // its weight; 0 where it is ignored
};
LAMINA Target target_of(i64 wanted, i64 ignored, i64 classes, const In* weight, i64 weight_step) {
  Target made;
  bool is_class = wanted != ignored && wanted >= 0 && wanted < classes;
  made.place = is_class ? wanted : -1;
  made.factor = !is_class ? W(0) : weight ? widened(weight[wanted * weight_step]) : W(1);
  return made;
}

// Over all `count` losses and their weights: one block, so that they are always added up in the same order.
extern "C" __global__ void join_losses(In* out, const Two* kept, i64 count, int mean) {
  Two sums = two(0, 0);
  for (i64 i = threadIdx.x; i < count; i += BLOCK) sums = Sum()(sums, kept[i]);
  sums = together<BLOCK>(sums, Sum());
  if (!threadIdx.x) *out = Cast<In>::of(mean ? sums.a / sums.b : sums.a);
}

// The weights of all targets, and of all classes: what the gradient of a mean, and of smoothed targets, wants.
extern "C" __global__ void sum_weights(Two* out, const i64* target, const In* weight, Walk<1> targets, i64 ignored, i64 classes, i64 weight_step) {
  Two sums = two(0, 0);
  for (i64 i = threadIdx.x; i < targets.size; i += BLOCK)
    sums.a += target_of(target[place_of(targets, i).at[0]], ignored, classes, weight, weight_step).factor;
  for (i64 i = threadIdx.x; weight && i < classes; i += BLOCK) sums.b += widened(weight[i * weight_step]);
  sums = together<BLOCK>(sums, Sum());
  if (!weight) sums.b = (W)classes;
  if (!threadIdx.x) *out = sums;
}
