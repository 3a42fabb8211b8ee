//! Every split there is.

use super::{SplitError, TeamSplit, TeamSplitter};
use crate::lobby::LobbyObjective;

/// Tries every way to split a group of up to [`MAX_PLAYERS`](Self::MAX_PLAYERS) and keeps the best.
///
/// Two teams of n/2: C(n, n/2) / 2 splits, with the group's first player in team A, since sides do not
/// count: 10 for six players, 92,378 for twenty. Teams of different sizes a and b: C(a + b, a). Splits are
/// tried in lexicographic order of team A's places in the group, and the first of the best wins.
///
/// ```
/// use matchwright_solver::{ExhaustiveSplit, TeamSplitter};
///
/// let skills = [1900.0, 1500.0, 1450.0, 1700.0, 1650.0, 1400.0];
/// let sum = |team: &[usize]| team.iter().map(|&player| skills[player]).sum::<f64>();
/// let balance = |a: &[usize], b: &[usize]| Some(1.0 - (sum(a) - sum(b)).abs() / 3000.0);
/// let split = ExhaustiveSplit::even().split(&[0, 1, 2, 3, 4, 5], &balance)?;
/// assert_eq!(split.team_a, [0, 1, 5]);
/// assert_eq!(split.team_b, [2, 3, 4]);
/// assert_eq!(split.quality, 1.0);
/// # Ok::<(), matchwright_solver::SplitError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExhaustiveSplit {
    sizes: Option<(usize, usize)>,
}

impl ExhaustiveSplit {
    /// The largest group it takes.
    pub const MAX_PLAYERS: usize = 20;

    /// Two teams of the same size.
    #[must_use]
    pub const fn even() -> Self {
        Self { sizes: None }
    }

    /// A first team of `team_a` players and a second of `team_b`.
    #[must_use]
    pub const fn of_sizes(team_a: usize, team_b: usize) -> Self {
        Self {
            sizes: Some((team_a, team_b)),
        }
    }

    /// The sizes of the teams for this group.
    fn sizes_for(&self, group: &[usize]) -> Result<(usize, usize), SplitError> {
        let players = group.len();
        if players > Self::MAX_PLAYERS {
            return Err(SplitError::TooManyPlayers {
                players,
                limit: Self::MAX_PLAYERS,
            });
        }
        if let Some(k) = (1..players).find(|&k| group[..k].contains(&group[k])) {
            return Err(SplitError::DuplicatePlayer { player: group[k] });
        }
        match self.sizes {
            None if players.is_multiple_of(2) => Ok((players / 2, players / 2)),
            None => Err(SplitError::OddGroup { players }),
            Some((team_a, team_b)) if team_a.checked_add(team_b) == Some(players) => Ok((team_a, team_b)),
            Some((team_a, team_b)) => Err(SplitError::WrongSize {
                players,
                team_a,
                team_b,
            }),
        }
    }
}

impl TeamSplitter for ExhaustiveSplit {
    fn split(&self, group: &[usize], objective: &dyn LobbyObjective) -> Result<TeamSplit, SplitError> {
        let (size_a, size_b) = self.sizes_for(group)?;
        // The first player stays in team A, or every split would come twice.
        let fixed = usize::from(size_a == size_b).min(size_a);
        let mut best: Option<TeamSplit> = None;
        let mut tried = 0;
        let mut places: Vec<usize> = (0..size_a).collect();
        loop {
            let (team_a, team_b) = teams(group, &places);
            tried += 1;
            if let Some(quality) = objective.quality(&team_a, &team_b) {
                if !(0.0..=1.0).contains(&quality) {
                    return Err(SplitError::BadQuality {
                        team_a,
                        team_b,
                        quality,
                    });
                }
                if best.as_ref().is_none_or(|best| quality > best.quality) {
                    best = Some(TeamSplit {
                        team_a,
                        team_b,
                        quality,
                    });
                }
            }
            if !next_combination(&mut places[fixed..], group.len()) {
                return best.ok_or(SplitError::NoAllowedSplit { tried });
            }
        }
    }
}

/// The players at these places, and the others.
fn teams(group: &[usize], places: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut teams = (
        Vec::with_capacity(places.len()),
        Vec::with_capacity(group.len() - places.len()),
    );
    for (place, &player) in group.iter().enumerate() {
        let team = if places.binary_search(&place).is_ok() {
            &mut teams.0
        } else {
            &mut teams.1
        };
        team.push(player);
    }
    teams
}

/// The next set of places in lexicographic order; false after the last.
fn next_combination(places: &mut [usize], n: usize) -> bool {
    let size = places.len();
    let Some(k) = (0..size).rev().find(|&k| places[k] < n - size + k) else {
        return false;
    };
    places[k] += 1;
    for later in k + 1..size {
        places[later] = places[later - 1] + 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn splits(splitter: ExhaustiveSplit, players: usize) -> Vec<(Vec<usize>, Vec<usize>)> {
        let seen = Mutex::new(Vec::new());
        let record = |a: &[usize], b: &[usize]| {
            seen.lock().unwrap().push((a.to_vec(), b.to_vec()));
            Some(0.5)
        };
        let group: Vec<_> = (0..players).collect();
        let split = splitter.split(&group, &record).unwrap();
        let seen = seen.into_inner().unwrap();
        // All tie, so that the first wins.
        assert_eq!((&split.team_a, &split.team_b), (&seen[0].0, &seen[0].1));
        seen
    }

    #[test]
    fn each_split_is_tried_once() {
        for (splitter, players, count) in [
            (ExhaustiveSplit::even(), 0, 1),
            (ExhaustiveSplit::even(), 2, 1),
            (ExhaustiveSplit::even(), 4, 3),
            (ExhaustiveSplit::even(), 6, 10),
            (ExhaustiveSplit::even(), 10, 126),
            (ExhaustiveSplit::of_sizes(3, 3), 6, 10),
            (ExhaustiveSplit::of_sizes(1, 4), 5, 5),
            (ExhaustiveSplit::of_sizes(3, 2), 5, 10),
            (ExhaustiveSplit::of_sizes(0, 3), 3, 1),
        ] {
            let seen = splits(splitter, players);
            assert_eq!(seen.len(), count, "{splitter:?}");
            let mut sets: Vec<_> = seen
                .into_iter()
                .map(|(a, b)| {
                    assert_eq!(a.len() + b.len(), players);
                    assert!(a.iter().all(|player| !b.contains(player)));
                    if a.len() == b.len() {
                        [a.clone().min(b.clone()), a.max(b)]
                    } else {
                        [a, b]
                    }
                })
                .collect();
            sets.sort();
            sets.dedup();
            assert_eq!(sets.len(), count, "{splitter:?}");
        }
    }

    #[test]
    fn the_best_allowed_split_wins() {
        let together = |team: &[usize], i, j| team.contains(&i) == team.contains(&j);
        // Friends 7 and 9 stay together; 4 would rather be with 8.
        let quality = |a: &[usize], _: &[usize]| {
            together(a, 7, 9).then_some(if together(a, 4, 8) { 0.75 } else { 0.25 })
        };
        let split = ExhaustiveSplit::even().split(&[7, 4, 9, 8], &quality).unwrap();
        assert_eq!(
            split,
            TeamSplit {
                team_a: vec![7, 9],
                team_b: vec![4, 8],
                quality: 0.75
            }
        );
    }

    #[test]
    fn what_cannot_be_split_is_a_typed_error() {
        let fine = |_: &[usize], _: &[usize]| Some(1.0);
        let error = |splitter: ExhaustiveSplit, group: &[usize]| splitter.split(group, &fine).unwrap_err();
        assert_eq!(
            error(ExhaustiveSplit::even(), &[1, 2, 3]),
            SplitError::OddGroup { players: 3 }
        );
        assert_eq!(
            error(ExhaustiveSplit::of_sizes(2, 2), &[1, 2, 3]),
            SplitError::WrongSize {
                players: 3,
                team_a: 2,
                team_b: 2
            }
        );
        assert_eq!(
            error(ExhaustiveSplit::of_sizes(usize::MAX, 2), &[1]),
            SplitError::WrongSize {
                players: 1,
                team_a: usize::MAX,
                team_b: 2
            }
        );
        assert_eq!(
            error(ExhaustiveSplit::even(), &[3, 5, 6, 5]),
            SplitError::DuplicatePlayer { player: 5 }
        );
        let many: Vec<_> = (0..22).collect();
        assert_eq!(
            error(ExhaustiveSplit::even(), &many),
            SplitError::TooManyPlayers {
                players: 22,
                limit: 20
            }
        );
        let never = |_: &[usize], _: &[usize]| None;
        assert_eq!(
            ExhaustiveSplit::even().split(&[0, 1, 2, 3, 4, 5], &never),
            Err(SplitError::NoAllowedSplit { tried: 10 })
        );
    }

    #[test]
    fn a_quality_that_is_none_is_an_error() {
        for bad in [f64::NAN, -0.1, 1.5] {
            let objective = |_: &[usize], _: &[usize]| Some(bad);
            let error = ExhaustiveSplit::even().split(&[0, 1], &objective).unwrap_err();
            assert!(matches!(error, SplitError::BadQuality { .. }), "{error}");
        }
    }
}
