// The kernels of the map family: reads the operands, and walks them with the op's inner loop for their dtype.
#include <algorithm>
#include <iterator>

#include "kernels/maps/map.hpp"
#include "dtypes/narrow_floats.hpp"
#include "runtime/threads.hpp"
#include "traversal/plan.hpp"

namespace lamina {

void through_floats(MapLoop loop, const int* codes, int operands, char* const* p, const int64_t* s, int64_t n) {
    constexpr int64_t kBlock = 512;
    float buffers[kMaxOperands][kBlock];
    char* q[kMaxOperands];
    int64_t steps[kMaxOperands];
    for (int64_t at = 0; at < n; at += kBlock) {
        const int64_t some = std::min(kBlock, n - at);
        for (int i = 0; i < operands; ++i) {
            char* from = p[i] + at * s[i] * kItemSize[codes[i]];
            if (!is_narrow(codes[i])) {
                q[i] = from;
                steps[i] = s[i];
                continue;
            }
            q[i] = reinterpret_cast<char*>(buffers[i]);
            steps[i] = i > 0 && s[i] == 0 ? 0 : 1;
            if (i > 0) widen(buffers[i], from, codes[i], s[i], steps[i] == 0 ? 1 : some);
        }
        loop(q, steps, some);
        if (is_narrow(codes[0])) narrow(p[0] + at * s[0] * kItemSize[codes[0]], buffers[0], codes[0], s[0], some);
    }
}

int result_code(const MapRow& row, int code) { return row.code != code && row.out_code == kFloat32 ? code : row.out_code; }

int number_code(const MapRow& row, int code) { return row.code != code && (row.traits & kExactNumbers) != 0 ? int(kFloat32) : code; }

namespace {

void plan_through_floats(const Plan& plan, MapLoop loop, char* const* p, const int64_t* s, int64_t n) {
    through_floats(loop, plan.codes, plan.operands, p, s, n);
}

const MapRow* row_for(const Kernel& kernel, int code) { return static_cast<const MapRow*>(kernel.rows[code]); }

// The usual call: a few items, all operands dense in one and the same layout, or numbers. Nothing is held, thrown or
// waited for; false means that `run_map` looks at the call properly.
template <int kInputs>
bool run_alike(const Kernel& kernel, const Call& call) {
    Glance out, in;
    if (call.count != kInputs + 1 || call.names != nullptr || !glance(call.positional[0], out)) return false;
    char* p[kInputs + 1];
    int64_t strides[kInputs + 1];
    double numbers[kInputs];
    int64_t available = INT64_MAX;  // bytes after the start of that input that has the fewest
    int code = -1;
    for (int i = 1; i <= kInputs; ++i) {
        if (glance(call.positional[i], in)) {
            if (in.packed != out.packed || (code >= 0 && in.code != code)) return false;
            code = in.code;
            p[i] = in.start;
            strides[i] = 1;
            if (in.nbytes < available) available = in.nbytes;
        } else {
            p[i] = nullptr;
        }
    }
    if (code < 0) return false;
    const MapRow* row = row_for(kernel, code);
    if (row == nullptr || row->code != code || row->out_code != out.code) return false;
    for (int i = 1; i <= kInputs; ++i) {
        if (p[i] != nullptr) continue;
        double number;
        if (PyFloat_CheckExact(call.positional[i])) {
            number = PyFloat_AS_DOUBLE(call.positional[i]);
        } else if (PyLong_CheckExact(call.positional[i])) {
            number = PyLong_AsDouble(call.positional[i]);
            if (number == -1.0 && PyErr_Occurred()) {
                PyErr_Clear();
                return false;
            }
        } else {
            return false;
        }
        numbers[i - 1] = number;
        p[i] = reinterpret_cast<char*>(&numbers[i - 1]);
        strides[i] = 0;
        if (code == kFloat32) {
            const float narrow = float(number);
            std::memcpy(p[i], &narrow, sizeof narrow);
        } else if (code != kFloat64) {
            return false;
        }
    }
    Geometry g;
    if (!measure(out.packed, g) || !g.contiguous || g.low < 0 || g.size * row->cost >= kReleaseGil) return false;
    const int64_t items = g.high + 1;
    if (items * kItemSize[code] > available || items * kItemSize[out.code] > out.nbytes) return false;
    p[0] = out.start + g.offset * kItemSize[out.code];
    strides[0] = 1;
    for (int i = 1; i <= kInputs; ++i)
        if (strides[i] != 0) p[i] += g.offset * kItemSize[code];
    row->loop(p, strides, g.size);
    return true;
}

// `kSpecial` inputs come before those that are computed with: the condition of `where`.
template <int kInputs, int kSpecial>
bool run_map(const Kernel& kernel, const Call& call) {
    if (kSpecial == 0 && run_alike<kInputs>(kernel, call)) return true;
    call.require_inputs(kInputs);
    View views[kInputs + 1];
    View& out = views[0];
    out.read(call.positional[0], true, call.op);
    int code = kSpecial > 0 ? out.code : -1;
    bool read[kInputs + 1] = {true};
    for (int i = kSpecial + 1; i <= kInputs; ++i) {
        if (!is_operand(call.positional[i])) continue;
        views[i].read(call.positional[i], false, call.op, &out);
        read[i] = true;
        if (code < 0) code = views[i].code;
        if (views[i].code != code)
            fail(PyExc_TypeError, "%s: inputs are %s and %s; it wants one dtype", call.op, kNames[code], kNames[views[i].code]);
    }
    if (code < 0) fail(PyExc_TypeError, "%s: it wants at least one array among its inputs", call.op);
    const MapRow* row = row_for(kernel, code);
    if (row == nullptr) return false;
    const bool widened = row->code != code;  // the row is float32's
    const int out_code = result_code(*row, code);
    if (out.code != out_code)
        fail(PyExc_TypeError, "%s: out is %s; for %s inputs it wants %s", call.op, kNames[out.code], kNames[code], kNames[out_code]);
    bool alike = out.g.contiguous;
    for (int i = 1; i <= kInputs; ++i) {
        const int wanted = i <= kSpecial ? int(kBool) : code;
        if (!read[i]) {
            PyObject* given = call.positional[i];
            if (is_operand(given)) {
                views[i].read(given, false, call.op, &out);
                if (views[i].code != wanted)
                    fail(PyExc_TypeError, "%s: the condition is %s; it wants bool", call.op, kNames[views[i].code]);
            } else if (!views[i].read_scalar(given, i <= kSpecial ? wanted : number_code(*row, code), call.op)) {
                fail(PyExc_TypeError, "%s: a %s given; it wants an operand or a number", call.op, Py_TYPE(given)->tp_name);
            }
        }
        alike = alike && (views[i].scalar || views[i].g.shape == out.g.shape);
    }
    const int64_t n = out.g.size;
    if (alike && !widened && n * row->cost < kReleaseGil) {
        char* p[kInputs + 1];
        int64_t strides[kInputs + 1];
        for (int i = 0; i <= kInputs; ++i) {
            p[i] = views[i].data;
            strides[i] = views[i].scalar ? 0 : 1;
        }
        row->loop(p, strides, n);
        return true;
    }
    View* pointers[kInputs + 1];
    for (int i = 0; i <= kInputs; ++i) pointers[i] = &views[i];
    Plan plan(pointers, kInputs + 1, call.op);
    if (widened) plan.adapter = plan_through_floats;
    const WithoutGil free(n * row->cost >= kReleaseGil);
    plan.run(row->loop, row->cost);
    return true;
}

}  // namespace

bool run_binary(const Kernel& kernel, const Call& call) { return run_map<2, 0>(kernel, call); }
bool run_ternary(const Kernel& kernel, const Call& call) { return run_map<3, 0>(kernel, call); }
bool run_quaternary(const Kernel& kernel, const Call& call) { return run_map<4, 0>(kernel, call); }

namespace {

constexpr decltype(Kernel::run) kRuns[] = {run_map<1, 0>, run_map<2, 0>, run_map<3, 0>, run_map<4, 0>, run_map<5, 0>};
constexpr decltype(Kernel::run) kOfNumbers[] = {run_clip, run_scaled_sum};

bool is_floating(int code) { return code == kFloat32 || code == kFloat64 || is_narrow(code); }

}  // namespace

const MapRow* map_row(const char* op, int code) {
    const Kernel* kernel = find_kernel(op);
    if (kernel == nullptr) return nullptr;
    const bool chooses = kernel->run == run_map<3, 1>, raises = kernel->run == run_power && (code == kFloat32 || code == kFloat64);
    const auto is_one_of = [&](const auto& runs) { return std::find(std::begin(runs), std::end(runs), kernel->run) != std::end(runs); };
    if (!chooses && !raises && !is_one_of(kRuns) && !(is_floating(code) && is_one_of(kOfNumbers))) return nullptr;
    const MapRow* row = row_for(*kernel, code);
    return row != nullptr && (row->code == code || is_narrow(code)) ? row : nullptr;
}

// float16 and bfloat16 are computed with in float32, and rounded once: they have the rows of float32, unless they have their own.
void register_maps(const Maps& maps) {
    for (int i = 0; i < maps.count; ++i) {
        const MapRow& row = maps.rows[i];
        const bool chooses = (row.traits & kCondition) != 0;
        Kernel& kernel = kernel_named(row.name, chooses ? run_map<3, 1> : kRuns[row.inputs - 1]);
        kernel.rows[row.code] = &row;
        if (row.code != kFloat32 || row.out_code == kComplex64 || chooses) continue;
        for (const int narrow : {kFloat16, kBFloat16})
            if (kernel.rows[narrow] == nullptr) kernel.rows[narrow] = &row;
    }
}

namespace {

const Registration registration([](const Loops& loops) {
    for (auto maps = loops.maps; *maps != nullptr; ++maps) register_maps(**maps);
});

}  // namespace
}  // namespace lamina
