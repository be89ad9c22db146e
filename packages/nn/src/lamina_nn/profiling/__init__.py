"""`torch.profiler`: what a program spends its time and memory on, by op, by region and by module."""

from .averages import EventList, FunctionEventAvg
from .events import FunctionEvent
from .profiler import ProfilerActivity, profile, tensorboard_trace_handler
from .regions import record_function
from .schedules import ProfilerAction, schedule
from .timeline import Collective, CollectiveAverage, Timeline
from .whole import profile as whole_profile

__all__ = [
    "Collective", "CollectiveAverage", "EventList", "FunctionEvent", "FunctionEventAvg", "ProfilerAction", "ProfilerActivity", "Timeline",
    "profile", "record_function", "schedule", "tensorboard_trace_handler", "whole_profile",
]  # fmt: skip
