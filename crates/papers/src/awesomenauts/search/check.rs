//! Swaps and splits by independent code, to check the solver's.

use matchwright_lobby::{Lineups, LobbyObjective, LobbyPool};

/// By how much the best swap improves these lineups: a party of one match, or of the bench, against parties of as
/// many players in another, all splits of both matches tried by asking the objective for each. Minus infinity if
/// there is no swap.
///
/// It shares no code with the search whose local optima it checks. Two matches of six players: 36 swaps of 20
/// questions.
///
/// ```
/// use matchwright_papers::awesomenauts::best_swap;
/// use matchwright_lobby::{Lineups, LobbyPool};
///
/// let skills = [1.0_f64, 9.0, 1.0, 9.0];
/// let quality = |a: &[usize], b: &[usize]| Some(1.0 - (skills[a[0]] - skills[b[0]]).abs() / 10.0);
/// let pool = LobbyPool::new(4, (1, 1))?;
/// let lineups = Lineups::of_teams(&pool, &quality, [(vec![0], vec![1]), (vec![2], vec![3])])?;
/// assert!((best_swap(&pool, &quality, &lineups) - 1.6).abs() < 1e-12);
/// # Ok::<(), matchwright_lobby::LobbyError>(())
/// ```
#[must_use]
pub fn best_swap(pool: &LobbyPool, objective: &dyn LobbyObjective, lineups: &Lineups) -> f64 {
    let asked = Asked { pool, objective };
    let matches = lineups.lobbies.iter().map(|lobby| {
        let players = [&lobby.team_a[..], &lobby.team_b].concat();
        (asked.parties(&players), Some(lobby.quality))
    });
    let mut places: Vec<(Vec<usize>, Option<f64>)> = matches.collect();
    places.push((asked.parties(&lineups.unmatched), None));
    let sets: Vec<Vec<Vec<usize>>> = places.iter().map(|place| asked.sets(&place.0)).collect();
    let mut best = f64::NEG_INFINITY;
    for q in 0..places.len() {
        for p in 0..q {
            for x in &sets[p] {
                for y in sets[q].iter().filter(|y| asked.may_change_places(x, y)) {
                    let gain = asked.gain(&places[p], x, y) + asked.gain(&places[q], y, x);
                    best = best.max(gain);
                }
            }
        }
    }
    best
}

/// The best split of a match of these parties, and its teams; `None` if no split fills both teams or all are
/// forbidden.
pub(crate) fn best_split(
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    parties: &[usize],
) -> Option<(f64, [Vec<usize>; 2])> {
    let (size_a, size_b) = pool.sizes();
    let mut best: Option<(f64, [Vec<usize>; 2])> = None;
    for ways in 0..1_u32 << parties.len() {
        let mut teams = [Vec::new(), Vec::new()];
        for (place, &party) in parties.iter().enumerate() {
            teams[(ways >> place & 1) as usize].extend_from_slice(&pool.parties()[party]);
        }
        // Teams of one size: the first party is in the first team, or each split would come twice.
        let again = size_a == size_b && ways & 1 == 1;
        if again || (teams[0].len(), teams[1].len()) != (size_a, size_b) {
            continue;
        }
        if let Some(quality) = objective.quality(&teams[0], &teams[1])
            && best.as_ref().is_none_or(|best| quality > best.0)
        {
            best = Some((quality, teams));
        }
    }
    best
}

struct Asked<'a> {
    pool: &'a LobbyPool,
    objective: &'a dyn LobbyObjective,
}

impl Asked<'_> {
    fn parties(&self, players: &[usize]) -> Vec<usize> {
        let parties = players.iter().map(|&player| self.pool.party_index(player));
        let mut parties: Vec<usize> = parties.collect();
        parties.sort_unstable();
        parties.dedup();
        parties
    }

    fn players(&self, parties: &[usize]) -> usize {
        let sizes = parties.iter().map(|&party| self.pool.parties()[party].len());
        sizes.sum()
    }

    /// All sets of these parties with no more players than a team.
    fn sets(&self, parties: &[usize]) -> Vec<Vec<usize>> {
        let team = self.pool.sizes().0.max(self.pool.sizes().1);
        let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
        for &party in parties {
            let larger: Vec<Vec<usize>> = sets
                .iter()
                .filter(|set| self.players(set) + self.pool.parties()[party].len() <= team)
                .map(|set| [&set[..], &[party]].concat())
                .collect();
            sets.extend(larger);
        }
        sets.split_off(1)
    }

    fn may_change_places(&self, x: &[usize], y: &[usize]) -> bool {
        self.players(x) == self.players(y) && (x.len() == 1 || y.len() == 1)
    }

    /// What a place gains if these go and those come; minus infinity if no match is left. A place without quality is
    /// the bench.
    fn gain(&self, (parties, quality): &(Vec<usize>, Option<f64>), go: &[usize], come: &[usize]) -> f64 {
        let Some(quality) = quality else {
            return self.penalty(go) - self.penalty(come);
        };
        let stay = parties.iter().filter(|party| !go.contains(party));
        let parties: Vec<usize> = stay.chain(come).copied().collect();
        best_split(self.pool, self.objective, &parties).map_or(f64::NEG_INFINITY, |best| best.0 - quality)
    }

    fn penalty(&self, parties: &[usize]) -> f64 {
        let parties = parties
            .iter()
            .map(|&party| self.pool.penalty(&self.pool.parties()[party]));
        parties.sum()
    }
}
