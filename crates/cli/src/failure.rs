//! How a command ends when it does not end well.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

pub(crate) use matchwright_import::text::{shown, suggestion};
use matchwright_report::visible_line;

/// Why a command stopped, with the exit code that says so.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line asks for something that makes no sense: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// The work could not be done: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// A service whose disk failed, which stops for good: exit code 70.
    #[cfg(feature = "serve")]
    #[error("{0}")]
    Stopped(String),
    /// Something that another process has: exit code 75.
    #[cfg(feature = "serve")]
    #[error("{0}")]
    Owned(String),
    /// Reading or writing failed: exit code 1.
    #[error("{what}: {error}")]
    Io {
        /// Which file, and what was being done to it.
        what: String,
        /// What the system said.
        error: std::io::Error,
    },
}

impl Failure {
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            #[cfg(feature = "serve")]
            Self::Stopped(_) => ExitCode::from(70),
            #[cfg(feature = "serve")]
            Self::Owned(_) => ExitCode::from(75),
            Self::Failed(_) | Self::Io { .. } => ExitCode::from(1),
        }
    }

    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Io { error, .. } if error.kind() == std::io::ErrorKind::BrokenPipe)
    }

    /// Any error of a library as a failure of the work.
    pub(crate) fn of(error: impl fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }

    /// An error of the system while `what` was being done.
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let what = what.into();
        move |error| Self::Io { what, error }
    }
}

/// Paths as messages show them.
pub(crate) trait ShownPath {
    /// In one line, whatever the names of files are.
    fn shown(&self) -> String;
}

impl ShownPath for Path {
    fn shown(&self) -> String {
        visible_line(&self.to_string_lossy()).into_owned()
    }
}

/// The text with numbers of more digits than anybody reads cut.
pub(crate) fn short_numbers(text: &str) -> String {
    const LONGEST: usize = 24;
    let mut short = String::with_capacity(text.len());
    let mut digits = 0;
    for c in text.chars() {
        digits = if c.is_ascii_digit() { digits + 1 } else { 0 };
        match digits {
            0..=LONGEST => short.push(c),
            _ if digits == LONGEST + 1 => short.push('…'),
            _ => {}
        }
    }
    short
}

/// Tells the user something in one line on standard error, where nothing from a file can steer the terminal or begin
/// another line. Whether anybody listens is not our concern.
pub(crate) fn tell(text: &str) {
    use std::io::Write;
    // More than this nobody reads.
    const LONGEST: usize = 4000;
    let end = text
        .char_indices()
        .nth(LONGEST)
        .map_or(text.len(), |(end, _)| end);
    let rest = if end < text.len() { "…" } else { "" };
    let _ = writeln!(std::io::stderr().lock(), "{}{rest}", visible_line(&text[..end]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_cut_and_all_else_stays() {
        assert_eq!(
            short_numbers("p12: 1.5 is 2026-01-01, `é`"),
            "p12: 1.5 is 2026-01-01, `é`"
        );
        let long = format!("`k` is -1{}: give 1{}", "0".repeat(300), "0".repeat(23));
        let short = format!("`k` is -1{}…: give 1{}", "0".repeat(23), "0".repeat(23));
        assert_eq!(short_numbers(&long), short);
    }
}
