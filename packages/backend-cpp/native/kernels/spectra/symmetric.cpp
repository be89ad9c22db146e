// A symmetric matrix is made tridiagonal by reflections, whose product takes eigenvectors of that to its own.
#include "kernels/spectra/symmetric.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

#include "kernels/linear_algebra/reflecting.hpp"
#include "kernels/spectra/halves.hpp"
#include "kernels/spectra/spectra.hpp"
#include "kernels/spectra/tridiagonal.hpp"

namespace lamina {
namespace {

const TridiagonalLoops* loops;
const Vectors* numbers;
const Registration registration([](const Loops& best) {
    loops = best.tridiagonal;
    numbers = best.vectors;
});

constexpr int64_t kDividedItems = 150000;  // of a matrix, whose rows several threads take

int64_t width_of(int64_t n) { return (n + kMostLanes - 1) / kMostLanes * kMostLanes; }

template <class T>
struct Workspace {
    int64_t n, width;
    T *a, *v, *w, *next, *products, *scales, *rows;
    double* beside;
    int64_t* order;
    char* rest;

    static int64_t each(int64_t items) { return aligned(items * int64_t(sizeof(T))); }
    static int64_t rows_of(int64_t n, bool vectors) { return n * (vectors ? n : 2); }
    static int64_t fixed(int64_t n, bool vectors) {
        return each(n * width_of(n)) + 5 * each(width_of(n)) + each(rows_of(n, vectors)) + 2 * aligned(n * 8);
    }

    Workspace(int64_t n, bool vectors, char* scratch) : n(n), width(width_of(n)) {
        char* place = scratch;
        const auto take = [&](int64_t bytes) {
            char* const taken = place;
            place += bytes;
            return taken;
        };
        a = reinterpret_cast<T*>(take(each(n * width)));
        for (T** vector : {&v, &w, &next, &products, &scales}) *vector = reinterpret_cast<T*>(take(each(width)));
        rows = reinterpret_cast<T*>(take(each(rows_of(n, vectors))));
        beside = reinterpret_cast<double*>(take(aligned(n * 8)));
        order = reinterpret_cast<int64_t*>(take(aligned(n * 8)));
        rest = place;
    }
};

// Both triangles from the lower one, with zeros behind.
template <class T>
void load(const Arithmetic& by, const Workspace<T>& of, const Part& lower) {
    const int64_t n = of.n;
    const Part a{reinterpret_cast<char*>(of.a), of.width, 1, sizeof(T)}, copied{reinterpret_cast<char*>(of.rest), n, 1, sizeof(T)};
    copy(copied, lower, n, n);
    by.transpose(a, copied, n, n);
    for (int64_t i = 0; i < n; ++i) {
        std::memcpy(a.at(i, 0).data, copied.at(i, 0).data, size_t(i) * sizeof(T));
        std::memset(a.at(i, n).data, 0, size_t(of.width - n) * sizeof(T));
    }
}

template <class T>
void reduce(const Arithmetic& by, Workspace<T>& of, double* diagonal) {
    constexpr bool kWide = sizeof(T) == 8;
    for (T* vector : {of.v, of.w, of.next, of.products}) std::memset(vector, 0, size_t(of.width) * sizeof(T));
    const auto data = [](T* vector) { return reinterpret_cast<char*>(vector); };
    for (int64_t j = 0; j < of.n; ++j) {
        const SymmetricRows rows{data(of.a), of.n, of.width, data(of.v), data(of.w), data(of.next), data(of.products)};
        loops->reflect[kWide](rows, j, data(of.scales + j), diagonal + j, of.beside + j);
        const int64_t left = of.n - j - 1, pieces = left * left < kDividedItems ? 1 : by.threads;
        if (left < 2) continue;
        parallel(left, (left + pieces - 1) / pieces, [&](int64_t begin, int64_t end) {
            loops->update[kWide](rows, j, j + 1 + begin, j + 1 + end);
        });
        loops->close[kWide](rows, j, double(of.scales[j]));
        std::swap(of.v, of.next);
        std::swap(of.w, of.products);
    }
}

}  // namespace

template <class T>
int64_t Symmetric<T>::terms_of(int64_t n, bool vectors) {
    return vectors ? Reflecting::terms_of(n) : kFewColumns;
}

template <class T>
int64_t Symmetric<T>::scratch_of(int64_t n, bool vectors) {
    const int64_t reflecting = vectors ? Reflecting::scratch_of(n, n) * int64_t(sizeof(T)) : 0;
    return Workspace<T>::fixed(n, vectors) + std::max({Workspace<T>::each(n * n), Halves<T>::scratch_of(n, vectors), reflecting});
}

template <class T>
bool Symmetric<T>::solve(const Arithmetic& by, const Part& lower, int64_t n, double* values, const Part& vectors, char* scratch) {
    const bool whole = vectors.data != nullptr;
    Workspace<T> of(n, whole, scratch);
    load(by, of, lower);
    const int64_t items = n * of.width;
    char* const a = reinterpret_cast<char*>(of.a);
    const double most = numbers->totals[2][by.type](a, items);
    if (!(most <= double(std::numeric_limits<T>::max()))) return false;
    int exponent = 0;
    std::frexp(most, &exponent);
    const double unit = std::ldexp(1.0, std::max(-exponent, 2 - std::numeric_limits<T>::max_exponent));
    if (most > 0) numbers->scale[by.type](a, items, unit);
    reduce(by, of, values);
    if (!Halves<T>::solve(by, n, values, of.beside, of.rows, whole, of.rest)) return false;
    for (int64_t i = 0; i < n; ++i) values[i] /= unit, of.order[i] = i;
    std::sort(of.order, of.order + n, [&](int64_t i, int64_t j) { return values[i] < values[j]; });
    if (whole) {
        const Part sorted{of.rest, n, 1, sizeof(T)};
        for (int64_t i = 0; i < n; ++i) std::memcpy(sorted.at(i, 0).data, of.rows + of.order[i] * n, size_t(n) * sizeof(T));
        by.transpose(vectors, sorted, n, n);
        const Part packed{a + sizeof(T), 1, of.width, sizeof(T)};
        const Reflecting reflecting(by, of.rest, n - 1, n, sizeof(T));
        if (n > 2) reflecting.multiply(vectors.at(1, 0), packed, reinterpret_cast<char*>(of.scales), n - 2, n);
    }
    std::sort(values, values + n);
    return true;
}

template struct Symmetric<float>;
template struct Symmetric<double>;

template <class T>
bool eigenvalues_by_halves(const Stack& stack, const View& x, const View& values, const View* vectors, bool upper) {
    const int64_t n = stack.rows(), item = stack.item;
    const bool whole = vectors != nullptr;
    const int64_t own = aligned(n * 8) + (whole ? aligned(n * n * item) : 0) + Symmetric<T>::scratch_of(n, whole);
    std::atomic<bool> good{true};
    stack.each(Symmetric<T>::terms_of(n, whole), own / item, 10 * n * n * n, [&](int64_t i, const Arithmetic& by, char* scratch) {
        if (!good.load(std::memory_order_relaxed)) return;
        double* const found = reinterpret_cast<double*>(scratch);
        const Part columns{whole ? scratch + aligned(n * 8) : nullptr, n, 1, item}, part = stack.part(x, i);
        char* const rest = scratch + aligned(n * 8) + (whole ? aligned(n * n * item) : 0);
        if (!Symmetric<T>::solve(by, upper ? part.turned() : part, n, found, columns, rest)) {
            good = false;
            return;
        }
        for (int64_t j = 0; j < n; ++j) set_item(vector_of(stack, values, i).at(0, j), found[j]);
        if (whole) by.place(stack.part(*vectors, i), columns, n, n);
    });
    return good;
}

template bool eigenvalues_by_halves<float>(const Stack&, const View&, const View&, const View*, bool);
template bool eigenvalues_by_halves<double>(const Stack&, const View&, const View&, const View*, bool);

}  // namespace lamina
