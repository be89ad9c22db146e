"""The word of modes: flags within blocks, nested, left by an error or by Ctrl-C."""

import sys

import pytest

from lamina_flatarray.modes import INSIDE, NO_GRAD, STRICT, switched, word
from lamina_flatarray.twins import compiled


def test_blocks_within_blocks():
    outer, inner = switched(NO_GRAD | INSIDE, True), switched(NO_GRAD, False)
    with outer:
        assert word.get() == NO_GRAD | INSIDE
        with inner, switched(STRICT, True):
            assert word.get() == INSIDE | STRICT
            with outer:  # entered again before it was left
                assert word.get() == NO_GRAD | INSIDE | STRICT
            assert word.get() == INSIDE | STRICT
        assert word.get() == NO_GRAD | INSIDE
    assert word.get() == 0


def test_a_block_changes_no_other_flag():
    with switched(NO_GRAD, True):
        word.set(word.get() | STRICT)
    assert word.get() == STRICT
    word.set(0)


def test_left_by_an_error():
    with pytest.raises(KeyError), switched(NO_GRAD, True):
        raise KeyError
    assert word.get() == 0


def test_left_more_often_than_entered():
    with pytest.raises(IndexError):
        switched(NO_GRAD, True).__exit__(None, None, None)
    assert word.get() == 0


@pytest.mark.skipif(compiled is None, reason="a function of Python's can be interrupted before its first line")
def test_no_frame_in_which_an_interrupt_could_come():
    entered = []
    block = switched(NO_GRAD, True)
    sys.setprofile(lambda frame, event, argument: entered.append(frame.f_code.co_name) if event == "call" else None)
    with block:
        pass
    sys.setprofile(None)
    assert not entered
