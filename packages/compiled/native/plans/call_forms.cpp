// What calls of public functions are given, as compiling/call_plans.py of lamina_tensor says it.
#include "plans/call_forms.hpp"

#include <cstring>

#include "arrays/arrays.hpp"
#include "tensors/tensors.hpp"

namespace lamina {
namespace {

PyObject *constants = nullptr, *place = nullptr;  // the classes of what is told by identity; the variable of the place that is chosen
int64_t generation = 0;

int64_t bits_of(double value) {
    int64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint64_t mixed(uint64_t hash, uint64_t part) { return (hash ^ part) * 0x9E3779B97F4A7C15u ^ (hash >> 29); }

Py_hash_t by_identity(PyObject* object) { return Py_hash_t(reinterpret_cast<uintptr_t>(object) >> 4); }

bool same_bytes(PyObject* a, PyObject* b) {
    if (!PyBytes_CheckExact(a) || !PyBytes_CheckExact(b) || PyBytes_GET_SIZE(a) != PyBytes_GET_SIZE(b)) return false;
    return std::memcmp(PyBytes_AS_STRING(a), PyBytes_AS_STRING(b), size_t(PyBytes_GET_SIZE(a))) == 0;
}

}  // namespace

bool Form::put(PyObject* object, PyObject* table, int64_t number, Py_hash_t part) {
    if (size == kMostWords) return false;
    words[size++] = {object, table, number};
    hash = mixed(mixed(hash, uint64_t(part)), uint64_t(number));
    return true;
}

PyObject* Form::array(int which) const { return is_array(given[which]) ? given[which] : array_in(given[which]); }

bool Form::add_array(PyObject* value, PyObject* array, bool wants) {
    if (array == nullptr || !is_array(array) || Py_TYPE(kernels_of(array)) != arrays.table || count == kMostGiven) return false;
    PyObject *table = kernels_of(array), *memory = at(flat_of(array), arrays.flat_memory);
    int same = 0, shared = 0;
    while (same < count && given[same] != value) ++same;
    while (shared < count && at(flat_of(this->array(shared)), arrays.flat_memory) != memory) ++shared;
    given[count++] = value;
    PyObject* packed = at(layout_of(array), arrays.layout_packed);
    const Py_hash_t part = PyObject_Hash(packed);  // of bytes, which keep it
    return put(packed, table, int64_t(wants) | int64_t(shared) << 8 | int64_t(same) << 16, part ^ by_identity(table));
}

bool Form::add(PyObject* value, long flags, int depth) {
    if (is_array(value)) return add_array(value, value, false);
    if (shows_array(value)) {
        has_tensors = true;
        return add_array(value, array_in(value), (flags & kNoGrad) == 0 && wants_gradient(value));
    }
    PyObject* kind = reinterpret_cast<PyObject*>(Py_TYPE(value));
    if (PyLong_CheckExact(value)) {
        int overflow = 0;
        const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
        return overflow == 0 && put(kind, nullptr, number, 1);
    }
    if (PyFloat_CheckExact(value)) return put(kind, nullptr, bits_of(PyFloat_AS_DOUBLE(value)), 2);
    const int constant = PySet_Contains(constants, kind);
    if (constant < 0) PyErr_Clear();  // a class that cannot be looked up
    if (constant == 1) return put(value, nullptr, 0, by_identity(value));
    if (PySlice_Check(value)) {
        const auto* bounds = reinterpret_cast<PySliceObject*>(value);
        return put(kind, nullptr, 0, 3) && add(bounds->start, flags, 0) && add(bounds->stop, flags, 0) && add(bounds->step, flags, 0);
    }
    if (depth == 0 || !(PyTuple_Check(value) || PyList_CheckExact(value))) return false;
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(value);
    if (!put(kind, nullptr, n, 4)) return false;
    for (Py_ssize_t i = 0; i < n; ++i)
        if (!add(PySequence_Fast_GET_ITEM(value, i), flags, depth - 1)) return false;
    return true;
}

bool Form::read(PyObject* const* arguments, Py_ssize_t all, PyObject* names, long flags) {
    const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names), by_place = all - named;
    PyObject* chosen = nullptr;
    if (place == nullptr || PyContextVar_Get(place, nullptr, &chosen) < 0 || chosen == nullptr) return false;
    put(chosen, nullptr, generation * 2 + ((flags & kNoGrad) != 0), by_identity(chosen));
    Py_DECREF(chosen);  // the context has it
    for (Py_ssize_t i = 0; i < by_place; ++i)
        if (!add(arguments[i], flags, 2)) return false;
    for (Py_ssize_t i = 0; i < named; ++i) {
        PyObject* name = PyTuple_GET_ITEM(names, i);
        if (!put(name, nullptr, -1, by_identity(name)) || !add(arguments[by_place + i], flags, 2)) return false;
    }
    return true;
}

void KeptForm::keep(const Form& form) {
    clear();
    words_.assign(form.words, form.words + form.size);
    hash_ = form.hash;
    for (const Word& word : words_) {
        Py_INCREF(word.object);
        Py_XINCREF(word.table);
    }
}

void KeptForm::clear() {
    const std::vector<Word> words = std::move(words_);
    words_.clear();
    for (const Word& word : words) {
        Py_DECREF(word.object);
        Py_XDECREF(word.table);
    }
}

bool KeptForm::is(const Form& form) const {
    if (hash_ != form.hash || words_.size() != size_t(form.size)) return false;
    for (size_t i = 0; i < words_.size(); ++i) {
        const Word &mine = words_[i], &theirs = form.words[i];
        if (mine.number != theirs.number || mine.table != theirs.table) return false;
        if (mine.object != theirs.object && (mine.table == nullptr || !same_bytes(mine.object, theirs.object))) return false;
    }
    return true;
}

bool KeptForm::is_stale() const { return words_.empty() || words_[0].number / 2 != generation; }

void tell_forms(PyObject* classes, PyObject* chosen) {
    Py_XSETREF(constants, Py_NewRef(classes));
    Py_XSETREF(place, Py_NewRef(chosen));
}

void forget_forms() { ++generation; }

int64_t generation_of_forms() { return generation; }

}  // namespace lamina
