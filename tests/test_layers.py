"""Imports point one way: puzzles <- {native, encodings} <- compare <- {homework, service} <- cli."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "crosscount"
MAY_IMPORT = {
    "puzzles": {"puzzles"},
    "native": {"puzzles", "native"},
    "encodings": {"puzzles", "encodings"},
    "compare": {"puzzles", "native", "encodings", "compare"},
    "homework": {"puzzles", "native", "encodings", "compare", "homework"},
    "service": {"puzzles", "native", "encodings", "compare", "service"},
    "cli": {"puzzles", "native", "encodings", "compare", "homework", "service", "cli"},
    "pytest_plugin": {"puzzles", "compare"},
    "__main__": {"cli"},
}
HEAVY = {"numba", "llvmlite", "ortools", "pysat", "clingo", "pyganak", "fastapi", "uvicorn", "jinja2"}
SOURCES = sorted(PACKAGE.rglob("*.py"))


def imports(tree: ast.AST) -> list[str]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports would hide a layer"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(source: Path) -> None:
    layer = source.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if layer == "__init__":
        layer = "puzzles"
    for name in imports(ast.parse(source.read_text(encoding="utf-8"))):
        parts = name.split(".")
        if parts[0] == "crosscount" and len(parts) > 1 and parts[1] != "__version__":
            assert parts[1] in MAY_IMPORT[layer], f"{layer} imports {name}"


def test_the_walk_sees_a_forbidden_import() -> None:
    assert imports(ast.parse("def f():\n    from crosscount.native import gac")) == ["crosscount.native.gac"]


@pytest.mark.parametrize("layer", ["puzzles", "encodings", "compare", "homework", "cli"])
def test_heavy_packages_are_imported_where_they_are_used(layer: str) -> None:
    for source in sorted((PACKAGE / layer).rglob("*.py")):
        for node in ast.parse(source.read_text(encoding="utf-8")).body:
            for name in imports(node) if isinstance(node, ast.Import | ast.ImportFrom) else []:
                assert name.split(".")[0] not in HEAVY, f"{source.name} imports {name} at its top"
