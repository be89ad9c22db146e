"""What all runs of tests share: what makes each of some hundred thousand tests cheap."""

import gc

import pytest
from _pytest.runner import runtestprotocol


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection():
    """Tests that are collected stay to the end: among them, no garbage is looked for."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """A worker of pytest-xdist sends one message for a test, not five: starts, ends, and what went well around it tell nothing."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True
