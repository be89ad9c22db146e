// Gradients become the `grad` of leaves, as autograd/accumulation.py of lamina_tensor says it, where nothing has to be added, copied or called.
#include "passes/leaf_gradients.hpp"

#include "arrays/arrays.hpp"
#include "objects/held.hpp"
#include "objects/locks.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

// Whether functions wait for the gradient of a leaf; -1 with an exception set.
int has_hooks(PyObject* leaf) {
    static PyObject* const hooks = PyUnicode_InternFromString("post_accumulate_hooks");
    PyObject** attributes = _PyObject_GetDictPtr(leaf);
    return attributes == nullptr || *attributes == nullptr ? 0 : PyDict_Contains(*attributes, hooks);
}

// Whether a gradient lies as its leaf does, or both lie without gaps.
bool lies_as(PyObject* gradient, PyObject* leaf) {
    PyObject *own = layout_of(gradient), *wanted = layout_of(array_in(leaf));
    if (own == wanted) return true;
    return at(own, arrays.layout_contiguous) == Py_True && at(wanted, arrays.layout_contiguous) == Py_True &&
           PyObject_IsTrue(at(wanted, arrays.layout_size)) == 1;
}

// (gradient, whether it is nobody else's): 1 where it was given, 0 where there is more to do, -1 with an exception set.
int given(PyObject* leaf, PyObject* pair) {
    if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2 || PyTuple_GET_ITEM(pair, 1) != Py_True) return 0;
    PyObject* gradient = PyTuple_GET_ITEM(pair, 0);
    if (!awaits_gradient(leaf) || !is_array(gradient) || !is_array(array_in(leaf)) || !lies_as(gradient, leaf)) return 0;
    if (const int hooks = has_hooks(leaf); hooks != 0) return hooks < 0 ? -1 : 0;
    return give_gradient(leaf, gradient) ? 1 : -1;
}

}  // namespace

PyObject* give_first_gradients(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2 || !PyDict_CheckExact(arguments[0]))
        return PyErr_Format(PyExc_TypeError, "give_first_gradients: it wants gradients by leaf, and a lock");
    const long flags = flags_on();
    if (flags < 0) return nullptr;
    if ((flags & kRecord) != 0) Py_RETURN_NONE;
    const TriedLock lock(arguments[1]);
    if (lock.ours() < 0) return nullptr;
    if (lock.ours() == 0) Py_RETURN_NONE;
    const Held leaves = Held::taken(PyDict_Keys(arguments[0]));
    for (Py_ssize_t i = 0; leaves.get() != nullptr && i < PyList_GET_SIZE(leaves.get()); ++i) {
        PyObject* leaf = PyList_GET_ITEM(leaves.get(), i);
        const int done = given(leaf, PyDict_GetItemWithError(arguments[0], leaf));
        if (done < 0 || (done > 0 && PyDict_DelItem(arguments[0], leaf) < 0)) return nullptr;
    }
    return leaves.get() == nullptr ? nullptr : Py_NewRef(Py_None);
}

}  // namespace lamina
