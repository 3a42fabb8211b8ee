//! Pages that commands write.

mod lobby;
mod replay;
mod simulate;

pub(crate) use lobby::lobby_page;
pub(crate) use replay::replay_page;
pub(crate) use simulate::worlds_page;
