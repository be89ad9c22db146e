// Reads operands straight from the slots of their Python objects; any other kind of object by its attributes.
#include "runtime/operand.hpp"

#include <cmath>
#include <cstdarg>
#include <limits>

#include "dtypes/number.hpp"
#include "runtime/memory.hpp"
#include "runtime/slots.hpp"

namespace lamina {

void fail(PyObject* type, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    PyErr_FormatV(type, format, arguments);
    va_end(arguments);
    throw PythonError{};
}

namespace {

Slots<2> operand_slots({"flat", "layout"});
Slots<3> flat_slots({"memory", "offset", "dtype"});
Slots<1> layout_slots({"packed"});
Slots<1> dtype_slots({"code"});

int checked_code(PyObject* number, const char* op) {
    const long code = PyLong_AsLong(number);
    if (code == -1 && PyErr_Occurred()) throw PythonError{};
    if (code < 0 || code >= kCodes) fail(PyExc_TypeError, "%s: dtype code %ld is unknown here", op, code);
    return int(code);
}

int code_of(PyObject* dtype, const char* op) {
    const Py_ssize_t* offsets = dtype_slots.find(Py_TYPE(dtype));
    if (offsets != nullptr && at(dtype, offsets[0]) != nullptr) return checked_code(InSlot(dtype, offsets[0]), op);
    return checked_code(Owned(PyObject_GetAttrString(dtype, "code")).object, op);
}

int64_t byte_offset_of(PyObject* number, const char* op) {
    const Py_ssize_t offset = PyLong_AsSsize_t(number);
    if (offset == -1 && PyErr_Occurred()) throw PythonError{};
    if (offset < 0) fail(PyExc_ValueError, "%s: a flat array begins at byte %zd; it wants 0 or more", op, offset);
    return offset;
}

// Fills in the size, the extent and whether items are in C order; false where that exceeds 62 bits.
inline bool measure_dims(Geometry& g) {
    constexpr int64_t kLimit = int64_t(1) << 59;
    int64_t low = g.offset, high = g.offset, size = 1, expected = 1;
    bool contiguous = true;
    for (int d = g.ndim - 1; d >= 0; --d) {
        const int64_t n = g.shape[d], stride = g.strides[d];
        if (n < 0) return false;
        if (n == 0) {
            g.size = 0;
            g.low = g.high = g.offset;
            g.contiguous = true;
            return true;
        }
        if (__builtin_mul_overflow(size, n, &size)) return false;
        if (n == 1) continue;
        int64_t reach;
        if (__builtin_mul_overflow(n - 1, stride, &reach)) return false;
        int64_t& end = reach > 0 ? high : low;
        if (__builtin_add_overflow(end, reach, &end)) return false;
        contiguous = contiguous && stride == expected;
        expected = size;
    }
    g.size = size;
    g.low = low;
    g.high = high;
    g.contiguous = contiguous;
    return high < kLimit - 1 && low > -kLimit;
}

// The classes of the last operand whose every part lay in slots, and where; and a dtype, of which a reference is held, with its code. With
// the GIL alone.
struct Usual {
    PyTypeObject *operand, *flat, *layout, *dtype_class;
    Py_ssize_t at_flat, at_layout, at_memory, at_offset, at_dtype, at_packed, at_code;
    PyObject* dtype;
    int code;
} usual = {};

// The code of a dtype of the usual class; -1 of another one.
inline int usual_code(PyObject* dtype) {
    if (dtype == usual.dtype) return usual.code;
    PyObject* number = Py_TYPE(dtype) == usual.dtype_class ? at(dtype, usual.at_code) : nullptr;
    const long code = number == nullptr ? -1 : PyLong_AsLong(number);
    if (code < 0 || code >= kCodes) {
        PyErr_Clear();
        return -1;
    }
    Py_XSETREF(usual.dtype, Py_NewRef(dtype));
    usual.code = int(code);
    return usual.code;
}

}  // namespace

bool measure(PyObject* packed, Geometry& g) {
    if (!PyBytes_Check(packed)) return false;
    const auto* words = reinterpret_cast<const int64_t*>(PyBytes_AS_STRING(packed));
    const Py_ssize_t length = PyBytes_GET_SIZE(packed);
    const int64_t ndim = length >= 16 ? words[0] : -1;
    if (ndim < 0 || ndim > kMaxDims || length != Py_ssize_t(16 + 16 * ndim)) return false;
    g.ndim = int(ndim);
    g.offset = words[1];
    g.shape = words + 2;
    g.strides = words + 2 + ndim;
    return measure_dims(g);
}

bool glance(PyObject* operand, Glance& seen) {
    if (kFreeThreaded || Py_TYPE(operand) != usual.operand) return false;
    PyObject* flat = at(operand, usual.at_flat);
    PyObject* layout = at(operand, usual.at_layout);
    if (flat == nullptr || layout == nullptr || Py_TYPE(flat) != usual.flat || Py_TYPE(layout) != usual.layout) return false;
    PyObject* memory = at(flat, usual.at_memory);
    PyObject* offset = at(flat, usual.at_offset);
    PyObject* dtype = at(flat, usual.at_dtype);
    seen.packed = at(layout, usual.at_packed);
    if (memory == nullptr || offset == nullptr || dtype == nullptr || seen.packed == nullptr) return false;
    if (!Py_IS_TYPE(memory, &MemoryType) || !PyLong_CheckExact(offset)) return false;
    const int code = usual_code(dtype);
    if (code < 0) return false;
    static PyObject* const zero = PyLong_FromLong(0);
    int64_t begin = 0;
    if (offset != zero) {
        begin = PyLong_AsSsize_t(offset);
        if (begin < 0) {
            PyErr_Clear();
            return false;
        }
    }
    auto* block = reinterpret_cast<Memory*>(memory);
    seen.memory = memory;
    seen.start = block->data + begin;
    seen.nbytes = block->nbytes - begin;
    seen.code = code;
    return (begin & (kAlignment[code] - 1)) == 0;
}

void View::release() {
    if (buffered_) {
        PyBuffer_Release(&buffer_);
        buffered_ = false;
    }
    Py_CLEAR(memory_);
    Py_CLEAR(packed_);
}

void View::read(PyObject* operand, bool writable, const char* op, const View* alike) {
    Glance seen;
    if (glance(operand, seen)) {
        code = seen.code;
        read_geometry(seen.packed, op, alike);
        if (g.low >= 0 && (g.high + 1) * kItemSize[code] <= seen.nbytes) {
            memory_ = Py_NewRef(seen.memory);
            data = seen.start + g.offset * kItemSize[code];
            return;
        }
        Py_CLEAR(packed_);  // an error, mostly: what follows tells it
    }
    const Py_ssize_t* own = operand_slots.find(Py_TYPE(operand));
    if (own == nullptr) return read_slowly(operand, writable, op);
    const InSlot flat(operand, own[0]), layout(operand, own[1]);
    if (flat == nullptr || layout == nullptr) return read_slowly(operand, writable, op);
    const Py_ssize_t* of_flat = flat_slots.find(Py_TYPE(flat));
    const Py_ssize_t* of_layout = layout_slots.find(Py_TYPE(layout));
    if (of_flat == nullptr || of_layout == nullptr) return read_slowly(operand, writable, op);
    const InSlot memory(flat, of_flat[0]), offset(flat, of_flat[1]), dtype(flat, of_flat[2]), packed(layout, of_layout[0]);
    if (memory == nullptr || offset == nullptr || dtype == nullptr || packed == nullptr)
        return read_slowly(operand, writable, op);
    if (!kFreeThreaded) {
        const Py_ssize_t* of_dtype = dtype_slots.find(Py_TYPE(dtype));
        usual = {Py_TYPE(operand), Py_TYPE(flat), Py_TYPE(layout), of_dtype == nullptr ? nullptr : Py_TYPE(dtype), own[0], own[1],
                 of_flat[0], of_flat[1], of_flat[2], of_layout[0], of_dtype == nullptr ? 0 : of_dtype[0], usual.dtype, usual.code};
    }
    code = code_of(dtype, op);
    read_geometry(packed, op, alike);
    attach(memory, byte_offset_of(offset, op), writable, op);
}

void View::read_slowly(PyObject* operand, bool writable, const char* op) {
    Owned flat(PyObject_GetAttrString(operand, "flat"));
    Owned layout(PyObject_GetAttrString(operand, "layout"));
    Owned memory(PyObject_GetAttrString(flat.object, "memory"));
    Owned offset(PyObject_GetAttrString(flat.object, "offset"));
    Owned dtype(PyObject_GetAttrString(flat.object, "dtype"));
    Owned packed(PyObject_GetAttrString(layout.object, "packed"));
    code = code_of(dtype.object, op);
    read_geometry(packed.object, op, nullptr);
    attach(memory.object, byte_offset_of(offset.object, op), writable, op);
}

void View::read_geometry(PyObject* packed, const char* op, const View* alike) {
    if (alike != nullptr && alike->packed_ == packed) {
        g = alike->g;
    } else {
        if (!PyBytes_Check(packed))
            fail(PyExc_TypeError, "%s: layout.packed is a %s; it wants bytes", op, Py_TYPE(packed)->tp_name);
        if (!measure(packed, g))
            fail(PyExc_ValueError, "%s: %zd packed bytes do not make a layout of 0 to %d dimensions within 64-bit addresses",
                 op, PyBytes_GET_SIZE(packed), kMaxDims);
    }
    packed_ = Py_NewRef(packed);
}

void View::attach(PyObject* memory, int64_t byte_offset, bool writable, const char* op) {
    char* start;
    int64_t nbytes;
    if (Py_IS_TYPE(memory, &MemoryType)) {
        auto* block = reinterpret_cast<Memory*>(memory);
        start = block->data;
        nbytes = block->nbytes;
    } else {
        if (PyObject_GetBuffer(memory, &buffer_, writable ? PyBUF_WRITABLE : PyBUF_SIMPLE) < 0) throw PythonError{};
        buffered_ = true;
        start = static_cast<char*>(buffer_.buf);
        nbytes = buffer_.len;
    }
    memory_ = Py_NewRef(memory);
    const int64_t item = kItemSize[code];
    if (g.size == 0) {
        data = start;  // never read
        return;
    }
    // |low| and high + 1 are below 2**59 and items have at most 16 bytes: no overflow but in `byte_offset +`.
    if (g.low < 0 || byte_offset > nbytes || (g.high + 1) * item > nbytes - byte_offset)
        fail(PyExc_ValueError,
             "%s: a layout reaches items %lld to %lld of %s, but its memory has %lld bytes from byte %lld on", op,
             (long long)g.low, (long long)g.high, kNames[code], (long long)nbytes, (long long)byte_offset);
    data = start + byte_offset + g.offset * item;
    if ((reinterpret_cast<uintptr_t>(data) & uintptr_t(kAlignment[code] - 1)) != 0)
        fail(PyExc_ValueError, "%s: the items of %s are not aligned to %d bytes", op, kNames[code], kAlignment[code]);
}

bool View::read_scalar(PyObject* number, int to, const char* op) {
    code = to;
    if (!write_item(number, to, item_, op)) return false;
    data = item_;
    scalar = true;
    return true;
}

bool is_operand(PyObject* object) {
    if (operand_slots.find(Py_TYPE(object)) != nullptr) return true;
    if (PyFloat_Check(object) || PyLong_Check(object)) return false;
    if (PyObject_HasAttrString(object, "layout")) return true;
    return false;
}

void require_same_shape(const View& out, const View& in, const char* op) {
    bool same = in.g.ndim == out.g.ndim;
    for (int d = 0; same && d < in.g.ndim; ++d) same = in.g.shape[d] == out.g.shape[d];
    if (!same) fail(PyExc_ValueError, "%s: an input does not have out's shape; it must be broadcast to it first", op);
}

bool may_meet(const View& a, const View& b) {
    if (a.g.size == 0 || b.g.size == 0 || a.scalar || b.scalar) return false;
    const auto low = [](const View& v) { return v.data + (v.g.low - v.g.offset) * v.itemsize(); };
    const auto end = [](const View& v) { return v.data + (v.g.high - v.g.offset + 1) * v.itemsize(); };
    return low(a) < end(b) && low(b) < end(a);
}

// -- numbers ---------------------------------------------------------------------------------------------------------

namespace {

double real_of(PyObject* number, const char* op) {
    if (PyFloat_Check(number)) return PyFloat_AS_DOUBLE(number);
    if (PyComplex_Check(number)) fail(PyExc_TypeError, "%s: a complex number does not fit into a real dtype", op);
    const double value = PyFloat_AsDouble(number);
    if (value == -1.0 && PyErr_Occurred()) throw PythonError{};
    return value;
}

// The integer modulo 2**64: integers that do not fit wrap, as in the reference. A float is refused: it has a fraction.
uint64_t integer_of(PyObject* number, int code, const char* op) {
    if (!PyLong_Check(number))
        fail(PyExc_TypeError, "%s: a %s does not fit into %s", op, Py_TYPE(number)->tp_name, kNames[code]);
    const uint64_t value = PyLong_AsUnsignedLongLongMask(number);
    if (value == ~uint64_t(0) && PyErr_Occurred()) throw PythonError{};
    return value;
}

template <class T>
void put(char* item, T value) {
    std::memcpy(item, &value, sizeof value);
}

}  // namespace

bool write_item(PyObject* number, int code, char* item, const char* op) {
    if (!PyFloat_Check(number) && !PyLong_Check(number) && !PyComplex_Check(number)) return false;
    switch (code) {
        case kFloat32: put(item, float(real_of(number, op))); break;
        case kFloat64: put(item, real_of(number, op)); break;
        case kFloat16: put(item, Half::from(real_of(number, op))); break;
        case kBFloat16: put(item, BFloat16::from(real_of(number, op))); break;
        case kComplex64:
        case kComplex128: {
            const Py_complex value = PyComplex_AsCComplex(number);
            if (value.real == -1.0 && PyErr_Occurred()) throw PythonError{};
            if (code == kComplex64) {
                put(item, float(value.real));
                put(item + 4, float(value.imag));
            } else {
                put(item, value.real);
                put(item + 8, value.imag);
            }
            break;
        }
        case kBool: {
            const int is_true = PyObject_IsTrue(number);
            if (is_true < 0) throw PythonError{};
            put(item, uint8_t(is_true));
            break;
        }
        default: {
            const uint64_t value = integer_of(number, code, op);
            std::memcpy(item, &value, size_t(kItemSize[code]));  // little endian: the low bytes
        }
    }
    return true;
}

}  // namespace lamina
