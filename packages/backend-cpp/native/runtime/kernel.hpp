// Kernel: the Python callable of one op, with the rows that serve it and the kernel that it inherits.
#pragma once

#include <Python.h>

#include <memory>

#include "dtypes/dtypes.hpp"
#include "loops/loops.hpp"
#include "runtime/operand.hpp"

namespace lamina {

// What a kernel was called with.
struct Call {
    const char* op;
    PyObject* const* positional;
    Py_ssize_t count;
    PyObject* names;  // a tuple of keywords, or null; their values follow the positional arguments

    void require_inputs(Py_ssize_t inputs) const;  // besides `out`, and no keywords
    PyObject* keyword(const char* name) const;     // borrowed; raises where it is missing
    void require_keywords(Py_ssize_t expected) const;
};

struct Kernel {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    // Does the work, or returns false where it leaves it to the inherited kernel, with nothing written.
    bool (*run)(const Kernel&, const Call&);
    const char* name;
    PyObject* inherited;
    const void* rows[kCodes];  // by dtype of the table; null where it is not served
    int index;                 // free for the family's use
};

extern PyTypeObject KernelType;
int ready_kernels();  // prepares the type

// Makes the kernel of an op, or finds it; kernels live as long as the process.
Kernel& kernel_named(const char* name, bool (*run)(const Kernel&, const Call&));
Kernel* find_kernel(const char* name);
int kernel_count();
Kernel& kernel_at(int i);

// Each family registers its kernels.
void register_maps(const Loops&);
void register_special_maps(const Loops&);
const Maps& complex_maps();
const Maps& rare_maps();  // of dtypes that are compiled for any processor only
void register_folds(const Loops&);
const Folds& rare_folds();
void register_softmax(const Loops&);
void register_matmul(const Loops&);
void register_updates(const Loops&);
void register_vectors(const Loops&);
void register_copies();
void register_joining();
void register_convolutions(const Loops&);
void register_pools(const Loops&);
void register_softmax_gradients(const Loops&);
void register_class_losses(const Loops&);
void register_norms(const Loops&);
void register_batch_norms(const Loops&);
void register_group_norms(const Loops&);
void register_recurrences(const Loops&);
void register_attention(const Loops&);
void register_gathers();
void register_along_axis();
void register_places();
void register_scans(const Loops&);
void register_sorts();
void register_searches();
void register_distinct();
void register_binary_parts();
void register_cross_products();
void register_counts();
void register_equality();
void register_draws(const Loops&);
void register_weighted_items(const Loops&);
void register_dropout(const Loops&);
void register_fourier(const Loops&);
void register_factorizations();
void register_reflections(const Loops&);
void register_jacobi(const Loops&);
void register_nonzero();
void register_triangles();
void register_running_extremes();

// Moves items of one dtype, or casts them; out first.
MapLoop copy_loop(int to, int from);

// Which of x's dimensions are folded, as bits; checks `axes`, and out's shape.
uint64_t folded_axes(const View& out, const View& x, PyObject* axes, const char* op);

inline const void* const kServed = "served";  // for rows whose kernel needs no data of its own

}  // namespace lamina
