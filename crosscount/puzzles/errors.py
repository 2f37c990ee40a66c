"""What can be wrong with what a person hands us."""


class InputError(Exception):
    """Bad input: the message gives the place, what was found and what was expected, in one line."""


def at(place: str, line: int | None, message: str) -> InputError:
    """An InputError in the form `file:line: message`, in one line whatever the names in it hold."""
    text = f"{place}:{line}: {message}" if line is not None else f"{place}: {message}"
    return InputError(" ".join(text.splitlines()))
