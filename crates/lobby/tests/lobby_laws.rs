//! The laws of lobby solvers pass ours and catch those that are wrong.
use std::sync::atomic::{AtomicUsize, Ordering};

use matchwright_lobby::laws::{Law, check_lobbies};
use matchwright_lobby::{
    Annealing, CertifiedLobbies, Lineups, LobbyError, LobbyObjective, LobbyPool, LobbySolver,
};
use matchwright_solver::Limits;

#[test]
fn our_solvers_keep_the_laws() {
    for seed in 0..3 {
        check_lobbies(&Annealing::new(seed).with_moves(400), seed).unwrap();
        check_lobbies(&Annealing::new(seed).with_moves(0), seed).unwrap();
        check_lobbies(&Annealing::new(seed).with_moves(400).with_parts_of(4), seed).unwrap();
        check_lobbies(&CertifiedLobbies::new(seed).with_moves(200), seed).unwrap();
        for work in [0, 100, 10_000] {
            check_lobbies(&Limited(CertifiedLobbies::new(seed).with_moves(50), work), seed).unwrap();
        }
    }
}

/// A solver with a limit of work.
struct Limited<S>(S, u64);

impl<S: LobbySolver> LobbySolver for Limited<S> {
    fn solve_within(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        _: &Limits<'_>,
    ) -> Result<Lineups, LobbyError> {
        self.0
            .solve_within(pool, objective, &Limits::unlimited().with_work(self.1))
    }
}

/// Ours, with something done to the answer.
struct Wrong<F>(F);

impl<F: Fn(&LobbyPool, &mut Lineups)> LobbySolver for Wrong<F> {
    fn solve_within(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        _: &Limits<'_>,
    ) -> Result<Lineups, LobbyError> {
        let mut lineups = CertifiedLobbies::new(1).with_moves(200).solve(pool, objective)?;
        (self.0)(pool, &mut lineups);
        Ok(lineups)
    }
}

fn broken(wrong: impl Fn(&LobbyPool, &mut Lineups)) -> Option<Law> {
    check_lobbies(&Wrong(wrong), 3)
        .err()
        .map(|violation| violation.law())
}

/// No answer at all.
struct Never;

impl LobbySolver for Never {
    fn solve_within(
        &self,
        pool: &LobbyPool,
        _: &dyn LobbyObjective,
        _: &Limits<'_>,
    ) -> Result<Lineups, LobbyError> {
        Err(LobbyError::TooFewPlayers {
            players: 0,
            sizes: pool.sizes().to_vec(),
        })
    }
}

#[test]
fn each_law_catches_who_breaks_it() {
    assert_eq!(broken(|_, _| {}), None);
    assert_eq!(
        broken(|_, lineups| lineups.unmatched.truncate(0)),
        Some(Law::Seats)
    );
    let torn = |pool: &LobbyPool, lineups: &mut Lineups| {
        // A member of a party changes places with an opponent.
        for lobby in &mut lineups.lobbies {
            let [team_a, team_b] = &mut lobby.teams[..] else {
                continue;
            };
            let member = team_a.iter().position(|&player| pool.party_of(player).len() > 1);
            if let Some(member) = member.filter(|_| team_a.len() == team_b.len()) {
                std::mem::swap(&mut team_a[member], &mut team_b[0]);
            }
        }
    };
    assert_eq!(broken(torn), Some(Law::Parties));
    let flattered = |_: &LobbyPool, lineups: &mut Lineups| {
        for lobby in &mut lineups.lobbies {
            lobby.quality += 1e-3;
        }
    };
    assert_eq!(broken(flattered), Some(Law::MatchQuality));
    assert_eq!(broken(|_, lineups| lineups.value += 1e-3), Some(Law::LineupValue));
    let too_low = |_: &LobbyPool, lineups: &mut Lineups| {
        if let Some(certificate) = &mut lineups.certificate {
            certificate.bound -= 0.01 + certificate.bound.abs();
        }
    };
    assert_eq!(broken(too_low), Some(Law::LineupBound));
    let nobody_plays = |pool: &LobbyPool, lineups: &mut Lineups| {
        lineups.lobbies.clear();
        lineups.unmatched = (0..pool.players()).collect();
        lineups.value = -pool.unmatched_penalties().iter().sum::<f64>();
    };
    assert_eq!(broken(nobody_plays), Some(Law::LineupBound));
    let calls = AtomicUsize::new(0);
    let moody = |_: &LobbyPool, lineups: &mut Lineups| {
        lineups.work = calls.fetch_add(1, Ordering::Relaxed) as u64;
    };
    assert_eq!(broken(moody), Some(Law::Deterministic));
    assert_eq!(check_lobbies(&Never, 1).unwrap_err().law(), Law::Answers);
}
