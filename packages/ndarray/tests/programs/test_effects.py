"""What calls do that is no kernel's: in its place among the kernel calls of each run, and in one call where effects join."""

import lamina_ndarray as nd
from lamina_flatarray.instruments import installed
from lamina_ndarray.programs.arena import Arena
from lamina_ndarray.programs.program import GIVEN, KEPT, SCRATCH, Program
from lamina_ndarray.programs.recorder import Call, Effect, Recorder


class Alone(Effect):
    writes = True


class Joining(Alone):
    joins = True


def test_effects_that_follow_one_another_join():
    recorder, x = Recorder(), nd.asarray([1.0, 2.0])
    acts = [Alone(), Alone(), Joining(), Joining(), Joining()]
    with recorder.seeing_allocations(), installed(recorder):
        half = nd.divide(x, 2.0)
        for act in acts[:4]:
            recorder.calls.append(Call("act", act, None, (), {}))
        result = recorder.operand(nd.cumulative_sum(half))
        recorder.calls.append(Call("act", acts[4], None, (), {}))
    roles = [(SCRATCH, None)] * len(recorder.storages)
    roles[recorder.number_of(x.flat)], roles[result.storage] = (GIVEN, (0, 0)), (KEPT, 0)
    done = []
    program = Program(
        recorder.calls, recorder.storages, roles, Arena(), lambda run: (lambda: done.append([acts.index(call.kernels) for call in run]), ())
    )
    out = nd.empty((2,), dtype=x.dtype)
    for _ in range(2):
        program.run([(x.flat.memory, x.flat.offset)], [out.flat.memory])
    assert done == 2 * [[0], [1], [2, 3], [4]]
    assert nd.asarray(out).tolist() == [0.5, 1.5]
