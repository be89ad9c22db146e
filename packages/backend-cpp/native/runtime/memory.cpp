// The caching pool behind Memory: size classes at most a quarter apart, freed blocks kept up to a limit.
//
// What is shared lies behind `lock`: the GIL, or a lock of its own where there is none.
#include "runtime/memory.hpp"

#include <algorithm>

#include "runtime/gil.hpp"
#include "runtime/system_memory.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else  // only that sanitizer has to be told what is not in use
#define ASAN_POISON_MEMORY_REGION(address, size)
#define ASAN_UNPOISON_MEMORY_REGION(address, size)
#endif

namespace lamina {
namespace {

constexpr int64_t kAlign = 64;
constexpr int64_t kSmall = 1024;             // up to here one class per 64 bytes
constexpr int kSmallClasses = kSmall / kAlign;
constexpr int kClasses = kSmallClasses + 4 * 53;
constexpr int64_t kHuge = int64_t(4) << 20;  // from here, ask for huge pages: fewer faults
constexpr int64_t kHugeAlign = int64_t(2) << 20;
constexpr int64_t kMaxBytes = int64_t(1) << 60;
constexpr int kSpareObjects = 512;

struct Free {
    Free* next;
};

StateLock lock;
Free* free_blocks[kClasses];
Memory* spare[kSpareObjects];
int spares = 0;
PoolStatistics stats = {0, 0, 0, 0, 0, 0, 0};

int class_of(int64_t nbytes) {
    if (nbytes <= kSmall) return nbytes <= 0 ? 0 : int((nbytes - 1) / kAlign);
    const int log = 63 - __builtin_clzll(uint64_t(nbytes - 1));  // 2**log < nbytes <= 2**(log + 1), log >= 10
    return kSmallClasses + 4 * (log - 10) + int((nbytes - 1 - (int64_t(1) << log)) >> (log - 2));
}

int64_t class_bytes(int size_class) {
    if (size_class < kSmallClasses) return (size_class + 1) * kAlign;
    const int step = size_class - kSmallClasses;
    const int64_t base = int64_t(1) << (10 + step / 4);
    return base + (base >> 2) * (step % 4 + 1);
}

// Gives all freed blocks back to the system; false where there were none.
bool release_all() {
    Free* released[kClasses];
    {
        const Guard guard(lock);
        if (stats.cached_blocks == 0) return false;
        std::copy_n(free_blocks, kClasses, released);
        std::fill_n(free_blocks, kClasses, nullptr);
        stats.cached_bytes = stats.cached_blocks = 0;
    }
    for (int c = 0; c < kClasses; ++c)
        while (Free* block = released[c]) {
            released[c] = block->next;
            ASAN_UNPOISON_MEMORY_REGION(block, size_t(class_bytes(c)));
            free_block(block);
        }
    return true;
}

char* fresh_block(int64_t bytes) {
    const int64_t align = bytes >= kHuge ? kHugeAlign : kAlign;
    const int64_t whole = (bytes + align - 1) / align * align;
    char* block = aligned_block(align, whole);
    if (block == nullptr && release_all()) block = aligned_block(align, whole);  // give back what we hoard, and try once more
    if (block != nullptr && bytes >= kHuge) ask_for_huge_pages(block, bytes);
    return block;
}

// A freed block and a freed object; null where there is none.
struct Freed {
    char* data;
    Memory* object;
};

// Takes what a new Memory can be made of.
Freed take(int size_class) {
    const Guard guard(lock);
    Free* block = free_blocks[size_class];
    if (block != nullptr) {
        const int64_t bytes = class_bytes(size_class);
        free_blocks[size_class] = block->next;
        ASAN_UNPOISON_MEMORY_REGION(block, size_t(bytes));
        stats.cached_bytes -= bytes;
        stats.cached_blocks -= 1;
    }
    return {reinterpret_cast<char*>(block), spares > 0 ? spare[--spares] : nullptr};
}

// Keeps what a Memory was made of; what comes back is too much, and is to be freed.
Freed keep(Freed freed, int size_class) {
    const int64_t bytes = class_bytes(size_class);
    const Guard guard(lock);
    if (freed.data != nullptr) {
        stats.live_bytes -= bytes;
        stats.live_blocks -= 1;
        ASAN_UNPOISON_MEMORY_REGION(freed.data, size_t(bytes));
        if (stats.cached_bytes + bytes <= stats.limit) {
            auto* block = reinterpret_cast<Free*>(freed.data);
            block->next = free_blocks[size_class];
            free_blocks[size_class] = block;
            ASAN_POISON_MEMORY_REGION(block + 1, size_t(bytes) - sizeof(Free));
            stats.cached_bytes += bytes;
            stats.cached_blocks += 1;
            freed.data = nullptr;
        }
    }
    if (spares < kSpareObjects) {
        spare[spares++] = freed.object;
        freed.object = nullptr;
    }
    return freed;
}

void dealloc(PyObject* self) {
    auto* memory = reinterpret_cast<Memory*>(self);
    const Freed rest = keep({memory->data, memory}, memory->size_class);
    if (rest.data != nullptr) free_block(rest.data);
    if (rest.object != nullptr) PyObject_Free(rest.object);
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
    auto* memory = reinterpret_cast<Memory*>(self);
    return PyBuffer_FillInfo(view, self, memory->data, memory->nbytes, 0, flags);
}

Py_ssize_t length(PyObject* self) { return reinterpret_cast<Memory*>(self)->nbytes; }

PyObject* get_nbytes(PyObject* self, void*) { return PyLong_FromLongLong(reinterpret_cast<Memory*>(self)->nbytes); }

PyObject* get_address(PyObject* self, void*) { return PyLong_FromVoidPtr(reinterpret_cast<Memory*>(self)->data); }

PyObject* represent(PyObject* self) {
    return PyUnicode_FromFormat("<Memory of %lld bytes>", (long long)reinterpret_cast<Memory*>(self)->nbytes);
}

PyBufferProcs buffer_procs = {get_buffer, nullptr};
PySequenceMethods sequence = {};
PyGetSetDef getset[] = {{"nbytes", get_nbytes, nullptr, "How many bytes were asked for.", nullptr},
                        {"address", get_address, nullptr, "Where the first byte lies.", nullptr},
                        {}};

}  // namespace

PyTypeObject MemoryType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_backend_cpp._native.Memory"};

PyObject* allocate(PyObject*, PyObject* asked) {
    const Py_ssize_t nbytes = PyLong_AsSsize_t(asked);
    if (nbytes == -1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_MemoryError, "allocate: %R bytes do not fit into any memory", asked);
        }
        return nullptr;
    }
    return new_memory(nbytes);
}

PyObject* new_memory(int64_t nbytes) {
    if (nbytes < 0) return PyErr_Format(PyExc_ValueError, "allocate: %zd bytes given; it wants 0 or more", Py_ssize_t(nbytes));
    if (nbytes > kMaxBytes) return PyErr_Format(PyExc_MemoryError, "allocate: %zd bytes do not fit", Py_ssize_t(nbytes));
    const int size_class = class_of(nbytes);
    const int64_t bytes = class_bytes(size_class);
    const Freed freed = take(size_class);
    Memory* memory = freed.object;
    if (memory != nullptr) {
        PyObject_Init(reinterpret_cast<PyObject*>(memory), &MemoryType);
    } else {
        memory = PyObject_New(Memory, &MemoryType);
        if (memory == nullptr) {
            free_block(freed.data);
            return nullptr;
        }
    }
    memory->data = freed.data != nullptr ? freed.data : fresh_block(bytes);
    memory->nbytes = nbytes;
    memory->size_class = size_class;
    if (memory->data == nullptr) {
        Py_DECREF(memory);
        return PyErr_Format(PyExc_MemoryError, "allocate: %zd bytes given; there is not enough memory", Py_ssize_t(nbytes));
    }
    ASAN_POISON_MEMORY_REGION(memory->data + nbytes, size_t(bytes - nbytes));
    const Guard guard(lock);
    (freed.data != nullptr ? stats.hits : stats.misses) += 1;
    stats.live_bytes += bytes;
    stats.live_blocks += 1;
    return reinterpret_cast<PyObject*>(memory);
}

PoolStatistics pool_statistics() {
    const Guard guard(lock);
    return stats;
}

void empty_cache() {
    release_all();
    return_free_pages();
}

void set_cache_limit(int64_t nbytes) {
    bool exceeded;
    {
        const Guard guard(lock);
        stats.limit = std::max<int64_t>(nbytes, 0);
        exceeded = stats.cached_bytes > stats.limit;
    }
    if (exceeded) release_all();
}

int ready_memory() {
    stats.limit = std::min(int64_t(1) << 30, physical_memory() / 4);
    sequence.sq_length = length;
    MemoryType.tp_basicsize = sizeof(Memory);
    MemoryType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
    MemoryType.tp_doc = "Bytes of a flat array, aligned to 64; given back to a pool at the end. Made by allocate().";
    MemoryType.tp_dealloc = dealloc;
    MemoryType.tp_as_buffer = &buffer_procs;
    MemoryType.tp_as_sequence = &sequence;
    MemoryType.tp_getset = getset;
    MemoryType.tp_repr = represent;
    return PyType_Ready(&MemoryType);
}

}  // namespace lamina
