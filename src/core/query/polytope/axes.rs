//! Directions along which two convex bodies can be told apart.
