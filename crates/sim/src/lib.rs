//! matchwright-sim.
