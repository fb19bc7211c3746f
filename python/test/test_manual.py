"""The programs in docs/manual/python.md and docs/tutorial run, and print what the pages say."""

import contextlib
import io
import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
PAGES = [DOCS / "manual" / "python.md", *sorted((DOCS / "tutorial").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*[^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs():
    """Each program with its page, the line where it begins and what it prints, or None."""
    for page in PAGES:
        text = page.read_text()
        blocks = [(match[1], match[2], text[:match.start()].count("\n") + 2)
                  for match in BLOCK.finditer(text)]
        for i, (kind, source, line) in enumerate(blocks):
            if kind == "python" and not source.startswith("# snippet"):
                following = blocks[i + 1] if i + 1 < len(blocks) else ("", "", 0)
                output = following[1] if following[0] == "text output" else None
                yield pytest.param(page, source, line, output, id=f"{page.stem}_line_{line}")


@pytest.mark.parametrize("page, source, line, output", programs())
def test_a_program_of_the_manual_prints_what_it_says(page, source, line, output):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * (line - 1) + source, str(page), "exec"), {"__name__": "__main__"})
    if output is not None:
        assert printed.getvalue() == output
