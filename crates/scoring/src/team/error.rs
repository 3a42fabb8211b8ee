//! [`PoolError`] and [`TeamMatchError`]: what can be wrong with a pool or a candidate.

use thiserror::Error;

/// Why players make no [`Pool`](crate::Pool), or not one that a policy can score.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PoolError {
    /// A player without a name.
    #[error("player {position} (from 1) has an empty `id`: give every player a name of its own")]
    EmptyId {
        /// Its place in the pool, from 1, had it been taken in.
        position: usize,
    },
    /// Two players of one name.
    #[error("player `{id}` is there already, as number {first} (from 1): ids must differ")]
    DuplicateId {
        /// The name.
        id: String,
        /// Its place in the pool, from 1.
        first: usize,
    },
    /// A number out of its range.
    #[error("player `{player}`: `{field}` is {value}; give {remedy}")]
    Number {
        /// Whose.
        player: String,
        /// Which field, with the key where it is a table.
        field: String,
        /// What was given; it may be NaN.
        value: f64,
        /// What would be right.
        remedy: &'static str,
    },
    /// An empty text in a field that names something.
    #[error("player `{player}`: `{field}` holds an empty name; leave it out or fill it")]
    EmptyName {
        /// Whose.
        player: String,
        /// Which field.
        field: &'static str,
    },
    /// A player in a list of its own.
    #[error("player `{player}` stands in its own `{field}`: remove it there")]
    OwnName {
        /// Whose.
        player: String,
        /// Which field.
        field: &'static str,
    },
    /// A region that does not exist.
    #[error("player `{player}`: `{field}` names the region `{region}`, but the regions are {known}")]
    UnknownRegion {
        /// Whose.
        player: String,
        /// Which field.
        field: &'static str,
        /// What was written.
        region: String,
        /// The regions there are, for reading.
        known: String,
    },
    /// A party that fits into no team.
    #[error(
        "player `{player}` is in party `{party}` of {size}, but teams have {team_size} places: split the party \
         or leave it out"
    )]
    PartyTooLarge {
        /// A member.
        player: String,
        /// The party.
        party: String,
        /// Its members.
        size: usize,
        /// The places of the largest team.
        team_size: usize,
    },
    /// A field that a factor needs and a player lacks.
    #[error(
        "player `{player}` has no `{field}`, which the factor `{needed_by}` needs: give it, or drop the factor \
         from the policy"
    )]
    Missing {
        /// Who lacks it.
        player: String,
        /// What.
        field: &'static str,
        /// The factor or rule.
        needed_by: &'static str,
    },
}

/// Why teams of players are no candidate.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TeamMatchError {
    /// Not enough teams.
    #[error("a match of {teams} teams: give two or more")]
    TooFewTeams {
        /// How many were given.
        teams: usize,
    },
    /// A team without players.
    #[error("team {team} (from 0) has no players: give it one or more")]
    EmptyTeam {
        /// Which.
        team: usize,
    },
    /// A player who is not in the pool.
    #[error("player number {player} is not in the pool of {pool}")]
    NotInPool {
        /// The index.
        player: usize,
        /// How many players the pool has.
        pool: usize,
    },
    /// A player in two places.
    #[error("player number {player} has two places in the match")]
    Twice {
        /// The index.
        player: usize,
    },
}
