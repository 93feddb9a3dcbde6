"""Runs the program under the heading "Ten lines" of a README, and compares what it prints with what stands below it."""

import pathlib
import re
import subprocess
import sys
import textwrap

text = pathlib.Path(sys.argv[1]).read_text()
program, expected = re.search(r"^## Ten lines\n.*?```python\n(.*?)```\n\n((?:    [^\n]*\n)+)", text,
                              re.MULTILINE | re.DOTALL).groups()
printed = subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, text=True).stdout
if printed != textwrap.dedent(expected):
    sys.exit(f"the ten lines print\n{printed}")
