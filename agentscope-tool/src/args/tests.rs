//! The whole way from text to arguments.
