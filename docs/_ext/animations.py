"""How the gallery takes pictures: Matplotlib's figures as usual, its animations as GIF files.

Matplotlib's own HTML for an animation loads a style sheet from another site; pages here need nothing from elsewhere.
"""

import logging
import pathlib

import matplotlib.pyplot as plt
from matplotlib.animation import Animation
from sphinx_gallery.scrapers import figure_rst, matplotlib_scraper

logging.getLogger("matplotlib.animation").setLevel(logging.WARNING)  # else it tells how it writes each


def scrape(block, variables, configuration):
    animations = [thing for thing in variables["example_globals"].values()
                  if isinstance(thing, Animation) and thing._fig.number in plt.get_fignums()]
    if not animations:
        return matplotlib_scraper(block, variables, configuration)
    paths = []
    for animation in animations:
        paths.append(pathlib.Path(next(variables["image_path_iterator"])).with_suffix(".gif"))
        animation.save(paths[-1], writer="pillow", dpi=80)
    plt.close("all")
    return figure_rst(paths, configuration["src_dir"])


def _get_sg_image_scraper():
    """What sphinx-gallery asks a module for."""
    return scrape
