"""Pages in a real browser: pictures are drawn, search finds things, nothing fails in the page's own programs."""

import functools
import http.server
import shutil
import threading

import pytest
from playwright import sync_api


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        """Requests are not written to stderr."""


@pytest.fixture(scope="module")
def address(site):
    handler = functools.partial(Silent, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def page():
    program = shutil.which("chromium")
    assert program, "no chromium on PATH: apt-get install chromium"
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.problems = []
        page.on("pageerror", lambda problem: page.problems.append(str(problem)))
        page.on("response", lambda response: page.problems.append(response.url) if response.status >= 400 else None)
        yield page
        browser.close()


def test_search(page, address):
    page.goto(f"{address}/index.html")
    page.fill("input[name=q]", "memcpy_htod")
    page.press("input[name=q]", "Enter")
    page.wait_for_selector("ul.search li a")
    found = page.eval_on_selector_all("ul.search li a", "links => links.map(link => link.getAttribute('href'))")
    assert any("reference/driver.html" in link for link in found)
    page.click("ul.search li a >> nth=0")
    assert "memcpy_htod" in page.content()
    assert not page.problems


def test_pictures(page, address, site):
    """The front page, and all of the gallery."""
    shown = {}
    for path in [site / "index.html", *sorted((site / "gallery").glob("*.html"))]:
        page.goto(f"{address}/{path.relative_to(site)}")
        page.evaluate("document.querySelectorAll('img').forEach(image => image.loading = 'eager')")
        page.wait_for_function("[...document.images].every(image => image.complete)")
        shown[path.stem] = page.evaluate("[...document.images].map(image => [image.src.slice(0, 200), image.naturalWidth])")
    assert len(shown) > 15 and all(pictures for name, pictures in shown.items() if name.startswith("plot_"))
    assert not [source for pictures in shown.values() for source, width in pictures if width == 0]
    assert not page.problems
