"""Calls of PyTorch's op database that are repeated from plans give what calls by Python give, bit for bit, also for other items.

Every third entry is asked here; `python -m databases.planned_calls` asks all of them, and for more samples.
"""

import pytest
from databases import op_database

from lamina_tensor.compiling import call_plans

planned_calls = pytest.importorskip("databases.planned_calls", reason="without the compiled twins no call has a plan")

ENTRIES = {name: info for name, info in op_database.everything().items() if op_database.exists(info.name)}


@pytest.mark.parametrize("name", list(ENTRIES)[1::3])
def test_planned_calls_are_those_of_python(name):
    info = ENTRIES[name]
    dtype = next((dtype for dtype in ("float32", "int64") if op_database.serves(info, dtype)), None)
    if dtype is None:
        pytest.skip("PyTorch serves it for neither float32 nor int64")
    planned_calls.check(info, dtype, 2)


def test_most_entries_have_plans(monkeypatch):
    found = []
    find = call_plans.plan_found

    def noted(*call):
        result, plan = find(*call)
        found.append(plan is not None)
        return result, plan

    monkeypatch.setattr(call_plans, "plan_found", noted)
    planned = []
    for name in list(ENTRIES)[::10]:
        if op_database.serves(ENTRIES[name], "float32"):
            found.clear()
            planned += [name] if planned_calls.check(ENTRIES[name], "float32", 1) and any(found) else []
    assert len(planned) > 25
