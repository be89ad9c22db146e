// Plan: a call as what it runs, with places for its arguments.
#pragma once

#include <Python.h>

#include <memory>
#include <utility>
#include <vector>

#include "objects/held.hpp"
#include "plans/call_forms.hpp"

namespace lamina {

// What stands for a value of a call: an array of an argument, or one that the call makes; a constant; several of these, as a kernel takes them; or,
// of a result, a new tensor, an argument itself, or several.
struct Value {
    enum Kind { given, made, constant, tuple, list, tensor, argument, several };

    Kind kind = constant;
    int which = -1;            // of given and made: which array; of an argument: which tensor; of a tensor: which it is a view of, or -1
    Held held;                 // of an array: the layout that it is viewed by; of a constant: the value; of several: the class
    std::vector<Value> parts;  // of a tensor: its array
    int node = -1;             // of a tensor: which node it has, or -1
};

// A node of a result, or between one and the arguments.
struct NewNode {
    Held plan, layout, table, results;
    std::vector<int> edges;  // where gradients go: to a tensor of the arguments from 0 on, nowhere at -1, to a node before it from -2 down
    std::vector<Value> saved;
};

struct Made {
    Held table, layout;
};

struct Call {
    Held table, op, names;
    Value out;
    std::vector<Value> operands;  // the last of them by name
    bool overwrites = false;      // an argument
};

// Items that the call reads of what it computed, and decides by.
struct Read {
    size_t after = 0;  // so many calls
    Value array;
    Held reader, expected;  // what has to come of it
};

struct Plan {
    std::vector<Made> made;
    std::vector<Call> calls;
    std::vector<Read> reads;  // in order
    std::vector<std::pair<int, long>> written;  // which tensors, and how often their versions count that
    std::vector<NewNode> nodes;
    Value result;
};

constexpr int kMostMade = 8, kMostNodes = 8, kMostOperands = 24;

// A plan for so many tensors or arrays, as compiling/call_plans.py of lamina_tensor writes it down. Null where it has more parts than there is
// room for, or, with an exception set, where it is none.
std::shared_ptr<const Plan> read_plan(PyObject* told, int given);

// What a call gives that is repeated; `note_view` notes a view where that is more than an entry. Null, without an exception set, where Python is to
// make the call: a kernel is not there, or raised before anything was written, or what was read is something else.
PyObject* run_plan(const Plan& plan, const Form& form, PyObject* note_view);

}  // namespace lamina
