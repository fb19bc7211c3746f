"""The programs in docs/manual/python.md run, and print what the page says."""

import contextlib
import io
import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "manual" / "python.md"
BLOCK = re.compile(r"^```(python|text output)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs():
    """Each program with the line where it begins and what it prints, None where that is not told."""
    text = PAGE.read_text()
    blocks = [(match[1], match[2], text[:match.start()].count("\n") + 2)
              for match in BLOCK.finditer(text)]
    for i, (kind, source, line) in enumerate(blocks):
        if kind == "python" and not source.startswith("# snippet"):
            following = blocks[i + 1] if i + 1 < len(blocks) else ("", "", 0)
            output = following[1] if following[0] == "text output" else None
            yield pytest.param(source, line, output, id=f"line_{line}")


@pytest.mark.parametrize("source, line, output", programs())
def test_a_program_of_the_manual_prints_what_it_says(source, line, output):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * (line - 1) + source, str(PAGE), "exec"), {"__name__": "__main__"})
    if output is not None:
        assert printed.getvalue() == output
