// Map ops whose parameters or divisors must be looked at first: clip, addcmul, polygamma, pow, and division with a remainder.
#include <cmath>
#include <initializer_list>

#include "kernels/maps/map.hpp"
#include "runtime/threads.hpp"
#include "traversal/plan.hpp"

namespace lamina {

namespace {

bool is_whole(int code) { return kNames[code][0] == 'i' || kNames[code][0] == 'u'; }

// What takes the place of a bound that is None.
PyObject* no_bound(int code, bool upper) {
    if (code == kFloat32 || code == kFloat64 || code == kFloat16 || code == kBFloat16)
        return PyFloat_FromDouble(upper ? INFINITY : -INFINITY);
    const int bits = 8 * kItemSize[code];
    if (kNames[code][0] == 'u') return PyLong_FromUnsignedLongLong(upper ? ~uint64_t(0) >> (64 - bits) : 0);
    const int64_t greatest = int64_t(~uint64_t(0) >> (65 - bits));
    return PyLong_FromLongLong(upper ? greatest : -greatest - 1);
}

}  // namespace

bool run_clip(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    call.require_keywords(2);
    PyObject* bounds[] = {call.keyword("min"), call.keyword("max")};
    View x;
    x.read(call.positional[1], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    PyObject* arguments[] = {call.positional[0], call.positional[1], nullptr, nullptr};
    bool served = true, known = true;
    for (int i = 0; i < 2; ++i) {
        if (bounds[i] == Py_None) {
            arguments[i + 2] = no_bound(x.code, i == 1);
            known = known && arguments[i + 2] != nullptr;
        } else {
            // An integer beyond the dtype would wrap; a fraction next to integers is the reference's business.
            served = served && (PyFloat_CheckExact(bounds[i]) || PyLong_CheckExact(bounds[i])) &&
                     (!is_whole(x.code) || PyLong_CheckExact(bounds[i]));
            arguments[i + 2] = Py_NewRef(bounds[i]);
        }
    }
    struct Release {
        PyObject** objects;
        ~Release() {
            Py_XDECREF(objects[0]);
            Py_XDECREF(objects[1]);
        }
    } release{arguments + 2};
    if (!known) throw PythonError{};
    return served && run_ternary(kernel, Call{call.op, arguments, 4, nullptr});
}

// addcmul and addcdiv: the parameter `value` is one more input.
bool run_scaled_sum(const Kernel& kernel, const Call& call) {
    if (call.count != 4) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and three inputs", call.op, call.count);
    call.require_keywords(1);
    PyObject* value = call.keyword("value");
    if (!PyFloat_CheckExact(value) && !PyLong_CheckExact(value)) return false;
    PyObject* arguments[] = {call.positional[0], call.positional[1], call.positional[2], call.positional[3], value};
    return run_quaternary(kernel, Call{call.op, arguments, 5, nullptr});
}

namespace {

// polygamma: the order is one more input. Those whose factorial overflows are the reference's business.
bool run_of_order(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    call.require_keywords(1);
    PyObject* order = call.keyword("n");
    int overflow = 0;
    if (!PyLong_CheckExact(order)) return false;
    const long n = PyLong_AsLongAndOverflow(order, &overflow);
    if (overflow != 0 || n < 0 || n > 170) return false;
    PyObject* arguments[] = {call.positional[0], call.positional[1], order};
    return run_binary(kernel, Call{call.op, arguments, 3, nullptr});
}

// Of integers: only by one number that is neither 0 nor (as an exponent) negative.
bool run_whole_by_number(const Kernel& kernel, const Call& call) {
    if (call.count != 3 || call.names != nullptr) return run_binary(kernel, call);
    int code = -1;
    for (int i = 1; i < 3; ++i) {
        if (!is_operand(call.positional[i])) continue;
        View view;
        view.read(call.positional[i], false, call.op);
        code = view.code;
    }
    if (code >= 0 && is_whole(code)) {
        PyObject* number = call.positional[2];
        if (!PyLong_CheckExact(number)) return false;
        const long long value = PyLong_AsLongLong(number);
        if (value == -1 && PyErr_Occurred()) {
            PyErr_Clear();
            return false;
        }
        const bool power = kernel.run == run_power;
        const int bits = 8 * kItemSize[code];
        if (bits < 64 && (value >= 1LL << (bits - 1) || value < -(1LL << (bits - 1)))) return false;
        if ((value < 0 && (power || kNames[code][0] == 'u')) || (value == 0 && !power)) return false;
    }
    return run_binary(kernel, call);
}

const Registration registration([](const Loops&) {
    kernel_named("clip", run_clip);
    kernel_named("addcmul", run_scaled_sum);
    kernel_named("addcdiv", run_scaled_sum);
    kernel_named("polygamma", run_of_order);
    for (const char* name : {"floor_divide", "trunc_divide", "remainder", "fmod"}) kernel_named(name, run_whole_by_number);
    kernel_named("pow", run_power);
}, Registration::kAfterRows);

}  // namespace

bool run_power(const Kernel& kernel, const Call& call) { return run_whole_by_number(kernel, call); }

}  // namespace lamina
