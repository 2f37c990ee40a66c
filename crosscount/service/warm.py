"""Load and compile what jobs will need before the first of them: every process of a job is a fork and has it then."""

from contextlib import suppress
from importlib import import_module

from crosscount.puzzles.engine import Limits, Unavailable
from crosscount.puzzles.errors import InputError
from crosscount.service.cells import counted
from crosscount.service.reading import known_engines, read_puzzle

PUZZLES = ("@course-1", "@queens-6")
SOLVERS = ("pysat.solvers", "ortools.sat.python.cp_model", "clingo", "pyganak")
REST = ("crosscount.compare.tree_run", "crosscount.compare.tree_report", "crosscount.compare.tree_svg")


def warm(engine_module: str = "") -> None:
    """Whatever is missing here is the status of a run later, and no reason to stop."""
    for module in (*SOLVERS, *REST):
        with suppress(ImportError):
            import_module(module)
    for name in PUZZLES:
        with suppress(InputError):
            puzzle = read_puzzle(name).puzzle
            for engine in known_engines(engine_module).values():
                with suppress(Unavailable):
                    if engine.warm is not None:
                        engine.warm(puzzle)
            counted(puzzle, Limits())
