//! What cannot be split is a typed error that names what is wrong.

use matchwright_lobby::{
    BestSplit, ExhaustiveSplit, Group, LobbyObjective, LobbyTerms, ObjectiveError, SplitError, TeamSplitter,
};

use super::objectives::Summed;

fn group(players: usize) -> Group {
    Group::equal((0..players).collect::<Vec<_>>(), 2).unwrap()
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let wrong = |players: &[usize], sizes: &[usize]| Group::new(players, sizes).unwrap_err();
    let size = |players, sizes: &[usize]| SplitError::WrongSize {
        players,
        sizes: sizes.to_vec(),
    };
    assert_eq!(wrong(&[1, 2, 3], &[2, 2]), size(3, &[2, 2]));
    assert_eq!(wrong(&[1], &[usize::MAX, 2]), size(1, &[usize::MAX, 2]));
    assert_eq!(wrong(&[1, 2], &[2]), SplitError::TooFewTeams { teams: 1 });
    assert_eq!(wrong(&[], &[]), SplitError::TooFewTeams { teams: 0 });
    assert_eq!(
        wrong(&[3, 5, 6, 5], &[2, 2]),
        SplitError::DuplicatePlayer { player: 5 }
    );
    let equal = |players: usize, teams| Group::equal((0..players).collect::<Vec<_>>(), teams).unwrap_err();
    assert_eq!(
        equal(4098, 2),
        SplitError::TooManyPlayers {
            players: 4098,
            limit: 4096
        }
    );
    assert_eq!(equal(3, 2), SplitError::UnequalTeams { players: 3, teams: 2 });
    assert_eq!(equal(0, 7), SplitError::UnequalTeams { players: 0, teams: 7 });
    assert_eq!(equal(4, 1), SplitError::TooFewTeams { teams: 1 });
    assert_eq!(equal(4, 0), SplitError::TooFewTeams { teams: 0 });
}

#[test]
fn parties_that_do_not_fit_are_named() {
    let refused = |parties: &[Vec<usize>]| group(6).with_parties(parties).unwrap_err();
    assert_eq!(
        refused(&[vec![0, 9]]),
        SplitError::NotInGroup {
            player: 9,
            party: vec![0, 9]
        }
    );
    assert_eq!(
        refused(&[vec![0, 1], vec![1, 2]]),
        SplitError::TwoParties { player: 1 }
    );
    assert_eq!(refused(&[vec![3, 3]]), SplitError::TwoParties { player: 3 });
    assert_eq!(
        refused(&[vec![5, 0, 2, 1]]),
        SplitError::PartyTooLarge {
            party: vec![5, 0, 2, 1],
            largest: 3
        }
    );
    assert_eq!(
        refused(&[vec![0, 1], vec![2, 3], vec![4, 5]]),
        SplitError::PartiesDoNotFit {
            parties: vec![2, 2, 2],
            sizes: vec![3, 3]
        }
    );
    // Empty parties and those of one change nothing.
    assert_eq!(group(6).with_parties(&[vec![], vec![3]]).unwrap(), group(6));
}

#[test]
fn parties_that_only_fit_one_way_are_fitted() {
    // Three fours and three threes into twelve and nine: all fours in one team. Largest first to the team with the most
    // room does not get there.
    let sizes = [4, 4, 4, 3, 3, 3];
    let mut next = 0;
    let parties: Vec<Vec<usize>> = sizes
        .iter()
        .map(|&size| {
            next += size;
            (next - size..next).collect()
        })
        .collect();
    let group = Group::new((0..21).collect::<Vec<_>>(), [9, 12]).unwrap();
    let group = group.with_parties(&parties).unwrap();
    let split = BestSplit::new()
        .split(&group, &|_: &[usize], _: &[usize]| Some(0.5))
        .unwrap();
    assert_eq!(split.teams[0], (12..21).collect::<Vec<_>>());
}

#[test]
fn bad_qualities_are_refused_by_all() {
    for players in [4, 40] {
        for bad in [f64::NAN, -0.1, 1.5, f64::INFINITY] {
            let objective = move |_: &[usize], _: &[usize]| Some(bad);
            for splitter in [
                &BestSplit::new() as &dyn TeamSplitter,
                &BestSplit::new().with_splits(0).with_evaluations(5),
            ] {
                let error = splitter.split(&group(players), &objective).unwrap_err();
                assert!(matches!(error, SplitError::Objective(_)), "{error}");
            }
        }
    }
}

#[test]
fn where_all_is_forbidden_the_error_says_whether_that_is_proven() {
    let never = |_: &[usize], _: &[usize]| None;
    assert_eq!(
        BestSplit::new().split(&group(6), &never),
        Err(SplitError::NoAllowedSplit { tried: 10 })
    );
    let error = BestSplit::new()
        .with_evaluations(50)
        .split(&group(40), &never)
        .unwrap_err();
    assert!(matches!(error, SplitError::NotFound { tried: 50 }), "{error}");
    let pairs = vec![vec![[None; 2]; 8]; 8];
    let blocked = Summed {
        pairs,
        ..Summed::default()
    };
    for splitter in [&BestSplit::new() as &dyn TeamSplitter, &ExhaustiveSplit] {
        let error = splitter.split(&group(8), &blocked).unwrap_err();
        assert!(matches!(error, SplitError::NoAllowedSplit { .. }), "{error}");
    }
    // A party whose members must not be mates.
    let apart = group(8).with_parties(&[vec![0, 1]]).unwrap();
    let error = BestSplit::new().split(&apart, &blocked).unwrap_err();
    assert!(matches!(error, SplitError::NoAllowedSplit { .. }), "{error}");
}

/// Terms of the second kind for a quality of the first.
struct Liar(f64, Option<usize>);

impl LobbyObjective for Liar {
    fn quality(&self, _: &[usize], _: &[usize]) -> Option<f64> {
        Some(self.0)
    }

    fn terms(&self, players: &[usize], _: (usize, usize)) -> Option<LobbyTerms> {
        Some(LobbyTerms::new(self.1.unwrap_or(players.len())).unwrap())
    }
}

#[test]
fn terms_that_say_something_else_are_refused() {
    for splitter in [
        &BestSplit::new() as &dyn TeamSplitter,
        &BestSplit::new().with_splits(0),
    ] {
        let error = splitter.split(&group(4), &Liar(0.5, None)).unwrap_err();
        assert!(
            matches!(error, SplitError::Objective(ObjectiveError::TermsDisagree { .. })),
            "{error}"
        );
        assert_eq!(
            splitter.split(&group(4), &Liar(0.0, Some(3))),
            Err(SplitError::Objective(ObjectiveError::TermsOfOthers {
                players: 4,
                given: 3
            }))
        );
        assert!(splitter.split(&group(4), &Liar(0.0, None)).is_ok());
    }
}

#[test]
fn nobody_and_two_are_split() {
    for splitter in [
        &BestSplit::new() as &dyn TeamSplitter,
        &ExhaustiveSplit,
        &BestSplit::new().with_splits(0),
    ] {
        let fine = |_: &[usize], _: &[usize]| Some(1.0);
        assert_eq!(
            splitter.split(&group(0), &fine).unwrap().teams,
            [vec![], vec![]] as [Vec<usize>; 2]
        );
        assert_eq!(splitter.split(&group(2), &fine).unwrap().teams, [[0], [1]]);
        let summed = Summed::default();
        assert_eq!(splitter.split(&group(0), &summed).unwrap().quality, 0.0);
        assert_eq!(splitter.split(&group(2), &summed).unwrap().teams, [[0], [1]]);
    }
}
