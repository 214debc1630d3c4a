//! Every small number of the core: its unit, its reason, and what breaks if it moves.
