"""Layouts of structs on this device against the rules of the Itanium C++ ABI; layouts.py compares compilers."""

import layouts
import pytest


def test_layouts():
    structs = [(text, list(asked)) for text, asked in layouts.STRUCTS.values()]
    said = layouts.device_answers(structs)
    for (name, (_, right)), answers in zip(layouts.STRUCTS.items(), said, strict=True):
        assert dict(zip(right, answers, strict=True)) == right, name


@pytest.mark.parametrize("seed", range(3))
def test_random_structs_are_structs(seed):
    text, asked = layouts.some_struct(seed)
    assert "S" in text and asked[:2] == ["sizeof(S)", "alignof(S)"]
