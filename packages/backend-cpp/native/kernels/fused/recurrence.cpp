// recurrence and recurrence_gradient: recurrent cells along a sequence, by examples or by hidden units on several threads.
#include "kernels/fused/recurrence.hpp"

#include <algorithm>
#include <memory>

#include "dtypes/narrow_floats.hpp"
#include "runtime/parameters.hpp"
#include "runtime/scratch.hpp"

namespace lamina {
namespace {

const char* const kModes[] = {"RNN_TANH", "RNN_RELU", "LSTM", "GRU", nullptr};

// The sequence: how many examples have each step, and where its rows begin.
struct Sequence {
    int mode;
    bool backwards;
    int64_t hidden = 0, batch = 0, total = 0, steps = 0;
    std::unique_ptr<int64_t[]> sizes, starts;

    explicit Sequence(const Call& call) {
        mode = choice_of(call, "mode", kModes);
        backwards = bool_of(call, "backwards");
        PyObject* given = call.keyword("sizes");
        if (!PyTuple_Check(given)) fail(PyExc_TypeError, "%s: sizes is no tuple", call.op);
        steps = PyTuple_GET_SIZE(given);
        sizes.reset(new int64_t[size_t(steps + 1)]);
        starts.reset(new int64_t[size_t(steps + 1)]);
        for (int64_t t = 0; t < steps; ++t) {
            sizes[size_t(t)] = PyLong_AsLongLong(PyTuple_GET_ITEM(given, t));
            if (sizes[size_t(t)] == -1 && PyErr_Occurred()) throw PythonError{};
            if (sizes[size_t(t)] < 0 || (t > 0 && sizes[size_t(t)] > sizes[size_t(t - 1)]))
                fail(PyExc_ValueError, "%s: sizes must fall and not be negative", call.op);
            starts[size_t(t)] = total;
            total += sizes[size_t(t)];
        }
        batch = steps > 0 ? sizes[0] : 0;
    }

    // The step before t on the way, or -1.
    int64_t before(int64_t t) const { return backwards ? (t + 1 < steps ? t + 1 : -1) : t - 1; }

    // Calls f(first, last, source): rows of step t whose state before is one piece; source is that of the row `first` in the
    // sequence, or -1 for the initial state.
    template <class F>
    void pieces(int64_t t, int64_t begin, int64_t end, const F& f) const {
        const int64_t last = std::min(end, sizes[size_t(t)]), other = before(t);
        const int64_t there = other < 0 ? 0 : std::min(last, sizes[size_t(other)]);
        if (begin < there) f(begin, there, starts[size_t(other)] + begin);
        if (std::max(begin, there) < last) f(std::max(begin, there), last, int64_t(-1));
    }
};

// An array of rows of adjacent items, which may lie apart where they are only read.
class Matrix {
   public:
    // Reads `rows` by `columns`, with any leading axes in the place of rows. False where the inherited kernel does it.
    bool read(PyObject* given, bool written, const char* name, int code, int64_t rows, int64_t columns, const char* op) {
        const Geometry& g = view_.g;
        view_.read(given, written, op);
        if (view_.code != code) fail(PyExc_TypeError, "%s: %s is %s; it wants %s", op, name, kNames[view_.code], kNames[code]);
        const bool fits = g.ndim >= 2 && g.size == rows * columns && g.shape[g.ndim - 1] == columns;
        if (!fits) fail(PyExc_ValueError, "%s: the shape of %s does not fit", op, name);
        const bool apart = !g.contiguous && !written && g.ndim == 2 && (columns == 1 || g.strides[1] == 1);
        row = apart ? g.strides[0] : columns;
        written_ = written;
        return g.contiguous || apart;
    }

    // Makes it what is computed with, once all operands are found to be served; `finish` brings results where they belong.
    void open() {
        if (view_.data == nullptr) return;
        const int64_t columns = view_.g.shape[view_.g.ndim - 1];
        if (written_)
            items_.write(view_);
        else
            items_.read(view_, view_.g.size / columns, columns, [&](int64_t i) { return view_.data + i * row * view_.itemsize(); });
        data = items_.data;
        if (data != view_.data) row = columns;
        line_ = row * kItemSize[wide(view_.code)];
    }
    void finish() const { items_.finish(); }

    char* at(int64_t i) const { return data == nullptr ? nullptr : data + i * line_; }

    char* data = nullptr;
    int64_t row = 0;  // items from one row to the next

   private:
    View view_;
    Wide items_;
    bool written_ = false;
    int64_t line_ = 0;
};

// Whether several threads divide examples, each for the whole sequence, or the units of every step.
bool by_rows(const Sequence& s, int64_t weight_bytes) {
    return num_threads() == 1 || (weight_bytes <= (1 << 19) && s.batch >= 2 * num_threads());
}

int64_t grain_of(int64_t n, bool large) { return large ? std::max<int64_t>(1, (n + num_threads() - 1) / num_threads()) : std::max<int64_t>(1, n); }

bool run_recurrence(const Kernel& kernel, const Call& call) {
    if (call.count != 6) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and five inputs", call.op, call.count);
    call.require_keywords(3);
    View weight, bias;
    Matrix given, first, first_cell, out, last, last_cell, cells, kept;
    weight.read(call.positional[4], false, call.op);
    const int code = weight.code;
    if (kernel.rows[code] == nullptr) return false;
    Sequence s(call);
    const int gates = gates_of(s.mode), keeps = kept_of(s.mode);
    if (weight.g.ndim != 2 || weight.g.shape[0] != gates * weight.g.shape[1])
        fail(PyExc_ValueError, "%s: a weight of (%d * hidden, hidden) is wanted", call.op, gates);
    const int64_t n = s.hidden = weight.g.shape[1];
    const bool lstm = s.mode == kLstm;
    bool dense = weight.g.contiguous;
    dense &= given.read(call.positional[1], false, "given", code, s.total, gates * n, call.op);
    dense &= first.read(call.positional[2], false, "the state", code, s.batch, n, call.op);
    if (lstm) dense &= first_cell.read(call.positional[3], false, "the cell state", code, s.batch, n, call.op);
    if (call.positional[5] != Py_None) {
        const int64_t count = gates * n;
        bias.read(call.positional[5], false, call.op);
        require(bias, "bias", code, &count, 1, call.op);
        dense &= bias.g.contiguous;
    }
    dense &= out.read(result_of(call, 0, 5), true, "the output", code, s.total, n, call.op);
    dense &= last.read(result_of(call, 1, 5), true, "the last state", code, s.batch, n, call.op);
    if (lstm) {
        dense &= last_cell.read(result_of(call, 2, 5), true, "the last cell state", code, s.batch, n, call.op);
        dense &= cells.read(result_of(call, 3, 5), true, "cells", code, s.total, n, call.op);
    }
    if (keeps > 0) dense &= kept.read(result_of(call, 4, 5), true, "kept", code, s.total, keeps * n, call.op);
    if (!dense || n == 0 || s.total == 0) return false;
    const auto& loops = *static_cast<const RecurrenceLoops*>(kernel.rows[code]);
    const int64_t item = kItemSize[wide(code)], line = n * item, units = loops.block_units, blocks = (n + units - 1) / units;
    const int64_t panel = units * line;
    const Scratch memory(gates * blocks * panel);
    const int64_t step_work = s.batch * n * n * gates / 8;
    const WithoutGil free(s.total * n * n * gates >= kReleaseGil);
    Wide weights, biases;
    weights.read(weight);
    biases.read(bias);
    for (Matrix* matrix : {&given, &first, &first_cell, &out, &last, &last_cell, &cells, &kept}) matrix->open();
    for (int64_t g = 0; g < gates; ++g)
        for (int64_t b = 0; b < blocks; ++b)
            loops.pack(memory.data() + (g * blocks + b) * panel, weights.data + (g * n + b * units) * line, n, 1, n, std::min(units, n - b * units));
    const auto run = [&](int64_t t, int64_t begin, int64_t end, int64_t first_block, int64_t last_block) {
        s.pieces(t, begin, end, [&](int64_t row, int64_t stop, int64_t source) {
            const int64_t at = s.starts[size_t(t)] + row;
            const Matrix &before = source < 0 ? first : out, &cell = source < 0 ? first_cell : cells;
            const int64_t there = source < 0 ? row : source;
            loops.step[s.mode]({stop - row, n, first_block, last_block, given.at(at), biases.data, before.at(there), cell.at(there),
                                given.row, before.row, cell.row, memory.data(), out.at(at), cells.at(at), kept.at(at)});
        });
    };
    const auto nth = [&](int64_t i) { return s.backwards ? s.steps - 1 - i : i; };
    const bool large = step_work * s.steps >= kParallel;
    if (by_rows(s, gates * n * line))
        parallel(s.batch, grain_of(s.batch, large), [&](int64_t begin, int64_t end) {
            for (int64_t i = 0; i < s.steps; ++i) run(nth(i), begin, end, 0, blocks);
        });
    else
        for (int64_t i = 0; i < s.steps; ++i)
            parallel(blocks, grain_of(blocks, step_work >= kParallel / 4), [&](int64_t begin, int64_t end) { run(nth(i), 0, s.batch, begin, end); });
    for (int64_t row = 0; row < s.batch; ++row) {  // the last step of each example
        int64_t t = 0;
        while (!s.backwards && t + 1 < s.steps && s.sizes[size_t(t + 1)] > row) ++t;
        const int64_t at = s.starts[size_t(t)] + row;
        std::memcpy(last.at(row), out.at(at), size_t(line));
        if (lstm) std::memcpy(last_cell.at(row), cells.at(at), size_t(line));
    }
    for (const Matrix* matrix : {&out, &last, &last_cell, &cells, &kept}) matrix->finish();
    return true;
}

bool run_recurrence_gradient(const Kernel& kernel, const Call& call) {
    if (call.count != 10) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and nine inputs", call.op, call.count);
    call.require_keywords(3);
    View weight;
    Matrix gradient, last, last_cell, first, first_cell, output, cells, kept, of_given, of_hidden, state, cell_state;
    weight.read(call.positional[6], false, call.op);
    const int code = weight.code;
    if (kernel.rows[code] == nullptr) return false;
    Sequence s(call);
    const int gates = gates_of(s.mode), keeps = kept_of(s.mode);
    if (weight.g.ndim != 2 || weight.g.shape[0] != gates * weight.g.shape[1])
        fail(PyExc_ValueError, "%s: a weight of (%d * hidden, hidden) is wanted", call.op, gates);
    const int64_t n = s.hidden = weight.g.shape[1];
    const bool lstm = s.mode == kLstm, gru = s.mode == kGru;
    bool dense = weight.g.contiguous;
    const auto optional = [&](Matrix& v, int argument, int64_t rows, const char* name) {
        if (call.positional[argument] != Py_None) dense &= v.read(call.positional[argument], false, name, code, rows, n, call.op);
    };
    optional(gradient, 1, s.total, "the output's gradient");
    optional(last, 2, s.batch, "the last state's gradient");
    if (lstm) optional(last_cell, 3, s.batch, "the last cell state's gradient");
    dense &= first.read(call.positional[4], false, "the state", code, s.batch, n, call.op);
    if (lstm) dense &= first_cell.read(call.positional[5], false, "the cell state", code, s.batch, n, call.op);
    dense &= output.read(call.positional[7], false, "the output", code, s.total, n, call.op);
    if (lstm) dense &= cells.read(call.positional[8], false, "cells", code, s.total, n, call.op);
    if (keeps > 0) dense &= kept.read(call.positional[9], false, "kept", code, s.total, keeps * n, call.op);
    dense &= output.row == n && (!lstm || cells.row == n) && kept.row == keeps * n;
    dense &= of_given.read(result_of(call, 0, 4), true, "given's gradient", code, s.total, gates * n, call.op);
    if (gru) dense &= of_hidden.read(result_of(call, 1, 4), true, "the hidden share's gradient", code, s.total, gates * n, call.op);
    dense &= state.read(result_of(call, 2, 4), true, "the state's gradient", code, s.batch, n, call.op);
    if (lstm) dense &= cell_state.read(result_of(call, 3, 4), true, "the cell state's gradient", code, s.batch, n, call.op);
    if (!dense || n == 0 || s.total == 0) return false;
    const auto& loops = *static_cast<const RecurrenceLoops*>(kernel.rows[code]);
    const int64_t item = kItemSize[wide(code)], line = n * item, units = loops.block_units, blocks = (n + units - 1) / units;
    const int64_t panel = units * gates * line;
    const Scratch memory(blocks * panel);
    const int64_t step_work = s.batch * n * n * gates / 8;
    const WithoutGil free(s.total * n * n * gates >= kReleaseGil);
    Wide weights;
    weights.read(weight);
    for (Matrix* matrix : {&gradient, &last, &last_cell, &first, &first_cell, &output, &cells, &kept, &of_given, &of_hidden, &state, &cell_state})
        matrix->open();
    for (int64_t b = 0; b < blocks; ++b)
        loops.pack(memory.data() + b * panel, weights.data + b * units * item, gates * n, n, 1, std::min(units, n - b * units));
    const auto begin_with = [&](const Matrix& to, const Matrix& from) {
        for (int64_t row = 0; row < s.batch; ++row)
            if (from.data != nullptr)
                std::memcpy(to.at(row), from.at(row), size_t(line));
            else
                std::memset(to.at(row), 0, size_t(line));
    };
    begin_with(state, last);
    if (lstm) begin_with(cell_state, last_cell);
    const auto run = [&](int64_t t, int64_t begin, int64_t end, int64_t first_block, int64_t last_block, bool gates_first, bool then_state) {
        s.pieces(t, begin, end, [&](int64_t row, int64_t stop, int64_t source) {
            const int64_t at = s.starts[size_t(t)] + row;
            const Matrix &before = source < 0 ? first : output, &cell = source < 0 ? first_cell : cells;
            const int64_t there = source < 0 ? row : source;
            const CellGradient step = {
                stop - row, n, first_block, last_block, gradient.at(at), before.at(there), cell.at(there), gradient.row, before.row,
                cell.row, output.at(at), cells.at(at), kept.at(at), memory.data(), of_given.at(at), of_hidden.at(at), state.at(row),
                cell_state.at(row)};
            if (gates_first) loops.gradient_of_gates[s.mode](step);
            if (then_state) loops.gradient_of_state[s.mode](step);
        });
    };
    const auto nth = [&](int64_t i) { return s.backwards ? i : s.steps - 1 - i; };
    const bool large = step_work * s.steps >= kParallel;
    if (by_rows(s, gates * n * line))
        parallel(s.batch, grain_of(s.batch, large), [&](int64_t begin, int64_t end) {
            for (int64_t i = 0; i < s.steps; ++i) run(nth(i), begin, end, 0, blocks, true, true);
        });
    else
        for (int64_t i = 0; i < s.steps; ++i) {
            const int64_t grain = grain_of(blocks, step_work >= kParallel / 4);
            parallel(blocks, grain, [&](int64_t begin, int64_t end) { run(nth(i), 0, s.batch, begin, end, true, false); });
            parallel(blocks, grain, [&](int64_t begin, int64_t end) { run(nth(i), 0, s.batch, begin, end, false, true); });
        }
    for (const Matrix* matrix : {&of_given, &of_hidden, &state, &cell_state}) matrix->finish();
    return true;
}

const Registration registration([](const Loops& loops) {
    for (int code : kFloats) {
        kernel_named("recurrence", run_recurrence).rows[code] = &loops.recurrences->of[code == kFloat64];
        kernel_named("recurrence_gradient", run_recurrence_gradient).rows[code] = &loops.recurrences->of[code == kFloat64];
    }
});

}  // namespace
}  // namespace lamina
