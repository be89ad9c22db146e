// TensorFunction: a function of arrays as one of tensors, as dispatch/tensor_functions.py of lamina_tensor says it.
#include "arrays/array_functions.hpp"

#include "arrays/arrays.hpp"
#include "objects/wrappers.hpp"
#include "tensors/recording.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

struct TensorFunction {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject* general;   // Python's, which has the name and the signature, and records gradients
    PyObject* function;  // of arrays
    PyObject* finished;  // makes tensors of results that are not plainly new arrays
    PyObject* plain;     // the set of classes of what holds no tensors
    PyObject* alike;     // of a generic function, the dictionary of dtypes in which it may be called on arrays; null of others
    PyObject* viewing;   // of a generic function, what notes that a tensor is a view of another; null of others
    PyObject* followed;  // of a recorded function, makes tensors of results of which gradients are wanted; null of others
    PyObject* places;    // of a recorded function, tells where a form of call has what the rule wants; null of others
    PyObject* forms;     // of a recorded function, what `places` told of the forms of call that were met; null of others
};

constexpr Py_ssize_t kMost = 16;  // arguments of a call that is answered here, and tensors in them

bool is_plain(PyObject* plain, PyObject* value) { return PySet_Contains(plain, reinterpret_cast<PyObject*>(Py_TYPE(value))) == 1; }

bool holds_no_tensors(PyObject* plain, PyObject* value) {
    if (is_plain(plain, value)) return true;
    if (!PyTuple_CheckExact(value)) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value); ++i)
        if (!is_plain(plain, PyTuple_GET_ITEM(value, i))) return false;
    return true;
}

// The tensors of a call, and whether a generic function gives for their arrays what it gives for them, as `_settled` in Python says it.
struct Tensors {
    PyObject* seen[kMost];
    Py_ssize_t count = 0;
    PyObject* table = nullptr;  // of the inexact ones
    bool of_whole_numbers = false;
    bool wanted = false;  // a gradient, of one of them

    // The array of one more, borrowed; null where it is not to be computed with here.
    PyObject* array_of(TensorFunction* self, PyObject* tensor, long flags) {
        PyObject* array = array_in(tensor);
        if (array == nullptr || !is_array(array) || count == kMost) return nullptr;
        wanted = wanted || ((flags & kNoGrad) == 0 && wants_gradient(tensor));
        if (wanted && self->followed == nullptr) return nullptr;
        seen[count++] = tensor;
        if (self->alike == nullptr) return array;
        PyObject* kernels = kernels_of(array);
        if (Py_TYPE(kernels) != arrays.table) return nullptr;  // a table with ways of its own
        PyObject* inexact = PyDict_GetItemWithError(self->alike, at(kernels, arrays.table_dtype));
        if (inexact == Py_False) {
            of_whole_numbers = true;
            return array;
        }
        if (inexact != Py_True || (table != nullptr && table != kernels)) return nullptr;
        table = kernels;
        return array;
    }

    // A list or tuple of tensors as one of arrays, new; null, mostly without an exception set, where there is more to do.
    PyObject* arrays_of(TensorFunction* self, PyObject* several, long flags) {
        const bool list = PyList_CheckExact(several);
        if (!list && !PyTuple_CheckExact(several)) return nullptr;
        const Py_ssize_t n = PySequence_Fast_GET_SIZE(several);
        PyObject* made = list ? PyList_New(n) : PyTuple_New(n);
        for (Py_ssize_t i = 0; made != nullptr && i < n; ++i) {
            PyObject* tensor = PySequence_Fast_GET_ITEM(several, i);
            PyObject* array = shows_array(tensor) ? array_of(self, tensor, flags) : nullptr;
            if (array == nullptr)
                Py_CLEAR(made);
            else if (list)
                PyList_SET_ITEM(made, i, Py_NewRef(array));
            else
                PyTuple_SET_ITEM(made, i, Py_NewRef(array));
        }
        return made;
    }

    bool settled() const { return !of_whole_numbers || table != nullptr; }
};

PyObject* memory_of(PyObject* array) { return at(flat_of(array), arrays.flat_memory); }

// The tensor whose memory an array has; null where it is new.
PyObject* shown_by(const Tensors& tensors, PyObject* array) {
    for (Py_ssize_t i = 0; i < tensors.count; ++i)
        if (memory_of(array_in(tensors.seen[i])) == memory_of(array)) return tensors.seen[i];
    return nullptr;
}

// An array as a tensor: of what a generic function gives, as the operand whose array it is, or a view of one whose memory it has.
PyObject* tensor_for(TensorFunction* self, PyObject* array, const Tensors& tensors) {
    PyObject* shown = self->viewing == nullptr ? nullptr : shown_by(tensors, array);
    if (shown != nullptr && array_in(shown) == array) return Py_NewRef(shown);
    PyObject* tensor = leaf(Py_NewRef(array));
    if (tensor == nullptr || shown == nullptr) return tensor;
    PyObject* noted = PyObject_CallFunctionObjArgs(self->viewing, tensor, shown, nullptr);
    if (noted == nullptr) Py_CLEAR(tensor);
    Py_XDECREF(noted);
    return tensor;
}

// A tuple of arrays as one of tensors, of the same class; null without an exception set where other things are among them.
PyObject* tensors_for(TensorFunction* self, PyObject* results, const Tensors& tensors) {
    const Py_ssize_t n = PyTuple_GET_SIZE(results);
    for (Py_ssize_t i = 0; i < n; ++i)
        if (!is_array(PyTuple_GET_ITEM(results, i))) return nullptr;
    PyObject* parts = PyTuple_New(n);
    for (Py_ssize_t i = 0; parts != nullptr && i < n; ++i) {
        PyObject* tensor = tensor_for(self, PyTuple_GET_ITEM(results, i), tensors);
        if (tensor == nullptr)
            Py_CLEAR(parts);
        else
            PyTuple_SET_ITEM(parts, i, tensor);
    }
    if (parts == nullptr || PyTuple_CheckExact(results)) return parts;
    PyObject* wrapped = PyTuple_Pack(1, parts);
    PyObject* named = wrapped == nullptr ? nullptr : PyTuple_Type.tp_new(Py_TYPE(results), wrapped, nullptr);
    Py_DECREF(parts);
    Py_XDECREF(wrapped);
    return named;
}

PyObject* finish(TensorFunction* self, PyObject* result, const Tensors& tensors) {
    PyObject* operands = PyTuple_New(tensors.count);
    if (operands == nullptr) return nullptr;
    for (Py_ssize_t i = 0; i < tensors.count; ++i) PyTuple_SET_ITEM(operands, i, Py_NewRef(tensors.seen[i]));
    PyObject* finished = PyObject_CallFunctionObjArgs(self->finished, result, operands, nullptr);
    Py_DECREF(operands);
    return finished;
}

// What `places` tells of a form of call, borrowed; null with an exception set on failure.
PyObject* form_of(TensorFunction* self, Py_ssize_t count, PyObject* names) {
    PyObject* number = PyLong_FromSsize_t(count);
    PyObject* key = number == nullptr || names == nullptr ? Py_XNewRef(number) : PyTuple_Pack(2, number, names);
    PyObject* form = key == nullptr ? nullptr : PyDict_GetItemWithError(self->forms, key);
    if (form == nullptr && !PyErr_Occurred()) {
        PyObject* by_name = names == nullptr ? PyTuple_New(0) : Py_NewRef(names);
        PyObject* told = by_name == nullptr ? nullptr : PyObject_CallFunctionObjArgs(self->places, number, by_name, nullptr);
        if (told != nullptr && PyDict_SetItem(self->forms, key, told) == 0) form = told;  // held by the dictionary
        Py_XDECREF(told);
        Py_XDECREF(by_name);
    }
    Py_XDECREF(key);
    Py_XDECREF(number);
    return form;
}

// A new array of which gradients are wanted, as a tensor with its node. Null, mostly without an exception set, where there is more to do.
PyObject* noted(TensorFunction* self, PyObject* result, PyObject* const* arguments, Py_ssize_t count, PyObject* names, long flags) {
    PyObject* form = form_of(self, count, names);
    if (form == nullptr || form == Py_None) return nullptr;
    PyObject *inputs_at = PyTuple_GET_ITEM(form, 1), *wanted = PyTuple_GET_ITEM(form, 2), *wanted_at = PyTuple_GET_ITEM(form, 3);
    PyObject* defaults = PyTuple_GET_ITEM(form, 4);
    const Py_ssize_t given = count + (names == nullptr ? 0 : PyTuple_GET_SIZE(names)), n = PyTuple_GET_SIZE(wanted);
    if (n > kMost) return nullptr;
    const auto value = [&](PyObject* places, Py_ssize_t i) {
        const Py_ssize_t place = PyLong_AsSsize_t(PyTuple_GET_ITEM(places, i));
        return place < given ? arguments[place] : PyTuple_GET_ITEM(defaults, place - given);
    };
    PyObject* parameters[kMost];
    for (Py_ssize_t i = 0; i < n; ++i)
        if (!holds_no_tensors(self->plain, parameters[i] = value(wanted_at, i))) return nullptr;
    PyObject* inputs = PyTuple_New(PyTuple_GET_SIZE(inputs_at));
    for (Py_ssize_t i = 0; inputs != nullptr && i < PyTuple_GET_SIZE(inputs); ++i)
        PyTuple_SET_ITEM(inputs, i, Py_NewRef(value(inputs_at, i)));
    PyObject* tensor = inputs == nullptr ? nullptr : tensor_with_node(PyTuple_GET_ITEM(form, 0), result, inputs, wanted, parameters, flags);
    Py_XDECREF(inputs);
    return tensor;
}

// A result of which gradients are wanted, as tensors.
PyObject* follow(TensorFunction* self, PyObject* result, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* positional = PyTuple_New(count);
    PyObject* named = positional == nullptr ? nullptr : PyDict_New();
    for (Py_ssize_t i = 0; named != nullptr && i < count; ++i) PyTuple_SET_ITEM(positional, i, Py_NewRef(arguments[i]));
    for (Py_ssize_t i = 0; named != nullptr && names != nullptr && i < PyTuple_GET_SIZE(names); ++i)
        if (PyDict_SetItem(named, PyTuple_GET_ITEM(names, i), arguments[count + i]) < 0) Py_CLEAR(named);
    PyObject* followed = named == nullptr ? nullptr : PyObject_CallFunctionObjArgs(self->followed, result, positional, named, nullptr);
    Py_XDECREF(positional);
    Py_XDECREF(named);
    return followed;
}

PyObject* call(PyObject* object, PyObject* const* arguments, size_t flags_, PyObject* names) {
    auto* self = reinterpret_cast<TensorFunction*>(object);
    const Py_ssize_t count = PyVectorcall_NARGS(flags_), all = count + (names == nullptr ? 0 : PyTuple_GET_SIZE(names));
    const int flags = flags_on();
    if (flags < 0) return nullptr;
    bool here = all <= kMost && (flags & (self->alike == nullptr ? kRecord : kRecord | kIntercepting)) == 0;
    PyObject *values[kMost], *made[kMost];
    Py_ssize_t made_count = 0;
    Tensors tensors;
    for (Py_ssize_t i = 0; here && i < all; ++i) {
        values[i] = arguments[i];
        if (shows_array(arguments[i]))
            values[i] = tensors.array_of(self, arguments[i], flags);
        else if (!holds_no_tensors(self->plain, arguments[i])) {
            values[i] = tensors.arrays_of(self, arguments[i], flags);
            if (values[i] != nullptr) made[made_count++] = values[i];
        }
        here = values[i] != nullptr;
    }
    PyObject *result = nullptr, *finished = nullptr;
    if (here && tensors.settled()) result = PyObject_Vectorcall(self->function, values, size_t(count), names);
    else if (self->alike != nullptr && tensors.wanted) finished = PyObject_Vectorcall(self->function, arguments, flags_, names);
    else if (!PyErr_Occurred()) finished = PyObject_Vectorcall(self->general, arguments, flags_, names);
    for (Py_ssize_t i = 0; i < made_count; ++i) Py_DECREF(made[i]);
    if (result == nullptr) return finished;
    if (tensors.wanted) {
        if (is_array(result) && shown_by(tensors, result) == nullptr) finished = noted(self, result, arguments, count, names, flags);
        if (finished == nullptr && !PyErr_Occurred()) finished = follow(self, result, arguments, count, names);
    } else if (is_array(result) && (self->viewing != nullptr || shown_by(tensors, result) == nullptr)) {
        finished = tensor_for(self, result, tensors);
    } else if (PyTuple_Check(result)) {
        finished = tensors_for(self, result, tensors);
    }
    if (finished == nullptr && !PyErr_Occurred()) finished = finish(self, result, tensors);
    Py_DECREF(result);
    return finished;
}

PyGetSetDef getset[] = {{"__doc__", documentation<TensorFunction, &TensorFunction::general>, nullptr, nullptr, nullptr}, {}};

PyTypeObject TensorFunctionType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_compiled.TensorFunction"};

// One from what all of them want: Python's function, that of arrays, what finishes results, and the set of classes.
PyObject* made(PyObject* const* arguments) {
    TensorFunction* made = PyObject_GC_New(TensorFunction, &TensorFunctionType);
    if (made == nullptr) return nullptr;
    made->vectorcall = call;
    made->general = Py_NewRef(arguments[0]);
    made->function = Py_NewRef(arguments[1]);
    made->finished = Py_NewRef(arguments[2]);
    made->plain = Py_NewRef(arguments[3]);
    made->alike = made->viewing = made->followed = made->places = made->forms = nullptr;
    PyObject_GC_Track(reinterpret_cast<PyObject*>(made));
    return reinterpret_cast<PyObject*>(made);
}

}  // namespace

PyObject* tensor_function(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count == 4 && PyAnySet_Check(arguments[3])) return made(arguments);
    PyErr_SetString(PyExc_TypeError, "tensor_function: it wants Python's function, that of arrays, what finishes results, and a set");
    return nullptr;
}

PyObject* generic_on_tensors(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 6 || !PyAnySet_Check(arguments[3]) || !PyDict_Check(arguments[4])) {
        PyErr_SetString(PyExc_TypeError, "generic_on_tensors: beside what tensor_function wants, a dictionary, and what notes views");
        return nullptr;
    }
    PyObject* function = made(arguments);
    if (function == nullptr) return nullptr;
    reinterpret_cast<TensorFunction*>(function)->alike = Py_NewRef(arguments[4]);
    reinterpret_cast<TensorFunction*>(function)->viewing = Py_NewRef(arguments[5]);
    return function;
}

PyObject* recorded_on_tensors(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 6 || !PyAnySet_Check(arguments[3])) {
        PyErr_SetString(PyExc_TypeError, "recorded_on_tensors: beside what tensor_function wants, what follows gradients, and places");
        return nullptr;
    }
    PyObject* function = made(arguments);
    PyObject* forms = function == nullptr ? nullptr : PyDict_New();
    if (forms == nullptr) {
        Py_XDECREF(function);
        return nullptr;
    }
    reinterpret_cast<TensorFunction*>(function)->followed = Py_NewRef(arguments[4]);
    reinterpret_cast<TensorFunction*>(function)->places = Py_NewRef(arguments[5]);
    reinterpret_cast<TensorFunction*>(function)->forms = forms;
    return function;
}

int ready_array_functions() {
    PyTypeObject& type = TensorFunctionType;
    wrap<TensorFunction, &TensorFunction::general>(type);
    Owning<TensorFunction, &TensorFunction::general, &TensorFunction::function, &TensorFunction::finished, &TensorFunction::plain,
           &TensorFunction::alike, &TensorFunction::viewing, &TensorFunction::followed, &TensorFunction::places,
           &TensorFunction::forms>::put_into(type);
    type.tp_getset = getset;
    return PyType_Ready(&type);
}

}  // namespace lamina
