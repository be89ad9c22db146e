// What callables around a function have in common: they bind to instances as functions do, and what is not their own is the function's.
#pragma once

#include <Python.h>

#include <cstddef>

namespace lamina {

inline PyObject* bind(PyObject* self, PyObject* instance, PyObject*) {
    return instance == nullptr || instance == Py_None ? Py_NewRef(self) : PyMethod_New(self, instance);
}

// __name__, __wrapped__, ... of the function where the callable has none of its own.
template <typename Wrapper, PyObject* Wrapper::*function>
PyObject* attribute(PyObject* self, PyObject* name) {
    PyObject* own = PyObject_GenericGetAttr(self, name);
    if (own != nullptr || !PyErr_ExceptionMatches(PyExc_AttributeError)) return own;
    PyErr_Clear();
    return PyObject_GetAttr(reinterpret_cast<Wrapper*>(self)->*function, name);
}

template <typename Wrapper, PyObject* Wrapper::*function>
PyObject* represent(PyObject* self) {
    return PyObject_Repr(reinterpret_cast<Wrapper*>(self)->*function);
}

// How the collector follows objects that own these fields, lets go of them, and how they end.
template <typename Object, PyObject* Object::*... fields>
struct Owning {
    static int traverse(PyObject* object, visitproc visit, void* arg) {
        auto* self = reinterpret_cast<Object*>(object);
        int result = 0;
        ((result = result != 0 || self->*fields == nullptr ? result : visit(self->*fields, arg)), ...);
        return result;
    }

    static int clear(PyObject* object) {
        (clear_field(reinterpret_cast<Object*>(object)->*fields), ...);
        return 0;
    }

    static void deallocate(PyObject* object) {
        PyObject_GC_UnTrack(object);
        clear(object);
        PyObject_GC_Del(object);
    }

    static void put_into(PyTypeObject& type) {
        type.tp_traverse = traverse;
        type.tp_clear = clear;
        type.tp_dealloc = deallocate;
    }

private:
    static void clear_field(PyObject*& field) { Py_CLEAR(field); }
};

// The `__doc__` of the function.
template <typename Wrapper, PyObject* Wrapper::*function>
PyObject* documentation(PyObject* self, void*) {
    return PyObject_GetAttrString(reinterpret_cast<Wrapper*>(self)->*function, "__doc__");
}

// Makes a type one of such callables, with the field `vectorcall`, that the collector follows.
template <typename Wrapper, PyObject* Wrapper::*function>
void wrap(PyTypeObject& type) {
    type.tp_basicsize = sizeof(Wrapper);
    type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR |
                    Py_TPFLAGS_DISALLOW_INSTANTIATION;
    type.tp_vectorcall_offset = offsetof(Wrapper, vectorcall);
    type.tp_call = PyVectorcall_Call;
    type.tp_descr_get = bind;
    type.tp_getattro = attribute<Wrapper, function>;
    type.tp_repr = represent<Wrapper, function>;
}

}  // namespace lamina
