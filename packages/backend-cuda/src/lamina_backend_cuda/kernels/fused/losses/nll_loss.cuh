// The negated items of target classes, times their weights; and the transpose of that.
extern "C" __global__ void nll_loss(
    In* losses, const In* x, const i64* target, const In* weight, Two* kept, u64* wrong, Walk<3> walk, i64 ignored, i64 classes,
    i64 x_step, i64 weight_step) {
  for (i64 i = first(); i < walk.size; i += stride()) {
    Place<3> place = place_of(walk, i);
    i64 wanted = target[place.at[2]];
    Target own = target_of(wanted, ignored, classes, weight, weight_step);
    if (own.place < 0 && wanted != ignored) note_outside(wrong, wanted, classes);
    W loss = own.place < 0 ? W(0) : -widened(x[place.at[1] + own.place * x_step]) * own.factor;
    if (kept) kept[i] = two(loss, own.factor);
    else losses[place.at[0]] = Cast<In>::of(loss);
  }
}

// A walk over all items of `out`; that of the classes counts them, as if they were read.
extern "C" __global__ void nll_loss_gradient(
    In* out, const In* gradient, const i64* target, const In* weight, const Two* sums, u64* wrong, Walk<3> outer, i64 ignored,
    i64 classes, i64 out_step, int mean, i64 weight_step) {
  for (i64 i = first(); i < outer.size * classes; i += stride()) {
    i64 line = out_step == 1 ? i / classes : i % outer.size, column = out_step == 1 ? i % classes : i / outer.size;
    Place<3> place = place_of(outer, line);
    i64 wanted = target[place.at[2]];
    Target own = target_of(wanted, ignored, classes, weight, weight_step);
    if (own.place < 0 && wanted != ignored && !column) note_outside(wrong, wanted, classes);
    W made = 0;
    if (own.place == column) {
      made = -widened(gradient[place.at[1]]);
      if (mean) made /= sums->a;
      made *= own.factor;
    }
    out[place.at[0] + column * out_step] = Cast<In>::of(made);
  }
}
