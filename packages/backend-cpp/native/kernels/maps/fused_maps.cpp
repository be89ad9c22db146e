// Fused maps: step by step over a tile that stays in the cache, with the loops that the ops have one by one, so that all bits are theirs.
#include "kernels/maps/fused_maps.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>

#include "kernels/maps/map.hpp"
#include "runtime/threads.hpp"
#include "traversal/plan.hpp"

namespace py = pybind11;

namespace lamina {
namespace {

constexpr int kMaxInputs = 5, kMaxSlots = 256;
constexpr int64_t kTileBytes = 16384, kMaxTile = 1024;

struct FusedStep {
    MapLoop loop;
    int count;               // of slots, the result's first
    int slots[kMaxInputs + 1];
};

struct FusedMaps {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    int operands, temporaries, cost;
    int64_t tile;
    std::vector<int> codes;              // of operands, temporaries, numbers
    std::vector<FusedStep> steps;
    std::vector<std::array<char, 16>> numbers;
};

PyTypeObject FusedMapsType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_backend_cpp.FusedMaps"};

FusedMaps* as_fused(PyObject* object) { return reinterpret_cast<FusedMaps*>(object); }

// Runs all steps on n items, a tile at a time; in the place of one loop.
void run_steps(const Plan& plan, MapLoop, char* const* p, const int64_t* s, int64_t n) {
    const auto& fused = *static_cast<const FusedMaps*>(plan.context);
    alignas(64) char buffer[kTileBytes];
    char* data[kMaxSlots];
    int64_t strides[kMaxSlots];
    const int slots = int(fused.codes.size());
    char* next = buffer;
    for (int i = fused.operands; i < slots; ++i) {
        const int number = i - fused.operands - fused.temporaries;
        strides[i] = number < 0 ? 1 : 0;
        data[i] = number < 0 ? next : const_cast<char*>(fused.numbers[size_t(number)].data());
        if (number < 0) next += fused.tile * kItemSize[fused.codes[size_t(i)]];
    }
    std::copy_n(s, fused.operands, strides);
    for (int64_t at = 0; at < n; at += fused.tile) {
        const int64_t some = std::min(fused.tile, n - at);
        for (int i = 0; i < fused.operands; ++i) data[i] = p[i] + at * s[i] * plan.itemsize[i];
        for (const FusedStep& step : fused.steps) {
            char* q[kMaxInputs + 1];
            int64_t steps[kMaxInputs + 1];
            for (int k = 0; k < step.count; ++k) {
                q[k] = data[step.slots[k]];
                steps[k] = strides[step.slots[k]];
            }
            step.loop(q, steps, some);
        }
    }
}

PyObject* call(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
    const FusedMaps& fused = *as_fused(self);
    try {
        if (PyVectorcall_NARGS(flags) != fused.operands || names != nullptr)
            fail(PyExc_TypeError, "fused maps: %zd arguments given; they want %d operands", PyVectorcall_NARGS(flags), fused.operands);
        View views[kMaxOperands];
        View* pointers[kMaxOperands];
        for (int i = 0; i < fused.operands; ++i) {
            views[i].read(arguments[i], true, "fused maps", i == 0 ? nullptr : &views[0]);
            if (views[i].code != fused.codes[size_t(i)])
                fail(PyExc_TypeError, "fused maps: operand %d is %s; it wants %s", i, kNames[views[i].code], kNames[fused.codes[size_t(i)]]);
            pointers[i] = &views[i];
        }
        Plan plan(pointers, fused.operands, "fused maps");
        plan.adapter = run_steps;
        plan.context = &fused;
        const WithoutGil free(plan.size * fused.cost >= kReleaseGil);
        plan.run(nullptr, fused.cost);
    } catch (const PythonError&) {
        return nullptr;
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

void deallocate(PyObject* self) {
    as_fused(self)->~FusedMaps();
    PyObject_Free(self);
}

int code_named(const std::string& dtype) {
    for (int code = 0; code < kCodes; ++code)
        if (dtype == kNames[code]) return code;
    throw py::value_error("fuse: no dtype is called " + dtype);
}

}  // namespace

bool fuses(const std::string& op, const std::string& dtype) { return map_row(op.c_str(), code_named(dtype)) != nullptr; }

py::object fuse(const std::vector<py::tuple>& steps, const std::vector<std::string>& operands, const std::vector<std::string>& temporaries) {
    if (operands.size() > kMaxOperands || operands.empty()) throw py::value_error("fuse: too many operands, or none");
    FusedMaps* made = PyObject_New(FusedMaps, &FusedMapsType);
    if (made == nullptr) throw py::error_already_set();
    new (&made->codes) std::vector<int>();
    new (&made->steps) std::vector<FusedStep>();
    new (&made->numbers) std::vector<std::array<char, 16>>();
    py::object result = py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(made));
    made->vectorcall = call;
    made->operands = int(operands.size());
    made->temporaries = int(temporaries.size());
    made->cost = 0;
    int64_t bytes = 1;
    for (const std::string& dtype : operands) made->codes.push_back(code_named(dtype));
    for (const std::string& dtype : temporaries) {
        made->codes.push_back(code_named(dtype));
        bytes += kItemSize[made->codes.back()];
    }
    const int slots = int(made->codes.size());
    made->tile = std::min(kMaxTile, kTileBytes / bytes & ~int64_t(15));
    if (made->tile == 0) throw py::value_error("fuse: too many temporaries");
    for (const py::tuple& given : steps) {
        const std::string op = given[0].cast<std::string>();
        const int code = code_named(given[1].cast<std::string>()), out = given[2].cast<int>();
        const MapRow* row = map_row(op.c_str(), code);
        const py::tuple inputs = given[3].cast<py::tuple>();
        if (row == nullptr || row->inputs != int(inputs.size()) || row->inputs > kMaxInputs)
            throw py::value_error("fuse: " + op + " of " + std::to_string(inputs.size()) + " inputs is not fused in " + kNames[code]);
        FusedStep step{row->loop, row->inputs + 1, {out}};
        if (out < 0 || out >= slots || made->codes[size_t(out)] != row->out_code)
            throw py::value_error("fuse: the result of " + op + " has no slot of its dtype");
        for (int k = 0; k < row->inputs; ++k) {
            const int wanted = k == 0 && (row->traits & kCondition) != 0 ? int(kBool) : code;
            const py::object input = inputs[size_t(k)];
            if (py::isinstance<py::tuple>(input)) {
                const int slot = input.cast<py::tuple>()[0].cast<int>();
                if (slot < 0 || slot >= slots || made->codes[size_t(slot)] != wanted)
                    throw py::value_error("fuse: an input of " + op + " has no slot of its dtype");
                step.slots[k + 1] = slot;
                continue;
            }
            made->numbers.emplace_back();
            made->codes.push_back(wanted);
            if (made->codes.size() > kMaxSlots) throw py::value_error("fuse: too many numbers");
            try {
                if (!write_item(input.ptr(), wanted, made->numbers.back().data(), op.c_str()))
                    throw py::type_error("fuse: an input of " + op + " is neither a slot nor a number");
            } catch (const PythonError&) {
                throw py::error_already_set();
            }
            step.slots[k + 1] = int(made->codes.size()) - 1;
        }
        made->steps.push_back(step);
        made->cost += row->cost;
    }
    return result;
}

int ready_fused_maps() {
    FusedMapsType.tp_basicsize = sizeof(FusedMaps);
    FusedMapsType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION;
    FusedMapsType.tp_vectorcall_offset = offsetof(FusedMaps, vectorcall);
    FusedMapsType.tp_call = PyVectorcall_Call;
    FusedMapsType.tp_dealloc = deallocate;
    return PyType_Ready(&FusedMapsType);
}

}  // namespace lamina
