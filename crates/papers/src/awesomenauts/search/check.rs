//! Swaps and splits by independent code, to check the solver's.

use itertools::{Itertools as _, iproduct};
use matchwright_lobby::{Lineups, LobbyObjective, LobbyPool};

/// By how much the best swap improves these lineups: a party of one match, or of the unmatched, against parties of
/// as many players in another, all splits of both matches tried by asking the objective for each. Minus infinity if
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
/// let pool = LobbyPool::new(4, [1, 1])?;
/// let lineups = Lineups::of_teams(&pool, &quality, [vec![vec![0], vec![1]], vec![vec![2], vec![3]]])?;
/// assert!((best_swap(&pool, &quality, &lineups) - 1.6).abs() < 1e-12);
/// # Ok::<(), matchwright_lobby::LobbyError>(())
/// ```
#[must_use]
pub fn best_swap(pool: &LobbyPool, objective: &dyn LobbyObjective, lineups: &Lineups) -> f64 {
    let parties_of = |players: &[usize]| -> Vec<usize> {
        let parties = players.iter().map(|&player| pool.party_index(player));
        parties.sorted_unstable().dedup().collect()
    };
    let mut places: Vec<Place> = Vec::new();
    for lobby in &lineups.lobbies {
        let players: Vec<usize> = lobby.players().collect();
        places.push((parties_of(&players), Some(lobby.quality)));
    }
    places.push((parties_of(&lineups.unmatched), None));
    let size = |set: &[usize]| -> usize { set.iter().map(|&party| pool.parties()[party].len()).sum() };
    let most = pool.sizes().iter().copied().max().unwrap_or(0);
    let sets_of = |(parties, _): &Place| -> Vec<Vec<usize>> {
        let sets = (1..=most).flat_map(|count| parties.iter().copied().combinations(count));
        sets.filter(|set| size(set) <= most).collect()
    };
    let sets: Vec<Vec<Vec<usize>>> = places.iter().map(sets_of).collect();
    let mut best = f64::NEG_INFINITY;
    for [p, q] in (0..places.len()).array_combinations() {
        for (x, y) in iproduct!(&sets[p], &sets[q]) {
            if size(x) == size(y) && (x.len() == 1 || y.len() == 1) {
                let gain = |place, go, come| gain(pool, objective, place, go, come);
                best = best.max(gain(&places[p], x, y) + gain(&places[q], y, x));
            }
        }
    }
    best
}

/// The parties of a match with its quality, or of the unmatched players without.
type Place = (Vec<usize>, Option<f64>);

/// What a place gains if these parties go and those come; minus infinity if no match remains.
fn gain(
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    (parties, quality): &Place,
    go: &[usize],
    come: &[usize],
) -> f64 {
    let Some(quality) = quality else {
        let penalty = |set: &[usize]| -> f64 {
            let penalties = set.iter().map(|&party| pool.penalty(&pool.parties()[party]));
            penalties.sum()
        };
        return penalty(go) - penalty(come);
    };
    let stay = parties.iter().filter(|party| !go.contains(party));
    let parties: Vec<usize> = stay.chain(come).copied().collect();
    best_split(pool, objective, &parties).map_or(f64::NEG_INFINITY, |best| best.0 - quality)
}

/// The best split of a match of these parties, and its teams; `None` if no split fills both teams or all are
/// forbidden.
pub(crate) fn best_split(
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    parties: &[usize],
) -> Option<(f64, [Vec<usize>; 2])> {
    let (size_a, size_b) = pool.two_teams()?;
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
