//! One group into teams: what is found beside all that there is.

mod by_hand;
mod errors;
mod forbidden;
mod large;
mod objectives;
mod random;
