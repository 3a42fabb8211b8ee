//! What "World War Matchmaking - Design Spotlight 2019" prints (the developers of DomiNations, with their answers in
//! the forum). Of its ratings that is little: K and its schedule are described without numbers.

/// The share by which one defence is higher than the other, "about".
pub const DEFENCE_LEAD: f64 = 0.1;

/// The chance to win that this gives.
pub const DEFENCE_WIN: f64 = 0.6;

/// Glory towards which all alliances are pulled.
pub const CENTRE: f64 = 12_000.0;

/// How many alliances the leaderboard's top has.
pub const TOP: usize = 100;

/// Where that top should land after the pull: 15,000 to the middle of the 17,000s.
pub const TOP_AFTER: (f64, f64) = (15_000.0, 17_500.0);

/// Section on sandbagging: members of the Cold War and of the Medieval age in the alliance to be refused.
pub const SANDBAGGERS: (usize, usize) = (5, 5);

/// Members of the Cold War, and of the Enlightenment or later, in the one that it must not meet.
pub const HONEST: (usize, usize) = (1, 9);
