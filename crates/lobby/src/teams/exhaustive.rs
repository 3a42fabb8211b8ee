//! Exhaustive search over all splits of a group.

use matchwright_solver::{Limits, Meter, Progress, Status};

use super::group::Group;
use super::{SplitError, TeamSplit, TeamSplitter};
use crate::progress::SPLITS;
use crate::{BoundSource, LobbyObjective};

/// Tries all splits of a group, up to [`MAX_SPLITS`](Self::MAX_SPLITS), and keeps the best. A split is one unit of work.
///
/// Two teams of n/2 without parties: C(n, n/2) / 2 splits, since sides do not count: 10 for six players, 92,378 for
/// twenty. Teams of different sizes a and b: C(a + b, a). Three teams of n/3: n! / ((n/3)!^3 3!). Parties are placed
/// as one, by their first player. Each player in turn goes to the first team with room, then to the second and so on,
/// so that for two teams splits are tried in lexicographic order of team A's places in the group; the first of the
/// best wins.
///
/// ```
/// use matchwright_lobby::{ExhaustiveSplit, Group, TeamSplitter};
///
/// let skills = [1900.0, 1500.0, 1450.0, 1700.0, 1650.0, 1400.0];
/// let sum = |team: &[usize]| team.iter().map(|&player| skills[player]).sum::<f64>();
/// let balance = |a: &[usize], b: &[usize]| Some(1.0 - (sum(a) - sum(b)).abs() / 3000.0);
/// let split = ExhaustiveSplit.split(&Group::equal([0, 1, 2, 3, 4, 5], 2)?, &balance)?;
/// assert_eq!(split.team_a(), [0, 1, 5]);
/// assert_eq!(split.team_b(), [2, 3, 4]);
/// assert_eq!(split.quality, 1.0);
/// assert!(split.is_optimal());
/// # Ok::<(), matchwright_lobby::SplitError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExhaustiveSplit;

impl ExhaustiveSplit {
    /// The most splits it tries, sides told apart: enough for twenty players in two teams of any sizes.
    pub const MAX_SPLITS: u64 = 1_000_000;
}

impl TeamSplitter for ExhaustiveSplit {
    /// # Errors
    /// [`SplitError::TooManySplits`], [`SplitError::Objective`], [`SplitError::NoAllowedSplit`], or
    /// [`SplitError::NotFound`] if a limit ended the search before an allowed split.
    fn split_within(
        &self,
        group: &Group,
        objective: &dyn LobbyObjective,
        limits: &Limits<'_>,
    ) -> Result<TeamSplit, SplitError> {
        let splits = group.splits();
        if splits > Self::MAX_SPLITS {
            return Err(SplitError::TooManySplits {
                splits,
                limit: Self::MAX_SPLITS,
            });
        }
        let mut search = Search {
            group,
            objective,
            room: group.sizes().to_vec(),
            team_of: Vec::with_capacity(group.units().len()),
            best: None,
            meter: Meter::new(*limits),
        };
        search.place()?;
        let status = search.meter.ended().err().unwrap_or(Status::Optimal);
        let tried = search.meter.work();
        let (teams, quality) = search.best.ok_or(if status.is_limited() {
            SplitError::NotFound { tried }
        } else {
            SplitError::NoAllowedSplit { tried }
        })?;
        let (bound, source) = if status.is_limited() {
            (1.0, BoundSource::Trivial)
        } else {
            (quality, BoundSource::Complete)
        };
        Ok(TeamSplit {
            teams,
            quality,
            bound,
            source,
            status,
        })
    }
}

struct Search<'a> {
    group: &'a Group,
    objective: &'a dyn LobbyObjective,
    room: Vec<usize>,
    /// Of the units placed so far.
    team_of: Vec<usize>,
    best: Option<(Vec<Vec<usize>>, f64)>,
    meter: Meter<'a>,
}

impl Search<'_> {
    /// Places the next unit in each team that has room.
    fn place(&mut self) -> Result<(), SplitError> {
        let Some(unit) = self.group.units().get(self.team_of.len()) else {
            let watched = self.meter.check(Progress::new(SPLITS));
            if watched.and_then(|()| self.meter.spend(1)).is_err() {
                // All that follow are refused as well.
                return Ok(());
            }
            let teams = self.group.teams(&self.team_of);
            if let Some(quality) = self.objective.checked_quality(&teams)?
                && self.best.as_ref().is_none_or(|best| quality > best.1)
            {
                self.best = Some((teams, quality));
            }
            return Ok(());
        };
        let size = unit.len();
        for team in 0..self.room.len() {
            if self.room[team] < size || !opens_in_order(self.group.sizes(), &self.room, team) {
                continue;
            }
            self.room[team] -= size;
            self.team_of.push(team);
            self.place()?;
            self.team_of.pop();
            self.room[team] += size;
        }
        Ok(())
    }
}

/// Whether no earlier team of the same size is still empty: such teams are filled in order, or every split would come
/// again with sides swapped.
fn opens_in_order(sizes: &[usize], room: &[usize], team: usize) -> bool {
    room[team] < sizes[team] || (0..team).all(|t| sizes[t] != sizes[team] || room[t] < sizes[t])
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn splits(sizes: &[usize], parties: &[Vec<usize>]) -> Vec<(Vec<usize>, Vec<usize>)> {
        let seen = Mutex::new(Vec::new());
        let record = |a: &[usize], b: &[usize]| {
            seen.lock().unwrap().push((a.to_vec(), b.to_vec()));
            Some(0.5)
        };
        let players: Vec<_> = (0..sizes.iter().sum()).collect();
        let group = Group::new(players, sizes).unwrap().with_parties(parties).unwrap();
        let split = ExhaustiveSplit.split(&group, &record).unwrap();
        let seen = seen.into_inner().unwrap();
        // All tie, so that the first wins.
        assert_eq!((&split.teams[0], &split.teams[1]), (&seen[0].0, &seen[0].1));
        seen
    }

    #[test]
    fn each_split_is_tried_once() {
        for (sizes, parties, count) in [
            ([0, 0], vec![], 1),
            ([1, 1], vec![], 1),
            ([2, 2], vec![], 3),
            ([3, 3], vec![], 10),
            ([5, 5], vec![], 126),
            ([1, 4], vec![], 5),
            ([3, 2], vec![], 10),
            ([0, 3], vec![], 1),
            // The duo with any of four, or of six with two of five.
            ([3, 3], vec![vec![2, 4]], 4),
            ([4, 2], vec![vec![2, 4]], 7),
            ([5, 5], vec![vec![0, 1, 2], vec![9, 3]], 11),
        ] {
            let seen = splits(&sizes, &parties);
            assert_eq!(seen.len(), count, "{sizes:?} {parties:?}");
            let mut sets: Vec<_> = seen
                .into_iter()
                .map(|(a, b)| {
                    assert_eq!([a.len(), b.len()], sizes);
                    assert!(a.iter().all(|player| !b.contains(player)));
                    for party in &parties {
                        let inside = party.iter().filter(|player| a.contains(player)).count();
                        assert!(inside == 0 || inside == party.len());
                    }
                    if a.len() == b.len() {
                        [a.clone().min(b.clone()), a.max(b)]
                    } else {
                        [a, b]
                    }
                })
                .collect();
            sets.sort();
            sets.dedup();
            assert_eq!(sets.len(), count, "{sizes:?} {parties:?}");
        }
    }

    #[test]
    fn splits_come_in_lexicographic_order() {
        let seen = splits(&[3, 3], &[]);
        assert!(seen.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn ways_are_counted_with_sides_told_apart() {
        let count = |sizes: &[usize], parties: &[Vec<usize>]| {
            let players: Vec<_> = (0..sizes.iter().sum()).collect();
            let group = Group::new(players, sizes).unwrap().with_parties(parties).unwrap();
            group.splits()
        };
        assert_eq!(count(&[10, 10], &[]), 184_756);
        assert_eq!(count(&[4, 2], &[vec![2, 4]]), 7);
        assert_eq!(count(&[2, 2, 2], &[]), 90);
        assert_eq!(count(&[3, 2, 1], &[]), 60);
        assert_eq!(count(&[50, 50], &[]), u64::MAX);
        assert_eq!(count(&[1; 20], &[]), 2_432_902_008_176_640_000);
    }

    #[test]
    fn the_best_allowed_split_wins() {
        let together = |team: &[usize], i, j| team.contains(&i) == team.contains(&j);
        // Friends 7 and 9 stay together; 4 would rather be with 8.
        let quality = |a: &[usize], _: &[usize]| {
            together(a, 7, 9).then_some(if together(a, 4, 8) { 0.75 } else { 0.25 })
        };
        let split = ExhaustiveSplit
            .split(&Group::equal([7, 4, 9, 8], 2).unwrap(), &quality)
            .unwrap();
        assert_eq!(split.teams, [[7, 9], [4, 8]]);
        assert_eq!((split.quality, split.bound), (0.75, 0.75));
    }

    #[test]
    fn what_is_too_large_or_forbidden_is_a_typed_error() {
        let fine = |_: &[usize], _: &[usize]| Some(1.0);
        let twenty: Vec<_> = (0..20).collect();
        assert_eq!(
            ExhaustiveSplit.split(&Group::equal(twenty, 4).unwrap(), &fine),
            Err(SplitError::TooManySplits {
                splits: 11_732_745_024,
                limit: 1_000_000
            })
        );
        let never = |_: &[usize], _: &[usize]| None;
        assert_eq!(
            ExhaustiveSplit.split(&Group::equal([0, 1, 2, 3, 4, 5], 2).unwrap(), &never),
            Err(SplitError::NoAllowedSplit { tried: 10 })
        );
    }

    #[test]
    fn a_limit_ends_the_search_with_the_best_split_so_far() {
        let group = Group::equal([0, 1, 2, 3, 4, 5], 2).unwrap();
        let objective = |a: &[usize], _: &[usize]| Some(if a == [0, 1, 4] { 0.7 } else { 0.5 });
        let limits = Limits::unlimited().with_work(4);
        let split = ExhaustiveSplit.split_within(&group, &objective, &limits).unwrap();
        assert_eq!(
            (split.quality, split.bound, split.status),
            (0.7, 1.0, Status::WorkLimit)
        );
        let stop = |_: &Progress| 1.0;
        let limits = Limits::unlimited().with_watch(&stop);
        assert_eq!(
            ExhaustiveSplit.split_within(&group, &objective, &limits),
            Err(SplitError::NotFound { tried: 0 })
        );
    }

    #[test]
    fn a_quality_that_is_none_is_an_error() {
        for bad in [f64::NAN, -0.1, 1.5] {
            let objective = |_: &[usize], _: &[usize]| Some(bad);
            let group = Group::equal([0, 1], 2).unwrap();
            let error = ExhaustiveSplit.split(&group, &objective).unwrap_err();
            assert!(matches!(error, SplitError::Objective(_)), "{error}");
        }
    }
}
