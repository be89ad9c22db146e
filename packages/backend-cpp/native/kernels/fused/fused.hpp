// The inner loops of fused ops: rows of adjacent items, per dtype (float32, float64).
#pragma once

#include <cstdint>

namespace lamina {

// How many items, their mean, and the sum of squared distances from it.
struct Moments {
    double count = 0, mean = 0, spread = 0;

    // Of two sets together (Chan, Golub, LeVeque 1979).
    void join(double n, double other_mean, double other_spread) {
        if (count == 0) {
            count = n;
            mean = other_mean;
            spread = other_spread;
            return;
        }
        const double all = count + n, apart = other_mean - mean;
        mean += apart * n / all;
        spread += other_spread + apart * apart * count * n / all;
        count = all;
    }
};

// One row of a cross entropy: scale * softmax(x) - smooth * weight, less `hard` at the target.
struct ClassRow {
    char* out;
    const char *x, *weight;  // weight may be null
    int64_t n, target;
    double logsumexp, scale, hard, smooth;
};

struct NormRow {
    char* out;
    const char *x, *weight, *bias;  // weight and bias may be null
    int64_t n;
    double eps, mean, rstd;  // the last two are results, and given to gradients
    bool centred;            // about the mean, else about 0
};

struct NormGradientRow {
    char* out;
    const char *gradient, *x, *weight;  // weight may be null
    char *weight_sums, *bias_sums;      // added to; may be null
    int64_t n;
    double mean, rstd;
    bool centred;
};

// Scores of attention: some rows, `stride` items apart, of which the first n are looked at.
struct ScoreRows {
    char* scores;
    int64_t stride, rows, n;
};

struct FusedLoops {
    void (*softmax_gradient)(char* out, const char* gradient, const char* y, int64_t n);
    void (*log_softmax_gradient)(char* out, const char* gradient, const char* y, int64_t n);
    double (*logsumexp)(const char* x, int64_t n);
    double (*dot)(const char* a, const char* b, int64_t n);  // b may be null: the sum of a
    void (*class_gradient)(const ClassRow&);
    // The same for up to `kRowsSideBySide` rows that lie side by side, their items `stride` apart.
    void (*logsumexp_down)(const char* x, int64_t classes, int64_t stride, int64_t rows, double* found);
    void (*class_gradient_down)(char* out, int64_t out_stride, const char* x, int64_t classes, int64_t stride, int64_t rows,
                                const double* logsumexp, const double* scale);

    // Arrays of greatest scores, totals and means have an item per row, and space for whole vectors of them.
    // scores = exp(scores - greatest), where greatest becomes the row's own if that is greater. totals take the sums in, and `kept` is
    // what they and all that was summed before are multiplied by.
    void (*attention_weights)(const ScoreRows&, char* greatest, char* totals, char* kept);
    // out = sums / totals, and logs = greatest + log(totals); 0 and infinity where the total is 0.
    void (*attention_result)(char* out, int64_t stride, const char* sums, int64_t rows, int64_t n, const char* greatest, const char* totals,
                             char* logs);
    void (*attention_means)(const char* x, int64_t x_stride, const char* y, int64_t y_stride, int64_t rows, int64_t n, char* means);
    // scores = exp(scores - logs), and gradients = scores * (gradients - means) * factor; gradients lie as scores do.
    void (*attention_gradients)(const ScoreRows&, char* gradients, const char* logs, const char* means, double factor);

    void (*norm)(NormRow&);
    void (*norm_gradient)(const NormGradientRow&);
    void (*add)(char* to, const char* from, int64_t n);  // to += from
    void (*add_rows)(char* to, int64_t stride, const char* from, int64_t rows, int64_t n);  // the same of dense rows, and such as lie apart

    void (*moments)(const char* x, int64_t n, Moments& found);
    void (*scale)(char* out, const char* x, double mean, double factor, double shift, int64_t n);  // (x - mean) * factor + shift
    void (*products)(const char* gradient, const char* x, double mean, int64_t n, double& sum, double& product);
    // gradient * a + (x - mean) * b + c
    void (*combine)(char* out, const char* gradient, const char* x, double mean, double a, double b, double c, int64_t n);

    // The same down columns that lie side by side in `rows` rows, `stride` items apart; values per column.
    void (*moments_down)(const char* x, int64_t rows, int64_t stride, int64_t columns, double* mean, double* spread);
    void (*scale_down)(char* out, const char* x, int64_t rows, int64_t stride, int64_t columns, const double* mean,
                       const double* factor, const double* shift);
    void (*products_down)(const char* gradient, const char* x, int64_t rows, int64_t stride, int64_t columns,
                          const double* mean, double* sum, double* product);
    void (*combine_down)(char* out, const char* gradient, const char* x, int64_t rows, int64_t stride, int64_t columns,
                         const double* mean, const double* a, const double* b, const double* c);
};

struct Fused {
    FusedLoops of[2];  // float32, float64
};

}  // namespace lamina
