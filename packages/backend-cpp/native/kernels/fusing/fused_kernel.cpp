// The Python callable of several ops as one kernel, and what it is told to do.
#include "kernels/fusing/fused_kernel.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

#include "kernels/copies/copy.hpp"
#include "kernels/fusing/fuse.hpp"
#include "kernels/fusing/tiles.hpp"
#include "kernels/maps/map.hpp"
#include "kernels/reductions/reduce.hpp"
#include "traversal/plan.hpp"

namespace py = pybind11;

namespace lamina {
namespace {

constexpr int64_t kWorthAnEngine = int64_t(1) << 26;  // items times steps: what a loop of several then saves is what making it takes

PyTypeObject FusedKernelType = {PyVarObject_HEAD_INIT(nullptr, 0) "lamina_backend_cpp.FusedKernel"};

FusedKernel* as_fused(PyObject* object) { return reinterpret_cast<FusedKernel*>(object); }

// Asks the engine for loops of several steps, and puts them in the place of these.
void join(FusedKernel& fused, const std::vector<bool>& reduced) {
    const auto engine = py::reinterpret_steal<py::object>(std::exchange(fused.engine, Py_NewRef(Py_None)));
    const auto joined = std::make_shared<JoinedSteps>();
    joined->reduced = reduced;
    size_t next = 0;
    py::list told_reduced;
    for (const bool one : reduced) told_reduced.append(one);
    for (const py::handle row : engine(told_reduced).cast<py::list>()) {
        const py::tuple told = row.cast<py::tuple>();
        const size_t first = told[0].cast<size_t>(), count = told[1].cast<size_t>();
        const int width = told[3].cast<int>();
        std::vector<int> slots;
        for (const py::handle slot : told[4].cast<py::list>()) slots.push_back(slot.cast<int>());
        const int results = int(slots.size());
        for (const py::handle slot : told[5].cast<py::list>()) slots.push_back(slot.cast<int>());
        if (first < next || first + count > fused.steps.size() || width < 1 || width > kMaxMachineWidth || slots.size() > kMaxStepSlots)
            throw py::value_error("fused ops: an engine gave a loop of other steps, or too wide a one");
        for (const int slot : slots)
            if (slot < 0 || slot >= fused.operands + fused.temporaries || kItemSize[fused.codes[size_t(slot)]] > kMachineItem)
                throw py::value_error("fused ops: an engine gave a loop of other slots");
        joined->steps.insert(joined->steps.end(), fused.steps.begin() + int64_t(next), fused.steps.begin() + int64_t(first));
        const auto loop = reinterpret_cast<decltype(MachineLoop::loop)>(told[2].cast<uintptr_t>());
        joined->steps.push_back({nullptr, nullptr, 0.0, std::move(slots), {loop, width, results}});
        if (PyList_Append(joined->owners.object, py::object(told[6]).ptr()) < 0) throw py::error_already_set();
        next = first + count;
    }
    if (next == 0) return;
    joined->steps.insert(joined->steps.end(), fused.steps.begin() + int64_t(next), fused.steps.end());
    fused.joined = joined;
}

PyObject* call(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
    FusedKernel& fused = *as_fused(self);
    try {
        if (PyVectorcall_NARGS(flags) != fused.operands || names != nullptr)
            fail(PyExc_TypeError, "fused ops: %zd arguments given; they want %d operands", PyVectorcall_NARGS(flags), fused.operands);
        View views[kMaxOperands];
        View* pointers[kMaxOperands];
        int64_t items = 0;
        for (int i = 0; i < fused.operands; ++i) {
            views[i].read(arguments[i], true, "fused ops", i == 0 ? nullptr : &views[0]);
            if (views[i].code != fused.codes[size_t(i)])
                fail(PyExc_TypeError, "fused ops: operand %d is %s; it wants %s", i, kNames[views[i].code], kNames[fused.codes[size_t(i)]]);
            pointers[i] = &views[i];
            items = std::max(items, views[i].g.size);
        }
        if (fused.engine != Py_None) {
            fused.done += items * int64_t(fused.steps.size());
            if (fused.done >= kWorthAnEngine) join(fused, reduced_steps(fused, pointers));
        }
        const std::shared_ptr<const JoinedSteps> joined = fused.joined;  // while it runs
        (fused.axes > 0 || !fused.totals.empty() ? run_fused_rows : run_fused_maps)(fused, joined.get(), pointers);
    } catch (const PythonError&) {
        return nullptr;
    } catch (py::error_already_set& error) {
        error.restore();
        return nullptr;
    } catch (const py::builtin_exception& error) {
        error.set_error();
        return nullptr;
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

void deallocate(PyObject* self) {
    Py_DECREF(as_fused(self)->engine);
    as_fused(self)->~FusedKernel();
    PyObject_Free(self);
}

int code_named(const std::string& dtype) {
    for (int code = 0; code < kCodes; ++code)
        if (dtype == kNames[code]) return code;
    throw py::value_error("fuse: no dtype is called " + dtype);
}

// The parameters of an op: none of a map's; the axes of a reduction, which follow one another, and its correction.
std::vector<int> read_parameters(const std::string& op, const ReductionRow* reduction, const py::dict& given, double& correction) {
    const bool corrected = reduction != nullptr && (reduction->traits & kCorrected) != 0;
    if (int(given.size()) != (reduction != nullptr) + corrected) throw py::value_error("fuse: other parameters of " + op + " are wanted");
    std::vector<int> axes;
    if (reduction == nullptr) return axes;
    for (const py::handle axis : given["axes"].cast<py::tuple>()) axes.push_back(axis.cast<int>());
    for (size_t i = 0; i < axes.size(); ++i)
        if (axes[i] < 0 || axes[i] != axes[0] + int(i)) throw py::value_error("fuse: the axes of " + op + " do not follow one another");
    if (axes.empty()) throw py::value_error("fuse: " + op + " reduces one axis at least");
    if (corrected) correction = given["correction"].cast<double>();
    return axes;
}

void read_row(const std::vector<int>& axes, FusedKernel& made) {
    if (made.axes > 0 && (made.axes != int(axes.size()) || made.dimensions != axes.back() + 1))
        throw py::value_error("fuse: all reductions of rows are of the same axes");
    made.axes = int(axes.size());
    made.dimensions = axes.back() + 1;
}

// A copy, which casts from the dtype of its input to that of its result.
void read_copy(const py::tuple& given, FusedKernel& made) {
    const int code = code_named(given[1].cast<std::string>()), out = given[2].cast<int>(), slots = made.operands + made.temporaries;
    const py::tuple inputs = given[3].cast<py::tuple>();
    if (inputs.size() != 1 || !py::isinstance<py::tuple>(inputs[0]) || !given[4].cast<py::dict>().empty())
        throw py::value_error("fuse: copy has one slot as its input, and no parameters");
    const int x = inputs[0].cast<py::tuple>()[0].cast<int>();
    if (out < 0 || out >= slots || made.codes[size_t(out)] != code) throw py::value_error("fuse: the result of copy has no slot of its dtype");
    if (x < 0 || x >= slots || x == out) throw py::value_error("fuse: the input of copy is no slot, or its result's");
    made.steps.push_back({copy_loop(code, made.codes[size_t(x)]), nullptr, 0.0, {out, x}});
    made.cost += 1;
}

void read_total(const py::tuple& given, FusedKernel& made) {
    const std::string op = given[0].cast<std::string>();
    const int code = code_named(given[1].cast<std::string>()), out = given[2].cast<int>();
    FusedTotal total{reduction_row(op.c_str(), code), 0.0, out, given[3].cast<py::tuple>()[0].cast<py::tuple>()[0].cast<int>()};
    const int slots = made.operands + made.temporaries;
    if (total.row == nullptr || out < 0 || out >= made.operands || made.codes[size_t(out)] != total.row->out_code)
        throw py::value_error("fuse: the total of " + op + " in " + kNames[code] + " has no operand of its dtype");
    if (total.x < 0 || total.x >= slots || total.x == out || made.codes[size_t(total.x)] != code)
        throw py::value_error("fuse: the input of " + op + " has no slot of its dtype");
    const std::vector<int> axes = read_parameters(op, total.row, given[4].cast<py::dict>(), total.correction);
    if (axes[0] != 0 || (made.first_axes > 0 && made.first_axes != int(axes.size())))
        throw py::value_error("fuse: all totals are of the same first axes");
    made.first_axes = int(axes.size());
    made.totals.push_back(total);
    made.cost += 1;
}

}  // namespace

bool fuses(const std::string& op, const std::string& dtype) {
    const int code = code_named(dtype);
    return op == "copy" || map_row(op.c_str(), code) != nullptr || reduction_row(op.c_str(), code) != nullptr;
}

py::object fuse(const std::vector<py::tuple>& steps, const std::vector<py::tuple>& totals, const std::vector<std::string>& operands,
                const std::vector<std::string>& temporaries, const py::object& engine) {
    if (operands.size() > kMaxOperands || operands.empty()) throw py::value_error("fuse: too many operands, or none");
    if (operands.size() + temporaries.size() > kMaxFusedSlots) throw py::value_error("fuse: too many temporaries");
    FusedKernel* made = PyObject_New(FusedKernel, &FusedKernelType);
    if (made == nullptr) throw py::error_already_set();
    new (&made->codes) std::vector<int>();
    new (&made->steps) FusedSteps();
    new (&made->totals) std::vector<FusedTotal>();
    new (&made->numbers) std::vector<std::array<char, 16>>();
    made->engine = Py_NewRef(engine.ptr());
    new (&made->joined) std::shared_ptr<const JoinedSteps>();
    made->done = 0;
    py::object result = py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(made));
    made->vectorcall = call;
    made->operands = int(operands.size());
    made->temporaries = int(temporaries.size());
    made->cost = made->axes = made->dimensions = made->first_axes = 0;
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
        if (op == "copy") {
            read_copy(given, *made);
            continue;
        }
        const int code = code_named(given[1].cast<std::string>()), out = given[2].cast<int>();
        const MapRow* map = map_row(op.c_str(), code);
        const ReductionRow* reduction = map == nullptr ? reduction_row(op.c_str(), code) : nullptr;
        const py::tuple inputs = given[3].cast<py::tuple>();
        const int count = map != nullptr ? map->inputs : 1;
        if ((map == nullptr && reduction == nullptr) || count != int(inputs.size()) || count > kMaxFusedInputs)
            throw py::value_error("fuse: " + op + " of " + std::to_string(inputs.size()) + " inputs is not fused in " + kNames[code]);
        FusedStep step{map != nullptr ? map->loop : nullptr, reduction, 0.0, {out}};
        step.widened = map != nullptr && map->code != code;
        if (out < 0 || out >= slots || made->codes[size_t(out)] != (map != nullptr ? result_code(*map, code) : reduction->out_code))
            throw py::value_error("fuse: the result of " + op + " has no slot of its dtype");
        const std::vector<int> axes = read_parameters(op, reduction, given[4].cast<py::dict>(), step.correction);
        if (reduction != nullptr) read_row(axes, *made);
        for (int k = 0; k < count; ++k) {
            const int wanted = k == 0 && map != nullptr && (map->traits & kCondition) != 0 ? int(kBool) : code;
            const py::object input = inputs[size_t(k)];
            if (py::isinstance<py::tuple>(input)) {
                const int slot = input.cast<py::tuple>()[0].cast<int>();
                if (slot < 0 || slot >= slots || (reduction != nullptr && slot == out) || made->codes[size_t(slot)] != wanted)
                    throw py::value_error("fuse: an input of " + op + " has no slot of its dtype");
                step.slots.push_back(slot);
                continue;
            }
            if (reduction != nullptr) throw py::value_error("fuse: " + op + " reduces a slot");
            const int number = wanted == code ? number_code(*map, code) : wanted;
            made->numbers.emplace_back();
            made->codes.push_back(number);
            if (made->codes.size() > kMaxFusedSlots) throw py::value_error("fuse: too many numbers");
            try {
                if (!write_item(input.ptr(), number, made->numbers.back().data(), op.c_str()))
                    throw py::type_error("fuse: an input of " + op + " is neither a slot nor a number");
            } catch (const PythonError&) {
                throw py::error_already_set();
            }
            step.slots.push_back(int(made->codes.size()) - 1);
        }
        made->steps.push_back(step);
        made->cost += map != nullptr ? map->cost : 1;
    }
    for (const py::tuple& given : totals) read_total(given, *made);
    return result;
}

int ready_fused_kernels() {
    FusedKernelType.tp_basicsize = sizeof(FusedKernel);
    FusedKernelType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION;
    FusedKernelType.tp_vectorcall_offset = offsetof(FusedKernel, vectorcall);
    FusedKernelType.tp_call = PyVectorcall_Call;
    FusedKernelType.tp_dealloc = deallocate;
    return PyType_Ready(&FusedKernelType);
}

}  // namespace lamina
