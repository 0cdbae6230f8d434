//! What the validator admits, refuses and says.
