// GradientFunction: what a rule says of one input, as a backward pass calls it: from the gradient of a result, and what was saved, to that of
// the input. On arrays it is repeated from plans, as public functions on tensors are.
#include "passes/gradient_functions.hpp"

#include <structmember.h>

#include <cstddef>

#include "objects/wrappers.hpp"
#include "plans/call_plans.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

struct GradientFunction {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject* function;
    CallPlans* plans;
};

PyObject* call(PyObject* object, PyObject* const* arguments, size_t flags_, PyObject* names) {
    auto* self = reinterpret_cast<GradientFunction*>(object);
    const Py_ssize_t count = PyVectorcall_NARGS(flags_);
    const int flags = flags_on();
    if (flags < 0) return nullptr;
    Form form;
    if (names != nullptr || !may_repeat_gradient(flags) || !self->plans->look_at_all())
        return PyObject_Vectorcall(self->function, arguments, flags_, names);
    if (!form.read(arguments, count, nullptr, flags) || form.has_tensors) {
        self->plans->missed();
        return PyObject_Vectorcall(self->function, arguments, flags_, nullptr);
    }
    const CallPlans::Known known = self->plans->look_up(form);
    PyObject* result = known.plan == nullptr ? nullptr : self->plans->repeat(*known.plan, form);
    if (result != nullptr || PyErr_Occurred()) return result;
    if (known.due) return self->plans->search(form, self->function, arguments, count, nullptr);
    return PyObject_Vectorcall(self->function, arguments, flags_, nullptr);
}

void deallocate(PyObject* object) {
    PyObject_GC_UnTrack(object);
    delete reinterpret_cast<GradientFunction*>(object)->plans;
    Owning<GradientFunction, &GradientFunction::function>::deallocate(object);
}

PyTypeObject GradientFunctionType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.GradientFunction"};

}  // namespace

PyObject* gradient_function(PyObject*, PyObject* function) {
    auto* made = PyObject_GC_New(GradientFunction, &GradientFunctionType);
    if (made == nullptr) return nullptr;
    made->vectorcall = call;
    made->function = Py_NewRef(function);
    made->plans = new CallPlans;
    PyObject_GC_Track(made);
    return reinterpret_cast<PyObject*>(made);
}

int ready_gradient_functions() {
    wrap<GradientFunction, &GradientFunction::function>(GradientFunctionType);
    Owning<GradientFunction, &GradientFunction::function>::put_into(GradientFunctionType);
    GradientFunctionType.tp_dealloc = deallocate;
    return PyType_Ready(&GradientFunctionType);
}

}  // namespace lamina
