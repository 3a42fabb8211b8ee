//! [`Roles`]: teams that can fill their roles, by bipartite matching.

use std::collections::BTreeMap;

use crate::error::{ScoringError, within};
use crate::scorer::MatchScorer;
use crate::team::{PlayerField, Pool, TeamFactor, TeamMatch};

/// quality = least over the teams of the share of places that can be filled at once, each by another member;
/// `None` if one cannot and they are `required`.
///
/// A member fills a role that it lists, or any if it lists none. The most places are found by augmenting paths (a
/// largest matching between places and members), so two healers who could also fight are not both counted as the
/// healer. O(places^2 x members) for each team.
///
/// ```
/// use std::collections::BTreeMap;
/// use matchwright_scoring::{MatchScorer, Player, Pool, Roles, TeamMatch};
///
/// let team = BTreeMap::from([("healer".to_owned(), 1), ("tank".to_owned(), 1)]);
/// let roles = Roles { team, required: false };
/// let player = |(id, roles): (&str, &[&str])| Player {
///     roles: roles.iter().map(|&role| role.to_owned()).collect(),
///     ..Player::new(id)
/// };
/// let (both, healer, tank): (&[&str], &[&str], &[&str]) = (&["healer", "tank"], &["healer"], &["tank"]);
/// let pool = Pool::new(
///     [("a", both), ("b", healer), ("c", tank), ("d", tank)].map(player).into(),
/// )?;
/// let quality = |teams: [&[usize]; 2]| roles.quality(&TeamMatch::new(&pool, &teams).unwrap());
/// assert_eq!(quality([&[0, 2], &[1, 3]]), Some(1.0));
/// assert_eq!(quality([&[0, 1], &[2, 3]]), Some(0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Roles {
    /// How many of each role a team needs, each 1 or more. Default: none, which is always filled.
    pub team: BTreeMap<String, usize>,
    /// Whether a match in which a team lacks a role is forbidden. Default true.
    pub required: bool,
}

impl Default for Roles {
    fn default() -> Self {
        Self {
            team: BTreeMap::new(),
            required: true,
        }
    }
}

impl Roles {
    /// Who takes which of the places (each role as often as it is needed, by name), as indices of players; `None` for
    /// those that stay empty. As many as possible are taken.
    #[must_use]
    pub fn assign(&self, pool: &Pool, team: &[usize]) -> Vec<(&str, Option<usize>)> {
        let roles = self.team.iter();
        let places: Vec<&str> = roles
            .flat_map(|(role, &count)| std::iter::repeat_n(role.as_str(), count))
            .collect();
        let mut taken: Vec<Option<usize>> = vec![None; team.len()];
        for place in 0..places.len() {
            let mut tried = vec![false; team.len()];
            augment(pool, team, &places, place, &mut taken, &mut tried);
        }
        let holder = |place: usize| {
            taken
                .iter()
                .position(|&held| held == Some(place))
                .map(|seat| team[seat])
        };
        places
            .iter()
            .enumerate()
            .map(|(place, &role)| (role, holder(place)))
            .collect()
    }

    fn share(&self, pool: &Pool, team: &[usize]) -> f64 {
        let places = self.assign(pool, team);
        let filled = places.iter().filter(|(_, player)| player.is_some()).count();
        if places.is_empty() {
            1.0
        } else {
            filled as f64 / places.len() as f64
        }
    }
}

/// Finds a member for `place`, moving others to other places where that helps.
fn augment(
    pool: &Pool,
    team: &[usize],
    places: &[&str],
    place: usize,
    taken: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for (seat, &player) in team.iter().enumerate() {
        if tried[seat] || !pool.can_fill(player, places[place]) {
            continue;
        }
        tried[seat] = true;
        if taken[seat].is_none_or(|held| augment(pool, team, places, held, taken, tried)) {
            taken[seat] = Some(place);
            return true;
        }
    }
    false
}

impl MatchScorer<TeamMatch<'_>> for Roles {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let shares = candidate
            .teams()
            .iter()
            .map(|team| self.share(candidate.pool(), team));
        let least = shares.fold(1.0, f64::min);
        (least >= 1.0 || !self.required).then_some(least)
    }
}

impl TeamFactor for Roles {
    fn name(&self) -> &'static str {
        "roles"
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        vec![PlayerField::Roles]
    }

    fn required_roles(&self) -> Option<&BTreeMap<String, usize>> {
        self.required.then_some(&self.team)
    }

    fn check(&self) -> Result<(), ScoringError> {
        for &places in self.team.values() {
            within("team", places as f64, 1.0..=1000.0)?;
        }
        Ok(())
    }

    fn why_forbidden(&self, candidate: &TeamMatch<'_>) -> Option<String> {
        if self.quality(candidate).is_some() {
            return None;
        }
        let lacks = |team: &&[usize]| {
            let empty = self
                .assign(candidate.pool(), team)
                .into_iter()
                .find(|(_, player)| player.is_none())?;
            Some((empty.0, team[0]))
        };
        let (role, member) = candidate.teams().iter().find_map(lacks)?;
        Some(format!(
            "the team of `{}` cannot fill the role `{role}`",
            candidate.name(member)
        ))
    }
}
