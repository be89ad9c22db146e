// attention and attention_gradient: scores exist for a tile of queries and keys at a time.
//
// Softmax over tiles after Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018; recomputed scores in the
// gradient after Dao et al., "FlashAttention", 2022.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "dtypes/narrow_floats.hpp"
#include "dtypes/reals.hpp"
#include "kernels/fused/fused.hpp"
#include "kernels/products/panels.hpp"
#include "runtime/parameters.hpp"

namespace lamina {
namespace {

constexpr int64_t kQueries = 64, kKeys = 512, kTasks = 8;

struct Loop {
    const FusedLoops* fused;
    void (*gemm)(const Gemm&, char*);
};
Loop loops_of[2];

// Matrices along leading axes.
struct Stack {
    char* data = nullptr;
    int item = 0, leading = 0;
    int64_t row = 0, column = 1;
    const int64_t *shape = nullptr, *strides = nullptr;

    Stack() = default;
    explicit Stack(const View& v, int matrix = 2) : data(v.data), item(v.itemsize()), leading(v.g.ndim - matrix), shape(v.g.shape), strides(v.g.strides) {
        row = v.g.shape[leading] > 1 ? v.g.strides[leading] : 0;
        if (matrix == 2) column = v.g.shape[leading + 1] > 1 ? v.g.strides[leading + 1] : 1;
    }
    char* at(int64_t i) const {
        if (matrix_ > 0) return data + i * matrix_ * item;
        int64_t found = 0;
        for (int d = leading - 1; d >= 0; --d) {
            found += i % shape[d] * strides[d];
            i /= shape[d];
        }
        return data + found * item;
    }
    // Where each row of all matrices begins.
    auto rows_of(const View& v) const {
        return [this, rows = v.g.shape[leading]](int64_t i) { return at(i / rows) + i % rows * row * item; };
    }
    // Items of 16 bits become dense matrices of float32.
    void open(const View& v) {
        if (!is_narrow(v.code)) return;
        wide_.read(v, v.g.size / v.g.shape[leading + 1], v.g.shape[leading + 1], rows_of(v));
        widen_matrices(v);
    }
    // The same where they are only written: they go where they belong by `finish`.
    void make(const View& v) {
        wide_.write(v);
        if (is_narrow(v.code)) widen_matrices(v);
    }
    void finish(const View& v) const { wide_.finish(v.g.size / v.g.shape[leading + 1], v.g.shape[leading + 1], Stack(v).rows_of(v)); }

   private:
    void widen_matrices(const View& v) {
        data = wide_.data;
        item = 4;
        row = v.g.shape[leading + 1];
        matrix_ = v.g.shape[leading] * row;
    }

    int64_t matrix_ = 0;  // items of one, where all lie dense
    Wide wide_;
};

// A number for each query of a block, as the loops take them.
struct Numbers {
    Numbers(double start, int code_) : code(wide(code_)) {
        for (int64_t i = 0; i < kQueries; ++i) put(data + i * kItemSize[code], code, start);
    }
    double operator[](int64_t i) const { return lamina::value(data + i * kItemSize[code], code); }

    int code;
    alignas(64) char data[kQueries * 8];
};

struct Attention {
    View query, key, value_, mask;
    Stack q, k, v, m;
    int code = -1;
    int64_t leading = 1, queries = 0, keys = 0, features = 0, values = 0;
    double scale = 0;
    bool causal = false, masked = false;
    bool by_amx = false;  // items of bfloat16 are multiplied as they are, and so are weights, rounded
    Loop loop;

    // False where the inherited kernel does it.
    bool read(const Kernel& kernel, const Call& call, int first) {
        const char* op = call.op;
        query.read(call.positional[first], false, op);
        key.read(call.positional[first + 1], false, op);
        value_.read(call.positional[first + 2], false, op);
        code = query.code;
        if (kernel.rows[code] == nullptr) return false;
        const int ndim = query.g.ndim;
        if (ndim < 2) fail(PyExc_ValueError, "%s: a query of %d dimensions", op, ndim);
        queries = query.g.shape[ndim - 2];
        features = query.g.shape[ndim - 1];
        if (key.g.ndim != ndim || value_.g.ndim != ndim) fail(PyExc_ValueError, "%s: query, key and value differ in dimensions", op);
        keys = key.g.shape[ndim - 2];
        values = value_.g.shape[ndim - 1];
        int64_t shape[kMaxDims];
        for (int d = 0; d < ndim - 2; ++d) leading *= shape[d] = query.g.shape[d];
        shape[ndim - 2] = keys;
        shape[ndim - 1] = features;
        require(key, "the key", code, shape, ndim, op);
        shape[ndim - 1] = values;
        require(value_, "the value", code, shape, ndim, op);
        scale = number_of(call, "scale");
        causal = bool_of(call, "causal");
        q = Stack(query);
        k = Stack(key);
        v = Stack(value_);
        masked = call.positional[first + 3] != Py_None;
        if (masked) {
            mask.read(call.positional[first + 3], false, op);
            shape[ndim - 2] = queries;
            shape[ndim - 1] = keys;
            require(mask, "the mask", mask.code == kBool ? int(kBool) : code, shape, ndim, op);
            m = Stack(mask);
            if (mask.g.shape[ndim - 1] > 1) m.column = mask.g.strides[ndim - 1];
        }
        loop = loops_of[code == kFloat64];
        return q.column == 1 && k.column == 1 && v.column == 1 && queries > 0 && keys > 0 && features > 0 && values > 0 && leading > 0;
    }

    // Once all operands are found to be served.
    void open() {
        q.open(query);
        k.open(key);
        v.open(value_);
    }

    int64_t item() const { return kItemSize[wide(code)]; }
    int64_t blocks() const { return (queries + kQueries - 1) / kQueries; }
    // The first query of a block; blocks are as even as can be.
    int64_t first(int64_t block) const { return queries * block / blocks(); }
    // From one row of scores to the next.
    int64_t pitch() const { return std::min(kKeys, (keys + kMostLanes - 1) / kMostLanes * kMostLanes); }

    // How many keys from k0 on the queries before `end` see within a tile.
    int64_t width(int64_t k0, int64_t end) const { return std::min(kKeys, (causal ? std::min(keys, end) : keys) - k0); }

    void multiply(char* c, int64_t c_row, int64_t rows, int64_t columns, int64_t inner, const char* a, int64_t a_row, int64_t a_column,
                  const char* b, int64_t b_row, int64_t b_column, char* scratch, bool add = false) const {
        loop.gemm({rows, columns, inner, a, b, nullptr, c, a_row, a_column, b_row, b_column, c_row, 0, add ? kByTiles : kByShape, add}, scratch);
    }

    // Scaled queries as dense rows.
    void scaled(char* to, const char* from, int64_t rows) const {
        for (int64_t r = 0; r < rows; ++r) loop.fused->scale(to + r * features * item(), from + r * q.row * item(), 0, scale, 0, features);
    }

    // The queries of a block as `score` takes them: scaled, but by AMX, whose sums are.
    const char* prepared(char* to, int64_t lead, int64_t q0, int64_t rows) const {
        const char* from = q.at(lead) + q0 * q.row * q.item;
        if (!by_amx) scaled(to, from, rows);
        return by_amx ? from : to;
    }

    // Scores of `rows` queries from number q0 on and of keys from k0 on, -inf where one is not seen.
    void score(char* scores, const char* prepared_queries, int64_t lead, int64_t q0, int64_t rows, int64_t k0, int64_t some, char* scratch) const {
        const char* some_keys = k.at(lead) + k0 * k.row * k.item;
        if (by_amx) {
            wide_sums({rows, some, features, prepared_queries, some_keys, nullptr, scores, q.row, 1, 1, k.row, pitch(), 0}, scratch);
            for (int64_t r = 0; r < rows; ++r) loop.fused->scale(scores + r * pitch() * item(), scores + r * pitch() * item(), 0, scale, 0, some);
        } else {
            multiply(scores, pitch(), rows, some, features, prepared_queries, features, 1, some_keys, 1, k.row, scratch);
        }
        if (code == kFloat64)
            hide<double>(scores, lead, q0, rows, k0, some);
        else
            hide<float>(scores, lead, q0, rows, k0, some);
    }

    // Adds the values from k0 on, times their weights. `rounded`: room for the weights as bfloat16.
    void add_values(char* sums, const char* weights, char* rounded, int64_t lead, int64_t rows, int64_t k0, int64_t some, char* scratch) const {
        const char* some_values = v.at(lead) + k0 * v.row * v.item;
        if (!by_amx) return multiply(sums, values, rows, values, some, weights, pitch(), 1, some_values, v.row, 1, scratch, k0 > 0);
        for (int64_t r = 0; r < rows; ++r)
            narrow(rounded + r * pitch() * v.item, reinterpret_cast<const float*>(weights) + r * pitch(), code, 1, some);
        wide_sums({rows, values, some, rounded, some_values, nullptr, sums, pitch(), 1, v.row, 1, values, 0, kByTiles, k0 > 0}, scratch);
    }

    static void wide_sums(const Gemm& g, char* scratch) {
        static const Products& products = *best_loops().products;
        products.gemm[kOfBFloat16IntoFloat32](g, scratch);
    }

    template <class T>
    void hide(char* scores, int64_t lead, int64_t q0, int64_t rows, int64_t k0, int64_t some) const {
        for (int64_t r = 0; r < rows; ++r) {
            T* line = reinterpret_cast<T*>(scores) + r * pitch();
            if (masked) {
                const char* from = m.at(lead) + ((q0 + r) * m.row + k0 * m.column) * m.item;
                if (mask.code == kBool) {
                    for (int64_t j = 0; j < some; ++j) line[j] = from[j * m.column] ? line[j] : T(-INFINITY);
                } else if (is_narrow(mask.code)) {
                    float more[kKeys];
                    widen(more, from, mask.code, m.column, some);
                    for (int64_t j = 0; j < some; ++j) line[j] += T(more[j]);
                } else {
                    const T* more = reinterpret_cast<const T*>(from);
                    for (int64_t j = 0; j < some; ++j) line[j] += more[j * m.column];
                }
            }
            if (causal)
                for (int64_t j = std::max<int64_t>(0, q0 + r + 1 - k0); j < some; ++j) line[j] = T(-INFINITY);
        }
    }
};

bool run_attention(const Kernel& kernel, const Call& call) {
    if (call.count != 5) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and four inputs", call.op, call.count);
    call.require_keywords(2);
    Attention a;
    if (!a.read(kernel, call, 1)) return false;
    View out, logs;
    out.read(result_of(call, 0, 2), true, call.op);
    logs.read(result_of(call, 1, 2), true, call.op);
    int64_t shape[kMaxDims];
    const int ndim = a.query.g.ndim;
    for (int d = 0; d < ndim; ++d) shape[d] = a.query.g.shape[d];
    require(logs, "logsumexp", wide(a.code), shape, ndim - 1, call.op);
    shape[ndim - 1] = a.values;
    require(out, "out", a.code, shape, ndim, call.op);
    Stack made(out);
    if (made.column != 1 || !logs.g.contiguous) return false;
    const FusedLoops& loops = *a.loop.fused;
    const int64_t item = a.item(), tasks = a.leading * a.blocks(), work = a.leading * a.queries * a.keys * (a.features + a.values) / 8;
    const int64_t slots = work < kParallel ? 1 : std::min<int64_t>(tasks, num_threads());
    a.by_amx = a.code == kBFloat16 && has_amx();
    const int64_t of_queries = a.by_amx ? kQueries * a.pitch() * a.v.item : aligned(kQueries * a.features * item);
    const int64_t of_scores = kQueries * a.pitch() * item, each = of_queries + of_scores + aligned(kQueries * a.values * item);
    const Scratch memory(slots * each);
    const WithoutGil free(work >= kReleaseGil);
    if (!a.by_amx) a.open();
    made.make(out);
    share_with_panels(tasks, slots, [&](int64_t task, int64_t slot, char* scratch) {
        // `operand`: of products, the scaled queries or the rounded weights.
        char *operand = memory.data() + slot * each, *scores = operand + of_queries, *sums = scores + of_scores;
        Numbers greatest(-INFINITY, a.code), totals(0, a.code), kept(0, a.code);
        const int64_t lead = task / a.blocks(), block = task % a.blocks(), q0 = a.first(block), rows = a.first(block + 1) - q0;
        const char* queries = a.prepared(operand, lead, q0, rows);
        for (int64_t k0 = 0; k0 < a.keys; k0 += kKeys) {
            const int64_t some = a.width(k0, q0 + rows);
            if (some <= 0) break;
            a.score(scores, queries, lead, q0, rows, k0, some, scratch);
            loops.attention_weights({scores, a.pitch(), rows, some}, greatest.data, totals.data, kept.data);
            for (int64_t r = 0; r < rows && k0 > 0; ++r)
                if (const double factor = kept[r]; factor != 1)
                    loops.scale(sums + r * a.values * item, sums + r * a.values * item, 0, factor, 0, a.values);
            a.add_values(sums, scores, operand, lead, rows, k0, some, scratch);
        }
        loops.attention_result(made.at(lead) + q0 * made.row * item, made.row, sums, rows, a.values, greatest.data, totals.data,
                               logs.data + (lead * a.queries + q0) * item);
    });
    made.finish(out);
    return true;
}

bool run_attention_gradient(const Kernel& kernel, const Call& call) {
    if (call.count != 8) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and seven inputs", call.op, call.count);
    call.require_keywords(2);
    Attention a;
    if (call.positional[6] == Py_None || call.positional[7] == Py_None || !a.read(kernel, call, 2)) return false;
    View gradient, result, logs, of_query, of_key, of_value;
    gradient.read(call.positional[1], false, call.op);
    result.read(call.positional[6], false, call.op);
    logs.read(call.positional[7], false, call.op);
    of_query.read(result_of(call, 0, 3), true, call.op);
    of_key.read(result_of(call, 1, 3), true, call.op);
    of_value.read(result_of(call, 2, 3), true, call.op);
    int64_t shape[kMaxDims];
    const int ndim = a.query.g.ndim;
    for (int d = 0; d < ndim; ++d) shape[d] = a.query.g.shape[d];
    require(logs, "logsumexp", wide(a.code), shape, ndim - 1, call.op);
    require(of_query, "the query's gradient", a.code, shape, ndim, call.op);
    require(of_key, "the key's gradient", a.code, a.key.g.shape, ndim, call.op);
    require(of_value, "the value's gradient", a.code, a.value_.g.shape, ndim, call.op);
    shape[ndim - 1] = a.values;
    require(gradient, "gradient", a.code, shape, ndim, call.op);
    require(result, "the result", a.code, shape, ndim, call.op);
    Stack g(gradient), o(result), queries(of_query), keys(of_key), values(of_value);
    for (const Stack* stack : {&g, &o, &queries, &keys, &values})
        if (stack->column != 1) return false;
    if (!logs.g.contiguous) return false;
    const FusedLoops& loops = *a.loop.fused;
    const int64_t item = a.item(), work = a.leading * a.queries * a.keys * (a.features + a.values) / 4;
    // Blocks of queries in parts, of which each has sums of its own for keys and values; the first has the results themselves.
    const int64_t parts = std::min(a.blocks(), std::max<int64_t>(1, kTasks / a.leading)), tasks = a.leading * parts;
    const int64_t slots = work < kParallel ? 1 : std::min<int64_t>(tasks, num_threads());
    const int64_t of_queries = aligned(kQueries * a.features * item), of_scores = kQueries * a.pitch() * item;
    const int64_t each = of_queries + 2 * of_scores;
    const int64_t of_keys = a.keys * a.features, of_sums = of_keys + a.keys * a.values;  // items
    const Scratch memory(slots * each + a.leading * (parts - 1) * of_sums * item);
    const WithoutGil free(work >= kReleaseGil);
    a.open();
    g.open(gradient);
    o.open(result);
    queries.make(of_query);
    keys.make(of_key);
    values.make(of_value);
    const auto zero = [&](char* to, int64_t stride, int64_t rows, int64_t columns) {
        if (stride == columns) columns *= rows, rows = 1;
        for (int64_t r = 0; r < rows; ++r) std::memset(to + r * stride * item, 0, size_t(columns * item));
    };
    const auto sums_of = [&](int64_t lead, int64_t part) {  // of a part after the first
        return memory.data() + slots * each + (lead * (parts - 1) + part - 1) * of_sums * item;
    };
    share_with_panels(tasks, slots, [&](int64_t task, int64_t slot, char* scratch) {
        const int64_t lead = task / parts, part = task % parts;
        char *scaled = memory.data() + slot * each, *weights = scaled + of_queries, *score_gradients = weights + of_scores;
        char* key = part == 0 ? keys.at(lead) : sums_of(lead, part);
        char* value_ = part == 0 ? values.at(lead) : key + of_keys * item;
        char* query = queries.at(lead);
        const int64_t key_row = part == 0 ? keys.row : a.features, value_row = part == 0 ? values.row : a.values;
        const int64_t begin = a.blocks() * part / parts, end = a.blocks() * (part + 1) / parts;
        zero(key, key_row, a.keys, a.features);
        zero(value_, value_row, a.keys, a.values);
        zero(query + a.first(begin) * queries.row * item, queries.row, a.first(end) - a.first(begin), a.features);
        Numbers means(0, a.code);
        for (int64_t block = begin; block < end; ++block) {
            const int64_t q0 = a.first(block), rows = a.first(block + 1) - q0;
            const char *in = g.at(lead) + q0 * g.row * item, *source = a.q.at(lead) + q0 * a.q.row * item;
            a.scaled(scaled, source, rows);
            loops.attention_means(in, g.row, o.at(lead) + q0 * o.row * item, o.row, rows, a.values, means.data);
            for (int64_t k0 = 0; k0 < a.keys; k0 += kKeys) {
                const int64_t some = a.width(k0, q0 + rows);
                if (some <= 0) break;
                const char *some_keys = a.k.at(lead) + k0 * a.k.row * item, *some_values = a.v.at(lead) + k0 * a.v.row * item;
                a.score(weights, scaled, lead, q0, rows, k0, some, scratch);
                a.multiply(score_gradients, a.pitch(), rows, some, a.values, in, g.row, 1, some_values, 1, a.v.row, scratch);
                loops.attention_gradients({weights, a.pitch(), rows, some}, score_gradients, logs.data + (lead * a.queries + q0) * item,
                                          means.data, a.scale);
                a.multiply(value_ + k0 * value_row * item, value_row, some, a.values, rows, weights, 1, a.pitch(), in, g.row, 1, scratch, true);
                a.multiply(query + q0 * queries.row * item, queries.row, rows, a.features, some, score_gradients, a.pitch(), 1, some_keys,
                           a.k.row, 1, scratch, true);
                a.multiply(key + k0 * key_row * item, key_row, some, a.features, rows, score_gradients, 1, a.pitch(), source, a.q.row, 1,
                           scratch, true);
            }
        }
    });
    for (int64_t part = 1; part < parts; ++part)  // in order, whatever thread made them
        for (int64_t lead = 0; lead < a.leading; ++lead) {
            const char* from = sums_of(lead, part);
            loops.add_rows(keys.at(lead), keys.row, from, a.keys, a.features);
            loops.add_rows(values.at(lead), values.row, from + of_keys * item, a.keys, a.values);
        }
    queries.finish(of_query);
    keys.finish(of_key);
    values.finish(of_value);
    return true;
}

const Registration registration([](const Loops& loops) {
    for (int i = 0; i < 2; ++i) loops_of[i] = {&loops.fused->of[i], loops.products->gemm[i]};
    for (int code : kFloats) {
        kernel_named("attention", run_attention).rows[code] = kServed;
        kernel_named("attention_gradient", run_attention_gradient).rows[code] = kServed;
    }
});

}  // namespace
}  // namespace lamina
