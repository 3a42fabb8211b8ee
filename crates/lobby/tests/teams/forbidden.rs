//! Two teams with forbidden pairs: an allowed split is found, or it is proven that there is none.

use matchwright_lobby::{
    Annealing, BestSplit, Group, LobbyObjective, LobbyPool, LobbySolver, LobbyTerms, SplitError, TeamSplit,
    TeamSplitter,
};
use matchwright_solver::{Limits, Progress, Status};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::objectives::{Plan, Summed, every_split};

const MATES: usize = 0;
const OPPONENTS: usize = 1;

/// An objective that forbids some of the pairs, each of one kind; with `hidden` teams only those that these allow.
fn draw(players: usize, percent: usize, hidden: Option<&[usize]>, seed: u64) -> Summed {
    let mut objective = Summed::draw(
        Plan {
            players,
            balances: 1,
            signed: false,
            forbidden: 0,
            links: false,
        },
        seed,
    );
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pairs: Vec<_> = (0..players)
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .map(|pair| (pair, rng.random_range(MATES..=OPPONENTS)))
        .collect();
    pairs.shuffle(&mut rng);
    let count = (pairs.len() * percent).div_ceil(100);
    if let Some(team) = hidden {
        pairs.retain(|&((i, j), kind)| (team[i] == team[j]) == (kind == OPPONENTS));
    }
    for &((i, j), kind) in pairs.iter().take(count) {
        forbid(&mut objective, i, j, kind);
    }
    objective
}

fn forbid(objective: &mut Summed, i: usize, j: usize, kind: usize) {
    objective.pairs[i][j][kind] = None;
    objective.pairs[j][i][kind] = None;
}

fn group(sizes: [usize; 2], parties: &[Vec<usize>]) -> Group {
    let players: Vec<_> = (0..sizes[0] + sizes[1]).collect();
    Group::new(players, sizes).unwrap().with_parties(parties).unwrap()
}

fn terms(objective: &Summed, sizes: &[usize]) -> LobbyTerms {
    let players: Vec<_> = (0..sizes[0] + sizes[1]).collect();
    objective.terms(&players, (sizes[0], sizes[1])).unwrap()
}

/// Asserts that the teams are allowed and of the stated quality.
fn check(group: &Group, objective: &Summed, split: &TeamSplit) {
    let stated = terms(objective, group.sizes())
        .quality(split.team_a(), split.team_b())
        .unwrap();
    assert!((split.quality - stated).abs() < 1e-12);
    assert!(split.bound >= split.quality);
}

#[test]
fn small_groups_are_split_as_the_best_of_all_splits() {
    let (mut allowed, mut forbidden, mut missed) = (0, 0, 0);
    for round in 0..240_usize {
        let seed = round as u64;
        let sizes = [[5, 5], [6, 6], [4, 8], [3, 7]][round % 4];
        let percent = [2, 5, 10, 20, 40][round % 5];
        let parties = [vec![], vec![vec![0, 3]], vec![vec![4, 1, 7], vec![2, 9]]];
        let group = group(sizes, &parties[round % 3]);
        let hidden: Vec<usize> = (0..12)
            .map(|player| usize::from([0, 2, 3, 5, 9].contains(&player)))
            .collect();
        let hidden = seed.is_multiple_of(2).then_some(hidden.as_slice());
        let objective = draw(sizes[0] + sizes[1], percent, hidden, seed);
        let terms = terms(&objective, &sizes);
        let mut best: Option<f64> = None;
        every_split(&group.parties().collect::<Vec<_>>(), &sizes, &mut |teams| {
            let quality = terms.quality(&teams[0], &teams[1]);
            best = best.into_iter().chain(quality).reduce(f64::max);
        });
        let search = BestSplit::new().with_splits(0);
        let answers = [
            BestSplit::new(),
            search.with_tries(2000),
            search.with_tries(1),
            search.with_tries(0),
        ]
        .map(|splitter| splitter.split(&group, &objective));
        let Some(best) = best else {
            forbidden += 1;
            assert!(
                answers
                    .iter()
                    .all(|answer| *answer == Err(SplitError::NoAllowedSplit { tried: 0 }))
            );
            continue;
        };
        allowed += 1;
        let [exact, found, one, none] = answers.map(Result::unwrap);
        assert!(exact.is_optimal() && (exact.quality - best).abs() < 1e-12);
        for split in [&exact, &found, &one, &none] {
            check(&group, &objective, split);
            assert!(split.quality <= best + 1e-12 && split.bound >= best - 1e-9);
        }
        missed += u32::from(found.quality < best - 1e-9);
    }
    assert!(allowed > 80 && forbidden > 40, "{allowed} {forbidden}");
    assert!(missed * 25 < allowed, "{missed} of {allowed}");
}

/// The split of a search that may meet forbidden splits, if it ends with an allowed one.
fn by_penalties(players: usize, objective: &Summed) -> Option<f64> {
    let pool = LobbyPool::new(players, [players / 2; 2]).unwrap();
    let search = Annealing::new(0).with_moves(40_000).with_parts_of(players);
    let lineups = search.solve(&pool, objective).unwrap();
    lineups.lobbies.first().map(|lobby| lobby.quality)
}

#[test]
fn large_groups_are_split_or_proven_not_to_be() {
    let (mut found, mut worse, mut gained, mut compared) = (0, 0, 0.0, 0);
    for players in [24, 40, 100] {
        for percent in [1, 3, 10, 20] {
            for seed in 0..50 {
                let mut hidden: Vec<usize> = (0..players).map(|player| player % 2).collect();
                hidden.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
                let is_hidden = seed % 2 == 0;
                let objective = draw(players, percent, is_hidden.then_some(&hidden), seed);
                let group = group([players / 2; 2], &[]);
                match BestSplit::new().split(&group, &objective) {
                    Ok(split) => {
                        check(&group, &objective, &split);
                        // What binds most players leaves few splits.
                        assert!(split.is_optimal() || percent == 1);
                        found += 1;
                        if players < 100
                            && percent < 10
                            && let Some(before) = by_penalties(players, &objective)
                        {
                            assert!(split.quality > before - 0.01, "{} {before}", split.quality);
                            worse += u32::from(split.quality < before - 1e-9);
                            gained += split.quality - before;
                            compared += 1;
                        }
                    }
                    Err(error) => {
                        assert_eq!(error, SplitError::NoAllowedSplit { tried: 0 });
                        assert!(!is_hidden);
                    }
                }
            }
        }
    }
    println!(
        "{found} of 600 found, {worse} of {compared} worse, mean gain {}",
        gained / f64::from(compared)
    );
    assert!(compared > 150 && worse * 10 < compared && gained > 0.0);
}

#[test]
fn no_allowed_split_is_proven() {
    let free = || draw(24, 0, None, 0);
    let refused = |objective: &Summed, parties: &[Vec<usize>]| {
        let answer = BestSplit::new().split(&group([12; 2], parties), objective);
        assert_eq!(answer, Err(SplitError::NoAllowedSplit { tried: 0 }));
    };
    // Of three who must not be mates, two are.
    let mut objective = free();
    for (i, j) in [(3, 9), (9, 17), (3, 17)] {
        forbid(&mut objective, i, j, MATES);
    }
    refused(&objective, &[]);
    // Neither mates nor opponents.
    let mut objective = free();
    forbid(&mut objective, 3, 9, MATES);
    forbid(&mut objective, 3, 9, OPPONENTS);
    refused(&objective, &[]);
    // A party, and one that is in a team with two who must not be mates.
    let mut objective = free();
    forbid(&mut objective, 3, 9, MATES);
    refused(&objective, &[vec![2, 3, 9]]);
    forbid(&mut objective, 3, 4, OPPONENTS);
    forbid(&mut objective, 5, 9, OPPONENTS);
    refused(&objective, &[vec![4, 5]]);
    // Three eights do not make two twelves.
    let mut objective = free();
    for player in (0..24).filter(|player| player % 8 != 0) {
        forbid(&mut objective, player, player / 8 * 8, OPPONENTS);
    }
    refused(&objective, &[]);
    let eights = BestSplit::new().split(&group([8, 16], &[]), &objective).unwrap();
    assert!(eights.is_optimal());
    let message = SplitError::NoAllowedSplit { tried: 0 }.to_string();
    assert!(message.starts_with("no split is allowed (0 tried, all others ruled out)"));
}

#[test]
fn limits_end_the_search_with_an_allowed_split() {
    let objective = draw(100, 1, Some(&(0..100).map(|i| i % 2).collect::<Vec<_>>()), 1);
    let group = group([50; 2], &[]);
    let stop = |_: &Progress| 1.0;
    let all = BestSplit::new().split(&group, &objective).unwrap();
    let mut before = 0.0;
    for (limits, status) in [
        (Limits::unlimited().with_watch(&stop), Status::Stopped),
        (Limits::unlimited().with_work(0), Status::WorkLimit),
        (Limits::unlimited().with_work(2000), Status::WorkLimit),
        (Limits::unlimited().with_work(40_000), Status::Finished),
    ] {
        let split = BestSplit::new()
            .split_within(&group, &objective, &limits)
            .unwrap();
        check(&group, &objective, &split);
        assert_eq!(split.status, status);
        assert!(split.quality >= before);
        before = split.quality;
    }
    assert_eq!(before, all.quality);
}

/// Terms as an objective.
struct Fixed(LobbyTerms);
impl LobbyObjective for Fixed {
    fn quality(&self, a: &[usize], b: &[usize]) -> Option<f64> {
        self.0.quality(a, b)
    }

    fn terms(&self, _: &[usize], _: (usize, usize)) -> Option<LobbyTerms> {
        Some(self.0.clone())
    }
}

#[test]
fn a_component_of_thousands_is_split() {
    // A chain of rivals, none of whose neighbours may be mates, has one split.
    let players = 1500;
    let chain = |i: usize, j: usize| (i.abs_diff(j) != 1).then_some(0.0);
    let terms = LobbyTerms::new(players)
        .unwrap()
        .with_pairs(chain, |_, _| Some(0.0))
        .unwrap();
    let split = BestSplit::new()
        .split(&group([players / 2; 2], &[]), &Fixed(terms))
        .unwrap();
    assert!(split.is_optimal());
    assert!(split.team_a().iter().all(|player| player % 2 == 0));
}
