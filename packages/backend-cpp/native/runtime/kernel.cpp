// The Kernel type: turns C++ errors into Python's, and hands on what a native kernel leaves.
#include "runtime/kernel.hpp"

#include <cstddef>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <utility>

#include "runtime/gil.hpp"

namespace lamina {
namespace {

constexpr int kMaxKernels = 512;
Kernel* kernels[kMaxKernels];
int count = 0;

// A new reference to the inherited kernel; null for none.
PyObject* held(Kernel* kernel) {
    const Locked locked(reinterpret_cast<PyObject*>(kernel));
    return Py_XNewRef(kernel->inherited);
}

PyObject* call(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
    auto* kernel = reinterpret_cast<Kernel*>(self);
    const Py_ssize_t n = PyVectorcall_NARGS(flags);
    try {
        if (n < 1) fail(PyExc_TypeError, "%s: no arguments given; it wants out and then its inputs", kernel->name);
        if (kernel->run(*kernel, Call{kernel->name, arguments, n, names})) Py_RETURN_NONE;
    } catch (const PythonError&) {
        return nullptr;
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    } catch (const std::length_error&) {  // more than any vector holds
        return PyErr_NoMemory();
    }
    PyObject* inherited = held(kernel);  // another may be put there meanwhile, by itself or another thread
    if (inherited == nullptr)
        return PyErr_Format(PyExc_NotImplementedError,
                            "%s: this layout or dtype has no native kernel, and there is none to inherit", kernel->name);
    PyObject* result = PyObject_Vectorcall(inherited, arguments, flags, names);
    Py_DECREF(inherited);
    return result;
}

PyObject* get_name(PyObject* self, void*) { return PyUnicode_FromString(reinterpret_cast<Kernel*>(self)->name); }

PyObject* get_inherited(PyObject* self, void*) {
    PyObject* inherited = held(reinterpret_cast<Kernel*>(self));
    return inherited != nullptr ? inherited : Py_NewRef(Py_None);
}

int set_inherited(PyObject* self, PyObject* value, void*) {
    if (value == nullptr || (value != Py_None && !PyCallable_Check(value))) {
        PyErr_SetString(PyExc_TypeError, "inherited: it wants a callable or None");
        return -1;
    }
    PyObject* before;
    {
        const Locked locked(self);
        before = std::exchange(reinterpret_cast<Kernel*>(self)->inherited, value == Py_None ? nullptr : Py_NewRef(value));
    }
    Py_XDECREF(before);
    return 0;
}

PyObject* get_dtypes(PyObject* self, void*) {
    auto* kernel = reinterpret_cast<Kernel*>(self);
    PyObject* list = PyList_New(0);
    if (list == nullptr) return nullptr;
    for (int code = 0; code < kCodes; ++code) {
        if (kernel->rows[code] == nullptr) continue;
        PyObject* name = PyUnicode_FromString(kNames[code]);
        if (name == nullptr || PyList_Append(list, name) < 0) {
            Py_XDECREF(name);
            Py_DECREF(list);
            return nullptr;
        }
        Py_DECREF(name);
    }
    PyObject* tuple = PyList_AsTuple(list);
    Py_DECREF(list);
    return tuple;
}

PyObject* represent(PyObject* self) {
    return PyUnicode_FromFormat("<native kernel %s>", reinterpret_cast<Kernel*>(self)->name);
}

PyGetSetDef getset[] = {
    {"__name__", get_name, nullptr, "The op.", nullptr},
    {"dtypes", get_dtypes, nullptr, "Names of the dtypes that are served natively.", nullptr},
    {"inherited", get_inherited, set_inherited, "The kernel that does what this one does not; None for none.", nullptr},
    {}};

}  // namespace

PyTypeObject KernelType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_backend_cpp._native.Kernel"};

int ready_kernels() {
    KernelType.tp_basicsize = sizeof(Kernel);
    KernelType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_HAVE_VECTORCALL;
    KernelType.tp_vectorcall_offset = offsetof(Kernel, vectorcall);
    KernelType.tp_call = PyVectorcall_Call;
    KernelType.tp_getset = getset;
    KernelType.tp_repr = represent;
    KernelType.tp_doc = "The kernel of one op: kernel(out, *inputs, **parameters).";
    return PyType_Ready(&KernelType);
}

Kernel* find_kernel(const char* name) {
    for (int i = 0; i < count; ++i)
        if (std::strcmp(kernels[i]->name, name) == 0) return kernels[i];
    return nullptr;
}

Kernel& kernel_named(const char* name, bool (*run)(const Kernel&, const Call&)) {
    if (Kernel* known = find_kernel(name)) {
        known->run = run;
        return *known;
    }
    Kernel* kernel = PyObject_New(Kernel, &KernelType);
    if (kernel == nullptr || count == kMaxKernels) throw std::bad_alloc();
    kernel->vectorcall = call;
    kernel->run = run;
    kernel->name = name;
    kernel->inherited = nullptr;
    kernel->index = 0;
    for (auto& row : kernel->rows) row = nullptr;
    kernels[count++] = kernel;
    return *kernel;
}

int kernel_count() { return count; }

Kernel& kernel_at(int i) { return *kernels[i]; }

namespace {

const Registration* registrations = nullptr;  // the last one constructed; set before any of them is

}  // namespace

Registration::Registration(void (*kernels)(const Loops&), Order order) : kernels_(kernels), order_(order), next_(registrations) {
    registrations = this;
}

void Registration::run_all(const Loops& loops) {
    for (const Order order : {kFirst, kAfterRows})
        for (const Registration* each = registrations; each != nullptr; each = each->next_)
            if (each->order_ == order) each->kernels_(loops);
}

void Call::require_inputs(Py_ssize_t inputs) const {
    if (count != inputs + 1 || names != nullptr)
        fail(PyExc_TypeError, "%s: %zd arguments%s given; it wants out and %zd inputs", op, count,
             names != nullptr ? " and keywords" : "", inputs);
}

PyObject* Call::keyword(const char* name) const {
    const Py_ssize_t n = names != nullptr ? PyTuple_GET_SIZE(names) : 0;
    for (Py_ssize_t tried = 0; tried < n; ++tried) {
        const Py_ssize_t i = next < n ? next : 0;
        next = i + 1;
        PyObject* given = PyTuple_GET_ITEM(names, i);
        if (PyUnicode_READ_CHAR(given, 0) == Py_UCS4(name[0]) && PyUnicode_CompareWithASCIIString(given, name) == 0)
            return positional[count + i];
    }
    fail(PyExc_TypeError, "%s: the parameter `%s` is missing", op, name);
}

void Call::require_keywords(Py_ssize_t expected) const {
    const Py_ssize_t n = names != nullptr ? PyTuple_GET_SIZE(names) : 0;
    if (n != expected) fail(PyExc_TypeError, "%s: %zd parameters given; it wants %zd", op, n, expected);
}

}  // namespace lamina
