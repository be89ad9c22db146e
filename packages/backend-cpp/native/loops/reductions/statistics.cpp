// The rows of var and logsumexp, each block reduced about its own mean, or under its own greatest item, in one look at memory; and of
// sums and means without NaN.
#include <cmath>

#include "loops/math/float_math.hpp"
#include "loops/reductions/reductions.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

// Calls reduce(items, count) for blocks of adjacent items, copied where they do not lie side by side.
template <class T, class F>
inline void each_block(const char* bytes, int64_t stride, int64_t n, const F& reduce) {
    const T* x = reinterpret_cast<const T*>(bytes);
    T buffer[kRowBlock];
    for (int64_t i = 0; i < n; i += kRowBlock) {
        const int64_t some = n - i < kRowBlock ? n - i : kRowBlock;
        const T* items = x + i * stride;
        if (stride != 1) {
            for (int64_t j = 0; j < some; ++j) buffer[j] = items[j * stride];
            items = buffer;
        }
        reduce(items, some);
    }
}

// -- var: (count, mean, sum of squared distances from it) of blocks, joined by Chan's formula ----------------------------

struct Moments {
    double count, mean, squares;

    void add(double n, double other_mean, double other_squares) {
        if (n == 0.0) return;
        const double total = count + n, distance = other_mean - mean;
        squares += other_squares + (count == 0.0 ? 0.0 : distance * distance * (count * (n / total)));
        mean = count == 0.0 ? other_mean : mean + distance * (n / total);
        count = total;
    }
};

void start_var(void* partials, int64_t count) {
    for (int64_t i = 0; i < count; ++i) static_cast<Moments*>(partials)[i] = {0.0, 0.0, 0.0};
}

template <class T>
double squares_about(const T* x, int64_t n, T mean) {
    constexpr int L = kLanes<T>, U = 4;
    double total = 0.0;
    int64_t i = 0;
    if (n >= U * L) {
        Vec<T> sums[U] = {};
        for (; i + U * L <= n; i += U * L)
            for (int j = 0; j < U; ++j) {
                const Vec<T> distance = load(x + i + j * L) - mean;
                sums[j] += distance * distance;
            }
        T lanes[L];
        store<T>(lanes, (sums[0] + sums[1]) + (sums[2] + sums[3]));
        for (T lane : lanes) total += lane;
    }
    for (; i < n; ++i) total += (double(x[i]) - double(mean)) * (double(x[i]) - double(mean));
    return total;
}

// The sum of distances from a number, in double.
template <class T>
double distances_from(const T* x, int64_t n, T number) {
    constexpr int L = kLanes<T>;
    const Vec<double> wide = every(double(number));
    Vec<double> sums[4] = {};
    int64_t i = 0;
    const auto add = [&](const T* items, Vec<double>* to) {
        if constexpr (std::is_same_v<T, float>) {
            Vec<double> low, high;
            in_double(load(items), low, high);
            to[0] += low - wide;
            to[1] += high - wide;
        } else {
            to[0] += load(items) - wide;
        }
    };
    for (; i + 2 * L <= n; i += 2 * L) {
        add(x + i, sums);
        add(x + i + L, sums + 2);
    }
    double total = sum_of_lanes<double>((sums[0] + sums[1]) + (sums[2] + sums[3]));
    for (; i < n; ++i) total += double(x[i]) - double(number);
    return total;
}

template <class T>
void row_var(const char* bytes, int64_t stride, int64_t n, void* partial) {
    each_block<T>(bytes, stride, n, [=](const T* items, int64_t some) {
        T mean = T(block<Sums<T, T, double>>(items, some) / double(some));
        if (mean - mean != 0) {  // a sum of T may overflow where the mean does not
            double sum = 0.0;
            for (int64_t j = 0; j < some; ++j) sum += double(items[j]);
            mean = T(sum / double(some));
        }
        // The rounding of the mean is put right: distances from it do not add up to 0.
        const double rest = distances_from(items, some, mean) / double(some);
        static_cast<Moments*>(partial)->add(double(some), double(mean) + rest,
                                            squares_about(items, some, mean) - rest * rest * double(some));
    });
}

template <class T>
void columns_var(const char* bytes, int64_t column_stride, int64_t count, int64_t row_stride, int64_t rows, void* partials) {
    const T* x = reinterpret_cast<const T*>(bytes);
    T sums[kColumnTile], squares[kColumnTile], rests[kColumnTile];
    for (int64_t c = 0; c < count; c += kColumnTile) {
        const int64_t width = count - c < kColumnTile ? count - c : kColumnTile;
        for (int64_t r = 0; r < rows; r += kColumnBlock) {
            const int64_t end = rows - r < kColumnBlock ? rows : r + kColumnBlock;
            const T share = T(1) / T(end - r);
            for (int64_t j = 0; j < width; ++j) sums[j] = squares[j] = rests[j] = T(0);
            for (int64_t i = r; i < end; ++i) {
                const T* line = x + i * row_stride + c * column_stride;
                if (column_stride == 1)
                    for (int64_t j = 0; j < width; ++j) sums[j] += line[j];
                else
                    for (int64_t j = 0; j < width; ++j) sums[j] += line[j * column_stride];
            }
            for (int64_t j = 0; j < width; ++j) sums[j] *= share;
            for (int64_t i = r; i < end; ++i) {
                const T* line = x + i * row_stride + c * column_stride;
                if (column_stride == 1) {
                    for (int64_t j = 0; j < width; ++j) {
                        const T distance = line[j] - sums[j];
                        rests[j] += distance;
                        squares[j] += distance * distance;
                    }
                } else {
                    for (int64_t j = 0; j < width; ++j) {
                        const T distance = line[j * column_stride] - sums[j];
                        rests[j] += distance;
                        squares[j] += distance * distance;
                    }
                }
            }
            const double n = double(end - r);
            for (int64_t j = 0; j < width; ++j) {  // the rounding of the mean is put right
                const double rest = double(rests[j]) / n;
                static_cast<Moments*>(partials)[c + j].add(n, double(sums[j]) + rest, double(squares[j]) - rest * rest * n);
            }
        }
    }
}

void join_var(void* partials, const void* others, int64_t count) {
    const Moments* more = static_cast<const Moments*>(others);
    for (int64_t i = 0; i < count; ++i) static_cast<Moments*>(partials)[i].add(more[i].count, more[i].mean, more[i].squares);
}

template <class T>
void finish_var(char* out, int64_t stride, const void* partials, int64_t count, double divisor) {
    for (int64_t i = 0; i < count; ++i)
        reinterpret_cast<T*>(out)[i * stride] = T(static_cast<const Moments*>(partials)[i].squares / divisor);
}

// -- two_norm: sums of squares ------------------------------------------------------------------------------------------------

template <class T>
void row_squares(const char* bytes, int64_t stride, int64_t n, void* partial) {
    each_block<T>(bytes, stride, n,
                  [=](const T* items, int64_t some) { *static_cast<double*>(partial) += squares_about(items, some, T(0)); });
}

template <class T>
void columns_squares(const char* bytes, int64_t column_stride, int64_t count, int64_t row_stride, int64_t rows, void* partials) {
    const T* x = reinterpret_cast<const T*>(bytes);
    T sums[kColumnTile];
    for (int64_t c = 0; c < count; c += kColumnTile) {
        const int64_t width = count - c < kColumnTile ? count - c : kColumnTile;
        for (int64_t r = 0; r < rows; r += kColumnBlock) {
            const int64_t end = rows - r < kColumnBlock ? rows : r + kColumnBlock;
            for (int64_t j = 0; j < width; ++j) sums[j] = T(0);
            for (int64_t i = r; i < end; ++i) {
                const T* line = x + i * row_stride + c * column_stride;
                if (column_stride == 1)
                    for (int64_t j = 0; j < width; ++j) sums[j] += line[j] * line[j];
                else
                    for (int64_t j = 0; j < width; ++j) sums[j] += line[j * column_stride] * line[j * column_stride];
            }
            for (int64_t j = 0; j < width; ++j) static_cast<double*>(partials)[c + j] += double(sums[j]);
        }
    }
}

template <class T>
void finish_root(char* out, int64_t stride, const void* partials, int64_t count, double) {
    for (int64_t i = 0; i < count; ++i) reinterpret_cast<T*>(out)[i * stride] = T(std::sqrt(static_cast<const double*>(partials)[i]));
}

using Squares = Sums<double, double, double>;

// -- logsumexp: the greatest item, and the sum of exponentials of the distances from it -------------------------------------

template <class T>
inline double shift_of(T greatest) {
    return std::fabs(greatest) < T(INFINITY) ? double(greatest) : 0.0;
}

struct Exponentials {
    double greatest, sum;

    void add(double other_greatest, double other_sum) {
        const double joined = Greatest<double>::both(greatest, other_greatest), shift = shift_of(joined);
        const double own = shift_of(greatest) - shift, others = shift_of(other_greatest) - shift;
        sum = (sum == 0.0 ? 0.0 : sum * std::exp(own)) + (other_sum == 0.0 ? 0.0 : other_sum * std::exp(others));
        greatest = joined;
    }
};

void start_logs(void* partials, int64_t count) {
    for (int64_t i = 0; i < count; ++i) static_cast<Exponentials*>(partials)[i] = {-INFINITY, 0.0};
}

inline F32 exponential(const F32& x) { return vexp(x); }
inline F64 exponential(const F64& x) { return dexp(x); }

template <class T>
double exponentials_under(const T* x, int64_t n, T shift) {
    constexpr int L = kLanes<T>;
    Vec<T> sum = {};
    int64_t i = 0;
    for (; i + L <= n; i += L) sum += exponential(load(x + i) - shift);
    T lanes[L];
    store<T>(lanes, sum);
    double total = 0.0;
    for (T lane : lanes) total += lane;
    if (i < n) {
        store<T>(lanes, exponential(load_some<T>(x + i, n - i, T(0)) - shift));
        for (int64_t j = 0; j < n - i; ++j) total += lanes[j];
    }
    return total;
}

template <class T>
void row_logs(const char* bytes, int64_t stride, int64_t n, void* partial) {
    each_block<T>(bytes, stride, n, [=](const T* items, int64_t some) {
        const T greatest = block<Greatest<T>>(items, some);
        static_cast<Exponentials*>(partial)->add(double(greatest), exponentials_under(items, some, T(shift_of(greatest))));
    });
}

template <class T>
void columns_logs(const char* bytes, int64_t column_stride, int64_t count, int64_t row_stride, int64_t rows, void* partials) {
    constexpr int L = kLanes<T>;
    const T* x = reinterpret_cast<const T*>(bytes);
    T greatest[kColumnTile], shifts[kColumnTile], sums[kColumnTile], buffer[kColumnTile];
    for (int64_t c = 0; c < count; c += kColumnTile) {
        const int64_t width = count - c < kColumnTile ? count - c : kColumnTile;
        for (int64_t r = 0; r < rows; r += kColumnBlock) {
            const int64_t end = rows - r < kColumnBlock ? rows : r + kColumnBlock;
            for (int64_t j = 0; j < kColumnTile; ++j) {
                greatest[j] = -T(INFINITY);
                sums[j] = buffer[j] = T(0);
            }
            for (int64_t i = r; i < end; ++i) {
                const T* line = x + i * row_stride + c * column_stride;
                for (int64_t j = 0; j < width; ++j) greatest[j] = Greatest<T>::both(greatest[j], line[j * column_stride]);
            }
            for (int64_t j = 0; j < kColumnTile; ++j) shifts[j] = T(shift_of(greatest[j]));
            for (int64_t i = r; i < end; ++i) {
                const T* line = x + i * row_stride + c * column_stride;
                if (column_stride != 1 || width % L != 0) {
                    for (int64_t j = 0; j < width; ++j) buffer[j] = line[j * column_stride];
                    line = buffer;
                }
                for (int64_t j = 0; j < width; j += L)
                    store<T>(sums + j, load(sums + j) + exponential(load(line + j) - load(shifts + j)));
            }
            for (int64_t j = 0; j < width; ++j)
                static_cast<Exponentials*>(partials)[c + j].add(double(greatest[j]), double(sums[j]));
        }
    }
}

void join_logs(void* partials, const void* others, int64_t count) {
    const Exponentials* more = static_cast<const Exponentials*>(others);
    for (int64_t i = 0; i < count; ++i) static_cast<Exponentials*>(partials)[i].add(more[i].greatest, more[i].sum);
}

template <class T>
void finish_logs(char* out, int64_t stride, const void* partials, int64_t count, double) {
    for (int64_t i = 0; i < count; ++i) {
        const Exponentials& found = static_cast<const Exponentials*>(partials)[i];
        reinterpret_cast<T*>(out)[i * stride] = T(std::log(found.sum) + shift_of(found.greatest));
    }
}

// -- nansum and nanmean: the sum of blocks of items that are not NaN, and how many they are ------------------------------

struct Present {
    double sum;
    int64_t count;
};

void start_present(void* partials, int64_t count) {
    for (int64_t i = 0; i < count; ++i) static_cast<Present*>(partials)[i] = {0.0, 0};
}

template <class T>
void row_present(const char* bytes, int64_t stride, int64_t n, void* partial) {
    each_block<T>(bytes, stride, n, [=](const T* items, int64_t some) {
        T present[kRowBlock];
        int64_t count = 0;
        for (int64_t j = 0; j < some; ++j) {
            const bool is = items[j] == items[j];
            present[j] = is ? items[j] : T(0);
            count += is;
        }
        Present& total = *static_cast<Present*>(partial);
        total.sum += block<Sums<T, T, double>>(present, some);
        total.count += count;
    });
}

template <class T>
void columns_present(const char* bytes, int64_t column_stride, int64_t count, int64_t row_stride, int64_t rows, void* partials) {
    const T* x = reinterpret_cast<const T*>(bytes);
    T sums[kColumnTile];
    int32_t counts[kColumnTile];
    for (int64_t c = 0; c < count; c += kColumnTile) {
        const int64_t width = count - c < kColumnTile ? count - c : kColumnTile;
        for (int64_t r = 0; r < rows; r += kColumnBlock) {
            const int64_t end = rows - r < kColumnBlock ? rows : r + kColumnBlock;
            for (int64_t j = 0; j < width; ++j) {
                sums[j] = T(0);
                counts[j] = 0;
            }
            for (int64_t i = r; i < end; ++i) {
                const T* line = x + i * row_stride + c * column_stride;
                for (int64_t j = 0; j < width; ++j) {
                    const T item = line[j * column_stride];
                    sums[j] += item == item ? item : T(0);
                    counts[j] += item == item;
                }
            }
            for (int64_t j = 0; j < width; ++j) {
                Present& total = static_cast<Present*>(partials)[c + j];
                total.sum += double(sums[j]);
                total.count += counts[j];
            }
        }
    }
}

void join_present(void* partials, const void* others, int64_t count) {
    const Present* more = static_cast<const Present*>(others);
    for (int64_t i = 0; i < count; ++i) {
        static_cast<Present*>(partials)[i].sum += more[i].sum;
        static_cast<Present*>(partials)[i].count += more[i].count;
    }
}

template <class T, bool kMean>
void finish_present(char* out, int64_t stride, const void* partials, int64_t count, double) {
    for (int64_t i = 0; i < count; ++i) {
        const Present& found = static_cast<const Present*>(partials)[i];
        reinterpret_cast<T*>(out)[i * stride] = T(kMean ? found.sum / double(found.count) : found.sum);
    }
}

#define LAMINA_STATISTICS(T, code)                                                                      \
    {"var", code, code, start_var, row_var<T>, columns_var<T>, join_var, finish_var<T>, 3, kCorrected},\
    {"two_norm", code, code, start<Squares>, row_squares<T>, columns_squares<T>, join<Squares>, finish_root<T>}, \
    {"logsumexp", code, code, start_logs, row_logs<T>, columns_logs<T>, join_logs, finish_logs<T>, 2}, \
    {"nansum", code, code, start_present, row_present<T>, columns_present<T>, join_present, finish_present<T, false>, 2}, \
    {"nanmean", code, code, start_present, row_present<T>, columns_present<T>, join_present, finish_present<T, true>, 2},

const ReductionRow kStatistics[] = {LAMINA_STATISTICS(float, kFloat32) LAMINA_STATISTICS(double, kFloat64)};

extern const Reductions statistics = {kStatistics, int(sizeof kStatistics / sizeof *kStatistics)};

}  // namespace lamina::LAMINA_ISA
