//! matchwright beside its peers on the same inputs.
