// Form: what a call is given, as far as it settles which kernels the call runs: layouts, kernel tables and numbers, not items.
#pragma once

#include <Python.h>

#include <cstdint>
#include <vector>

namespace lamina {

// A part of a form. Of a tensor or an array: the packed layout, the kernel table, and whether a gradient is wanted, with which of those before
// it shares its memory, and which is the same. Of a number: its class, and its bits. Of what stays what it is: that, and 0.
struct Word {
    PyObject *object, *table;
    int64_t number;
};

struct Form {
    static constexpr int kMostWords = 40, kMostGiven = 12;

    Word words[kMostWords];
    PyObject* given[kMostGiven];  // tensors and arrays among the arguments, also in lists and tuples, in order
    int size = 0, count = 0;
    bool has_tensors = false;
    uint64_t hash = 0;

    // Reads the arguments of a call, the references to which are borrowed; false, without an exception set, where something among them is of
    // no class that a form knows.
    bool read(PyObject* const* arguments, Py_ssize_t all, PyObject* names, long flags);

    PyObject* array(int which) const;  // of those that are given; borrowed

private:
    bool add(PyObject* value, long flags, int depth);
    bool add_array(PyObject* value, PyObject* array, bool wants);
    bool put(PyObject* object, PyObject* table, int64_t number, Py_hash_t part);
};

// A form that is kept; it holds its parts.
class KeptForm {
public:
    KeptForm() = default;
    KeptForm(const KeptForm&) = delete;
    KeptForm& operator=(const KeptForm&) = delete;
    ~KeptForm() { clear(); }

    void keep(const Form& form);
    bool is(const Form& form) const;
    bool is_stale() const;  // no form from now on is this one

private:
    void clear();

    std::vector<Word> words_;
    uint64_t hash_ = 0;
};

// The classes of what stays what it is, and is told by identity: True, "mean", None, dtypes; and the context variable on which it depends where
// a call makes what it is not told a place for.
void tell_forms(PyObject* classes, PyObject* chosen);

// Every form from now on differs from those before.
void forget_forms();
int64_t generation_of_forms();  // how often that was

}  // namespace lamina
