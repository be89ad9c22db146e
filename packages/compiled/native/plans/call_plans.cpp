// Which calls are repeated, and from which plans, as compiling/call_plans.py of lamina_tensor says it.
#include "plans/call_plans.hpp"

#include <utility>

namespace lamina {
namespace {

constexpr int kMostCredit = 1024, kMostMisses = 64, kPause = 1024, kFailure = 16, kMostFailures = 64, kMostCalls = 1 << 30;

PyObject *finder = nullptr, *note_view = nullptr;
long flags_allowed = 0, inside = 0;
int calls_before = 256;

}  // namespace

bool CallPlans::look_at_all() {
    if (generation_ != generation_of_forms()) {
        generation_ = generation_of_forms();
        misses_ = pause_ = 0;
    }
    return pause_ == 0 || --pause_ == 0;
}

std::array<CallPlans::Place*, 2> CallPlans::places_of(const Form& form) {
    if (places_ == nullptr) places_ = std::make_unique<std::array<Place, 32>>();
    const uint64_t hash = form.hash ^ form.hash >> 32;
    return {&(*places_)[hash % places_->size()], &(*places_)[(hash >> 16) % places_->size()]};
}

CallPlans::Place* CallPlans::find(const Form& form) {
    for (Place* place : places_of(form))
        if (place->form.is(form)) return place;
    return nullptr;
}

CallPlans::Place& CallPlans::room_for(const Form& form) {
    const auto [first, second] = places_of(form);
    return second->worth() < first->worth() ? *second : *first;
}

CallPlans::Known CallPlans::look_up(const Form& form) {
    if (Place* place = find(form)) {
        if (place->credit < kMostCredit) ++place->credit;
        if (place->found && place->plan == nullptr) missed();
        else misses_ = 0;
        return {place->plan, !place->found && ++place->calls > calls_before};
    }
    Place& place = room_for(form);
    if (--place.credit <= 0 || place.form.is_stale()) {
        place.form.keep(form);
        place.plan = nullptr;
        place.found = false;
        place.calls = place.credit = 1;
        place.failures = 0;
    }
    missed();
    return {};
}

void CallPlans::missed() {
    if (++misses_ < kMostMisses) return;
    misses_ -= kMostMisses / 4;
    pause_ = kPause;
}

bool CallPlans::take(const Form& form, PyObject* found) {
    if (found == Py_NotImplemented) {  // not now
        if (Place* place = find(form)) place->calls = 0;
        return true;
    }
    std::shared_ptr<const Plan> plan = found == Py_None ? nullptr : read_plan(found, form.count);
    if (plan == nullptr && PyErr_Occurred()) return false;
    if (Place* place = find(form)) {  // another thread's call may have the place now
        place->plan = std::move(plan);
        place->found = true;
    }
    return true;
}

PyObject* CallPlans::search(const Form& form, PyObject* function, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    KeptForm held;
    held.keep(form);  // the call may exchange what its arguments hold
    const Held args = Held::taken(PyTuple_New(count)), kwargs = Held::taken(PyDict_New());
    bool right = args.get() != nullptr && kwargs.get() != nullptr;
    for (Py_ssize_t i = 0; right && i < count; ++i) PyTuple_SET_ITEM(args.get(), i, Py_NewRef(arguments[i]));
    for (Py_ssize_t i = 0; right && names != nullptr && i < PyTuple_GET_SIZE(names); ++i)
        right = PyDict_SetItem(kwargs.get(), PyTuple_GET_ITEM(names, i), arguments[count + i]) == 0;
    if (!right) return nullptr;
    const Held pair = Held::taken(PyObject_CallFunctionObjArgs(finder, function, args.get(), kwargs.get(), nullptr));
    if (pair.get() == nullptr) return nullptr;
    right = PyTuple_CheckExact(pair.get()) && PyTuple_GET_SIZE(pair.get()) == 2 && take(form, PyTuple_GET_ITEM(pair.get(), 1));
    return right ? Py_NewRef(PyTuple_GET_ITEM(pair.get(), 0)) : nullptr;
}

PyObject* CallPlans::repeat(const Plan& plan, const Form& form) {
    PyObject* result = run_plan(plan, form, note_view);
    for (Place* place : places_of(form)) {
        if (place->plan.get() != &plan) continue;
        if (result != nullptr)
            place->failures -= place->failures > 0;
        else if ((place->failures += kFailure) > kMostFailures)
            place->plan = nullptr;
        break;
    }
    return result;
}

bool may_repeat(long flags) { return finder != nullptr && (flags & ~flags_allowed) == 0; }

bool may_repeat_gradient(long flags) { return may_repeat(flags & ~inside); }

PyObject* use_plans(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    const long flags = count == 6 ? PyLong_AsLong(arguments[4]) : -1, pass = count == 6 ? PyLong_AsLong(arguments[5]) : -1;
    if (flags < 0 || pass < 0 || !PyAnySet_Check(arguments[2]) || !PyContextVar_CheckExact(arguments[3])) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "use_plans: it wants two functions, a set, a context variable, and flags");
        return nullptr;
    }
    Py_XSETREF(finder, Py_NewRef(arguments[0]));
    Py_XSETREF(note_view, Py_NewRef(arguments[1]));
    tell_forms(arguments[2], arguments[3]);
    flags_allowed = flags;
    inside = pass;
    Py_RETURN_NONE;
}

PyObject* plan_calls_after(PyObject*, PyObject* count) {
    const long calls = PyLong_AsLong(count);
    if (calls < 0 || calls > kMostCalls) {
        if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "plan_calls_after: %ld calls; it wants 0 to %d", calls, kMostCalls);
        return nullptr;
    }
    return PyLong_FromLong(std::exchange(calls_before, int(calls)));
}

PyObject* forget_plans(PyObject*, PyObject*) {
    forget_forms();
    Py_RETURN_NONE;
}

}  // namespace lamina
