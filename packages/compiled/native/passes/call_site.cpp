// File and line of the innermost call that is not lamina's own.
#include "passes/call_site.hpp"

#include "objects/held.hpp"

namespace lamina {
namespace {

// Whether a frame's module is one of lamina's; -1 with an exception set.
int is_own(PyFrameObject* frame) {
    static PyObject *const key = PyUnicode_InternFromString("__name__"), *const own = PyUnicode_InternFromString("lamina");
    const Held globals = Held::taken(PyFrame_GetGlobals(frame));
    PyObject* name = PyDict_GetItemWithError(globals.get(), key);
    if (name == nullptr) return PyErr_Occurred() ? -1 : 0;
    return PyUnicode_Check(name) ? int(PyUnicode_Tailmatch(name, own, 0, PY_SSIZE_T_MAX, -1)) : 0;
}

}  // namespace

PyObject* call_site(PyObject*, PyObject*) {
    PyFrameObject* frame = PyThreadState_GetFrame(PyThreadState_Get());
    while (frame != nullptr) {
        const int own = is_own(frame);
        if (own <= 0) break;
        PyFrameObject* back = PyFrame_GetBack(frame);
        Py_DECREF(frame);
        frame = back;
    }
    if (frame == nullptr) Py_RETURN_NONE;
    const Held of(reinterpret_cast<PyObject*>(frame));
    Py_DECREF(frame);
    if (PyErr_Occurred()) return nullptr;
    PyCodeObject* code = PyFrame_GetCode(frame);
    PyObject* site = Py_BuildValue("(Oi)", code->co_filename, PyFrame_GetLineNumber(frame));
    Py_DECREF(code);
    return site;
}

}  // namespace lamina
