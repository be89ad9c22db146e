// Plans of Fourier transforms: how a length is split, its roots of unity, and the plans that are kept.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <utility>

#include "kernels/fourier/fourier.hpp"
#include "runtime/gil.hpp"

namespace lamina {
namespace {

// exp(-2 pi i k / n) for 0 <= k < n, by the sine and cosine of an eighth of the circle.
std::pair<double, double> root(int64_t k, int64_t n) {
    const bool mirrored = 2 * k > n;
    if (mirrored) k = n - k;
    const bool behind = 4 * k > n;  // of a quarter
    const int64_t a = behind ? 2 * n - 4 * k : 4 * k;  // in fourths of a step, up to a quarter
    const double step = 1.57079632679489661923 / double(n);
    const bool steep = 2 * a > n;
    const double angle = double(steep ? n - a : a) * step;
    double c = std::cos(angle), s = std::sin(angle);
    if (steep) std::swap(c, s);
    return {behind ? -c : c, mirrored ? s : -s};
}

// A table that is filled with complex or real numbers one after another.
class Table {
   public:
    Table(bool is_double, int64_t numbers) : is_double_(is_double) { bytes_.reserve(size_t(numbers) * (is_double ? 8 : 4)); }

    void add(double x) {
        const float narrow = float(x);
        const char* from = is_double_ ? reinterpret_cast<const char*>(&x) : reinterpret_cast<const char*>(&narrow);
        bytes_.insert(bytes_.end(), from, from + (is_double_ ? 8 : 4));
    }
    void add(std::pair<double, double> z) {
        add(z.first);
        add(z.second);
    }
    std::vector<char> finished() { return std::move(bytes_); }

   private:
    bool is_double_;
    std::vector<char> bytes_;
};

// Radices whose product is n; empty where it has a greater prime factor, and for 1.
std::vector<int64_t> radices_of(int64_t n) {
    std::vector<int64_t> found;
    const auto divide = [&](int64_t radix) {
        while (n % radix == 0) {
            found.push_back(radix);
            n /= radix;
        }
    };
    int twos = 0;
    for (; n % 2 == 0; n /= 2) ++twos;
    for (int passes = (twos + 3) / 4; passes > 0; --passes) {  // of 2 ** 4 or 2 ** 3, as evenly as they come
        const int some = (twos + passes - 1) / passes;
        found.push_back(int64_t(1) << some);
        twos -= some;
    }
    for (int64_t radix = 3; radix <= kLargestRadix && n > 1; radix += 2) divide(radix);
    if (n > 1) found.clear();
    return found;
}

// Simple operations for one item of a transform of n.
double cost_of(int64_t n) {
    double cost = 4;
    for (const int64_t radix : radices_of(n))
        cost += radix == 2 ? 5 : radix <= 5 ? radix + 4 : radix == 8 ? 12 : radix == 16 ? 15 : 2 * radix + 6;
    return cost;
}

// The best n / columns for a matrix of n items; 0 for none.
int64_t best_rows(int64_t n, int lanes) {
    const auto padded = [&](int64_t k) { return double((k + lanes - 1) / lanes * lanes); };
    int64_t best = 0;
    double least = 0;
    for (int64_t d = 2; d * d <= n; ++d) {
        if (n % d != 0) continue;
        for (const int64_t down : {d, n / d}) {
            const int64_t across = n / down;
            const double columns = padded(across) * double(down) * (cost_of(down) + 12);
            const double cost = columns + padded(down) * double(across) * (cost_of(across) + 4);
            if (best == 0 || cost < least) best = down, least = cost;
        }
    }
    return best;
}

// The least length of 2, 3 and 5 that holds a convolution of n with its chirp.
int64_t length_of_convolution(int64_t n, FourierWay way) {
    int64_t power = 1;
    while (power < 2 * n - 1) power *= 2;
    if (way == kApart) return power;
    int64_t best = power;
    for (const int64_t odd : {3, 5, 9, 15, 25}) {
        int64_t size = odd * 4;
        while (size < 2 * n - 1) size *= 2;
        if (double(size) * cost_of(size) < double(best) * cost_of(best)) best = size;
    }
    return best;
}

// The number that has the digits of i in reverse, by radices from `first` on.
int64_t mirrored(int64_t i, const std::vector<int64_t>& radices, size_t first) {
    int64_t found = 0;
    for (size_t at = first; at < radices.size(); ++at) {
        found = found * radices[at] + i % radices[at];
        i /= radices[at];
    }
    return found;
}

void add_passes(FourierPlan& plan, bool is_double) {
    const std::vector<int64_t> radices = radices_of(plan.n);
    plan.places.resize(size_t(plan.n));
    for (int64_t i = 0; i < plan.n; ++i) plan.places[size_t(mirrored(i, radices, 0))] = i;
    int64_t rest = plan.n, stride = 1, at = 0;
    Table turns(is_double, 2 * plan.n + 16);
    for (const int64_t radix : radices) {
        FourierPass pass = {radix, rest / radix, stride, at, 0};
        for (int64_t group = 0; group < pass.groups; ++group)
            for (int64_t j = 1, turn = mirrored(group, radices, plan.passes.size() + 1); j < radix; ++j) turns.add(root(turn * j, rest));
        at += pass.groups * (radix - 1);
        pass.circle = at;
        if (radix > 5 && radix % 2 == 1) {
            const int64_t half = radix / 2;
            for (int64_t j = 1; j <= half; ++j)
                for (int64_t k = 1; k <= half; ++k) turns.add(root(j * k % radix, radix).first);
            for (int64_t j = 1; j <= half; ++j)
                for (int64_t k = 1; k <= half; ++k) turns.add(-root(j * k % radix, radix).second);
            at += half * half;
        }
        plan.passes.push_back(pass);
        rest /= radix;
        stride *= radix;
    }
    plan.turns = turns.finished();
}

// The transform of numbers in double precision, by the definition of each pass; n has small factors.
std::vector<std::complex<double>> spectrum_of(std::vector<std::complex<double>> x) {
    const int64_t n = int64_t(x.size());
    std::vector<std::complex<double>> y(x.size()), roots(x.size());
    for (int64_t k = 0; k < n; ++k) roots[size_t(k)] = {root(k, n).first, root(k, n).second};
    int64_t stride = 1, rest = n;
    for (const int64_t radix : radices_of(n)) {
        const int64_t groups = rest / radix;
        for (int64_t p = 0; p < groups; ++p)
            for (int64_t j = 0; j < radix; ++j)
                for (int64_t q = 0; q < stride; ++q) {
                    std::complex<double> sum = 0;
                    for (int64_t k = 0; k < radix; ++k)
                        sum += x[size_t(q + stride * (p + groups * k))] * roots[size_t((j * k % radix * (n / radix) + p * j * stride) % n)];
                    y[size_t(q + stride * (radix * p + j))] = sum;
                }
        std::swap(x, y);
        rest = groups;
        stride *= radix;
    }
    return x;
}

std::unique_ptr<FourierPlan> made(int64_t n, bool is_double, FourierWay way, int lanes);

void add_chirp(FourierPlan& plan, bool is_double, FourierWay way, int lanes) {
    const int64_t n = plan.n, size = length_of_convolution(n, way);
    plan.longer = made(size, is_double, way, lanes);
    plan.places = plan.longer->places;
    std::vector<std::complex<double>> mirrored(static_cast<size_t>(size));
    Table chirp(is_double, 2 * n), response(is_double, 2 * size);
    for (int64_t j = 0, square = 0; j < n; square = (square + 2 * j + 1) % (2 * n), ++j) {
        const auto [re, im] = root(square, 2 * n);
        chirp.add({re, im});
        mirrored[size_t(j)] = mirrored[size_t((size - j) % size)] = std::complex<double>(re, -im) / double(size);
    }
    plan.chirp = chirp.finished();
    for (const std::complex<double>& z : spectrum_of(std::move(mirrored))) response.add({z.real(), z.imag()});
    plan.response = response.finished();
}

constexpr int64_t kWhole = 8192;  // up to which all roots between columns and rows are kept

void add_matrix(FourierPlan& plan, int64_t down, bool is_double, int lanes) {
    const int64_t n = plan.n, across = n / down;
    plan.down = made(down, is_double, kTogether, lanes);
    plan.across = made(across, is_double, kTogether, lanes);
    const int64_t vectors = (across + lanes - 1) / lanes;
    plan.across_vectors = vectors;
    plan.down_vectors = (down + lanes - 1) / lanes;
    plan.whole = n <= kWhole;
    Table near(is_double, 2 * lanes * down * (plan.whole ? vectors : 1)), far(is_double, plan.whole ? 0 : 2 * vectors * down);
    for (int64_t v = 0; v < (plan.whole ? vectors : 1); ++v)
        for (int64_t k = 0; k < down; ++k) {
            for (int64_t lane = 0; lane < lanes; ++lane) near.add(root(k * (v * lanes + lane) % n, n).first);
            for (int64_t lane = 0; lane < lanes; ++lane) near.add(root(k * (v * lanes + lane) % n, n).second);
        }
    for (int64_t v = 0; v < vectors && !plan.whole; ++v)
        for (int64_t k = 0; k < down; ++k) far.add(root(v * lanes * k, n));
    plan.near = near.finished();
    plan.far = far.finished();
}

std::unique_ptr<FourierPlan> made(int64_t n, bool is_double, FourierWay way, int lanes) {
    auto plan = std::make_unique<FourierPlan>();
    plan->n = n;
    const bool smooth = n == 1 || !radices_of(n).empty();
    const int64_t down = way == kApart && smooth ? best_rows(n, lanes) : 0;
    if (down != 0)
        add_matrix(*plan, down, is_double, lanes);
    else if (way == kTogether && smooth)
        add_passes(*plan, is_double);
    else
        add_chirp(*plan, is_double, way, lanes);
    return plan;
}

size_t bytes_of(const FourierPlan& plan) {
    size_t bytes = sizeof plan + plan.passes.size() * sizeof(FourierPass) + plan.places.size() * sizeof(int64_t);
    for (const auto* table : {&plan.turns, &plan.chirp, &plan.response, &plan.near, &plan.far, &plan.halves}) bytes += table->size();
    for (const auto* part : {&plan.longer, &plan.down, &plan.across})
        if (*part) bytes += bytes_of(**part);
    return bytes;
}

struct Kept {
    int64_t n;
    bool is_double, halves;
    FourierWay way;
    std::shared_ptr<const FourierPlan> plan;
    size_t bytes;
    uint64_t used;  // the latest has the greatest number
};

constexpr size_t kMostPlans = 64, kMostBytes = size_t(64) << 20;  // of all plans that are kept; one may be larger

StateLock lock;  // of what follows; plans themselves do not change
auto& kept = *new std::vector<Kept>;  // never deleted: threads may still be at it
uint64_t uses = 0;

std::shared_ptr<const FourierPlan> find(int64_t n, bool is_double, FourierWay way, bool halves) {
    const Guard guard(lock);
    for (Kept& one : kept)
        if (one.n == n && one.is_double == is_double && one.way == way && one.halves == halves) {
            one.used = ++uses;
            return one.plan;
        }
    return nullptr;
}

void keep(Kept one) {
    const Guard guard(lock);
    size_t bytes = one.bytes;
    for (const Kept& other : kept) bytes += other.bytes;
    while (!kept.empty() && (kept.size() >= kMostPlans || bytes > kMostBytes)) {
        const auto oldest = std::min_element(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
        bytes -= oldest->bytes;
        kept.erase(oldest);
    }
    one.used = ++uses;
    kept.push_back(std::move(one));
}

}  // namespace

std::shared_ptr<const FourierPlan> fourier_plan(int64_t n, bool is_double, FourierWay way, bool halves, int lanes) {
    if (auto found = find(n, is_double, way, halves)) return found;
    std::unique_ptr<FourierPlan> plan = made(n, is_double, way, lanes);
    if (halves) {
        Table table(is_double, n + 2);
        for (int64_t k = 0; k <= n / 2; ++k) table.add(root(k, 2 * n));
        plan->halves = table.finished();
    }
    const size_t bytes = bytes_of(*plan);
    std::shared_ptr<const FourierPlan> shared = std::move(plan);
    keep({n, is_double, halves, way, shared, bytes, 0});
    return shared;
}

}  // namespace lamina
