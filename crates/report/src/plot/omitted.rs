//! Points that a plot cannot show, counted by reason.

use super::axis::{Axis, LARGEST, SMALLEST_POSITIVE, Scale};

/// Why a number has no place on an axis; the graver first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    NotFinite,
    NotPositive,
}

/// Numbers so large or so small that arithmetic with them overflows count as not finite and not positive.
pub(crate) fn fault_of(value: f64, axis: &Axis) -> Option<Fault> {
    if value.is_nan() || value.abs() > LARGEST {
        Some(Fault::NotFinite)
    } else if axis.scale == Scale::Log10 && value < SMALLEST_POSITIVE {
        Some(Fault::NotPositive)
    } else {
        None
    }
}

/// How many points are missing from the picture, and why.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Omitted {
    pub(crate) not_finite: usize,
    pub(crate) not_positive: usize,
    pub(crate) outside: usize,
}

impl Omitted {
    /// How many there are in all.
    pub(crate) fn total(self) -> usize {
        self.not_finite + self.not_positive + self.outside
    }

    /// "3 points not drawn (1 not finite, 2 outside the axes)", or nothing.
    pub(crate) fn sentence(self) -> String {
        let reasons = [
            (self.not_finite, "not finite"),
            (self.not_positive, "not positive on a logarithmic axis"),
            (self.outside, "outside the axes"),
        ];
        let given: Vec<_> = reasons.into_iter().filter(|(count, _)| *count > 0).collect();
        let why = match given.as_slice() {
            [] => return String::new(),
            [(_, reason)] => (*reason).to_owned(),
            several => several
                .iter()
                .map(|(count, reason)| format!("{count} {reason}"))
                .collect::<Vec<_>>()
                .join(", "),
        };
        format!(
            "{} {} not drawn ({why})",
            self.total(),
            if self.total() == 1 { "point" } else { "points" }
        )
    }
}
