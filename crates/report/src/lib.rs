//! matchwright-report.
