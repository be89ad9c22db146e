// Viewed and CachedViews: `viewed` and `viewing` of tensor_fields.py and `cached_views` of dispatch/cached_views.py of lamina_tensor.
#include "cached_views.hpp"

#include "arrays.hpp"
#include "tensors.hpp"
#include "wrappers.hpp"

namespace lamina {
namespace {

struct Viewed {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject* general;
};

struct CachedViews {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject* general;  // Python's, which has the name and the signature, and finds what is not known yet
    PyObject* name;
    PyObject* known;   // the dictionary from layouts and arguments to the layouts of views
    PyObject* viewed;  // Python's, which a view is left to where the list of views is to be looked over
};

constexpr Py_ssize_t kMost = 8;  // arguments of a call that is answered here

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

// An argument as part of a key, new: a number, text or None as it is, lists and tuples of numbers as tuples. Null, mostly without an
// exception set, for others.
PyObject* frozen(PyObject* value) {
    if (PyLong_CheckExact(value) || PyUnicode_CheckExact(value) || value == Py_None) return Py_NewRef(value);
    if (!PyTuple_CheckExact(value) && !PyList_CheckExact(value)) return nullptr;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value); ++i)
        if (!PyLong_CheckExact(PySequence_Fast_GET_ITEM(value, i))) return nullptr;
    return PySequence_Tuple(value);
}

// What a call is known by: the layout, the function, how many arguments came by keyword, and all of them.
PyObject* key_of(CachedViews* self, PyObject* layout, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    const Py_ssize_t keywords = names == nullptr ? 0 : PyTuple_GET_SIZE(names), by_place = count - 1;
    PyObject* rest = PyTuple_New(by_place + 2 * keywords);
    for (Py_ssize_t i = 0; rest != nullptr && i < by_place + keywords; ++i) {
        PyObject* part = frozen(arguments[1 + i]);
        if (part == nullptr)
            Py_CLEAR(rest);
        else
            PyTuple_SET_ITEM(rest, i < by_place ? i : i + keywords, part);
    }
    for (Py_ssize_t i = 0; rest != nullptr && i < keywords; ++i) PyTuple_SET_ITEM(rest, by_place + i, Py_NewRef(PyTuple_GET_ITEM(names, i)));
    PyObject* named = rest == nullptr ? nullptr : PyLong_FromSsize_t(keywords);
    PyObject* key = named == nullptr ? nullptr : PyTuple_Pack(4, at(layout, arrays.layout_packed), self->name, named, rest);
    Py_XDECREF(named);
    Py_XDECREF(rest);
    return key;
}

PyObject* one(CachedViews* self, PyObject* tensor, PyObject* layout) {
    PyObject* result = view_of_tensor(tensor, layout);
    return result != nullptr || PyErr_Occurred() ? result : PyObject_CallFunctionObjArgs(self->viewed, tensor, layout, nullptr);
}

PyObject* call(PyObject* object, PyObject* const* arguments, size_t flags_, PyObject* names) {
    auto* self = reinterpret_cast<CachedViews*>(object);
    const Py_ssize_t count = PyVectorcall_NARGS(flags_), all = count + (names == nullptr ? 0 : PyTuple_GET_SIZE(names));
    const int flags = flags_on();
    if (flags < 0) return nullptr;
    const bool here = count > 0 && all <= kMost && (flags & kRecord) == 0 && shows_array(arguments[0]) && !wants_gradient(arguments[0]) &&
                      is_array(array_in(arguments[0]));
    PyObject* key = here ? key_of(self, layout_of(array_in(arguments[0])), arguments, count, names) : nullptr;
    PyObject* layouts = key == nullptr ? nullptr : Py_XNewRef(PyDict_GetItemWithError(self->known, key));
    Py_XDECREF(key);
    if (PyErr_Occurred()) return nullptr;
    if (layouts == nullptr) return PyObject_Vectorcall(self->general, arguments, flags_, names);
    PyObject* result = nullptr;
    if (!PyTuple_CheckExact(layouts)) {
        result = one(self, arguments[0], layouts);
    } else {
        result = PyTuple_New(PyTuple_GET_SIZE(layouts));
        for (Py_ssize_t i = 0; result != nullptr && i < PyTuple_GET_SIZE(layouts); ++i) {
            PyObject* part = one(self, arguments[0], PyTuple_GET_ITEM(layouts, i));
            if (part == nullptr)
                Py_CLEAR(result);
            else
                PyTuple_SET_ITEM(result, i, part);
        }
    }
    Py_DECREF(layouts);
    return result;
}

PyGetSetDef getset[] = {{"__doc__", documentation<CachedViews, &CachedViews::general>, nullptr, nullptr, nullptr}, {}};

PyTypeObject ViewedType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.Viewed"};
PyTypeObject CachedViewsType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.CachedViews"};

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

PyObject* cached_views(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 4 || !PyUnicode_Check(arguments[1]) || !PyDict_Check(arguments[2]))
        return PyErr_Format(PyExc_TypeError, "cached_views: it wants Python's function, a name, a dictionary, and what makes views");
    CachedViews* made = PyObject_GC_New(CachedViews, &CachedViewsType);
    if (made == nullptr) return nullptr;
    made->vectorcall = call;
    made->general = Py_NewRef(arguments[0]);
    made->name = Py_NewRef(arguments[1]);
    made->known = Py_NewRef(arguments[2]);
    made->viewed = Py_NewRef(arguments[3]);
    PyObject_GC_Track(reinterpret_cast<PyObject*>(made));
    return reinterpret_cast<PyObject*>(made);
}

int ready_cached_views() {
    wrap<Viewed, &Viewed::general>(ViewedType);
    Owning<Viewed, &Viewed::general>::put_into(ViewedType);
    wrap<CachedViews, &CachedViews::general>(CachedViewsType);
    Owning<CachedViews, &CachedViews::general, &CachedViews::name, &CachedViews::known, &CachedViews::viewed>::put_into(CachedViewsType);
    CachedViewsType.tp_getset = getset;
    if (PyType_Ready(&ViewedType) < 0) return -1;
    return PyType_Ready(&CachedViewsType);
}

}  // namespace lamina
