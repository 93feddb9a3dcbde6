"""Mako, by the name that PyCUDA gives it."""

from mako import template  # noqa: F401
