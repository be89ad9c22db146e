// Divide and conquer: a tridiagonal matrix is two of half the size, beside a matrix of rank 1; those of few rows are Jacobi's.
//
// Cuppen, "A divide and conquer method for the symmetric tridiagonal eigenproblem", 1981. What is left out as too small or too close, and
// how eigenvectors of one half alone are kept apart: Rutter, "A serial implementation of Cuppen's divide and conquer algorithm for the
// symmetric eigenvalue problem", LAPACK working note 69, 1994.
#include "kernels/spectra/halves.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/spectra/jacobi.hpp"
#include "kernels/spectra/secular.hpp"

namespace lamina {
namespace {

const JacobiLoops* jacobi;
const SecularLoops* secular;
const Registration registration([](const Loops& best) {
    jacobi = best.jacobi;
    secular = best.secular;
});

constexpr int64_t kLeaf = 6;           // rows of which Jacobi's rotations take care
constexpr int64_t kDividedRoots = 96;  // that are found by several threads

enum Half { kTop, kBoth, kBottom };  // which items of an eigenvector are not 0

// The numbers of one merge, of which there are n + 16 each.
constexpr int64_t kArrays = 9, kMore = 16;

template <class T>
struct Merging {
    const Arithmetic& by;
    int64_t n;
    double *values, *beside;
    T* rows;
    bool whole;
    int64_t row;  // from one to the next
    T *gathered, *vectors;
    double *z, *poles, *squares, *nearest, *distances, *sizes, *grouped, *weights, *found;
    int64_t *order, *place;
    Half* halves;

    Merging(const Arithmetic& by, int64_t n, double* values, double* beside, T* rows, bool whole, char* scratch)
        : by(by), n(n), values(values), beside(beside), rows(rows), whole(whole), row(whole ? n : 2) {
        char* next = scratch;
        const auto take = [&](auto*& array, int64_t count) {
            array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(next);
            next += aligned(count * int64_t(sizeof *array));
        };
        take(gathered, n * row);
        take(vectors, vectors_of(n));
        for (double** array : {&z, &poles, &squares, &nearest, &distances, &sizes, &grouped, &weights, &found}) take(*array, n + kMore);
        take(order, n);
        take(place, n);
        take(halves, n);
    }

    // Eigenvectors of a merge, or leaves and theirs.
    static int64_t vectors_of(int64_t n) { return std::max(n * n, 2 * kLeaf * kLeaf * kMostLanes); }

    static int64_t scratch_of(int64_t n, bool whole) {
        const int64_t row = whole ? n : 2;
        return aligned(n * row * sizeof(T)) + aligned(vectors_of(n) * sizeof(T)) + kArrays * aligned((n + kMore) * 8) + 2 * aligned(n * 8) +
               aligned(n * sizeof(Half));
    }

    // Of the rows from `begin` on: whether they are few enough, and where their halves meet.
    static bool is_leaf(int64_t begin, int64_t end) { return end - begin <= kLeaf; }
    static int64_t middle_of(int64_t begin, int64_t end) { return begin + (end - begin + 1) / 2; }

    // Calls task(begin, end) for all leaves, from the first to the last.
    template <class F>
    static void each_leaf(int64_t begin, int64_t end, const F& task) {
        if (is_leaf(begin, end)) return task(begin, end);
        const int64_t middle = middle_of(begin, end);
        each_leaf(begin, middle, task);
        each_leaf(middle, end, task);
    }

    // What is beside the diagonal where two leaves meet leaves it, and becomes the matrix of rank 1.
    void tear() {
        each_leaf(0, n, [&](int64_t begin, int64_t) {
            if (begin == 0) return;
            const double size = std::fabs(beside[begin - 1]);
            values[begin - 1] -= size;
            values[begin] -= size;
        });
    }

    // All leaves, as many side by side as a vector has lanes.
    bool solve_leaves() {
        const int lanes = jacobi->lanes[sizeof(T) == 8];
        int64_t begins[kMostLanes + 1];
        int some = 0;
        bool good = true;
        each_leaf(0, n, [&](int64_t begin, int64_t end) {
            begins[some++] = begin;
            begins[some] = end;
            if (some < lanes && end < n) return;
            good = good && solve_leaves(begins, some, lanes);
            some = 0;
        });
        return good;
    }

    // So many neighbouring ones, of which each ends where the next begins.
    bool solve_leaves(const int64_t* begins, int some, int lanes) {
        int64_t most = 0;
        for (int l = 0; l < some; ++l) most = std::max(most, begins[l + 1] - begins[l]);
        T *items = vectors, *turns = vectors + most * most * lanes;
        std::memset(items, 0, size_t(most * most * lanes) * sizeof(T));
        for (int l = 0; l < some; ++l)
            for (int64_t i = 0, at = begins[l]; at < begins[l + 1]; ++i, ++at) {
                items[(i * most + i) * lanes + l] = T(values[at]);
                if (at + 1 < begins[l + 1])
                    items[(i * most + i + 1) * lanes + l] = items[((i + 1) * most + i) * lanes + l] = T(beside[at]);
            }
        if (!jacobi->diagonalize[sizeof(T) == 8](reinterpret_cast<char*>(items), most, reinterpret_cast<char*>(turns))) return false;
        for (int l = 0; l < some; ++l) {
            const int64_t count = begins[l + 1] - begins[l];
            for (int64_t i = 0; i < count; ++i) {
                values[begins[l] + i] = double(items[(i * most + i) * lanes + l]);
                T* const to = rows + (begins[l] + i) * row;
                const T* const from = turns + i * most * lanes + l;
                if (whole)
                    for (int64_t j = 0; j < count; ++j) to[begins[l] + j] = from[j * lanes];
                else
                    to[0] = from[0], to[1] = from[(count - 1) * lanes];
            }
        }
        return true;
    }

    void solve(int64_t begin, int64_t end) {
        if (is_leaf(begin, end)) return;
        const int64_t middle = middle_of(begin, end);
        solve(begin, middle);
        solve(middle, end);
        merge(begin, middle, end);
    }

    void merge(int64_t begin, int64_t middle, int64_t end) {
        // Columns of the upper half, and of the lower one.
        const int64_t first = whole ? begin : 0, between = whole ? middle : 1, last = whole ? end : 2;
        double squared = 0, most = 0;
        for (int64_t i = begin; i < end; ++i) {
            const bool top = i < middle;
            T& own = rows[i * row + (top == whole ? between - 1 : between)];
            z[i] = top || beside[middle - 1] > 0 ? double(own) : -double(own);
            squared += z[i] * z[i];
            halves[i] = top ? kTop : kBottom;
            if (!whole) own = T(0);
        }
        const double rho = std::fabs(beside[middle - 1]) * squared, unit = 1 / std::sqrt(squared);
        double greatest = 0;
        for (int64_t i = begin; i < end; ++i) {
            z[i] *= unit;
            order[i] = i;
            most = std::max(most, std::fabs(z[i]));
            greatest = std::max(greatest, std::fabs(values[i]));
        }
        const double least = 4 * double(std::numeric_limits<T>::epsilon()) * std::max(greatest, most);
        if (!(rho * most > least)) return;
        std::sort(order + begin, order + end, [&](int64_t i, int64_t j) { return values[i] < values[j]; });
        const int64_t count = deflate(begin, end, rho, least, first, last);
        if (count == 1) {
            values[order[begin]] += rho * z[order[begin]] * z[order[begin]];
            return;
        }
        combine(begin, end, count, rho, first, between, last);
    }

    // Leaves the eigenvectors to combine, by ascending values, in the first places of `order`, and the others after them.
    int64_t deflate(int64_t begin, int64_t end, double rho, double least, int64_t first, int64_t last) {
        int64_t count = 0, others = 0, before = -1;
        for (int64_t at = begin; at < end; ++at) {
            const int64_t i = order[at];
            if (!(rho * std::fabs(z[i]) > least)) {
                place[others++] = i;
                continue;
            }
            if (before >= 0) {
                const double length = std::hypot(z[i], z[before]), cosine = z[i] / length, sine = -z[before] / length;
                if (std::fabs((values[i] - values[before]) * cosine * sine) <= least) {
                    z[i] = length;
                    z[before] = 0;
                    turn(rows + before * row, rows + i * row, T(cosine), T(sine), first, last);
                    if (halves[i] != halves[before]) halves[i] = halves[before] = kBoth;
                    const double low = values[before], high = values[i];
                    values[before] = low * cosine * cosine + high * sine * sine;
                    values[i] = low * sine * sine + high * cosine * cosine;
                    place[others++] = before;
                } else {
                    order[begin + count++] = before;
                }
            }
            before = i;
        }
        order[begin + count++] = before;
        std::copy(place, place + others, order + begin + count);
        return count;
    }

    static void turn(T* x, T* y, T cosine, T sine, int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const T before = x[i];
            x[i] = cosine * before + sine * y[i];
            y[i] = cosine * y[i] - sine * before;
        }
    }

    void combine(int64_t begin, int64_t end, int64_t count, double rho, int64_t first, int64_t between, int64_t last) {
        const int64_t* chosen = order + begin;
        for (int64_t i = 0; i < count; ++i) {
            poles[i] = values[chosen[i]];
            squares[i] = z[chosen[i]] * z[chosen[i]];
        }
        const SecularProblem problem{poles, squares, count, 1 / rho, nearest, distances};
        in_parts(count, [&](int64_t from, int64_t to) { secular->roots(problem, from, to); });
        in_parts(count, [&](int64_t from, int64_t to) { secular->sizes(problem, sizes, from, to); });
        // Rows of the upper half alone, of both, of the lower half alone: each half is multiplied by those that have items there.
        int64_t of_half[3] = {};
        for (int64_t i = 0; i < count; ++i) ++of_half[halves[chosen[i]]];
        const int64_t upper = of_half[kTop] + of_half[kBoth], lower = of_half[kBoth] + of_half[kBottom], alone = of_half[kTop];
        int64_t next[3] = {0, alone, upper};
        const int64_t rank = end - begin, width = last - first, divided = between - first;
        for (int64_t i = 0; i < rank; ++i) {
            const int64_t to = i < count ? next[halves[chosen[i]]]++ : i;
            std::memcpy(gathered + to * row, rows + chosen[i] * row + first, size_t(width) * sizeof(T));
            found[i] = i < count ? nearest[i] + distances[i] : values[chosen[i]];
            if (i >= count) continue;
            grouped[to] = poles[i];
            weights[to] = std::copysign(sizes[i], z[chosen[i]]);
        }
        std::copy(found, found + rank, values + begin);
        in_parts(count, [&](int64_t from, int64_t to) {
            secular->vectors[sizeof(T) == 8](problem, grouped, weights, reinterpret_cast<char*>(vectors), from, to);
        });
        const Part all{reinterpret_cast<char*>(vectors), count, 1, sizeof(T)}, old{reinterpret_cast<char*>(gathered), row, 1, sizeof(T)};
        const Part made{reinterpret_cast<char*>(rows + begin * row + first), row, 1, sizeof(T)};
        by.multiply(made, all, old, count, divided, upper);
        by.multiply(made.at(0, divided), all.at(0, alone), old.at(alone, divided), count, width - divided, lower);
        copy(made.at(count, 0), old.at(count, 0), rank - count, width);
    }

    // Parts of `count` roots, on several threads where they are many.
    template <class F>
    void in_parts(int64_t count, const F& part) const {
        const int64_t units = (count + secular->lanes - 1) / secular->lanes;
        const int64_t pieces = count < kDividedRoots ? 1 : std::min(2 * by.threads, units), grain = (units + pieces - 1) / pieces;
        parallel(units, by.threads == 1 ? units : grain, [&](int64_t begin, int64_t end) {
            part(begin * secular->lanes, std::min(end * secular->lanes, count));
        });
    }
};

// A power of two so that numbers times it are at most 1/4, and sums of a few at most 1.
double unit_of(const double* numbers, int64_t n) {
    double most = 0;
    for (int64_t i = 0; i < n; ++i) most = std::max(most, std::fabs(numbers[i]));
    int exponent = 0;
    if (most > 0) std::frexp(most, &exponent);
    return std::ldexp(1.0, -2 - std::max(exponent, -1000));
}

}  // namespace

template <class T>
int64_t Halves<T>::scratch_of(int64_t n, bool whole) {
    return Merging<T>::scratch_of(n, whole);
}

template <class T>
bool Halves<T>::solve(const Arithmetic& by, int64_t n, double* diagonal, double* beside, T* rows, bool whole, char* scratch) {
    const double unit = std::min(unit_of(diagonal, n), unit_of(beside, n - 1));
    for (int64_t i = 0; i < n; ++i) diagonal[i] *= unit;
    for (int64_t i = 0; i + 1 < n; ++i) beside[i] *= unit;
    if (whole) std::memset(rows, 0, size_t(n * n) * sizeof(T));
    Merging<T> merging(by, n, diagonal, beside, rows, whole, scratch);
    merging.tear();
    if (!merging.solve_leaves()) return false;
    merging.solve(0, n);
    for (int64_t i = 0; i < n; ++i) diagonal[i] /= unit;
    return true;
}

template struct Halves<float>;
template struct Halves<double>;

}  // namespace lamina
