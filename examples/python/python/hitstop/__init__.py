"""Records levels for the collision replay debugger Hitstop, and judges them.

`Recorder` writes a log, `check` returns its findings as a table. The program is `hitstop`, without its window.
"""

from hitstop_log import LiveOutput, Recorder, body, contact, hull

from ._native import Error, __version__, check

__all__ = ["Error", "LiveOutput", "Recorder", "__version__", "body", "check", "contact", "hull"]
