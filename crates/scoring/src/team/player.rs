//! [`Player`]: what a matchmaker is told of one player.

use std::collections::BTreeMap;

use crate::outcome::ChurnByOutcome;

/// One player who waits for a match, as written in a file or filled by a service; all but `id` may be left out.
///
/// [`Pool::insert`](crate::Pool::insert) checks it. Which fields are needed depends on the factors in use:
/// [`ScoringPolicy::check_pool`](crate::ScoringPolicy::check_pool) names the player and the field that is missing.
///
/// Lists of other players (`ping_to`, `connects_to`, `recent_opponents`, `recent_teammates`, `blocks`, `friends`)
/// may name players who do not wait now; they count when those come.
///
/// ```
/// use matchwright_scoring::{Player, Pool};
///
/// let mut ann = Player::new("ann");
/// ann.skill = Some(1500.0);
/// ann.party = Some("friends".to_owned());
/// ann.pings.insert("eu".to_owned(), 24.0);
/// let pool = Pool::new(vec![ann, Player::new("bob")])?;
/// assert_eq!(pool.index_of("bob"), Some(1));
/// # Ok::<(), matchwright_scoring::PoolError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(remote = "Self", deny_unknown_fields))]
pub struct Player {
    /// A name that nobody else in the pool has; not empty.
    pub id: String,
    /// How good, on any scale: finite, at most 1e12 from 0. Factors say which scale their defaults fit.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub skill: Option<f64>,
    /// The standard deviation of what is believed of the skill, in its unit; 0 or more.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub uncertainty: Option<f64>,
    /// The party that the player queued with: the same text for all its members. Left out: alone.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub party: Option<String>,
    /// Where the player lives or wants to play; a region that some player has a ping to, if pings to regions are given
    /// at all ([`Pool::check_regions`](crate::Pool::check_regions)).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub region: Option<String>,
    /// Round trip to a server of each region, in milliseconds; 0 or more.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeMap::is_empty"))]
    pub pings: BTreeMap<String, f64>,
    /// Round trip to other players, by their id, in milliseconds; 0 or more. Comes before what regions tell.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeMap::is_empty"))]
    pub ping_to: BTreeMap<String, f64>,
    /// Numbers of one's own, by name, for scorers of one's own.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeMap::is_empty"))]
    pub numbers: BTreeMap<String, f64>,
    /// Games played so far.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub experience: Option<u64>,
    /// Languages that the player is happy to play in. None: any.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub languages: Vec<String>,
    /// Roles that the player can fill. None: any.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub roles: Vec<String>,
    /// Ids of who played against this player lately; what lately means is decided by who writes the list.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub recent_opponents: Vec<String>,
    /// Ids of who played on this player's team lately.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub recent_teammates: Vec<String>,
    /// Ids of players whom this player refuses to meet.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub blocks: Vec<String>,
    /// Ids of friends.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub friends: Vec<String>,
    /// Whether the player belongs to those who spoil games for others. Left out: no.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    pub griefer: bool,
    /// How long the player has waited, in seconds; 0 or more. Left out: 0.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub wait_seconds: Option<f64>,
    /// Whether the player's machine may be the host of a match. Left out: yes.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub can_host: Option<bool>,
    /// Ids of the players whom this player's machine can connect to. Left out: everybody.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub connects_to: Option<Vec<String>>,
    /// Strength in attack, above 0.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub offence: Option<f64>,
    /// Strength in defence, above 0, in the unit of `offence`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub defence: Option<f64>,
    /// Points on the leader board (of the player's alliance, where alliances play); 0 or more.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub glory: Option<f64>,
    /// How likely the player is to stop playing after a win, a draw and a loss.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub churn: Option<ChurnByOutcome>,
}

#[cfg(feature = "serde")]
crate::policy::strict::strictly!(Player);

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}

impl Player {
    /// A player of whom only the id is known.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            ..Self::default()
        }
    }
}

/// A field of [`Player`] that a factor may need or look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlayerField {
    /// `skill`.
    Skill,
    /// `pings` or `ping_to`.
    Pings,
    /// `pings`.
    RegionPings,
    /// `experience`.
    Experience,
    /// `offence`.
    Offence,
    /// `defence`.
    Defence,
    /// `glory`.
    Glory,
    /// `churn`.
    Churn,
    /// `region`.
    Region,
    /// `uncertainty`.
    Uncertainty,
    /// `party`.
    Party,
    /// `ping_to`.
    PingTo,
    /// `languages`.
    Languages,
    /// `roles`.
    Roles,
    /// `recent_opponents`.
    RecentOpponents,
    /// `recent_teammates`.
    RecentTeammates,
    /// `blocks`.
    Blocks,
    /// `friends`.
    Friends,
    /// `griefer`.
    Griefer,
    /// `wait_seconds`.
    WaitSeconds,
    /// `can_host`.
    CanHost,
    /// `connects_to`.
    ConnectsTo,
}

impl PlayerField {
    /// Every field but the id, each once, in the order of [`Player`].
    pub const ALL: [Self; 21] = [
        Self::Skill,
        Self::Uncertainty,
        Self::Party,
        Self::Region,
        Self::RegionPings,
        Self::PingTo,
        Self::Experience,
        Self::Languages,
        Self::Roles,
        Self::RecentOpponents,
        Self::RecentTeammates,
        Self::Blocks,
        Self::Friends,
        Self::Griefer,
        Self::WaitSeconds,
        Self::CanHost,
        Self::ConnectsTo,
        Self::Offence,
        Self::Defence,
        Self::Glory,
        Self::Churn,
    ];

    /// Its name, as in [`Player`].
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Pings => "pings` or `ping_to",
            Self::RegionPings => "pings",
            Self::Experience => "experience",
            Self::Offence => "offence",
            Self::Defence => "defence",
            Self::Glory => "glory",
            Self::Churn => "churn",
            Self::Region => "region",
            Self::Uncertainty => "uncertainty",
            Self::Party => "party",
            Self::PingTo => "ping_to",
            Self::Languages => "languages",
            Self::Roles => "roles",
            Self::RecentOpponents => "recent_opponents",
            Self::RecentTeammates => "recent_teammates",
            Self::Blocks => "blocks",
            Self::Friends => "friends",
            Self::Griefer => "griefer",
            Self::WaitSeconds => "wait_seconds",
            Self::CanHost => "can_host",
            Self::ConnectsTo => "connects_to",
        }
    }

    /// Whether `player` has it.
    #[must_use]
    pub fn is_given(self, player: &Player) -> bool {
        match self {
            Self::Skill => player.skill.is_some(),
            Self::Pings => !player.pings.is_empty() || !player.ping_to.is_empty(),
            Self::RegionPings => !player.pings.is_empty(),
            Self::Experience => player.experience.is_some(),
            Self::Offence => player.offence.is_some(),
            Self::Defence => player.defence.is_some(),
            Self::Glory => player.glory.is_some(),
            Self::Churn => player.churn.is_some(),
            Self::Region => player.region.is_some(),
            Self::Uncertainty => player.uncertainty.is_some(),
            Self::Party => player.party.is_some(),
            Self::PingTo => !player.ping_to.is_empty(),
            Self::Languages => !player.languages.is_empty(),
            Self::Roles => !player.roles.is_empty(),
            Self::RecentOpponents => !player.recent_opponents.is_empty(),
            Self::RecentTeammates => !player.recent_teammates.is_empty(),
            Self::Blocks => !player.blocks.is_empty(),
            Self::Friends => !player.friends.is_empty(),
            Self::Griefer => player.griefer,
            Self::WaitSeconds => player.wait_seconds.is_some(),
            Self::CanHost => player.can_host.is_some(),
            Self::ConnectsTo => player.connects_to.is_some(),
        }
    }
}
