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

    mutable Py_ssize_t next = 0;  // the keyword that is looked at first: they mostly come in the order in which they are asked for
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

// Makes the kernel of an op, or finds it, and says what it runs; kernels live as long as the process.
Kernel& kernel_named(const char* name, bool (*run)(const Kernel&, const Call&));
Kernel* find_kernel(const char* name);
int kernel_count();
Kernel& kernel_at(int i);

// Registers the kernels of a file: one stands next to them, and there is no other list.
class Registration {
   public:
    enum Order { kFirst, kAfterRows };  // the latter: those that take over rows which others bring

    explicit Registration(void (*kernels)(const Loops&), Order order = kFirst);
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

    static void run_all(const Loops& loops);

   private:
    void (*kernels_)(const Loops&);
    Order order_;
    const Registration* next_;
};

inline const void* const kServed = "served";  // for rows whose kernel needs no data of its own

}  // namespace lamina
