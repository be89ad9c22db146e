"""What a docstring of the house has: a first sentence, and the sections that its function calls for."""

import inspect
import re
from collections.abc import Callable

import signatures
from namespaces import Subject

NOTHING = (None, "None", "NoReturn", "Never", "typing.NoReturn")


def first_sentence(text: str | None, name: str) -> str | None:
    """What is wrong with the first sentence of a docstring; None where nothing is."""
    if not text or not text.strip():
        return "has no docstring"
    paragraph = " ".join(text.strip().partition("\n\n")[0].split())
    sentence = re.match(r".*?[.!?](?=\s|$)", paragraph)
    if not sentence:
        return f"its first paragraph does not end with a period: {paragraph[:60]}"
    words = re.findall(r"\w+", sentence[0])
    if len(words) < 2 or (len(words) == 2 and name in words):
        return f"says nothing: {paragraph[:60]}"
    return None


def has_section(text: str | None, *titles: str) -> bool:
    """Whether there is a line that is one of these titles and a colon."""
    return any(re.search(rf"^\s*{title}:\s*$", text or "", re.MULTILINE) for title in titles)


def has_example(text: str | None) -> bool:
    return bool(re.search(r"^\s*>>> ", text or "", re.MULTILINE))


def _text(subject: Subject) -> str | None:
    """The docstring of ours; that of `int` or `type`, which every instance shows, is not its own."""
    value = subject.ours
    if not (callable(value) or hasattr(type(value), "__get__")):
        return None
    return inspect.getdoc(value)


def summary(subject: Subject) -> str | None:
    """A field may be told of where its class is: `name: what it is.` below `Args:` or `Attributes:`."""
    missing = first_sentence(_text(subject), subject.name)
    if missing and subject.is_method and not subject.is_callable:
        told = rf"^\s+(\w+, )*{subject.name}(, \w+)*: \S"
        return None if re.search(told, inspect.getdoc(subject.ours_home) or "", re.MULTILINE) else missing
    return missing


def arguments(subject: Subject) -> str | None:
    return None if has_section(_text(subject), "Args") else "has no `Args:`"


def returns(subject: Subject) -> str | None:
    return None if has_section(_text(subject), "Returns", "Yields") else "has no `Returns:`"


def example(subject: Subject) -> str | None:
    """That of a method may be its class's; Tensor has too many methods for that."""
    shared = subject.is_method and subject.namespace != "torch.Tensor" and has_example(inspect.getdoc(subject.ours_home))
    return None if shared or has_example(_text(subject)) else "has no example"


def called_for(subject: Subject) -> dict[str, Callable[[Subject], str | None]]:
    """The rules that hold for this name."""
    if subject.is_operator:
        return {}
    if not subject.is_callable:
        return {"docstring": summary} if inspect.isdatadescriptor(subject.theirs) else {}
    rules = {"docstring": summary, "docstring example": example}
    if any(s.parameters for s in signatures.of_theirs(subject)) or signatures.takes_arguments(subject.ours):
        rules["docstring args"] = arguments
    if not subject.is_class and _gives_something(subject):
        rules["docstring returns"] = returns
    return rules


def _gives_something(subject: Subject) -> bool:
    try:
        return inspect.signature(subject.ours).return_annotation not in NOTHING
    except (ValueError, TypeError):
        return True
