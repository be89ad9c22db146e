"""The conformance kit of process groups: what every transport has to do, run in each of its processes."""
