// Operands as kernels see them: an address, a dtype, a shape and strides, checked to lie within their memory.
#pragma once

#include <Python.h>

#include <cstdint>

#include "dtypes/dtypes.hpp"

namespace lamina {

constexpr int kMaxDims = 64;

// Thrown where a Python exception is already set; entry points turn it into a NULL return.
struct PythonError {};

[[noreturn]] void fail(PyObject* type, const char* format, ...);

// A new reference, given back at the end; null means that an exception is set.
struct Owned {
    PyObject* object;
    explicit Owned(PyObject* o) : object(o) {
        if (o == nullptr) throw PythonError{};
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() { Py_DECREF(object); }
};

// What a layout's packed bytes say, and the lowest and highest item that they reach.
struct Geometry {
    int ndim = 0;
    int64_t offset = 0, size = 1, low = 0, high = 0;
    bool contiguous = true;
    const int64_t* shape = nullptr;
    const int64_t* strides = nullptr;
};

// One operand for the length of one call. Holds its memory, so that the GIL can be released.
class View {
   public:
    View() = default;
    View(const View&) = delete;
    View& operator=(const View&) = delete;
    ~View() { release(); }

    // Reads `operand`; `alike` is an operand read before whose geometry is taken over if the layout is the same.
    void read(PyObject* operand, bool writable, const char* op, const View* alike = nullptr);

    // A Python number as an item of dtype `to` that every index reads; false if `number` is not one.
    bool read_scalar(PyObject* number, int to, const char* op);

    char* data = nullptr;  // the item at index 0, 0, ...
    int code = -1;
    bool scalar = false;
    Geometry g;

    int itemsize() const { return kItemSize[code]; }

   private:
    void release();
    void attach(PyObject* memory, int64_t byte_offset, bool writable, const char* op);
    void read_slowly(PyObject* operand, bool writable, const char* op);
    void read_geometry(PyObject* packed, const char* op, const View* alike);

    PyObject* memory_ = nullptr;
    PyObject* packed_ = nullptr;
    bool buffered_ = false;
    Py_buffer buffer_;
    alignas(16) char item_[16];
};

// Writes a Python number as an item of dtype `code`; false if it is not a number at all.
bool write_item(PyObject* number, int code, char* item, const char* op);

// Whether the object looks like an operand (it has `flat` and `layout`), with no exception left set.
bool is_operand(PyObject* object);

// What the quickest path needs of an operand: no reference is held, so nothing may run in between that frees it, and no
// other thread: there is no such path without the GIL.
struct Glance {
    PyObject *packed, *memory;
    char* start;     // of the flat array
    int64_t nbytes;  // from there to the end of memory
    int code;
};

// Fills in a Glance for the usual classes over this backend's own memory; false for anything else.
bool glance(PyObject* operand, Glance& seen);

// What a layout's packed bytes say; false if they are not those of a layout.
bool measure(PyObject* packed, Geometry& g);

void require_same_shape(const View& out, const View& in, const char* op);

// Whether two operands may share memory.
bool may_meet(const View& a, const View& b);

}  // namespace lamina
