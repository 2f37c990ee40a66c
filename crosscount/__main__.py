"""`python -m crosscount`: the same as the command."""

from crosscount.cli import main

main()
