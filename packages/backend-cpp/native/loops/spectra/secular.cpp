// Roots of secular equations, as many side by side as a vector has lanes, and the eigenvectors that belong to them.
//
// A step of the iteration takes the function for two fractions, one with the pole on either side, of its value and slope: Li, "Solving
// secular equations stably and efficiently", LAPACK working note 89, 1993. Where that leaves the interval that has the root, the interval is
// halved. Vectors are those of z made anew from the roots: Gu and Eisenstat, "A stable and efficient algorithm for the rank-one
// modification of the symmetric eigenproblem", 1994; they are orthogonal however close the roots are.
#include "kernels/spectra/secular.hpp"

#include <cmath>
#include <limits>

#include "loops/spectra/lanes.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {
namespace {

constexpr int L = kLanes<double>, kSteps = 80;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

using Reals = Vec<double>;
using Mask = Lanes<double>;

// Of L neighbouring roots: where each is looked for, and the function there.
struct Roots {
    const SecularProblem& of;
    int64_t begin, lefts[L];  // lefts: the poles on the left; of the last root, which has none on the right, the last but one
    Mask last;
    Reals before, after;             // those poles, and the next ones
    Reals origin, x;                 // x counts from the origin
    Reals low, high;                 // between which the root is
    Reals left, left_slope;          // sums of z^2 / (d - x) over the poles up to that on the left, and of their slopes
    Reals right, right_slope, value;  // over the others; the function

    Roots(const SecularProblem& of, int64_t begin) : of(of), begin(begin) {
        for (int l = 0; l < L; ++l) {
            last[l] = begin + l >= of.n - 1 ? -1 : 0;
            lefts[l] = begin + l < of.n - 1 ? begin + l : of.n - 2;
            before[l] = of.d[lefts[l]];
            after[l] = of.d[lefts[l] + 1];
        }
    }

    void add(int64_t i, Reals& sum, Reals& slope, const Mask& where = ~Mask{}) const {
        const Reals inverse = 1.0 / ((of.d[i] - origin) - x), term = choose(where, of.squares[i] * inverse, Reals{});
        sum += term;
        slope += term * inverse;
    }

    void evaluate() {
        left = left_slope = right = right_slope = Reals{};
        int64_t i = 0;
        for (; i <= lefts[0]; ++i) add(i, left, left_slope);
        for (; i <= lefts[L - 1]; ++i) {
            Mask on_the_left;
            for (int l = 0; l < L; ++l) on_the_left[l] = i <= lefts[l] ? -1 : 0;
            add(i, left, left_slope, on_the_left);
            add(i, right, right_slope, ~on_the_left);
        }
        for (; i < of.n; ++i) add(i, right, right_slope);
        value = of.inverse + left + right;
    }

    // From the middle, which tells the half that has the root: the pole that bounds it is the origin.
    void bracket() {
        const Reals gap = after - before, reach = every(1.0 / of.inverse);
        origin = choose(last, after, before);
        x = choose(last, reach, gap) / 2.0;
        evaluate();
        const Mask beyond = ~last & (value < Reals{});
        low = choose(beyond, -gap / 2.0, Reals{});
        high = choose(beyond, Reals{}, choose(last, reach * (1 + 4 * kEpsilon), gap / 2.0));
        x = choose(beyond, x - gap, x);
        origin = choose(beyond, after, origin);
    }

    // Lanes that are neither as close to 0 as sums are exact, nor between neighbouring numbers.
    Mask open() const {
        const Reals bound = (double(of.n) * kEpsilon) * (of.inverse + size_of<double>(left) + size_of<double>(right));
        const Reals near_low = size_of<double>(low), near_high = size_of<double>(high);
        const Mask wide = high - low > 2 * kEpsilon * choose(near_low < near_high, near_low, near_high);
        return ~(size_of<double>(value) <= bound) & wide;
    }

    // Where two fractions and a constant of this value and these slopes are 0.
    Reals guess() const {
        const Reals to_left = (before - origin) - x, to_right = (after - origin) - x, both = to_left * to_right;
        const Reals c = value - to_left * left_slope - to_right * right_slope;
        const Reals a = (to_left + to_right) * value - both * (left_slope + right_slope), b = both * value;
        const Reals size = root<double>(size_of<double>(a * a - 4.0 * b * c)), discriminant = choose(last, -size, size);
        const Mask divided = (a <= Reals{}) ^ last;  // whichever cancels no digits
        return x + choose(divided, a - discriminant, 2.0 * b) / choose(divided, 2.0 * c, a + discriminant);
    }

    void solve() {
        bracket();
        Mask unsolved = open();
        for (int step = 0; step < kSteps && any_lane(unsolved); ++step) {
            low = choose(value < Reals{}, x, low);
            high = choose(value < Reals{}, high, x);
            const Reals guessed = guess();
            const Mask inside = (guessed > low) & (guessed < high);
            x = choose(unsolved, choose(inside, guessed, (low + high) / 2.0), x);
            evaluate();
            unsolved &= open();
        }
        store<double>(of.nearest + begin, origin);
        store<double>(of.distances + begin, x);
    }
};

void roots(const SecularProblem& of, int64_t begin, int64_t end) {
    for (int64_t first = begin; first < end; first += L) Roots(of, first).solve();
}

void sizes(const SecularProblem& of, double* to, int64_t begin, int64_t end) {
    for (int64_t first = begin; first < end; first += L) {
        const Reals d = items_at(of.d + first, end - first);
        Reals product = (items_at(of.nearest + first, end - first) - d) + items_at(of.distances + first, end - first);
        for (int64_t j = 0; j < of.n; ++j) {
            Reals factor = ((of.nearest[j] - d) + of.distances[j]) / (of.d[j] - d);
            const int64_t own = j - first;
            if (own >= 0 && own < L) factor[own] = 1;
            product *= factor;
        }
        put_items(to + first, root<double>(size_of<double>(product)), end - first);
    }
}

template <class T>
void eigenvectors(const SecularProblem& of, const double* d, const double* z, char* rows, int64_t begin, int64_t end) {
    typedef T Narrowed __attribute__((vector_size(L * sizeof(T))));
    for (int64_t j = begin; j < end; ++j) {
        T* row = reinterpret_cast<T*>(rows) + j * of.n;
        const double nearest = of.nearest[j], distance = of.distances[j], elsewhere = nearest + distance + 1;
        Reals squares{};
        for (int64_t i = 0; i < of.n; i += L) {
            const int64_t some = of.n - i < L ? of.n - i : L;
            const Reals items = load_some(z + i, some, 0.0) / ((load_some(d + i, some, elsewhere) - nearest) - distance);
            squares += items * items;
            const Narrowed narrowed = __builtin_convertvector(items, Narrowed);
            std::memcpy(row + i, &narrowed, size_t(some) * sizeof(T));
        }
        const T scale = T(1 / std::sqrt(sum_of_lanes<double>(squares)));
        for (int64_t i = 0; i < of.n; ++i) row[i] *= scale;
    }
}

}  // namespace

extern const SecularLoops secular = {L, roots, sizes, {eigenvectors<float>, eigenvectors<double>}};

}  // namespace lamina::LAMINA_ISA
