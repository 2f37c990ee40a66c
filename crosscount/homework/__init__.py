"""Running and grading other people's programs."""
