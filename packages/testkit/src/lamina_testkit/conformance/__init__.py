"""The tests that a backend has to pass, for `pytest --pyargs lamina_testkit --backend NAME`."""
