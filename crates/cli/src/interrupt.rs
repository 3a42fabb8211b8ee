//! Ctrl-C: in a search that says so it ends the search, whose best so far follows; elsewhere it ends the program.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::tell;

/// What a shell expects of a program that Ctrl-C ended: 128 and the number of the signal.
const ENDED_BY_INTERRUPT: i32 = 130;

static SEARCHING: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);

/// A search that Ctrl-C ends, as long as this lives.
pub(crate) struct Interruptible {
    asked: &'static AtomicBool,
}

impl Interruptible {
    /// From here on Ctrl-C is waited for, and the user is told so.
    pub(crate) fn begin(what: &str) -> Self {
        ASKED.store(false, Ordering::SeqCst);
        SEARCHING.store(true, Ordering::SeqCst);
        // Where no handler can be set, Ctrl-C ends the program, as it does in any other.
        if ctrlc::set_handler(on_interrupt).is_ok() {
            tell(&format!("{what}; Ctrl-C ends it with the best so far"));
        }
        Self { asked: &ASKED }
    }

    /// Whether the search should end now.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Drop for Interruptible {
    fn drop(&mut self) {
        SEARCHING.store(false, Ordering::SeqCst);
    }
}

fn on_interrupt() {
    if ASKED.swap(true, Ordering::SeqCst) || !SEARCHING.load(Ordering::SeqCst) {
        std::process::exit(ENDED_BY_INTERRUPT);
    }
    // A terminal has a bar in the line at hand.
    let line = if std::io::stderr().is_terminal() { "\n" } else { "" };
    tell(&format!(
        "{line}stopping: the best so far follows; Ctrl-C again ends the program without it"
    ));
}
