//! The laws of team splitters.

use super::drawn::Drawn;
use super::violation::{Law, LawViolation};
use crate::LobbyObjective;
use crate::random::SplitMix64;
use crate::teams::{ExhaustiveSplit, Group, SplitError, TeamSplit, TeamSplitter};

/// How many groups are drawn of each kind.
const ROUNDS: usize = 12;

/// Sizes of teams.
const SIZES: [&[usize]; 6] = [&[1, 1], &[3, 3], &[4, 4], &[2, 5], &[2, 2, 2], &[3, 1, 2]];

/// Checks a splitter on small groups drawn from `seed`: two and three teams, even and uneven, with and without
/// parties, forbidden pairs and terms.
///
/// Of [`Law`]: `Seats`, `Parties`, `SplitQuality`, `SplitBound`, `Deterministic`, and `Answers`. A splitter may
/// refuse a group with forbidden pairs ([`SplitError::NotFound`]).
///
/// ```
/// use matchwright_lobby::laws::check_splitter;
/// use matchwright_lobby::BestSplit;
///
/// check_splitter(&BestSplit::new(), 1)?;
/// check_splitter(&BestSplit::new().with_splits(0).with_tries(100), 1)?;
/// # Ok::<(), matchwright_lobby::laws::LawViolation>(())
/// ```
///
/// # Errors
/// The first [`LawViolation`], with its group.
pub fn check_splitter(splitter: &dyn TeamSplitter, seed: u64) -> Result<(), LawViolation> {
    let mut bits = SplitMix64(seed);
    for _ in 0..ROUNDS {
        for sizes in SIZES {
            for (forbidden, terms) in [(false, true), (true, true), (false, false), (true, false)] {
                let Ok(group) = draw_group(&mut bits, sizes) else {
                    continue;
                };
                let objective = Drawn {
                    salt: bits.next(),
                    forbidden,
                    terms,
                };
                check_one(splitter, &group, &objective)?;
            }
        }
    }
    Ok(())
}

/// Players with names of any size, and parties of two or three if they fit.
fn draw_group(bits: &mut SplitMix64, sizes: &[usize]) -> Result<Group, SplitError> {
    let players: Vec<usize> = (0..sizes.iter().sum())
        .map(|at| at * 7 + bits.below(7))
        .rev()
        .collect();
    let parties: Vec<Vec<usize>> = match bits.below(3) {
        0 => vec![],
        1 => vec![players[..2].to_vec()],
        _ => vec![
            players
                .iter()
                .copied()
                .skip(1)
                .step_by(2)
                .take(2 + bits.below(2))
                .collect(),
        ],
    };
    let group = Group::new(players, sizes)?;
    group.clone().with_parties(&parties).or(Ok(group))
}

fn check_one(splitter: &dyn TeamSplitter, group: &Group, objective: &Drawn) -> Result<(), LawViolation> {
    let violates = |law, detail: String| LawViolation {
        law,
        detail,
        input: format!("{group:?} with {objective:?}"),
    };
    let answer = splitter.split(group, objective);
    if splitter.split(group, objective) != answer {
        return Err(violates(
            Law::Deterministic,
            "a second split is another".to_owned(),
        ));
    }
    let best = ExhaustiveSplit.split(group, objective).ok();
    let split = match (answer, &best) {
        (Ok(split), _) => split,
        (Err(SplitError::NotFound { .. }), _) if objective.forbidden => return Ok(()),
        (Err(_), None) => return Ok(()),
        (Err(error), Some(_)) => return Err(violates(Law::Answers, error.to_string())),
    };
    if let Some(detail) = wrong_seats(group, &split) {
        return Err(violates(Law::Seats, detail));
    }
    for party in group.parties() {
        if !split
            .teams
            .iter()
            .any(|team| party.iter().all(|player| team.contains(player)))
        {
            return Err(violates(
                Law::Parties,
                format!("{party:?} are apart in {:?}", split.teams),
            ));
        }
    }
    let stated = objective.quality_of(&split.teams);
    if stated.is_none_or(|stated| (stated - split.quality).abs() > 1e-9) {
        let detail = format!(
            "a quality of {}, but the objective says {stated:?}",
            split.quality
        );
        return Err(violates(Law::SplitQuality, detail));
    }
    let most = best.map_or(split.quality, |best| best.quality.max(split.quality));
    if !(split.bound >= most - 1e-9 && split.bound <= 1.0) {
        let detail = format!("a bound of {}, but a split of {most}", split.bound);
        return Err(violates(Law::SplitBound, detail));
    }
    Ok(())
}

fn wrong_seats(group: &Group, split: &TeamSplit) -> Option<String> {
    let mut seated = split.teams.concat();
    seated.sort_unstable();
    let mut players = group.players().to_vec();
    players.sort_unstable();
    let sizes: Vec<usize> = split.teams.iter().map(Vec::len).collect();
    let wrong = seated != players || sizes != group.sizes();
    wrong.then(|| format!("teams {:?}", split.teams))
}
