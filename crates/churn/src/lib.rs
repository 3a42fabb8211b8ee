//! matchwright-churn.
