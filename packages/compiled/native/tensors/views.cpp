// Viewed: `viewed` and `viewing` of tensor_fields.py of lamina_tensor.
#include "tensors/views.hpp"

#include "arrays/arrays.hpp"
#include "objects/wrappers.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

struct Viewed {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject* general;
};

// What a view of a tensor is a view of, with room for another in its list of views; null where there is none, or the list is to be looked
// over. Borrowed.
PyObject* open_root(PyObject* base) {
    PyObject* root = base_of(base) == nullptr || base_of(base) == Py_None ? base : base_of(base);
    if (!shows_array(root)) return nullptr;
    PyObject* views = views_of(root);
    return views == nullptr || !PyList_CheckExact(views) || ((PyList_GET_SIZE(views) + 1) & 63) == 0 ? nullptr : root;
}

bool note(PyObject* tensor, PyObject* root) {
    PyObject* reference = PyWeakref_NewRef(tensor, nullptr);
    const bool right = reference != nullptr && PyList_Append(views_of(root), reference) == 0;
    Py_XDECREF(reference);
    if (right) Py_XSETREF(base_of(tensor), Py_NewRef(root));
    return right;
}

// A tensor's items under another layout: a view, and a leaf. Null without an exception set where there is more to do.
PyObject* view_of_tensor(PyObject* base, PyObject* layout) {
    PyObject* root = open_root(base);
    if (root == nullptr || !is_array(array_in(base))) return nullptr;
    PyObject* array = new_view(array_in(base), layout);
    PyObject* tensor = array == nullptr ? nullptr : leaf(array);
    if (tensor != nullptr && !note(tensor, root)) Py_CLEAR(tensor);
    return tensor;
}

PyObject* view(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
    if (PyVectorcall_NARGS(flags) == 2 && names == nullptr && shows_array(arguments[0])) {
        PyObject* tensor = view_of_tensor(arguments[0], arguments[1]);
        if (tensor != nullptr || PyErr_Occurred()) return tensor;
    }
    return PyObject_Vectorcall(reinterpret_cast<Viewed*>(self)->general, arguments, flags, names);
}

PyTypeObject ViewedType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.Viewed"};

}  // namespace

int noted_view(PyObject* tensor, PyObject* base) {
    if (!shows_array(base) || !is_array(array_in(base)) || !is_array(array_in(tensor))) return 0;
    PyObject *flat = flat_of(array_in(tensor)), *whole = flat_of(array_in(base));
    if (flat != whole && at(flat, arrays.flat_memory) != at(whole, arrays.flat_memory)) return 1;
    PyObject* root = open_root(base);
    if (root == nullptr) return 0;
    return note(tensor, root) ? 1 : -1;
}

PyObject* viewed(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 1) return PyErr_Format(PyExc_TypeError, "viewed: it wants Python's function");
    Viewed* made = PyObject_GC_New(Viewed, &ViewedType);
    if (made == nullptr) return nullptr;
    made->vectorcall = view;
    made->general = Py_NewRef(arguments[0]);
    PyObject_GC_Track(reinterpret_cast<PyObject*>(made));
    return reinterpret_cast<PyObject*>(made);
}

int ready_views() {
    wrap<Viewed, &Viewed::general>(ViewedType);
    Owning<Viewed, &Viewed::general>::put_into(ViewedType);
    return PyType_Ready(&ViewedType);
}

}  // namespace lamina
