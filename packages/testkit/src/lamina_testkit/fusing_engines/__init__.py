"""The conformance kit of fusing engines: what the loops of every engine have to do."""
