//! Teams that can fill their roles.

use std::collections::BTreeMap;

use crate::error::{ScoringError, within};
use crate::scorer::MatchScorer;
use crate::team::{Pool, TeamFactor, TeamMatch};

/// The settings of [`Roles`], unchecked until [`build`](Self::build).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct RolesParams {
    /// How many of each role a team needs, each 1 or more. Default: none, which is always filled.
    pub team: BTreeMap<String, usize>,
    /// Whether a match in which a team lacks a role is forbidden. Default true.
    pub required: bool,
}

impl Default for RolesParams {
    fn default() -> Self {
        Self {
            team: BTreeMap::new(),
            required: true,
        }
    }
}

impl RolesParams {
    /// The factor, if the settings are in their ranges.
    ///
    /// # Errors
    /// [`ScoringError`] if a role is wanted 0 times, or more than 1000 places are.
    pub fn build(self) -> Result<Roles, ScoringError> {
        let remedy = "1 to 1000 places of each role";
        for &places in self.team.values() {
            within("RolesParams::team", places as f64, &(1.0..=1000.0), remedy)?;
        }
        let names = self.team.iter();
        let places = names
            .flat_map(|(role, &count)| std::iter::repeat_n(role.clone(), count))
            .collect();
        Ok(Roles { params: self, places })
    }
}

/// quality = least over the teams of the share of places that can be filled at once, each by another member;
/// `None` if one cannot and they are `required`.
///
/// A member fills a role that it lists, or any if it lists none. The most places are found by augmenting paths (a
/// largest matching between places and members), so two healers who could also fight are not both counted as the
/// healer. O(places^2 x members) for each team.
///
/// ```
/// use std::collections::BTreeMap;
/// use matchwright_scoring::{MatchScorer, Player, Pool, RolesParams, TeamMatch};
///
/// let team = BTreeMap::from([("healer".to_owned(), 1), ("tank".to_owned(), 1)]);
/// let roles = RolesParams { team, required: false }.build()?;
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
#[derive(Debug, Clone, PartialEq)]
pub struct Roles {
    params: RolesParams,
    places: Vec<String>,
}

impl Roles {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &RolesParams {
        &self.params
    }

    /// Who takes which of the places (each role as often as it is needed, by name), as indices of players; `None` for
    /// those that stay empty. As many as possible are taken.
    #[must_use]
    pub fn assign(&self, pool: &Pool, team: &[usize]) -> Vec<(&str, Option<usize>)> {
        let mut taken: Vec<Option<usize>> = vec![None; team.len()];
        for place in 0..self.places.len() {
            let mut tried = vec![false; team.len()];
            self.augment(pool, team, place, &mut taken, &mut tried);
        }
        let holder = |place: usize| {
            taken
                .iter()
                .position(|&held| held == Some(place))
                .map(|seat| team[seat])
        };
        self.places
            .iter()
            .enumerate()
            .map(|(place, role)| (role.as_str(), holder(place)))
            .collect()
    }

    /// Finds a member for `place`, moving others to other places where that helps.
    fn augment(
        &self,
        pool: &Pool,
        team: &[usize],
        place: usize,
        taken: &mut [Option<usize>],
        tried: &mut [bool],
    ) -> bool {
        for (seat, &player) in team.iter().enumerate() {
            if tried[seat] || !pool.can_fill(player, &self.places[place]) {
                continue;
            }
            tried[seat] = true;
            if taken[seat].is_none_or(|held| self.augment(pool, team, held, taken, tried)) {
                taken[seat] = Some(place);
                return true;
            }
        }
        false
    }

    fn share(&self, pool: &Pool, team: &[usize]) -> f64 {
        let filled = self
            .assign(pool, team)
            .iter()
            .filter(|(_, player)| player.is_some())
            .count();
        if self.places.is_empty() {
            1.0
        } else {
            filled as f64 / self.places.len() as f64
        }
    }
}

impl MatchScorer<TeamMatch<'_>> for Roles {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let shares = candidate
            .teams()
            .iter()
            .map(|team| self.share(candidate.pool(), team));
        let least = shares.fold(1.0, f64::min);
        (least >= 1.0 || !self.params.required).then_some(least)
    }
}

impl TeamFactor for Roles {
    fn name(&self) -> &'static str {
        "roles"
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
