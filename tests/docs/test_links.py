"""Every link of the site within itself leads somewhere, anchors included, and every picture is there."""

import html.parser
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
    assert sorted(link for _, link in broken(tmp_path)) == ["#y", "b.html", "c.png"]


def test_links(site):
    assert len(list(site.rglob("*.html"))) > 30
    assert not sorted(broken(site))
