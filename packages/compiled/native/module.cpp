// The module: compiled twins of the few small files that every op passes through.
#include <Python.h>

#include "arrays/array_functions.hpp"
#include "arrays/arrays.hpp"
#include "calls/functions.hpp"
#include "calls/generic_functions.hpp"
#include "calls/operators.hpp"
#include "passes/backward_pass.hpp"
#include "passes/call_site.hpp"
#include "passes/gradient_functions.hpp"
#include "passes/leaf_gradients.hpp"
#include "plans/call_plans.hpp"
#include "programs/function_calls.hpp"
#include "programs/histories.hpp"
#include "programs/made_tensors.hpp"
#include "programs/plain_calls.hpp"
#include "programs/repeating.hpp"
#include "tensors/fields.hpp"
#include "tensors/gathering.hpp"
#include "tensors/modes.hpp"
#include "tensors/recording.hpp"
#include "tensors/repeats.hpp"
#include "tensors/tensors.hpp"
#include "tensors/views.hpp"

namespace lamina {
namespace {

// A map op on arrays or tensors, into a new one or over the first, else what Python makes of it: `unary(general)`, `binary_over(general)`
// and their kin make such callables.
struct MapFunction {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject* general;
};

PyTypeObject MapFunctionType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.MapFunction"};

enum class On { arrays, tensors, itself };

template <int arity, On on>
PyObject* call(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
    const Py_ssize_t count = PyVectorcall_NARGS(flags);
    if (names == nullptr && (count == arity + 1 || (count == arity + 2 && arguments[arity + 1] == Py_None))) {
        PyObject* result = nullptr;
        if constexpr (on == On::itself) {
            const int modes = flags_on();
            if (modes < 0) return nullptr;
            result = tensor_over(arguments[0], arguments[1], arity == 1 ? nullptr : arguments[2], modes);
        } else if constexpr (on == On::tensors) {
            const int modes = flags_on();
            if (modes < 0) return nullptr;
            result = arity == 1 ? tensor_unary(arguments[0], arguments[1], modes) : tensor_binary(arguments[0], arguments[1], arguments[2], modes);
        } else {
            result = arity == 1 ? map_unary(arguments[0], arguments[1]) : map_binary(arguments[0], arguments[1], arguments[2]);
        }
        if (result != nullptr || PyErr_Occurred()) return result;
    }
    return PyObject_Vectorcall(reinterpret_cast<MapFunction*>(self)->general, arguments, flags, names);
}

// Of three operands, after which there may be numbers by name: (op, a, b, c[, out]), or over the first (op, what records it, a, b, c).
template <On on>
PyObject* call_of_three(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
    const Py_ssize_t count = PyVectorcall_NARGS(flags);
    PyObject* result = nullptr;
    if constexpr (on == On::itself) {
        const int modes = flags_on();
        if (modes < 0) return nullptr;
        if (count == 5) result = tensor_over_of_three(arguments[0], arguments + 2, arguments + count, names, modes);
    } else if (count == 4 || count == 5) {
        PyObject* out = count == 5 && arguments[4] != Py_None ? arguments[4] : nullptr;
        result = map_ternary(arguments[0], arguments + 1, arguments + count, names, out);
    }
    if (result != nullptr || PyErr_Occurred()) return result;
    return PyObject_Vectorcall(reinterpret_cast<MapFunction*>(self)->general, arguments, flags, names);
}

PyObject* map_function(PyObject* general, vectorcallfunc function) {
    MapFunction* made = PyObject_New(MapFunction, &MapFunctionType);
    if (made == nullptr) return nullptr;
    made->vectorcall = function;
    made->general = Py_NewRef(general);
    return reinterpret_cast<PyObject*>(made);
}

PyObject* unary(PyObject*, PyObject* general) { return map_function(general, call<1, On::arrays>); }
PyObject* binary(PyObject*, PyObject* general) { return map_function(general, call<2, On::arrays>); }
PyObject* ternary(PyObject*, PyObject* general) { return map_function(general, call_of_three<On::arrays>); }
PyObject* ternary_over(PyObject*, PyObject* general) { return map_function(general, call_of_three<On::itself>); }
PyObject* unary_on_tensors(PyObject*, PyObject* general) { return map_function(general, call<1, On::tensors>); }
PyObject* binary_on_tensors(PyObject*, PyObject* general) { return map_function(general, call<2, On::tensors>); }
PyObject* unary_over(PyObject*, PyObject* general) { return map_function(general, call<1, On::itself>); }
PyObject* binary_over(PyObject*, PyObject* general) { return map_function(general, call<2, On::itself>); }

void deallocate(PyObject* object) {
    Py_DECREF(reinterpret_cast<MapFunction*>(object)->general);
    PyObject_Free(object);
}

#define FAST(name) \
    { #name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(name)), METH_FASTCALL, nullptr }
PyMethodDef methods[] = {
    FAST(use_arrays), FAST(use_tensors), FAST(use_ops), FAST(use_modes), FAST(empty_of), FAST(view_of), FAST(made_node),
    FAST(torch_function), FAST(field), FAST(recorded), FAST(use_rules), FAST(operator_),
    FAST(tensor_function), FAST(generic_on_tensors), FAST(recorded_on_tensors),
    FAST(same_tensors), FAST(same_kinds), FAST(run), FAST(use_switched),
    FAST(within), FAST(plain_call), FAST(plain_pass), FAST(make_over), FAST(give_made), FAST(generic), FAST(namespace_),
    FAST(viewed), FAST(use_plans), FAST(use_nodes), FAST(pass_plain_nodes), FAST(give_first_gradients), FAST(gathered),
    FAST(pass_function), FAST(repeating),
    {"plan_calls_after", plan_calls_after, METH_O, nullptr},
    {"call_site", call_site, METH_NOARGS, nullptr},
    {"function_call", function_call, METH_O, nullptr},
    {"gradient_function", gradient_function, METH_O, nullptr},
    {"forget_plans", forget_plans, METH_NOARGS, nullptr},
    {"same_items", same_items, METH_O, nullptr},
    {"same_names", same_names, METH_O, nullptr},
    {"arrays_of", arrays_of, METH_O, nullptr},
    {"note_writes", note_writes, METH_O, nullptr},
    {"step_again", step_again, METH_O, nullptr},
    {"stepped_again", stepped_again, METH_O, nullptr},
    {"tensor_of", tensor_of, METH_O, nullptr},
    {"unary", unary, METH_O, nullptr},
    {"binary", binary, METH_O, nullptr},
    {"unary_on_tensors", unary_on_tensors, METH_O, nullptr},
    {"binary_on_tensors", binary_on_tensors, METH_O, nullptr},
    {"unary_over", unary_over, METH_O, nullptr},
    {"binary_over", binary_over, METH_O, nullptr},
    {"ternary", ternary, METH_O, nullptr},
    {"ternary_over", ternary_over, METH_O, nullptr},
    {}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "lamina_compiled._native", "Compiled twins of small Python files.", -1, methods};

}  // namespace
}  // namespace lamina

PyMODINIT_FUNC PyInit__native() {
    using namespace lamina;
    MapFunctionType.tp_basicsize = sizeof(MapFunction);
    MapFunctionType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION;
    MapFunctionType.tp_vectorcall_offset = offsetof(MapFunction, vectorcall);
    MapFunctionType.tp_call = PyVectorcall_Call;
    MapFunctionType.tp_dealloc = deallocate;
    if (PyType_Ready(&MapFunctionType) < 0 || ready_functions() < 0 || ready_operators() < 0 || ready_fields() < 0 ||
        ready_recording() < 0 || ready_array_functions() < 0 || ready_plain_calls() < 0 || ready_generic_functions() < 0 ||
        ready_views() < 0 || ready_gradient_functions() < 0 || ready_histories() < 0 ||
        ready_function_calls() < 0 || ready_repeats() < 0) return nullptr;
    PyObject* module = PyModule_Create(&definition);
    if (module != nullptr && PyModule_AddObjectRef(module, "TorchFunction", reinterpret_cast<PyObject*>(torch_function_type())) < 0)
        Py_CLEAR(module);
    return module;
}
