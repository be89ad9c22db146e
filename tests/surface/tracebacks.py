"""Does a bad call show the function's own name, in the traceback or, where no code of it has run, in the message?"""

import types

from namespaces import Subject

NO_SUCH_KEYWORD = "no_such_keyword"


def complaint(subject: Subject) -> str | None:
    """What another name a reader of the traceback would see."""
    value = getattr(subject.ours, "__func__", subject.ours)
    name = getattr(value, "__name__", subject.name)
    code = getattr(value, "__code__", None)
    if code and code.co_name != name:
        return f'a traceback says "in {code.co_name}"'
    if code and code.co_flags & 0x08:  # it takes any keyword: nothing more can be seen without running it
        return None
    try:
        value(**{NO_SUCH_KEYWORD: 1})
    except TypeError as error:
        return _other_name(error, name)
    except Exception as error:
        return _other_name(error, name) or f"a keyword that nobody has raises {type(error).__name__}"
    return "takes a keyword that nobody has"


def _other_name(error: Exception, name: str) -> str | None:
    frame: types.TracebackType | None = error.__traceback__ and error.__traceback__.tb_next
    if frame is not None:
        seen = frame.tb_frame.f_code.co_name
        return None if seen == name else f'a traceback says "in {seen}"'
    return None if f"{name}(" in str(error) else f"the message names no {name}(): {error}"
