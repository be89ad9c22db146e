"""PyTorch's `torch.multiprocessing`: the standard library's, which sends tensors by PyTorch's rules, and processes that end together."""

from multiprocessing import (
    Array,
    AuthenticationError,
    Barrier,
    BoundedSemaphore,
    BufferTooShort,
    Condition,
    Event,
    JoinableQueue,
    Lock,
    Manager,
    Pipe,
    Pool,
    Process,
    ProcessError,
    Queue,
    RawArray,
    RawValue,
    RLock,
    Semaphore,
    SimpleQueue,
    TimeoutError,
    Value,
    active_children,
    allow_connection_pickling,
    cpu_count,
    current_process,
    freeze_support,
    get_all_start_methods,
    get_context,
    get_logger,
    get_start_method,
    log_to_stderr,
    parent_process,
    set_executable,
    set_forkserver_preload,
    set_start_method,
)  # fmt: skip
from typing import TYPE_CHECKING

from lamina_nn.spawning import (
    ProcessContext,
    ProcessException,
    ProcessExitedException,
    ProcessRaisedException,
    spawn,
    start_processes,
)
from lamina_tensor.devices.shared_memory import (
    get_all_sharing_strategies,
    get_sharing_strategy,
    init_reductions,
    set_sharing_strategy,
)

from .absent_names import explained

__all__ = [
    "Array", "AuthenticationError", "Barrier", "BoundedSemaphore", "BufferTooShort", "Condition", "Event",
    "JoinableQueue", "Lock", "Manager", "Pipe", "Pool", "Process", "ProcessContext", "ProcessError",
    "ProcessException", "ProcessExitedException", "ProcessRaisedException", "Queue", "RLock", "RawArray", "RawValue",
    "Semaphore", "SimpleQueue", "TimeoutError", "Value", "active_children", "allow_connection_pickling", "cpu_count",
    "current_process", "freeze_support", "get_all_sharing_strategies", "get_all_start_methods", "get_context",
    "get_logger", "get_sharing_strategy", "get_start_method", "init_reductions", "log_to_stderr", "parent_process",
    "set_executable", "set_forkserver_preload", "set_sharing_strategy", "set_start_method", "spawn", "start_processes",
]  # fmt: skip

init_reductions()

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
