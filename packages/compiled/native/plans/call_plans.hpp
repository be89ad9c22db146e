// CallPlans: what the calls of a public function ran, by their forms, so that the same is run again without Python.
#pragma once

#include <Python.h>

#include <array>
#include <memory>

#include "plans/call_forms.hpp"
#include "plans/plan.hpp"

namespace lamina {

// The plans of one function: as many as there are places, so a form may have to make room for another.
class CallPlans {
public:
    // What is known of a call. `plan` is null where there is none; `due` says that one is to be looked for.
    struct Known {
        std::shared_ptr<const Plan> plan;
        bool due = false;
    };

    // Whether it is worth while to read a form: not for a time after many that led to nothing.
    bool look_at_all();

    Known look_up(const Form& form);

    // As `run_plan`. A plan that Python had to take over from too often is dropped.
    PyObject* repeat(const Plan& plan, const Form& form);

    // Counts a call that no plan repeats, nor will soon.
    void missed();

    // What a function gives for arguments of a form that is due, of which a plan is found by the way.
    PyObject* search(const Form& form, PyObject* function, PyObject* const* arguments, Py_ssize_t count, PyObject* names);

private:
    struct Place {
        KeptForm form;
        std::shared_ptr<const Plan> plan;
        int calls = 0;       // of this form, until its plan was looked for
        int credit = 0;      // calls of this form, less those of others that would have the place
        int failures = 0;    // of its plan, less some of what it repeated
        bool found = false;  // whether its plan was looked for

        int worth() const { return form.is_stale() ? 0 : credit; }
    };

    std::unique_ptr<std::array<Place, 32>> places_;  // once there was a call
    int misses_ = 0, pause_ = 0;  // in a row; how many calls are not looked at
    int64_t generation_ = 0;      // of forms, to which these belong

    // The two places that a form may have; that where it is, or null; and that of the two which is worth less.
    std::array<Place*, 2> places_of(const Form& form);
    Place* find(const Form& form);
    Place& room_for(const Form& form);

    // Takes what was found for a form: a plan as compiling/call_plans.py writes it down, None, or NotImplemented where it is to be looked for
    // another time. False with an exception set for anything else.
    bool take(const Form& form, PyObject* found);
};

// Whether a call under these flags may be repeated; of a gradient rule, within a backward pass.
bool may_repeat(long flags);
bool may_repeat_gradient(long flags);

// use_plans(find, viewing, constants, chosen, flags, inside): what finds plans, what notes views, the classes of what is told by identity, the
// context variable of the device that is chosen, the flags that may be on, and the one that is on in a backward pass.
PyObject* use_plans(PyObject*, PyObject* const* arguments, Py_ssize_t count);

// plan_calls_after(count) -> the count before: how many calls of a form there are before its plan is looked for.
PyObject* plan_calls_after(PyObject*, PyObject* count);

// forget_plans(): calls are looked at anew, as what they depend on beside their arguments was changed.
PyObject* forget_plans(PyObject*, PyObject*);

}  // namespace lamina
