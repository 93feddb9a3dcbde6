from typing import Any, Final

VERSION: Final[tuple[int, int]]
VERSION_STATUS: Final[str]
VERSION_TEXT: Final[str]
__version__: Final[str]

def load_ipython_extension(shell: Any) -> None: ...
