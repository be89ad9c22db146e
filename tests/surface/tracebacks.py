"""Does a bad call show the function's own name, in the traceback or, where no code of it has run, in the message?"""

import inspect
import re
import traceback

from namespaces import Subject

NO_SUCH_KEYWORD = "no_such_keyword"


def complaint(subject: Subject) -> str | None:
    """What another name a reader of the traceback would see. A decorator's own frame may stand before the function's."""
    value = getattr(subject.ours, "__func__", subject.ours)
    name = getattr(value, "__name__", subject.name)
    code = getattr(inspect.unwrap(value), "__code__", None)
    if code and code.co_name != name:
        return f'a traceback says "in {code.co_name}"'
    if code and code.co_flags & inspect.CO_VARKEYWORDS:  # it takes any keyword: nothing more can be seen without running it
        return None
    try:
        value(**{NO_SUCH_KEYWORD: 1})
    except TypeError as error:
        return _other_name(error, name)
    except Exception as error:
        return _other_name(error, name) or f"a keyword that nobody has raises {type(error).__name__}"
    return "takes a keyword that nobody has"


def _other_name(error: Exception, name: str) -> str | None:
    frames = [frame.name for frame in traceback.extract_tb(error.__traceback__)[1:]]
    if name in frames or re.search(rf"\b{name}(\.__init__)?\(", str(error)):
        return None
    return f'a traceback says "in {frames[0]}"' if frames else f"the message names no {name}(): {error}"
