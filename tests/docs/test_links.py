"""Every link of the site within itself leads somewhere, anchors included, and pages fetch nothing from elsewhere."""

import html.parser
import re
import urllib.parse


class Page(html.parser.HTMLParser):
    """What a page points to, and the anchors that it has."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = set(), set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.add(value)
            elif name == "id":
                self.anchors.add(value)


def brought_in(site):
    """Scripts, styles and pictures that pages fetch from elsewhere."""
    tag = re.compile(r"<(?:script|img|link)\b[^>]*?\b(?:src|href)=[\"'](https?://[^\"']*)")
    return {address for path in site.rglob("*.html") for address in tag.findall(path.read_text())}


def broken(site):
    pages = {path: Page(path) for path in site.rglob("*.html") if "_static" not in path.parts}
    for path, page in pages.items():
        for link in page.links:
            where = urllib.parse.urlparse(link)
            if where.scheme or where.netloc:  # another site, or a picture within the page
                continue
            target = (path.parent / urllib.parse.unquote(where.path)).resolve() if where.path else path
            if not target.exists() or (where.fragment and target in pages
                                       and urllib.parse.unquote(where.fragment) not in pages[target].anchors):
                yield str(path.relative_to(site)), link


def test_broken_links_are_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<p id="x"><a href="#x"></a><a href="#y"></a><a href="b.html"></a><img src="c.png"><a href="https://d"></a>')
    assert brought_in(tmp_path) == set()
    (tmp_path / "b.html").write_text('<script async src="https://e/x.js"></script> <a href="https://f">')
    assert brought_in(tmp_path) == {"https://e/x.js"}
    (tmp_path / "b.html").unlink()
    assert sorted(link for _, link in broken(tmp_path)) == ["#y", "b.html", "c.png"]


def test_links(site):
    assert len(list(site.rglob("*.html"))) > 30
    assert not sorted(broken(site))
    assert not brought_in(site)
