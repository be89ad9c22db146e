// Finds the state by the public C interface of NumPy's bit generators, and makes sure once that it lies there as we think.
#include "kernels/random/stream.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "runtime/operand.hpp"
#include "runtime/slots.hpp"

namespace lamina {
namespace {

// Names of attributes, made with the module: a guarded `static` would let a thread wait for another that waits for the GIL.
struct {
    PyObject *lock, *acquire, *release, *source, *kept, *bits, *capsule, *fresh, *next_normal;
} names;

Slots<2> generator_slots({"lock", "_source"});
Slots<3> source_slots({"_bits", "_fresh", "next_normal"});

// What a slot holds, or else the attribute: a new reference.
template <int N>
PyObject* held_by(PyObject* owner, Slots<N>& slots, int which, PyObject* name) {
    if (const Py_ssize_t* offsets = slots.find(Py_TYPE(owner))) {
        const InSlot found(owner, offsets[which]);
        if (found != nullptr) return Py_NewRef(static_cast<PyObject*>(found));
    }
    return PyObject_GetAttr(owner, name);
}

// The engine that was drawn from last, held, and where its state lies. With the GIL alone.
struct {
    PyObject* engine;
    void* state;
} usual = {};

// The state of a bit generator; null where it has none that is known. bitgen_t begins with the address of the engine's state.
void* state_of(PyObject* engine) {
    if (!kFreeThreaded && engine == usual.engine) return usual.state;
    PyObject* handle = PyObject_GetAttr(engine, names.capsule);
    if (handle == nullptr) return nullptr;
    void* const interface = PyCapsule_GetPointer(handle, "BitGenerator");
    void* const state = interface != nullptr ? *static_cast<void**>(interface) : nullptr;
    Py_DECREF(handle);
    if (!kFreeThreaded && state != nullptr) {
        PyObject* before = std::exchange(usual.engine, Py_NewRef(engine));
        usual.state = state;
        Py_XDECREF(before);
    }
    return state;
}

std::atomic<PyObject*> known_source{nullptr};  // found without a guard: an import lets other threads run
std::atomic<int> known{-1};                    // whether the state lies as we think: looked at once

PyTypeObject* source_type() {  // lamina_flatarray's MT19937
    PyObject* type = known_source.load(std::memory_order_acquire);
    if (type == nullptr) {
        Owned module(PyImport_ImportModule("lamina_flatarray.random.mt19937"));
        type = PyObject_GetAttrString(module.object, "MT19937");
        if (type == nullptr) throw PythonError{};
        known_source.store(type, std::memory_order_release);
    }
    return reinterpret_cast<PyTypeObject*>(type);
}

bool lies_as_expected(PyObject* bits, const uint32_t* key, int index) {
    Owned whole(PyObject_GetAttrString(bits, "state"));
    Owned inner(PyMapping_GetItemString(whole.object, "state"));
    Owned said(PyMapping_GetItemString(inner.object, "pos"));
    Owned words(PyMapping_GetItemString(inner.object, "key"));
    if (PyLong_AsLong(said.object) != index) return false;
    Py_buffer buffer;
    if (PyObject_GetBuffer(words.object, &buffer, PyBUF_SIMPLE) < 0) throw PythonError{};
    const bool same = buffer.len == 624 * 4 && std::memcmp(buffer.buf, key, 624 * 4) == 0;
    PyBuffer_Release(&buffer);
    return same;
}

}  // namespace

int ready_streams() {
    const struct {
        PyObject** made;
        const char* text;
    } wanted[] = {{&names.lock, "lock"},       {&names.acquire, "acquire"}, {&names.release, "release"},
                  {&names.source, "source"},   {&names.kept, "_source"},    {&names.bits, "_bits"},
                  {&names.capsule, "capsule"}, {&names.fresh, "_fresh"},    {&names.next_normal, "next_normal"}};
    for (const auto& name : wanted)
        if ((*name.made = PyUnicode_InternFromString(name.text)) == nullptr) return -1;
    return 0;
}

Stream::Stream(PyObject* generator, const RandomLoops& loops) : loops_(loops) {
    PyTypeObject* const wanted = source_type();
    lock_ = held_by(generator, generator_slots, 0, names.lock);
    if (lock_ == nullptr) throw PythonError{};
    PyObject* held = PyObject_CallMethodNoArgs(lock_, names.acquire);
    if (held == nullptr) {
        Py_CLEAR(lock_);
        throw PythonError{};
    }
    Py_DECREF(held);
    source_ = held_by(generator, generator_slots, 1, names.kept);
    if (source_ == Py_None) {
        Py_DECREF(source_);
        source_ = PyObject_GetAttr(generator, names.source);
    }
    PyObject* engine = source_ != nullptr && Py_IS_TYPE(source_, wanted) ? held_by(source_, source_slots, 0, names.bits) : nullptr;
    state_ = engine != nullptr ? static_cast<State*>(state_of(engine)) : nullptr;
    try {
        if (state_ != nullptr && known < 0) known = lies_as_expected(engine, state_->key, state_->pos);
    } catch (const PythonError&) {
    }
    Py_XDECREF(engine);
    PyErr_Clear();
    served = state_ != nullptr && known == 1;
}

Stream::~Stream() {
    Py_XDECREF(source_);
    if (lock_ == nullptr) return;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    Py_XDECREF(PyObject_CallMethodNoArgs(lock_, names.release));
    PyErr_Restore(type, value, trace);
    Py_DECREF(lock_);
}

void Stream::twist() {
    loops_.twist(state_->key);
    state_->pos = 0;
}

void Stream::words(uint32_t* to, int64_t n) {
    while (n > 0) {
        if (state_->pos >= 624) twist();
        const int64_t some = std::min<int64_t>(n, 624 - state_->pos);
        loops_.temper(state_->key + state_->pos, to, some);
        state_->pos += int(some);
        to += some;
        n -= some;
    }
}

void Stream::note_drawn() {
    Owned fresh(held_by(source_, source_slots, 1, names.fresh));
    if (fresh.object != Py_False && PyObject_SetAttr(source_, names.fresh, Py_False) < 0) throw PythonError{};
}

bool Stream::waiting_normal(double& value) {
    Owned waiting(held_by(source_, source_slots, 2, names.next_normal));
    if (waiting.object == Py_None) return false;
    value = PyFloat_AsDouble(waiting.object);
    if (value == -1.0 && PyErr_Occurred()) throw PythonError{};
    if (PyObject_SetAttr(source_, names.next_normal, Py_None) < 0) throw PythonError{};
    return true;
}

void Stream::leave_normal(double value) {
    Owned number(PyFloat_FromDouble(value));
    if (PyObject_SetAttr(source_, names.next_normal, number.object) < 0) throw PythonError{};
}

}  // namespace lamina
