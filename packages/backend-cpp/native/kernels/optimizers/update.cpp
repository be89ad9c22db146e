// Steps of optimizers: one call for all parameters. Everything is read and checked, then written. Subnormal numbers are taken for zero: the
// moments of units that are dead come to them after some 900 steps, and processors compute with them slowly.
#include <cstring>

#include "dtypes/narrow_floats.hpp"
#include "kernels/optimizers/subnormals.hpp"
#include "runtime/parameters.hpp"
#include "traversal/columns.hpp"

namespace lamina {
namespace {

// The names of a step's parameters, cut out of its row.
struct Names {
    char text[160];
    const char* names[kStepNumbers];
    bool optional[kStepNumbers];
    int count = 0;

    void cut(const char* given) {
        std::strncpy(text, given, sizeof text - 1);
        for (char* word = std::strtok(text, " "); word != nullptr; word = std::strtok(nullptr, " ")) {
            char* last = word + std::strlen(word) - 1;
            optional[count] = *last == '?';
            if (*last == '?') *last = '\0';
            names[count++] = word;
        }
    }
};

struct StepNames {
    Names states, numbers;
};

constexpr unsigned kGradient = 1u << 1;  // the array that is only read
constexpr int kMostSteps = 16;
StepNames names_of[kMostSteps];  // by the kernel's index

bool run_step(const Kernel& kernel, const Call& call) {
    const Names &states = names_of[kernel.index].states, &numbers = names_of[kernel.index].numbers;
    call.require_keywords(states.count + numbers.count);
    const int width = 2 + states.count;
    Columns arrays(call.count - 1, width, call.op);
    {
        const Sequence out(call.positional[0], call.op, "out");
        out.require(arrays.count, call.op, "out");
        for (Py_ssize_t i = 0; i < arrays.count; ++i) {
            arrays.read_first(i, out[i], true);
            arrays.read(i, 1, call.positional[i + 1], false);
        }
    }
    double values[kStepNumbers];
    for (int k = 0; k < numbers.count; ++k) values[k] = number_of(call, numbers.names[k]);
    for (int k = 0; k < states.count; ++k) {
        PyObject* given = call.keyword(states.names[k]);
        if (given == Py_None && states.optional[k]) continue;
        const Sequence items(given, call.op, states.names[k]);
        items.require(arrays.count, call.op, states.names[k]);
        for (Py_ssize_t i = 0; i < arrays.count; ++i) arrays.read(i, 2 + k, items[i], true);
    }
    if (!arrays.served(kernel)) return false;
    arrays.each(1, 0, [&](Py_ssize_t i, int64_t begin, int64_t n) {
        const View& parameter = arrays.at(i, 0);
        char* items[kStepArrays] = {};
        for (int c = 0; c < width; ++c)
            if (arrays.at(i, c).code >= 0) items[c] = arrays.at(i, c).data + begin * parameter.itemsize();
        const auto loop = reinterpret_cast<void (*)(const Step&)>(const_cast<void*>(kernel.rows[parameter.code]));
        in_blocks<kStepArrays>(parameter.code, items, ~0u, ~kGradient, n, [&](char* const* p, int64_t some) {
            Step step = {{}, some, values};
            std::copy_n(p, kStepArrays, step.arrays);
            const WithoutSubnormals none;  // not before: float16 is made of such numbers where the processor does not read it
            loop(step);
        });
    });
    return true;
}

const Registration registration([](const Loops& loops) {
    for (int i = 0; i < loops.updates->count; ++i) {
        const StepRow& row = loops.updates->rows[i];
        Kernel& kernel = kernel_named(row.name, run_step);
        kernel.index = i;
        for (int code : kFloats) kernel.rows[code] = reinterpret_cast<const void*>(row.loops[code == kFloat64]);
        names_of[i].states.cut(row.states);
        names_of[i].numbers.cut(row.numbers);
    }
});

}  // namespace
}  // namespace lamina
