//! The study of EOMM and the inference of ladders, from outside.
#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod ladder_forensics;
mod study;
