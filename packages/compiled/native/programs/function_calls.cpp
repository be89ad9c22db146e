// A call of a compiled function: a plain one where all is as it was.
#include "programs/function_calls.hpp"

#include "objects/held.hpp"
#include "objects/wrappers.hpp"
#include "programs/plain_calls.hpp"

namespace lamina {
namespace {

struct FunctionCall {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject* general;
};

PyTypeObject FunctionCallType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.FunctionCall"};

bool count_call(PyObject* way) {
    static PyObject *const calls = PyUnicode_InternFromString("calls"), *const one = PyLong_FromLong(1);
    const Held before = Held::taken(PyObject_GetAttr(way, calls));
    const Held now = before.get() == nullptr ? Held() : Held::taken(PyNumber_Add(before.get(), one));
    return now.get() != nullptr && PyObject_SetAttr(way, calls, now.get()) == 0;
}

PyObject* tuple_of(PyObject* const* given, Py_ssize_t count) {
    PyObject* tuple = PyTuple_New(count);
    for (Py_ssize_t i = 0; tuple != nullptr && i < count; ++i) PyTuple_SET_ITEM(tuple, i, Py_NewRef(given[i]));
    return tuple;
}

// What the function gives after a plain call, which may be None; `plain` is that call, what is compiled, and the way.
PyObject* given_after(PyObject* plain, PyObject* const* given, Py_ssize_t count, PyObject* done) {
    static PyObject* const given_by = PyUnicode_InternFromString("given_by");
    PyObject* told = PyTuple_GET_ITEM(plain, 0);
    if (!count_call(PyTuple_GET_ITEM(plain, 2))) return nullptr;
    if (is_whole_result(told)) return Py_NewRef(done);
    const Held arguments = Held::taken(tuple_of(given, count));
    if (arguments.get() == nullptr) return nullptr;
    return PyObject_CallMethodObjArgs(PyTuple_GET_ITEM(plain, 1), given_by, told, arguments.get(), done, nullptr);
}

PyObject* call(PyObject* object, PyObject* const* given, size_t flags, PyObject* names) {
    static PyObject* const name = PyUnicode_InternFromString("_plain");
    const Py_ssize_t count = PyVectorcall_NARGS(flags);
    if (count > 0 && (names == nullptr || PyTuple_GET_SIZE(names) == 0)) {
        const Held plain = Held::taken(PyObject_GetAttr(given[0], name));
        if (plain.get() == nullptr) return nullptr;
        if (PyTuple_CheckExact(plain.get()) && PyTuple_GET_SIZE(plain.get()) == 3) {
            const Held done = Held::taken(called_plainly(PyTuple_GET_ITEM(plain.get(), 0), given + 1, count - 1));
            if (done.get() == nullptr) return nullptr;
            if (done.get() != Py_None) return given_after(plain.get(), given + 1, count - 1, done.get());
        }
    }
    return PyObject_Vectorcall(reinterpret_cast<FunctionCall*>(object)->general, given, flags, names);
}

}  // namespace

PyObject* function_call(PyObject*, PyObject* general) {
    FunctionCall* made = PyObject_GC_New(FunctionCall, &FunctionCallType);
    if (made == nullptr) return nullptr;
    made->vectorcall = call;
    made->general = Py_NewRef(general);
    PyObject_GC_Track(made);
    return reinterpret_cast<PyObject*>(made);
}

int ready_function_calls() {
    wrap<FunctionCall, &FunctionCall::general>(FunctionCallType);
    Owning<FunctionCall, &FunctionCall::general>::put_into(FunctionCallType);
    return PyType_Ready(&FunctionCallType);
}

}  // namespace lamina
