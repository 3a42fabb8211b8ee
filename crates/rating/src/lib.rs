//! matchwright-rating.
