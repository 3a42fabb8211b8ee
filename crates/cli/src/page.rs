//! Pages that commands write.

mod lobby;

pub(crate) use lobby::lobby_page;
