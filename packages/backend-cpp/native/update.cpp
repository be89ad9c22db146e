// sgd_step and adam_step: one call for all parameters of an optimizer. Everything is read and checked, then written.
#include <algorithm>
#include <cmath>
#include <memory>

#include "kernel.hpp"
#include "threads.hpp"

namespace lamina {
namespace {

// A list or tuple for the length of a call.
class Sequence {
   public:
    Sequence(PyObject* given, Py_ssize_t wanted, const char* op, const char* name) {
        if (!PyList_Check(given) && !PyTuple_Check(given))
            fail(PyExc_TypeError, "%s: %s is a %s; it wants a list", op, name, Py_TYPE(given)->tp_name);
        items_ = PySequence_Tuple(given);  // a list could change while an item is read
        if (items_ == nullptr) throw PythonError{};
        if (PyTuple_GET_SIZE(items_) != wanted) {
            const Py_ssize_t n = PyTuple_GET_SIZE(items_);
            Py_CLEAR(items_);
            fail(PyExc_ValueError, "%s: %s has %zd arrays; it wants %zd", op, name, n, wanted);
        }
    }
    Sequence(const Sequence&) = delete;
    Sequence& operator=(const Sequence&) = delete;
    ~Sequence() { Py_XDECREF(items_); }
    PyObject* operator[](Py_ssize_t i) const { return PyTuple_GET_ITEM(items_, i); }

   private:
    PyObject* items_ = nullptr;
};

double number(const Call& call, const char* name) {
    const double value = PyFloat_AsDouble(call.keyword(name));
    if (value == -1.0 && PyErr_Occurred()) throw PythonError{};
    return value;
}

bool truth(const Call& call, const char* name) {
    const int value = PyObject_IsTrue(call.keyword(name));
    if (value < 0) throw PythonError{};
    return value != 0;
}

// The arrays of each parameter: itself, its gradient, and its state, in `width` columns of views.
class Arrays {
   public:
    Arrays(const Call& call, int width)
        : count(call.count - 1), width_(width), op_(call.op), views_(new View[size_t(count * width)]) {
        const Sequence out(call.positional[0], count, op_, "out");
        for (Py_ssize_t i = 0; i < count; ++i) {
            at(i, 0).read(out[i], true, op_);
            read(i, 1, call.positional[i + 1], false);
        }
    }

    void read_column(int column, PyObject* given, const char* name) {
        const Sequence items(given, count, op_, name);
        for (Py_ssize_t i = 0; i < count; ++i) read(i, column, items[i], true);
    }

    View& at(Py_ssize_t i, int column) const { return views_[size_t(i * width_ + column)]; }

    // Whether every array is dense and of a dtype that the kernel serves.
    bool served(const Kernel& kernel) const {
        for (Py_ssize_t i = 0; i < count; ++i) {
            if (kernel.rows[at(i, 0).code] == nullptr) return false;
            for (int c = 0; c < width_; ++c)
                if (at(i, c).code >= 0 && !at(i, c).g.contiguous) return false;
        }
        return true;
    }

    int64_t items() const {
        int64_t sum = 0;
        for (Py_ssize_t i = 0; i < count; ++i) sum += at(i, 0).g.size;
        return sum;
    }

    const Py_ssize_t count;

   private:
    void read(Py_ssize_t i, int column, PyObject* given, bool writable) {
        View &parameter = at(i, 0), &view = at(i, column);
        view.read(given, writable, op_, &parameter);
        if (view.g.shape != parameter.g.shape) require_same_shape(parameter, view, op_);
        if (view.code != parameter.code)
            fail(PyExc_TypeError, "%s: parameter %zd is %s, but an array of its step %s", op_, i, kNames[parameter.code],
                 kNames[view.code]);
    }

    const int width_;
    const char* op_;
    std::unique_ptr<View[]> views_;
};

template <class Step>
void run_steps(const Kernel& kernel, const Arrays& arrays, Step (*make)(const Arrays&, Py_ssize_t, const Step&),
               const Step& settings) {
    const WithoutGil free(arrays.items() >= kReleaseGil);
    for (Py_ssize_t i = 0; i < arrays.count; ++i) {
        const View& parameter = arrays.at(i, 0);
        const auto loop = reinterpret_cast<void (*)(const Step&)>(const_cast<void*>(kernel.rows[parameter.code]));
        const Step whole = make(arrays, i, settings);
        const int64_t n = parameter.g.size, item = parameter.itemsize();
        parallel(n, n < kParallel ? n : int64_t(16384), [&](int64_t begin, int64_t end) {
            Step part = whole;
            part.n = end - begin;
            part.move(begin * item);
            loop(part);
        });
    }
}

bool run_sgd(const Kernel& kernel, const Call& call) {
    call.require_keywords(8);
    Arrays arrays(call, 3);
    SgdStep settings = {};
    settings.lr = number(call, "lr");
    settings.momentum = number(call, "momentum");
    settings.dampening = number(call, "dampening");
    settings.weight_decay = number(call, "weight_decay");
    settings.nesterov = truth(call, "nesterov");
    settings.maximize = truth(call, "maximize");
    settings.first = truth(call, "first");
    PyObject* buffers = call.keyword("buffers");
    if (buffers != Py_None && settings.momentum != 0) arrays.read_column(2, buffers, "buffers");
    if (!arrays.served(kernel)) return false;
    run_steps<SgdStep>(
        kernel, arrays,
        [](const Arrays& all, Py_ssize_t i, const SgdStep& given) {
            SgdStep step = given;
            step.parameter = all.at(i, 0).data;
            step.gradient = all.at(i, 1).data;
            step.buffer = all.at(i, 2).data;
            return step;
        },
        settings);
    return true;
}

bool run_adam(const Kernel& kernel, const Call& call) {
    call.require_keywords(11);
    Arrays arrays(call, 5);
    AdamStep settings = {};
    settings.lr = number(call, "lr");
    settings.beta1 = number(call, "beta1");
    settings.beta2 = number(call, "beta2");
    settings.eps = number(call, "eps");
    settings.weight_decay = number(call, "weight_decay");
    settings.decoupled = truth(call, "decoupled");
    settings.maximize = truth(call, "maximize");
    const double step = number(call, "step");
    settings.correction1 = 1 - std::pow(settings.beta1, step);
    settings.root_correction2 = std::sqrt(1 - std::pow(settings.beta2, step));
    arrays.read_column(2, call.keyword("firsts"), "firsts");
    arrays.read_column(3, call.keyword("seconds"), "seconds");
    PyObject* maxima = call.keyword("maxima");
    if (maxima != Py_None) arrays.read_column(4, maxima, "maxima");
    if (!arrays.served(kernel)) return false;
    run_steps<AdamStep>(
        kernel, arrays,
        [](const Arrays& all, Py_ssize_t i, const AdamStep& given) {
            AdamStep made = given;
            made.parameter = all.at(i, 0).data;
            made.gradient = all.at(i, 1).data;
            made.first = all.at(i, 2).data;
            made.second = all.at(i, 3).data;
            made.greatest = all.at(i, 4).data;
            return made;
        },
        settings);
    return true;
}

}  // namespace

void register_updates(const Loops& loops) {
    const int codes[] = {kFloat32, kFloat64};
    for (int i = 0; i < 2; ++i) {
        kernel_named("sgd_step", run_sgd).rows[codes[i]] = reinterpret_cast<const void*>(loops.updates->sgd[i]);
        kernel_named("adam_step", run_adam).rows[codes[i]] = reinterpret_cast<const void*>(loops.updates->adam[i]);
    }
}

}  // namespace lamina
