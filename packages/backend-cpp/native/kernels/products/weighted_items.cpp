// weighted_items: reads and checks the table of weights, and shares out rows or lines of the array.
#include "kernels/products/weighted_items.hpp"

#include <algorithm>
#include <vector>

#include "runtime/kernel.hpp"
#include "runtime/parameters.hpp"
#include "runtime/scratch.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

const WeightedItems* loops_of;

// An array of numbers with two axes, as Python's buffers are.
class Numbers {
   public:
    Numbers(const Call& call, const char* name, char kind) {
        PyObject* given = call.keyword(name);
        if (PyObject_GetBuffer(given, &buffer_, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) throw PythonError{};
        const char* format = buffer_.format == nullptr ? "B" : buffer_.format;
        if (*format == '@' || *format == '=' || *format == '<') ++format;
        const bool whole = *format == 'l' || *format == 'q', real = *format == 'd', boolean = *format == '?';
        const bool fits = kind == 'i' ? whole && buffer_.itemsize == 8 : kind == 'd' ? real : boolean;
        if (!fits || buffer_.ndim != 2) {
            PyBuffer_Release(&buffer_);
            fail(PyExc_TypeError, "%s: `%s` is no array of two axes of the dtype that it wants", call.op, name);
        }
    }
    Numbers(const Numbers&) = delete;
    Numbers& operator=(const Numbers&) = delete;
    ~Numbers() { PyBuffer_Release(&buffer_); }

    template <class T>
    T at(int64_t i) const { return static_cast<const T*>(buffer_.buf)[i]; }
    int64_t rows() const { return buffer_.shape[0]; }
    int64_t terms() const { return buffer_.shape[1]; }

   private:
    Py_buffer buffer_;
};

template <class T>
void put(std::vector<char>& weights, double weight) {
    const T narrow = T(weight);
    const char* bytes = reinterpret_cast<const char*>(&narrow);
    weights.insert(weights.end(), bytes, bytes + sizeof narrow);
}

// The terms that are used, row by row.
struct Terms {
    std::vector<int64_t> begin{0}, indices;
    std::vector<char> weights;

    Terms(const Call& call, int64_t length, int64_t count, int code) {
        const Numbers all_indices(call, "places", 'i'), all_weights(call, "weights", 'd');
        if (call.keyword("used") == Py_None) {
            read(call, all_indices, all_weights, nullptr, length, count, code);
        } else {
            const Numbers used(call, "used", '?');
            read(call, all_indices, all_weights, &used, length, count, code);
        }
    }

    void read(const Call& call, const Numbers& all_indices, const Numbers& all_weights, const Numbers* used, int64_t length,
              int64_t count, int code) {
        const int64_t terms = all_indices.terms();
        bool fits = all_indices.rows() == count && all_weights.rows() == count && all_weights.terms() == terms;
        fits = fits && (used == nullptr || (used->rows() == count && used->terms() == terms));
        if (!fits) fail(PyExc_ValueError, "%s: places, weights and used are not of one shape with a row for each result", call.op);
        for (int64_t i = 0; i < count; ++i) {
            for (int64_t t = i * terms; t < (i + 1) * terms; ++t) {
                if (used != nullptr && !used->at<bool>(t)) continue;
                const int64_t index = all_indices.at<int64_t>(t);
                if (index < 0 || index >= length)
                    fail(PyExc_IndexError, "%s: index %lld on an axis of length %lld", call.op, (long long)index, (long long)length);
                indices.push_back(index);
                code == kFloat32 ? put<float>(weights, all_weights.at<double>(t)) : put<double>(weights, all_weights.at<double>(t));
            }
            begin.push_back(int64_t(indices.size()));
        }
    }
};

// How many trailing axes behind `axis` are one run of adjacent items, in which case all of them are.
bool adjacent_behind(const View& v, int axis, int64_t& items) {
    items = 1;
    for (int d = v.g.ndim - 1; d > axis; --d) {
        if (v.g.shape[d] > 1 && v.g.strides[d] != items) return false;
        items *= v.g.shape[d];
    }
    return true;
}

int64_t start_of_line(const View& v, int axis, int64_t i) {  // i counts the rows on all axes in front
    int64_t at = 0;
    for (int d = axis - 1; d >= 0; --d) {
        at += i % v.g.shape[d] * v.g.strides[d];
        i /= v.g.shape[d];
    }
    return at;
}

bool run_weighted_items(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    call.require_keywords(4);
    View out, x;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    if (out.code != x.code) fail(PyExc_TypeError, "%s: %s into %s; it wants one dtype", call.op, kNames[x.code], kNames[out.code]);
    const int64_t axis = integer_of(call, "axis");
    bool fits = axis >= 0 && axis < x.g.ndim && out.g.ndim == x.g.ndim;
    for (int d = 0; fits && d < x.g.ndim; ++d) fits = d == axis || x.g.shape[d] == out.g.shape[d];
    if (!fits) fail(PyExc_ValueError, "%s: the shapes of x and out do not fit with axis %lld", call.op, (long long)axis);
    const int at = int(axis), item = x.itemsize(), row = x.code == kFloat32 ? 0 : 1;
    const int64_t length = x.g.shape[at], count = out.g.shape[at];
    const Terms terms(call, length, count, x.code);
    int64_t inner, same;
    if (!adjacent_behind(x, at, inner) || !adjacent_behind(out, at, same)) return false;
    if (out.g.size == 0) return true;
    const bool lines = inner == 1;
    if (lines && ((length > 1 && x.g.strides[at] != 1) || (count > 1 && out.g.strides[at] != 1))) return false;
    const int64_t outer = out.g.size / (count * inner);
    const WeightTable table{terms.begin.data(), terms.indices.data(), terms.weights.data()};
    const double work = double(outer * inner) * double(count + int64_t(terms.indices.size()) + length);
    const int64_t threads = work < double(kParallel) ? 1 : num_threads();
    if (lines) {
        const int64_t lanes = loops_of->vector_bytes / item, groups = (outer + lanes - 1) / lanes;
        const int64_t scratch_bytes = aligned(length * loops_of->vector_bytes);
        const Scratch memory(threads * scratch_bytes);
        const WithoutGil free(work >= double(kReleaseGil));
        const int64_t some = std::max<int64_t>(1, groups / (8 * threads));
        share((groups + some - 1) / some, threads, [&](int64_t task, int64_t slot) {
            WeightedLines s;
            s.table = table;
            s.length = length;
            s.count = count;
            s.scratch = memory.data() + slot * scratch_bytes;
            for (int64_t group = task * some; group < std::min((task + 1) * some, groups); ++group) {
                s.lines = int(std::min(lanes, outer - group * lanes));
                for (int l = 0; l < s.lines; ++l) {
                    s.x[l] = x.data + start_of_line(x, at, group * lanes + l) * item;
                    s.out[l] = out.data + start_of_line(out, at, group * lanes + l) * item;
                }
                loops_of->lines[row](s);
            }
        });
        return true;
    }
    // Rows of one index on the axes in front, in parts where there are few of these.
    const int64_t parts = std::min(count, std::max<int64_t>(1, (8 * threads + outer - 1) / outer));
    const WithoutGil free(work >= double(kReleaseGil));
    const int64_t tasks = outer * parts;
    parallel(tasks, threads == 1 ? tasks : std::max<int64_t>(1, tasks / (8 * threads)), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const int64_t index = i / parts, part = i % parts;
            loops_of->rows[row]({table, x.data + start_of_line(x, at, index) * item, out.data + start_of_line(out, at, index) * item,
                                 part * count / parts, (part + 1) * count / parts, inner, x.g.strides[at], out.g.strides[at]});
        }
    });
    return true;
}

const Registration registration([](const Loops& loops) {
    loops_of = loops.weighted_items;
    for (const int code : {kFloat32, kFloat64}) kernel_named("weighted_items", run_weighted_items).rows[code] = kServed;
});

}  // namespace
}  // namespace lamina
