// The Python module: kernels by op, memory, threads.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "kernels/fusing/fuse.hpp"
#include "kernels/fusing/fused_kernel.hpp"
#include "kernels/random/stream.hpp"
#include "runtime/kernel.hpp"
#include "runtime/memory.hpp"
#include "runtime/threads.hpp"
#include "twins/checksums.hpp"
#include "twins/readers.hpp"

namespace py = pybind11;

namespace {

PyMethodDef allocate_method = {"allocate", lamina::allocate, METH_O,
                               "allocate(nbytes)\n--\n\nUninitialised Memory, aligned to 64 bytes."};

template <PyObject* (*make)(PyObject*, PyObject* const*, Py_ssize_t)>
PyMethodDef* method(const char* name, const char* doc) {
    static PyMethodDef definition = {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(make)), METH_FASTCALL, doc};
    return &definition;
}

void put(py::module_& module, PyMethodDef* method) {
    module.attr(method->ml_name) = py::reinterpret_steal<py::object>(PyCFunction_New(method, nullptr));
}

py::dict memory_stats() {
    const lamina::PoolStatistics s = lamina::pool_statistics();
    py::dict result;
    result["hits"] = s.hits;
    result["misses"] = s.misses;
    result["live_bytes"] = s.live_bytes;
    result["live_blocks"] = s.live_blocks;
    result["cached_bytes"] = s.cached_bytes;
    result["cached_blocks"] = s.cached_blocks;
    result["limit"] = s.limit;
    return result;
}

py::dict capabilities() {
    py::dict result;
    for (int i = 0; i < lamina::kernel_count(); ++i) {
        py::object kernel = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(&lamina::kernel_at(i)));
        result[kernel.attr("__name__")] = kernel.attr("dtypes");
    }
    return result;
}

py::object kernel(const std::string& op) {
    lamina::Kernel* found = lamina::find_kernel(op.c_str());
    if (found == nullptr) throw py::key_error("there is no native kernel of " + op);
    return py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(found));
}

void set_num_threads(int n) {
    if (n < 1 || n > 1024) throw py::value_error("set_num_threads: " + std::to_string(n) + " given; it wants 1 to 1024");
    lamina::set_num_threads(n);
}

void set_limit(int64_t nbytes) {
    if (nbytes < 0) throw py::value_error("set_limit: " + std::to_string(nbytes) + " bytes given; it wants 0 or more");
    lamina::set_cache_limit(nbytes);
}

}  // namespace

PYBIND11_MODULE(_native, module, py::mod_gil_not_used()) {
    module.doc() = "Kernels and memory of the cpp backend.";
    if (lamina::loops_that_run() == nullptr)
        throw py::import_error("its kernels were compiled for another processor, or for other instructions than LAMINA_CPP_ISA allows");
    if (lamina::ready_memory() < 0 || lamina::ready_kernels() < 0 || lamina::ready_readers() < 0 ||
        lamina::ready_streams() < 0 || lamina::ready_fused_kernels() < 0)
        throw py::error_already_set();
    const lamina::Loops& loops = lamina::best_loops();
    if (lamina::kernel_count() == 0) lamina::Registration::run_all(loops);
    module.attr("Memory") = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(&lamina::MemoryType));
    module.attr("Kernel") = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(&lamina::KernelType));
    put(module, &allocate_method);
    put(module, method<lamina::make_reader>("reader", "reader(plain, nested)\n--\n\nReads the items of arrays."));
    if (lamina::has_crc32())
        put(module, method<lamina::crc32>("crc32", "crc32(data, value=0, /)\n--\n\nThe CRC-32 of a buffer behind what has the CRC-32 `value`."));
    module.attr("instruction_set") = loops.instruction_set;
    module.attr("dtypes") = py::tuple(py::cast(std::vector<std::string>(lamina::kNames, lamina::kNames + lamina::kCodes)));
    module.def("kernel", &kernel, py::arg("op"), "The native kernel of an op; KeyError where there is none.");
    module.def("capabilities", &capabilities, "Op name to the names of the dtypes that its kernel serves.");
    module.def("fuses", &lamina::fuses, py::arg("op"), py::arg("dtype"), "Whether `fuse` takes an op in a dtype.");
    module.def("fuse", &lamina::fuse, py::arg("steps"), py::arg("totals"), py::arg("operands"), py::arg("temporaries"),
               py::arg("engine") = py::none(), "Several ops as one kernel.");
    module.def("memory_stats", &memory_stats, "What the pool of memory has done, and holds.");
    module.def("empty_cache", &lamina::empty_cache, "Give all freed blocks back to the system.");
    module.def("set_limit", &set_limit, py::arg("nbytes"), "Bound the bytes of freed blocks that are kept.");
    module.def("num_threads", &lamina::num_threads, "How many threads large kernels use.");
    module.def("default_threads", &lamina::default_threads, "How many cores this process may use.");
    module.def("set_num_threads", &set_num_threads, py::arg("n"), "How many threads large kernels use from now on.");
}
