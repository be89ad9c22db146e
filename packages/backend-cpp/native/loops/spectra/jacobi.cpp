// Jacobi's method for eigenvalues, and Hestenes' for singular values, of many small matrices at once.
//
// Golub and Van Loan, Matrix Computations, 4th ed., sections 8.5.2 (the rotation) and 8.6.3 (one-sided). Cyclic by rows; a lane that
// needs no rotation is turned by an angle of 0, which changes nothing, so that no matrix knows of its neighbours.
#include "kernels/spectra/jacobi.hpp"

#include <cmath>
#include <limits>

#include "loops/spectra/lanes.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {
namespace {

constexpr int kSweeps = 30;  // 6 to 10 are enough

template <class T>
struct Rotation {
    Vec<T> tangent, cosine, sine;

    // That which takes `between` to 0, of a symmetric 2 x 2 matrix with the diagonal (x, y); none where the mask is false.
    template <class Mask>
    Rotation(const Mask& mask, const Vec<T>& x, const Vec<T>& y, const Vec<T>& between) {
        const Vec<T> one = every(T(1)), ratio = (y - x) / choose(mask, between + between, one);
        const Vec<T> size = one / (size_of<T>(ratio) + root<T>(one + ratio * ratio));
        tangent = choose(mask, choose(ratio < Vec<T>{}, -size, size), Vec<T>{});
        cosine = one / root<T>(one + tangent * tangent);
        sine = tangent * cosine;
    }

    void turn(Vec<T>& x, Vec<T>& y) const {
        const Vec<T> before = x;
        x = cosine * before - sine * y;
        y = sine * before + cosine * y;
    }

    // Two rows of n items.
    void turn(T* x, T* y, int64_t n) const {
        constexpr int L = kLanes<T>;
        for (int64_t i = 0; i < n * L; i += L) {
            Vec<T> a = load(x + i), b = load(y + i);
            turn(a, b);
            store<T>(x + i, a);
            store<T>(y + i, b);
        }
    }
};

template <class T>
void set_identity(T* to, int64_t n) {
    for (int64_t i = 0; i < n * n; ++i) store<T>(to + i * kLanes<T>, every(T(i % (n + 1) == 0)));
}

template <class T>
bool diagonalize(char* data, int64_t n, char* vectors) {
    constexpr int L = kLanes<T>;
    T *a = reinterpret_cast<T*>(data), *v = reinterpret_cast<T*>(vectors);
    const auto at = [=](int64_t i, int64_t j) { return a + (i * n + j) * L; };
    const Vec<T> least = every(std::numeric_limits<T>::epsilon() / 4);
    if (v != nullptr) set_identity(v, n);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        bool turned = false;
        for (int64_t p = 0; p < n; ++p)
            for (int64_t q = p + 1; q < n; ++q) {
                const Vec<T> between = load(at(p, q));
                const auto mask = size_of<T>(between) > least;
                if (!any_lane(mask)) continue;
                turned = true;
                const Vec<T> x = load(at(p, p)), y = load(at(q, q));
                const Rotation<T> by(mask, x, y, between);
                for (int64_t k = 0; k < n; ++k) {
                    if (k == p || k == q) continue;
                    Vec<T> first = load(at(p, k)), second = load(at(q, k));
                    by.turn(first, second);
                    store<T>(at(p, k), first);
                    store<T>(at(k, p), first);
                    store<T>(at(q, k), second);
                    store<T>(at(k, q), second);
                }
                store<T>(at(p, p), x - by.tangent * between);
                store<T>(at(q, q), y + by.tangent * between);
                store<T>(at(p, q), choose(mask, Vec<T>{}, between));
                store<T>(at(q, p), choose(mask, Vec<T>{}, between));
                if (v != nullptr) by.turn(v + p * n * L, v + q * n * L, n);
            }
        if (!turned) return true;
    }
    return false;
}

template <class T>
bool orthogonalize(char* data, int64_t n, int64_t m, char* turns) {
    constexpr int L = kLanes<T>;
    T *rows = reinterpret_cast<T*>(data), *v = reinterpret_cast<T*>(turns);
    const Vec<T> least = every(std::numeric_limits<T>::epsilon() * std::sqrt(T(m)));
    if (v != nullptr) set_identity(v, n);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        bool turned = false;
        for (int64_t p = 0; p < n; ++p)
            for (int64_t q = p + 1; q < n; ++q) {
                T *x = rows + p * m * L, *y = rows + q * m * L;
                Vec<T> xx{}, yy{}, xy{};
                for (int64_t i = 0; i < m * L; i += L) {
                    const Vec<T> a = load(x + i), b = load(y + i);
                    xx += a * a;
                    yy += b * b;
                    xy += a * b;
                }
                const auto mask = size_of<T>(xy) > least * root<T>(xx) * root<T>(yy);
                if (!any_lane(mask)) continue;
                turned = true;
                const Rotation<T> by(mask, xx, yy, xy);
                by.turn(x, y, m);
                if (v != nullptr) by.turn(v + p * n * L, v + q * n * L, n);
            }
        if (!turned) return true;
    }
    return false;
}

}  // namespace

extern const JacobiLoops jacobi = {{kLanes<float>, kLanes<double>},
                                   {diagonalize<float>, diagonalize<double>},
                                   {orthogonalize<float>, orthogonalize<double>}};

}  // namespace lamina::LAMINA_ISA
