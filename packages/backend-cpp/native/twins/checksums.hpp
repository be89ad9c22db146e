// The CRC-32 of bytes, as zip archives have it.
#pragma once

#include <Python.h>

namespace lamina {

// Whether this processor multiplies polynomials, without which Python's own is as fast.
bool has_crc32();

// crc32(data, value=0): as zlib.crc32, of any contiguous buffer.
PyObject* crc32(PyObject* self, PyObject* const* arguments, Py_ssize_t count);

}  // namespace lamina
