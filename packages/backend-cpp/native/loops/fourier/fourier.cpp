// Fourier transforms of rows: several at once, one in each lane, or one long row as a matrix of its own.
//
// A long row is one of n = rows * columns items: Bailey, "FFTs in external or hierarchical memory", 1990. Real numbers are taken as
// complex ones of half the length: Press et al., Numerical Recipes, section 12.3.
#include "kernels/fourier/fourier.hpp"

#include "loops/fourier/butterflies.hpp"
#include "loops/fourier/lane_tiles.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {
namespace {

// n items of all rows, in `parts` vectors an item; vector i goes to where(i).
template <class T>
struct Reader {
    const FourierTile& tile;
    const int parts;
    const T* rows[kLanes<T>];

    Reader(const FourierTile& t, int p) : tile(t), parts(p) {
        for (int l = 0; l < kLanes<T>; ++l) rows[l] = reinterpret_cast<const T*>(t.from[l]);
    }

    template <class Where>
    void operator()(int64_t n, Vec<T>* to, const Where& where) const {
        if (tile.from_step == 1) return load_rows<T>(rows, n * parts, to, where);
        const int64_t step = tile.from_step * parts;
        for (int64_t i = 0; i < n; ++i) {
            const int64_t at = i * step;
            if (!tile.from_neighbours)
                for (int part = 0; part < parts; ++part)
                    for (int l = 0; l < kLanes<T>; ++l) to[where(i * parts + part)][l] = rows[l][at + part];
            else if (parts == 2)
                load_pairs<T>(rows[0] + at, tile.count, to[where(2 * i)], to[where(2 * i + 1)]);
            else
                to[where(i)] = load_up_to<T>(rows[0] + at, tile.count);
        }
    }
};

// Where vectors of numbers go: as they come, or to the places of a plan, with parts exchanged if asked.
struct InOrder {
    int64_t operator()(int64_t i) const { return i; }
};
struct ToPlaces {
    const int64_t* places;
    int flip;

    ToPlaces(const FourierPlan& plan, bool swapped) : places(plan.places.data()), flip(swapped) {}
    int64_t operator()(int64_t i) const { return 2 * places[i >> 1] + ((i & 1) ^ flip); }
};

template <class T>
struct Writer {
    const FourierTile& tile;
    const int parts, flip;
    const T scale;
    T* rows[kLanes<T>];

    Writer(const FourierTile& t, int p, int f, T factor) : tile(t), parts(p), flip(f), scale(factor) {
        for (int l = 0; l < kLanes<T>; ++l) rows[l] = reinterpret_cast<T*>(t.to[l]);
    }

    void operator()(int64_t n, const Vec<T>* from) const {
        if (tile.to_step == 1) return store_rows<T>(from, n * parts, rows, tile.count, flip, scale);
        const int64_t step = tile.to_step * parts;
        for (int64_t i = 0; i < n; ++i) {
            const int64_t at = i * step;
            if (!tile.to_neighbours)
                for (int part = 0; part < parts; ++part)
                    for (int l = 0; l < tile.count; ++l) rows[l][at + part] = from[(i * parts + part) ^ flip][l] * scale;
            else if (parts == 2)
                store_pairs<T>(from + 2 * i, flip, scale, rows[0] + at, tile.count);
            else
                store_up_to<T>(rows[0] + at, from[i ^ flip] * scale, tile.count);
        }
    }
};

// Spectra of even and of odd items (or twice their sum and difference, backwards) are those of the items by pairs: k and h - k.
template <class V>
struct Halves {
    V re, im, mirrored_re, mirrored_im;
};

template <class V, class W>
inline Halves<V> join_halves(V zr, V zi, V yr, V yi, W wr, W wi) {
    const V er = zr + yr, ei = zi - yi, dr = zr - yr, di = zi + yi;
    const V or_ = di * wr + dr * wi, oi = di * wi - dr * wr;
    return {er + or_, ei + oi, er - or_, oi - ei};
}

template <class V, class W>
inline Halves<V> part_halves(V xr, V xi, V yr, V yi, W wr, W wi) {
    const V er = xr + yr, ei = xi - yi, dr = xr - yr, di = xi + yi;
    const V or_ = dr * wr + di * wi, oi = di * wr - dr * wi;
    return {er - oi, ei + or_, er + oi, or_ - ei};
}

template <class T>
void join_lanes(const FourierPlan& plan, Vec<T>* x) {
    const int64_t h = plan.n;
    const T* w = plan.of<T>(plan.halves);
    const Complexes<T> first = number_at<T>(x, 0);
    put_at(x, 0, Complexes<T>{(first.re + first.im) * T(2), Vec<T>{}});
    put_at(x, h, Complexes<T>{(first.re - first.im) * T(2), Vec<T>{}});
    for (int64_t k = 1; k <= h - k; ++k) {
        const Complexes<T> a = number_at<T>(x, k), b = number_at<T>(x, h - k);
        const auto v = join_halves(a.re, a.im, b.re, b.im, w[2 * k], w[2 * k + 1]);
        put_at(x, h - k, Complexes<T>{v.mirrored_re, v.mirrored_im});
        put_at(x, k, Complexes<T>{v.re, v.im});
    }
}

template <class T>
void part_lanes(const FourierPlan& plan, const Vec<T>* x, Vec<T>* z) {  // with real and imaginary parts exchanged
    const int64_t h = plan.n, *place = plan.places.data();
    const T* w = plan.of<T>(plan.halves);
    put_at(z, place[0], Complexes<T>{x[0] - x[2 * h], x[0] + x[2 * h]});
    for (int64_t k = 1; k <= h - k; ++k) {
        const Complexes<T> a = number_at<T>(x, k), b = number_at<T>(x, h - k);
        const auto v = part_halves(a.re, a.im, b.re, b.im, w[2 * k], w[2 * k + 1]);
        put_at(z, place[h - k], Complexes<T>{v.mirrored_im, v.mirrored_re});
        put_at(z, place[k], Complexes<T>{v.im, v.re});
    }
}

template <class T>
void transform_tile(const FourierTask& task, const FourierTile& tile, char* scratch) {
    const FourierPlan& plan = *task.plan;
    const int64_t n = task.n, *place = plan.places.data(), size = 2 * (plan.longer ? plan.longer->n : plan.n) + 2;
    Vec<T>*a = reinterpret_cast<Vec<T>*>(scratch), *b = a + size;
    const T scale = T(task.scale);
    if (task.kind == kComplexToComplex) {
        Reader<T>(tile, 2)(n, a, ToPlaces(plan, task.inverse));
        return Writer<T>(tile, 2, task.inverse, scale)(n, transform_lanes<T>(plan, a, b));
    }
    if (task.kind == kRealToComplex && task.packed) {
        Reader<T>(tile, 1)(n, a, ToPlaces(plan, false));
        Vec<T>* z = transform_lanes<T>(plan, a, b);
        join_lanes<T>(plan, z);
        return Writer<T>(tile, 2, 0, scale * T(0.5))(n / 2 + 1, z);
    }
    if (task.kind == kRealToComplex) {
        Reader<T>(tile, 1)(n, b, InOrder());
        for (int64_t i = 0; i < n; ++i) put_at(a, place[i], Complexes<T>{b[i], Vec<T>{}});
        return Writer<T>(tile, 2, 0, scale)(n / 2 + 1, transform_lanes<T>(plan, a, b));
    }
    Reader<T>(tile, 2)(n / 2 + 1, b, InOrder());
    if (task.packed) {
        part_lanes<T>(plan, b, a);
        return Writer<T>(tile, 1, 1, scale)(n, transform_lanes<T>(plan, a, b));
    }
    put_at(a, place[0], Complexes<T>{Vec<T>{}, b[0]});
    for (int64_t k = 1; k < n - k; ++k) {
        put_at(a, place[k], Complexes<T>{b[2 * k + 1], b[2 * k]});
        put_at(a, place[n - k], Complexes<T>{-b[2 * k + 1], b[2 * k]});
    }
    Vec<T>* z = transform_lanes<T>(plan, a, b);
    for (int64_t i = 0; i < n; ++i) z[i] = z[2 * i + 1];
    Writer<T>(tile, 1, 0, scale)(n, z);
}

template <class T>
void transform_columns(const FourierPlan& plan, const char* data, bool swapped, char* to, char* scratch, int64_t begin, int64_t end) {
    constexpr int L = kLanes<T>;
    const int64_t down = plan.down->n, across = plan.across->n, padded = (across + L - 1) / L * L, *place = plan.across->places.data();
    const ToPlaces where(*plan.down, swapped);
    Vec<T>*a = reinterpret_cast<Vec<T>*>(scratch), *out = reinterpret_cast<Vec<T>*>(to);
    const T *x = reinterpret_cast<const T*>(data), *near = plan.of<T>(plan.near), *far = plan.of<T>(plan.far);
    for (int64_t v = begin; v < end; ++v) {
        const int64_t first = v * L;
        const int count = int(across - first < L ? across - first : L);
        for (int64_t i = 0; i < down; ++i)
            load_pairs<T>(x + 2 * (i * across + first), count, a[where(2 * i)], a[where(2 * i + 1)]);
        run_passes<T>(*plan.down, a);
        const auto turn = [&](int64_t k) {
            if (k >= down) return Complexes<T>{};
            const T* step = near + 2 * L * (plan.whole ? v * down + k : k);
            Complexes<T> w = {load<T>(step), load<T>(step + L)};
            if (!plan.whole) w = turned(w, far[2 * (v * down + k)], far[2 * (v * down + k) + 1]);
            return turned(number_at<T>(a, k), w.re, w.im);
        };
        // To vectors of L rows: rows and columns exchanged.
        for (int64_t k = 0; k < down; k += L) {
            Vec<T> re[L], im[L];
            for (int i = 0; i < L; ++i) {
                const Complexes<T> z = turn(k + i);
                re[i] = z.re;
                im[i] = z.im;
            }
            turn_tile<T>(re);
            turn_tile<T>(im);
            for (int l = 0; l < count; ++l) put_at(out, k / L * padded + place[first + l], Complexes<T>{re[l], im[l]});
        }
    }
}

template <class T>
void transform_rows(const FourierPlan& plan, char* rows, char* to, bool swapped, double scale, int64_t begin, int64_t end) {
    constexpr int L = kLanes<T>;
    const int64_t down = plan.down->n, across = plan.across->n, padded = (across + L - 1) / L * L;
    T* out = reinterpret_cast<T*>(to);
    for (int64_t v = begin; v < end; ++v) {
        const int64_t first = v * L;
        const int count = int(down - first < L ? down - first : L);
        Vec<T>* x = reinterpret_cast<Vec<T>*>(rows) + 2 * v * padded;
        run_passes<T>(*plan.across, x);
        for (int64_t k = 0; k < across; ++k) store_pairs<T>(x + 2 * k, swapped, T(scale), out + 2 * (k * down + first), count);
    }
}

template <class T>
void times_chirp(const FourierPlan& plan, const char* data, bool swapped, char* to) {
    const T *x = reinterpret_cast<const T*>(data), *w = plan.of<T>(plan.chirp);
    T* y = reinterpret_cast<T*>(to);
    for (int64_t j = 0; j < plan.n; ++j) {
        const T re = x[2 * j + swapped], im = x[2 * j + 1 - swapped];
        y[2 * j] = re * w[2 * j] - im * w[2 * j + 1];
        y[2 * j + 1] = im * w[2 * j] + re * w[2 * j + 1];
    }
    std::memset(y + 2 * plan.n, 0, size_t(plan.longer->n - plan.n) * 2 * sizeof(T));
}

template <class T>
void times_response(const FourierPlan& plan, char* data) {  // real and imaginary parts exchanged
    T* x = reinterpret_cast<T*>(data);
    const T* w = plan.of<T>(plan.response);
    for (int64_t j = 0; j < plan.longer->n; ++j) {
        const T re = x[2 * j], im = x[2 * j + 1];
        x[2 * j + 1] = re * w[2 * j] - im * w[2 * j + 1];
        x[2 * j] = im * w[2 * j] + re * w[2 * j + 1];
    }
}

template <class T>
void times_chirp_again(const FourierPlan& plan, const char* data, bool swapped, double scale, char* to) {
    const T *x = reinterpret_cast<const T*>(data), *w = plan.of<T>(plan.chirp);
    T *y = reinterpret_cast<T*>(to), factor = T(scale);
    for (int64_t j = 0; j < plan.n; ++j) {
        const T re = x[2 * j + 1], im = x[2 * j];
        y[2 * j + swapped] = (re * w[2 * j] - im * w[2 * j + 1]) * factor;
        y[2 * j + 1 - swapped] = (im * w[2 * j] + re * w[2 * j + 1]) * factor;
    }
}

// k and h - k for vectors of k at once, of adjacent numbers.
template <class T, class F>
int64_t pairs_of_vectors(int64_t h, const T* x, T* y, const T* w, T scale, const F& combined) {
    constexpr int L = kLanes<T>;
    int64_t k = 1;
    for (; k + L <= h - (k + L - 1); k += L) {
        const T *low = x + 2 * k, *high = x + 2 * (h - k - L + 1), *turn = w + 2 * k;
        const Vec<T> a = load<T>(low), b = load<T>(low + L), c = load<T>(high), d = load<T>(high + L);
        const Vec<T> e = load<T>(turn), f = load<T>(turn + L);
        const auto v = combined(every_second<T>(a, b, 0), every_second<T>(a, b, 1), every_second<T>(c, d, 0, true),
                                every_second<T>(c, d, 1, true), every_second<T>(e, f, 0), every_second<T>(e, f, 1));
        const Vec<T> re = v.re * scale, im = v.im * scale, mre = v.mirrored_re * scale, mim = v.mirrored_im * scale;
        store<T>(y + 2 * k, by_turns<T>(re, im, false));
        store<T>(y + 2 * k + L, by_turns<T>(re, im, true));
        store<T>(y + 2 * (h - k - L + 1), by_turns<T>(mre, mim, false, true));
        store<T>(y + 2 * (h - k - L + 1) + L, by_turns<T>(mre, mim, true, true));
    }
    return k;
}

template <class T>
void before(const FourierTask& task, const char* data, int64_t step, char* to) {
    const T* x = reinterpret_cast<const T*>(data);
    T* y = reinterpret_cast<T*>(to);
    const int64_t n = task.n, h = n / 2;
    if (task.kind == kRealToComplex) {
        const int64_t apart = task.packed ? 1 : 2;
        for (int64_t j = 0; j < n; ++j) y[j * apart] = x[j * step];
        if (!task.packed)
            for (int64_t j = 0; j < n; ++j) y[2 * j + 1] = T(0);
        return;
    }
    if (task.kind == kComplexToComplex) {
        for (int64_t j = 0; j < n; ++j) y[2 * j] = x[2 * j * step], y[2 * j + 1] = x[2 * j * step + 1];
        return;
    }
    if (!task.packed) {
        y[0] = x[0], y[1] = T(0);
        for (int64_t k = 1; k < n - k; ++k) {
            const T re = x[2 * k * step], im = x[2 * k * step + 1];
            y[2 * k] = y[2 * (n - k)] = re;
            y[2 * k + 1] = im;
            y[2 * (n - k) + 1] = -im;
        }
        return;
    }
    const T* w = task.plan->of<T>(task.plan->halves);
    int64_t k = 1;
    y[0] = x[0] + x[2 * h * step];
    y[1] = x[0] - x[2 * h * step];
    if (step == 1) k = pairs_of_vectors<T>(h, x, y, w, T(1), [](auto... v) { return part_halves(v...); });
    for (; k <= h - k; ++k) {
        const T *a = x + 2 * k * step, *b = x + 2 * (h - k) * step;
        const auto v = part_halves(a[0], a[1], b[0], b[1], w[2 * k], w[2 * k + 1]);
        y[2 * (h - k)] = v.mirrored_re, y[2 * (h - k) + 1] = v.mirrored_im;
        y[2 * k] = v.re, y[2 * k + 1] = v.im;
    }
}

template <class T>
void after(const FourierTask& task, const char* data, char* to, int64_t step) {
    const T* x = reinterpret_cast<const T*>(data);
    T* y = reinterpret_cast<T*>(to);
    const int64_t n = task.n, h = n / 2;
    if (task.kind == kComplexToReal) {
        const int64_t apart = task.packed ? 1 : 2;
        for (int64_t j = 0; j < n; ++j) y[j * step] = x[j * apart];
        return;
    }
    if (!task.packed) {
        const int64_t count = task.written();
        for (int64_t j = 0; j < count; ++j) y[2 * j * step] = x[2 * j], y[2 * j * step + 1] = x[2 * j + 1];
        return;
    }
    const T *w = task.plan->of<T>(task.plan->halves), scale = T(task.scale) * T(0.5);
    int64_t k = 1;
    y[0] = (x[0] + x[1]) * T(task.scale), y[1] = T(0);
    y[2 * h * step] = (x[0] - x[1]) * T(task.scale), y[2 * h * step + 1] = T(0);
    if (step == 1) k = pairs_of_vectors<T>(h, x, y, w, scale, [](auto... v) { return join_halves(v...); });
    for (; k <= h - k; ++k) {
        const auto v = join_halves(x[2 * k], x[2 * k + 1], x[2 * (h - k)], x[2 * (h - k) + 1], w[2 * k], w[2 * k + 1]);
        T *a = y + 2 * k * step, *b = y + 2 * (h - k) * step;
        b[0] = v.mirrored_re * scale, b[1] = v.mirrored_im * scale;
        a[0] = v.re * scale, a[1] = v.im * scale;
    }
}

}  // namespace

#define LAMINA_BOTH(f) {f<float>, f<double>}
extern const FourierLoops fourier = {{kLanes<float>, kLanes<double>},
                                     LAMINA_BOTH(transform_tile),
                                     LAMINA_BOTH(transform_columns),
                                     LAMINA_BOTH(transform_rows),
                                     LAMINA_BOTH(times_chirp),
                                     LAMINA_BOTH(times_response),
                                     LAMINA_BOTH(times_chirp_again),
                                     LAMINA_BOTH(before),
                                     LAMINA_BOTH(after)};

}  // namespace lamina::LAMINA_ISA
