//! What comes first in dates of numbers.

/// What comes first in dates such as `03/05/2024`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// `31/12/2024`
    Day,
    /// `12/31/2024`
    Month,
    /// `24/12/31`
    Year,
}

impl DateOrder {
    /// All, by the names that `--date-order` has for them.
    pub const ALL: [(&'static str, &'static str, Self); 3] = [
        ("day", "31/12/2024", Self::Day),
        ("month", "12/31/2024", Self::Month),
        ("year", "24/12/31", Self::Year),
    ];

    /// As on a command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}
