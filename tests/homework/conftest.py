"""The sandboxes that tests run programs in."""

import os

import pytest

from crosscount.homework.sandbox import Staged, bubblewrap, why_no_bubblewrap


@pytest.fixture(scope="session")
def strong() -> Staged:
    """Bubblewrap, in the strongest way that works here."""
    found = bubblewrap()
    if found is None:
        why = why_no_bubblewrap()
        if "bubblewrap" in os.environ.get("CROSSCOUNT_REQUIRE", "").split(","):
            pytest.fail(f"bubblewrap is required: {why}")
        pytest.skip(str(why))
    assert isinstance(found, Staged)
    return found
