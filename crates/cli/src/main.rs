//! The matchwright command line.
fn main() {}
