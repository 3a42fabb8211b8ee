//! Tests of the queue through its public interface.
