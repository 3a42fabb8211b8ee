//! How likely a match's first team wins: by the policy where the teams are of one size, and else by the system that rated
//! the players, since the policy compares means, which have no size.

use matchwright_scoring::{TeamMatch, WinProbability, win_probability};
use matchwright_sim::rate::{TeamMate, team_odds};

use super::LobbyMatch;
use crate::input::{ImportedPlayers, RatedBy};

/// What says how likely teams win.
pub(super) enum Odds<'a> {
    /// Nothing does.
    None,
    /// The policy, for teams of one size.
    Policy(&'a WinProbability),
    /// The system that rated the players, and what its ratings were multiplied with for the policy.
    System(&'a RatedBy, f64, (usize, usize)),
    /// The policy would, if it did not compare means.
    LeftOut((usize, usize)),
}

impl<'a> Odds<'a> {
    pub(super) fn new(
        win: Option<&'a WinProbability>,
        sizes: &[usize],
        players: &'a ImportedPlayers,
    ) -> Self {
        // Of more than two teams no odds are known.
        let &[a, b] = sizes else { return Self::None };
        let teams = (a, b);
        match (win, players.rated_by()) {
            (None, _) => Self::None,
            (Some(win), _) if teams.0 == teams.1 => Self::Policy(win),
            (Some(_), Some(by)) => Self::System(by, players.factor, teams),
            (Some(_), None) => Self::LeftOut(teams),
        }
    }

    /// How likely the first team wins; none where a skill is unknown.
    pub(super) fn of(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let teams = candidate.teams();
        match self {
            Self::None | Self::LeftOut(_) => None,
            Self::Policy(win) => {
                let [one, two] = [0, 1].map(|team| win.strength(candidate, teams[team]));
                Some(win_probability(one - two, win.scale)).filter(|chance| chance.is_finite())
            }
            Self::System(by, factor, _) => {
                let pool = candidate.pool();
                let mate = |&player: &usize| {
                    Some(TeamMate {
                        rating: pool[player].skill? / factor,
                        deviation: pool[player].uncertainty.map(|deviation| deviation / factor),
                        party: pool.party_of(player).and_then(|party| u32::try_from(party).ok()),
                    })
                };
                let mates = |team: usize| teams[team].iter().map(mate).collect::<Option<Vec<_>>>();
                // Of parameters that the system itself was run with; a system that knows no teams has no odds.
                team_odds(&by.params, &mates(0)?, &mates(1)?).ok()?
            }
        }
    }

    /// Where the odds of teams of unequal sizes come from, or why there are none.
    pub(super) fn note(&self, matches: &[LobbyMatch]) -> Option<String> {
        let has_odds = matches.iter().any(|one| one.win_probability.is_some());
        let (teams, why) = match self {
            Self::None | Self::Policy(_) => return None,
            Self::System(by, _, (a, b)) if has_odds => {
                return Some(format!(
                    "How likely a team of {a} beats one of {b} is told by {}, which rated the players; the policy's \
                     `win_probability`, and with it the quality, compares mean skills.",
                    by.params.system.name()
                ));
            }
            Self::System(by, _, teams) => {
                let system = by.params.system.name();
                (
                    teams,
                    format!("and {system}, which rated the players, cannot say it of these teams"),
                )
            }
            Self::LeftOut(teams) => (
                teams,
                "and no manifest beside the players says which system rated them (`matchwright rate --out FILE` writes one)"
                    .to_owned(),
            ),
        };
        let (a, b) = teams;
        Some(format!(
            "How likely a team of {a} beats one of {b} is left out: the policy's `win_probability`, and with it the quality, \
             compares mean skills, {why}."
        ))
    }
}
