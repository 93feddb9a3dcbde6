"""The directive `bars`: a table of numbers, and above it a bar for each, drawn by Matplotlib when the pages are built.

    ```{bars} what the numbers are
    | kind | C | PoCL |
    | --- | ---: | ---: |
    | stencil | 1.2 | 9.4 |
    ```

The axis is logarithmic and bars begin at 1: numbers are ratios. A cell that is no number has no bar.
"""

import html
import io

import matplotlib as mpl
from docutils import nodes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter
from sphinx.util.docutils import SphinxDirective

GREY = "#808080"  # to be read on white and on black
STYLE = {"svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10, "text.color": GREY, "axes.edgecolor": GREY,
         "axes.labelcolor": GREY, "xtick.color": GREY, "ytick.color": GREY, "svg.hashsalt": "bars"}


def number(cell):
    try:
        return float(cell)
    except ValueError:
        return None


def draw(title, names, rows):
    """SVG of a group of bars for each row: (its label, a number or None for each name)."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(7, 0.9 + 0.22 * len(names) * len(rows)), layout="constrained")
        axes = figure.subplots()
        thick = 0.8 / len(names)
        for k, name in enumerate(names):
            bars = [(at + (k - (len(names) - 1) / 2) * thick, cells[k] - 1) for at, (_, cells) in enumerate(rows) if cells[k]]
            axes.barh(*zip(*bars, strict=True), thick, left=1, label=name)
        axes.axvline(1, color=GREY, linewidth=1)
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_yticks(range(len(rows)), [label for label, _ in rows])
        axes.invert_yaxis()
        axes.set_xlabel(title)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg"):]


class Bars(SphinxDirective):
    has_content = True
    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        title, table = self.arguments[0], "\n".join(self.content)
        (_, *names), _, *lines = ([cell.strip() for cell in line.strip(" |").split("|")] for line in self.content if line.strip())
        rows = [(label.replace("`", ""), [number(cell) for cell in cells]) for label, *cells in lines]
        columns = list(zip(*(cells for _, cells in rows), strict=True)) if rows else []
        if not names or len(columns) != len(names) or not all(map(any, columns)):
            raise self.error("bars: a table with a row of names, and numbers below each of them")
        figure = f'<figure role="img" aria-label="{html.escape(title)}">{draw(title, names, rows)}</figure>'
        return [nodes.raw("", figure, format="html"), *self.parse_text_to_nodes(table)]


def setup(app):
    app.add_directive("bars", Bars)
    return {"parallel_read_safe": True}
