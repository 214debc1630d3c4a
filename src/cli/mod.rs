//! The command line: `hitstop check` and `hitstop convert`, and the window's arguments.
