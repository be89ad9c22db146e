// Memory: blocks that remember their size, handed out from a bounded pool of freed ones.
#pragma once

#include <Python.h>

#include <cstdint>

namespace lamina {

struct Memory {
    PyObject_HEAD
    char* data;
    int64_t nbytes;  // what was asked for
    int size_class;
};

extern PyTypeObject MemoryType;

struct PoolStatistics {
    int64_t hits, misses, live_bytes, cached_bytes, live_blocks, cached_blocks, limit;
};

PyObject* allocate(PyObject* self, PyObject* nbytes);  // METH_O: allocate(nbytes) -> Memory
PyObject* new_memory(int64_t nbytes);                 // a Memory; null with an exception set
PoolStatistics pool_statistics();
void empty_cache();
void set_cache_limit(int64_t nbytes);
int ready_memory();  // prepares the type; -1 with an exception set on failure

}  // namespace lamina
