//! matchwright-solver.
