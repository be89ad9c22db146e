// Arrays of many parameters as one vector: scaled, clipped, and the sums that its norms are made of.
#include <cmath>

#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {
namespace {

template <class T>
void scale(char* data, int64_t n, double factor) {
    T* x = reinterpret_cast<T*>(data);
    const T by = T(factor);
    for (int64_t i = 0; i < n; ++i) x[i] *= by;
}

template <class T>
void clip(char* data, int64_t n, double low, double high) {
    T* x = reinterpret_cast<T*>(data);
    const T least = T(low), most = T(high);
    for (int64_t i = 0; i < n; ++i) {
        const T raised = x[i] < least ? least : x[i];  // NaN stays
        x[i] = raised > most ? most : raised;
    }
}

template <class T>
void add(char* data, int64_t n, double term) {
    T* x = reinterpret_cast<T*>(data);
    const T by = T(term);
    for (int64_t i = 0; i < n; ++i) x[i] += by;
}

struct Sizes {
    static double term(double size) { return size; }
    static double both(double a, double b) { return a + b; }
};
struct Squares {
    static double term(double size) { return size * size; }
    static double both(double a, double b) { return a + b; }
};
struct Greatest {
    static double term(double size) { return size; }
    static double both(double a, double b) { return (b > a) | (b != b) ? b : a; }  // NaN wins
};

// In double, over as many sums side by side as hide the latency of one addition.
template <class F, class T>
double total(const char* data, int64_t n) {
    constexpr int kSums = 32;
    const T* x = reinterpret_cast<const T*>(data);
    double sums[kSums] = {};
    int64_t i = 0;
    for (; i + kSums <= n; i += kSums)
        for (int j = 0; j < kSums; ++j) sums[j] = F::both(sums[j], F::term(std::fabs(double(x[i + j]))));
    for (int j = 0; i < n; ++i, ++j) sums[j] = F::both(sums[j], F::term(std::fabs(double(x[i]))));
    double found = 0;
    for (int j = 0; j < kSums; ++j) found = F::both(found, sums[j]);
    return found;
}

}  // namespace

extern const Vectors vectors = {
    {scale<float>, scale<double>},
    {clip<float>, clip<double>},
    {add<float>, add<double>},
    {{total<Sizes, float>, total<Sizes, double>},
     {total<Squares, float>, total<Squares, double>},
     {total<Greatest, float>, total<Greatest, double>}},
};

}  // namespace lamina::LAMINA_ISA
