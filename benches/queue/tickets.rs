//! Tickets with a rating, and windows for them.

use matchwright_queue::{PairsParams, Ticket, WindowParams};

pub(crate) fn widening(start: f64, per_second: f64) -> PairsParams {
    let window = WindowParams {
        start,
        per_second,
        ..WindowParams::of("rating")
    };
    PairsParams {
        windows: vec![window],
        ..PairsParams::default()
    }
}

pub(crate) fn rated(id: u64, rating: f64) -> Ticket {
    Ticket::of_one(id, id).with("rating", rating)
}
