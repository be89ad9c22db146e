"""PyTorch's `torch.distributed.pipelining`: models cut into stages, one or several in each process."""

from typing import TYPE_CHECKING

from lamina_nn.sharding.pipelining.schedules import (
    Schedule1F1B,
    ScheduleGPipe,
    ScheduleInterleaved1F1B,
    ScheduleLoopedBFS,
)
from lamina_nn.sharding.pipelining.stage import PipelineStage

from ..absent_names import explained

__all__ = ["PipelineStage", "Schedule1F1B", "ScheduleGPipe", "ScheduleInterleaved1F1B", "ScheduleLoopedBFS"]


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
