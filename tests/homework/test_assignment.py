"""Assignment files and submissions: what is accepted, and what is said about the rest."""

from pathlib import Path

import pytest

from crosscount.homework.assignment import Ask
from crosscount.homework.assignment_file import read_assignment
from crosscount.homework.starter import ASSIGNMENTS, write_starter
from crosscount.homework.submissions import find_submissions
from crosscount.puzzles.errors import InputError

RUN = 'run = "python3 {program} {puzzle} {algorithm}"\n'
CASE = '[[cases]]\npuzzle = "@four-1"\nask = "one solution"\n'


def written(folder: Path, text: str) -> str:
    file = folder / "hw.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "no key run, expected the command"),
        ("run = 3\n" + CASE, 1, "run is 3, expected the command"),
        ('run = "python3 x.py"\n' + CASE, 1, "expected {program} where the submitted program goes"),
        ('run = "python3 {program} {puzle}"\n' + CASE, 1, "run has {puzle}, expected one of {program} {puzzle}"),
        ('run = "python3 {program} \'x"\n' + CASE, 1, "no closing quotation, expected a command"),
        ('[run]\npy = "python3"\n' + CASE, 2, "expected {program}"),
        (RUN, None, "no key cases, expected tables [[cases]]"),
        (RUN + CASE + "point = 3\n", 5, "unknown key point; did you mean points?"),
        (RUN + CASE + "points = -1\n", 5, "points is -1, expected a number, 0 or more"),
        (RUN + CASE + "seconds = 0\n", 5, "seconds is 0, expected a number of seconds, more than 0"),
        (RUN + CASE.replace("one solution", "solution"), 4, 'ask is "solution", expected "one solution"'),
        (RUN + CASE.replace("one solution", "value"), 4, "ask is value, expected of a puzzle any of one solution"),
        (RUN + CASE.replace("@four-1", "@four-77"), 3, "puzzle '@four-77': @four-77: no such puzzle"),
        (RUN + CASE.replace("@four-1", "nowhere.txt"), 3, "nowhere.txt: no such file"),
        (RUN + CASE + 'tree = "[1]"\n', 3, "both puzzle and tree, expected one of them"),
        (RUN + '[[cases]]\nask = "count"\n', 2, "neither puzzle nor tree, expected one of them"),
        (RUN + CASE + CASE, 5, "a second case is called 'puzzle1', expected another file or name"),
        (RUN + CASE + 'file = "../x"\n', 5, "expected a file name without folders"),
        (RUN + CASE + "[limits]\nmemory = 0\n", 6, "memory is 0, expected a whole number of megabytes"),
        (RUN + CASE + "[rubric]\nparts = { count = -1 }\n", 6, "a part worth less than 0"),
        (RUN + CASE + "[", 5, "not TOML"),
    ],
)
def test_a_bad_file_is_told_with_its_line(tmp_path: Path, text: str, line: int | None, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_assignment(path)
    assert str(error.value).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert message in str(error.value)


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_what_init_writes_can_be_read(tmp_path: Path, name: str) -> None:
    assignment = read_assignment(str(write_starter(name, tmp_path)))
    assert assignment.points > 0
    if name == "course-sudoku":
        assert [case.name for case in assignment.cases][:4] == [
            "puzzle1 BF",
            "puzzle1 BT",
            "puzzle1 FC-MRV",
            "puzzle2 BF",
        ]
        assert len(assignment.cases) == 15


def test_points_are_divided_as_the_rubric_says(tmp_path: Path) -> None:
    text = RUN + CASE.replace('"one solution"', '["one solution", "nodes"]') + "points = 10\n"
    weighed = text + '[rubric]\nparts = { "one solution" = 4, nodes = 1 }\n'
    for said, expected in ((text, 5.0), (weighed, 8.0)):
        assignment = read_assignment(written(tmp_path, said))
        assert assignment.rubric.parts(assignment.cases[0].asked, 10.0)[Ask.ONE] == expected


def test_a_changed_puzzle_file_changes_the_digest(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text("1000000000000000")
    path = written(tmp_path, RUN + CASE.replace("@four-1", "p.txt"))
    before = read_assignment(path).digest
    assert read_assignment(path).digest == before
    (tmp_path / "p.txt").write_text("2000000000000000")
    assert read_assignment(path).digest != before


def test_what_a_teacher_types(tmp_path: Path) -> None:
    assignment = read_assignment(written(tmp_path, RUN + CASE))
    work = tmp_path / "submissions"
    for name in (
        "ada/solver.py",
        "ada/grid.py",
        "bob/bob.py",
        "bob/readme.txt",
        "eve/project/main.py",
        "empty/notes.md",
    ):
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text("")
    (work / "carl.py").write_text("")
    found = {s.name: s for s in find_submissions(assignment, [str(work)])}
    assert {name: s.program for name, s in found.items()} == {
        "ada": "solver.py",
        "bob": "bob.py",
        "carl": "carl.py",
        "empty": "",
        "eve": "project/main.py",
    }
    assert found["empty"].trouble == "no program: found notes.md, expected one program"
    globbed = find_submissions(assignment, [str(path) for path in sorted(work.iterdir())])
    assert [s.name for s in globbed] == sorted(found)
    assert [s.name for s in find_submissions(assignment, [str(work / "ada" / "grid.py")])] == ["grid"]


def test_names_that_are_alike_are_told_apart(tmp_path: Path) -> None:
    assignment = read_assignment(written(tmp_path, RUN + CASE))
    for name in ("a/hw.py", "b/hw.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("")
    found = find_submissions(assignment, [str(tmp_path / "a/hw.py"), str(tmp_path / "b/hw.py")])
    assert len({s.name for s in found}) == 2


def test_a_named_program_is_found(tmp_path: Path) -> None:
    assignment = read_assignment(written(tmp_path, 'program = "Sudoku.py"\n' + RUN + CASE))
    (tmp_path / "ada").mkdir()
    for name in ("sudoku.py", "aaa.py"):
        (tmp_path / "ada" / name).write_text("")
    [only] = find_submissions(assignment, [str(tmp_path / "ada")])
    assert only.program == "sudoku.py"


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    assignment = read_assignment(written(tmp_path, RUN + CASE))
    with pytest.raises(InputError, match=r"ada\.py: no such file or folder, expected a program or a folder with one"):
        find_submissions(assignment, [str(tmp_path / "ada.py")])
    (tmp_path / "bob").mkdir()
    with pytest.raises(InputError, match="bob: no program: found nothing, expected one program"):
        find_submissions(assignment, [str(tmp_path / "bob")])


def test_the_example_of_the_documentation_can_be_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "grading.md").read_text(encoding="utf-8")
    text = page.split("```toml\n")[1].split("```")[0]
    (tmp_path / "mine.txt").write_text("1234341221434320")
    assignment = read_assignment(written(tmp_path, text))
    assert [case.name for case in assignment.cases] == [
        "puzzle1 BT",
        "puzzle1 FC-MRV",
        "puzzle2 BT",
        "puzzle2 FC-MRV",
        "tree1",
    ]
