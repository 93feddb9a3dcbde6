"""Every page of the site is in a table of contents, and each entry of one is a page: else `make docs` fails."""

import pathlib
import re

DOCS = pathlib.Path(__file__).parents[2] / "docs"
TABLE = re.compile(r"^```\{toctree\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def entries(page):
    for table in TABLE.findall(page.read_text()):
        for line in table.splitlines():
            if line and not line.startswith(":"):
                yield (page.parent / line).relative_to(DOCS)


def test_every_page_is_in_a_table_of_contents():
    pages = {path.relative_to(DOCS).with_suffix("") for path in DOCS.rglob("*.md") if "gallery" not in path.parts}
    listed = [entry for path in DOCS.rglob("*.md") for entry in entries(path)]
    assert len(pages) > 20 and len(listed) == len(set(listed))
    assert pages - set(listed) == {pathlib.Path("index")}
    assert set(listed) - pages == {pathlib.Path("gallery/index")}  # which make docs writes
