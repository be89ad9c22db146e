// Items less the mean of their channel, over its deviation; and the gradient of that, through mean and deviation where TRAINING.
extern "C" __global__ void batch_norm(
    In* out, const In* x, const W* means, const W* variances, const In* weight, const In* bias, Walk<6> walk, W eps) {
  for (i64 i = first(); i < walk.size; i += stride()) {
    Place<6> at = place_of(walk, i);
    W made = (widened(x[at.at[1]]) - means[at.at[2]]) * (W(1) / sqrt(variances[at.at[3]] + eps));
    if (weight) made *= widened(weight[at.at[4]]);
    if (bias) made += widened(bias[at.at[5]]);
    out[at.at[0]] = Cast<In>::of(made);
  }
}

// `sums` are those of `affine_gradient`, over n items each.
extern "C" __global__ void batch_norm_gradient(
    In* out, const In* gradient, const In* x, const W* means, const W* variances, const In* weight, const Two* sums, Walk<7> walk,
    W eps, W n, int training) {
  for (i64 i = first(); i < walk.size; i += stride()) {
    Place<7> at = place_of(walk, i);
    W rstd = W(1) / sqrt(variances[at.at[4]] + eps), slope = widened(gradient[at.at[1]]);
    if (training) {
      W scaled = (widened(x[at.at[2]]) - means[at.at[3]]) * rstd;
      slope -= scaled * (sums[at.at[6]].a / n) + sums[at.at[6]].b / n;
    }
    if (weight) slope *= widened(weight[at.at[5]]);
    out[at.at[0]] = Cast<In>::of(slope * rstd);
  }
}
