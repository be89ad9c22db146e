"""Methods about a tensor's memory: its dtype, device, storage, and how it is read."""
