// The norm of all items of many arrays, in double: a square may be too large for their type where the norm is not.
#define GREATEST 0
#define SMALLEST 1
#define SQUARES 2
#define ORDER 3

struct Join {
  int kind;
  LAMINA double operator()(double a, double b) const {
    if (kind == GREATEST) return a != a || a > b ? a : b;
    if (kind == SMALLEST) return a != a || a < b ? a : b;
    return a + b;
  }
};
LAMINA double start(int kind) { return kind == SMALLEST ? infinity(0.0) : 0.0; }

// What each share has; those of earlier launches lie before `kept`.
extern "C" __global__ void norm_shares(double* kept, const Lists<1> arrays, Shares shares, double order, int kind) {
  for (i64 number = blockIdx.x; number < shares.count; number += gridDim.x) {
    Share share = share_of(shares, number);
    const In* x = arrays.of[0][share.array];
    double mine = start(kind);
    for (i64 i = share.begin + threadIdx.x; i < share.end; i += BLOCK) {
      double size = fabs((double)widened(x[i]));
      double term = kind == SQUARES ? size * size : kind == ORDER ? (order == 0 ? double(size != 0) : order == 1 ? size : pow(size, order)) : size;
      mine = Join{kind}(mine, term);
    }
    mine = together<BLOCK>(mine, Join{kind});
    if (!threadIdx.x) kept[number] = mine;
  }
}

extern "C" __global__ void join_shares(In* out, const double* kept, i64 count, double order, int kind) {
  double mine = start(kind);
  for (i64 i = threadIdx.x; i < count; i += BLOCK) mine = Join{kind}(mine, kept[i]);
  mine = together<BLOCK>(mine, Join{kind});
  if (kind == SQUARES) mine = sqrt(mine);
  if (kind == ORDER && order != 0 && order != 1) mine = pow(mine, 1 / order);
  if (!threadIdx.x) *out = Cast<In>::of(mine);
}
