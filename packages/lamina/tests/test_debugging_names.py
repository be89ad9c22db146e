"""The names of profilers, tests and strict mode are where PyTorch, or lamina, has them."""

import lamina as torch


def test_profilers():
    import lamina.autograd.profiler as older
    from lamina.profiler import (
        ProfilerAction,
        ProfilerActivity,
        profile,
        record_function,
        schedule,
        tensorboard_trace_handler,
    )

    assert older.record_function is record_function is torch.profiler.record_function
    assert torch.autograd.profiler is older and older.profile is not profile
    assert schedule(wait=0, warmup=0, active=1)(0) is ProfilerAction.RECORD_AND_SAVE
    assert ProfilerActivity.CPU in torch.profiler.supported_activities() and callable(tensorboard_trace_handler)


def test_what_is_lamina_s_own():
    assert torch.testing.assert_close(torch.ones(2), torch.ones(2)) is None
    assert torch.summary(torch.nn.Linear(2, 3), input_size=(1, 2)).parameters == 9
    with torch.strict():
        pass
