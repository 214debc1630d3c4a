from os import PathLike
from typing import Literal

__version__: str

class Error(ValueError):
    """A file that cannot be used."""

def check(
    path: str | PathLike[str],
    *,
    frames: str | None = None,
    detection: Literal["overlap", "sweep"] | None = None,
    build: str | None = None,
) -> dict[str, list[str | None] | list[int | None] | list[float | None] | list[bool | None]]:
    """Judges a recording or a scene, and returns its findings as a dict of columns.

    The first row is that of the file; the others are its findings.
    """

def run(arguments: list[str], file: str) -> int:
    """Runs the program, and returns its exit status. `file` is that of this module."""
