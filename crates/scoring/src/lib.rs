//! matchwright-scoring.
