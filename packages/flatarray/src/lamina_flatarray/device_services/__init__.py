"""What a backend may tell of its devices and do for them beyond the required: each part is optional, and has an honest default."""

from .exchange import Exchange
from .marks import Marks
from .reports import DeviceProperties, MemoryStats, Reports
from .streams import Streams

__all__ = ["DeviceProperties", "Exchange", "Marks", "MemoryStats", "Reports", "Streams"]
