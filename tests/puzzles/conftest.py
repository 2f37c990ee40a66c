"""Generated examples have no deadline: no test here asserts a time."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
