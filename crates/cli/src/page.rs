//! Pages that commands write.

mod lobby;
mod replay;

pub(crate) use lobby::lobby_page;
pub(crate) use replay::replay_page;
