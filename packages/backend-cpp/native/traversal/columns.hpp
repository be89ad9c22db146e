// Many arrays at once, in columns: the parameters of an optimizer, say, and what belongs to each. Work goes over their items
// as if those of a column were one vector.
#pragma once

#include <algorithm>
#include <memory>

#include "runtime/kernel.hpp"
#include "runtime/threads.hpp"

namespace lamina {

// A list or tuple for the length of a call.
class Sequence {
   public:
    Sequence(PyObject* given, const char* op, const char* name) {
        if (!PyList_Check(given) && !PyTuple_Check(given))
            fail(PyExc_TypeError, "%s: %s is a %s; it wants a list", op, name, Py_TYPE(given)->tp_name);
        items_ = PySequence_Tuple(given);  // a list could change while an item is read
        if (items_ == nullptr) throw PythonError{};
    }
    Sequence(const Sequence&) = delete;
    Sequence& operator=(const Sequence&) = delete;
    ~Sequence() { Py_DECREF(items_); }

    void require(Py_ssize_t wanted, const char* op, const char* name) const {
        if (size() != wanted) fail(PyExc_ValueError, "%s: %s has %zd arrays; it wants %zd", op, name, size(), wanted);
    }
    Py_ssize_t size() const { return PyTuple_GET_SIZE(items_); }
    PyObject* operator[](Py_ssize_t i) const { return PyTuple_GET_ITEM(items_, i); }

   private:
    PyObject* items_ = nullptr;
};

class Columns {
   public:
    Columns(Py_ssize_t count, int width, const char* op)
        : count(count), width_(width), op_(op), views_(new View[size_t(count * width)]), starts_(new int64_t[size_t(count) + 1]) {}

    // An array of the first column. All of them are read before any other.
    void read_first(Py_ssize_t i, PyObject* given, bool writable) { at(i, 0).read(given, writable, op_); }

    // One that has the shape and the dtype of the first in its row.
    void read(Py_ssize_t i, int column, PyObject* given, bool writable) {
        View &first = at(i, 0), &view = at(i, column);
        view.read(given, writable, op_, &first);
        if (view.g.shape != first.g.shape) require_same_shape(first, view, op_);
        if (view.code != first.code)
            fail(PyExc_TypeError, "%s: parameter %zd is %s, but an array of its step %s", op_, i, kNames[first.code],
                 kNames[view.code]);
    }

    View& at(Py_ssize_t i, int column) const { return views_[size_t(i * width_ + column)]; }

    // Whether the kernel serves the dtype of every row, and its arrays are dense in one and the same order.
    bool served(const Kernel& kernel) const {
        for (Py_ssize_t i = 0; i < count; ++i) {
            const View& first = at(i, 0);
            if (kernel.rows[first.code] == nullptr || !(first.g.contiguous || dense(first.g))) return false;
            for (int c = 1; c < width_; ++c)
                if (at(i, c).code >= 0 && !in_order_of(first.g, at(i, c).g)) return false;
        }
        return true;
    }

    // How many items the rows have together, and (from then on) those before row i.
    int64_t count_items() const {
        starts_[0] = 0;
        for (Py_ssize_t i = 0; i < count; ++i) starts_[i + 1] = starts_[i] + at(i, 0).g.size;
        return starts_[count];
    }
    int64_t before(Py_ssize_t i) const { return starts_[i]; }

    // Calls part(i, begin, n) for ranges of the items of row i, on several threads if all together are many; `cost` is one
    // item's. With a `grain`, ranges end at its multiples, counted through all rows, however many threads there are.
    template <class F>
    void each(int cost, int64_t grain, const F& part) const {
        const int64_t items = count_items();
        if (grain == 0) {
            const int64_t pieces = int64_t(num_threads()) * kPiecesEach;
            grain = items * cost < kParallel ? items : std::max<int64_t>(16384 / cost, (items / pieces + 1023) / 1024 * 1024);
        }
        const WithoutGil free(items * cost >= kReleaseGil);
        parallel(items, grain, [&](int64_t begin, int64_t end) {
            Py_ssize_t i = std::upper_bound(starts_.get(), starts_.get() + count, begin) - starts_.get() - 1;
            for (; begin < end; ++i) {
                const int64_t stop = std::min(end, starts_[i + 1]);
                if (stop > begin) part(i, begin - starts_[i], stop - begin);
                begin = stop;
            }
        });
    }

    const Py_ssize_t count;

   private:
    // Whether items lie without gaps, in whatever order of dimensions, the first of them at index 0, 0, ...
    static bool dense(const Geometry& g) {
        int64_t expected = 1;
        for (int round = 0; round < g.ndim; ++round)
            for (int d = 0; d < g.ndim; ++d)
                if (g.shape[d] > 1 && g.strides[d] == expected) {
                    expected *= g.shape[d];
                    break;
                }
        return expected == g.size;
    }

    static bool in_order_of(const Geometry& first, const Geometry& g) {
        if (first.contiguous && g.contiguous) return true;
        for (int d = 0; d < g.ndim; ++d)
            if (g.shape[d] > 1 && g.strides[d] != first.strides[d]) return false;
        return true;
    }

    const int width_;
    const char* op_;
    std::unique_ptr<View[]> views_;
    std::unique_ptr<int64_t[]> starts_;  // items before each row
};

}  // namespace lamina
