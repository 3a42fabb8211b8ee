//! The judge of lineups: what it accepts, and that it refuses each kind of lie.

use crate::common::lobby_kinds::KINDS;
use crate::common::lobby_pools::pool;
use crate::common::lobby_world::{assert_lawful, best_value, tables};
use matchwright_lobby::{
    CertifiedLobbies, Lineups, LobbyCertificate, LobbyObjective, LobbyPool, LobbySolver, LobbyTerms,
    LobbyVerdict, LobbyVerifyError, verify_lobbies,
};
use matchwright_solver::Status;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn small(seed: u64) -> (LobbyPool, crate::common::lobby_world::Tables, Lineups) {
    let (players, sizes, forbidden) = KINDS[usize::try_from(seed).unwrap() % KINDS.len()];
    let (pool, objective) = (pool(seed, players, sizes), tables(seed, players, forbidden));
    let solver = CertifiedLobbies::new(seed).with_moves(1000);
    let lineups = solver.solve(&pool, &objective).unwrap();
    (pool, objective, lineups)
}

/// A pool whose bound leaves a gap, before any proof.
fn with_gap(seed: u64) -> (LobbyPool, crate::common::lobby_world::Tables, Lineups) {
    let (pool, objective) = (pool(seed, 18, (3, 3)), tables(seed, 18, 0.1));
    let solver = CertifiedLobbies::new(seed).with_moves(500).with_gap(0.05);
    let lineups = solver.solve(&pool, &objective).unwrap();
    (pool, objective, lineups)
}

fn refused(pool: &LobbyPool, objective: &dyn LobbyObjective, lineups: &Lineups) -> LobbyVerifyError {
    verify_lobbies(pool, objective, lineups).unwrap_err()
}

fn certificate(lineups: &mut Lineups) -> &mut LobbyCertificate {
    lineups.certificate.as_mut().unwrap()
}

/// The bound that duals, cuts and excess give.
fn settle_sum(pool: &LobbyPool, certificate: &mut LobbyCertificate) {
    let price = |party: &Vec<usize>| {
        party
            .iter()
            .map(|&player| pool.unmatched_penalties()[player])
            .sum::<f64>()
    };
    let parties = pool.parties().iter().zip(&certificate.duals);
    certificate.bound = parties.map(|(party, dual)| dual.max(-price(party))).sum::<f64>()
        + certificate.cuts.iter().map(|cut| cut.1).sum::<f64>()
        + certificate
            .odd_sets
            .iter()
            .map(|set| (set.0.len() / 2) as f64 * set.1)
            .sum::<f64>()
        + (pool.players() / pool.match_size()) as f64 * certificate.excess;
}

#[test]
fn what_the_solver_proves_is_accepted_and_true() {
    for seed in 0..90 {
        let (pool, objective, lineups) = small(seed);
        let verdict = verify_lobbies(&pool, &objective, &lineups).unwrap();
        let best = best_value(&pool, &objective);
        assert_lawful(&pool, &objective, &lineups);
        assert!((verdict.value - lineups.value).abs() < 1e-9, "seed {seed}");
        assert!(
            verdict.bound >= best,
            "seed {seed}: {} below {best}",
            verdict.bound
        );
        assert!(verdict.is_optimal() && verdict.claimed, "seed {seed}: {verdict}");
        assert!(
            verdict.gap == 0.0 && verdict.bound < best + 1e-6,
            "seed {seed}: {verdict}"
        );
        assert!((verdict.value - best).abs() < 1e-7, "seed {seed}");
    }
}

/// Whether a certificate's bound holds, by brute force over all matches of the pool.
fn holds(pool: &LobbyPool, objective: &dyn LobbyObjective, certificate: &LobbyCertificate) -> bool {
    fn sides(pool: &LobbyPool, at: usize, teams: &mut [Vec<usize>; 2], found: &mut Vec<[Vec<usize>; 2]>) {
        if at == pool.parties().len() {
            let full = |team: &Vec<usize>| {
                team.iter()
                    .map(|&party| pool.parties()[party].len())
                    .sum::<usize>()
            };
            if (full(&teams[0]), full(&teams[1])) == pool.two_teams().unwrap() {
                found.push(teams.clone());
            }
            return;
        }
        for side in 0..2 {
            teams[side].push(at);
            sides(pool, at + 1, teams, found);
            teams[side].pop();
        }
        sides(pool, at + 1, teams, found);
    }
    let mut found = Vec::new();
    sides(pool, 0, &mut [Vec::new(), Vec::new()], &mut found);
    found.iter().all(|teams| {
        let players = |team: &Vec<usize>| {
            team.iter()
                .flat_map(|&party| pool.parties()[party].clone())
                .collect()
        };
        let [a, b]: [Vec<usize>; 2] = [players(&teams[0]), players(&teams[1])];
        let paid: f64 = teams.concat().iter().map(|&party| certificate.duals[party]).sum();
        let counted = |cut: &&([u32; 3], f64)| {
            let has = |party: &&u32| teams.concat().contains(&(**party as usize));
            cut.0.iter().filter(has).count() >= 2
        };
        let cuts: f64 = certificate.cuts.iter().filter(counted).map(|cut| cut.1).sum();
        let has_all = |set: &&(Vec<u32>, f64)| {
            let has = |&party: &usize| set.0.iter().any(|&one| one as usize == party);
            teams.concat().iter().all(has)
        };
        let sets: f64 = certificate.odd_sets.iter().filter(has_all).map(|set| set.1).sum();
        objective
            .quality(&a, &b)
            .is_none_or(|quality| quality <= paid + cuts + sets + certificate.excess + 1e-9)
    })
}

#[test]
fn a_certificate_is_accepted_if_and_only_if_no_match_of_all_is_worth_more() {
    let (mut accepted, mut rejected) = (0, 0);
    for seed in 0..270 {
        let (pool, objective, mut lineups) = small(seed);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let of_pool = pool.clone();
        let changed = certificate(&mut lineups);
        // Duals that are off by a little to a lot, below zero too, and cuts that nobody asked for.
        let size = [0.01, 0.1, 1.0][usize::try_from(seed % 3).unwrap()];
        for dual in &mut changed.duals {
            *dual += size * (random.random::<f64>() - 0.4);
        }
        for _ in 0..random.random_range(0..4) {
            let mut three = [0_u32; 3];
            while three[0] == three[1] || three[0] == three[2] || three[1] == three[2] {
                three =
                    three.map(|_| random.random_range(0..u32::try_from(of_pool.parties().len()).unwrap()));
            }
            changed.cuts.push((three, size * random.random::<f64>()));
        }
        settle_sum(&of_pool, changed);
        let right = holds(&pool, &objective, changed);
        match verify_lobbies(&pool, &objective, &lineups) {
            Ok(verdict) => {
                assert!(right, "seed {seed}: accepted");
                assert!(verdict.bound >= best_value(&pool, &objective));
                accepted += 1;
            }
            Err(LobbyVerifyError::WorthMore {
                quality,
                paid,
                excess,
                ..
            }) => {
                assert!(!right && quality > paid + excess, "seed {seed}: refused");
                rejected += 1;
            }
            Err(other) => panic!("seed {seed}: {other}"),
        }
    }
    assert!(
        accepted > 60 && rejected > 60,
        "{accepted} accepted, {rejected} refused"
    );
}

#[test]
fn lowered_duals_cuts_and_bounds_are_refused() {
    let mut binding = 0;
    for seed in 0..6 {
        let (pool, objective, lineups) = with_gap(seed);
        assert!(verify_lobbies(&pool, &objective, &lineups).is_ok());
        let mut lie = lineups.clone();
        certificate(&mut lie).bound -= 1e-3;
        let error = refused(&pool, &objective, &lie);
        assert!(matches!(error, LobbyVerifyError::WrongBound { .. }), "{error}");
        certificate(&mut lie).bound += 2e-3;
        let error = refused(&pool, &objective, &lie);
        assert!(matches!(error, LobbyVerifyError::WrongBound { .. }), "{error}");
        // All that a party's best match pays, and 0.05 more, is taken from it.
        for party in 0..pool.parties().len() {
            let mut lie = lineups.clone();
            let lowered = certificate(&mut lie);
            lowered.duals[party] -= 0.05;
            let price: f64 = pool.parties()[party]
                .iter()
                .map(|&player| pool.unmatched_penalties()[player])
                .sum();
            let plays = lowered.duals[party] > -price;
            settle_sum(&pool, lowered);
            if let Err(error) = verify_lobbies(&pool, &objective, &lie) {
                assert!(matches!(error, LobbyVerifyError::WorthMore { .. }), "{error}");
                binding += usize::from(plays);
            }
        }
    }
    assert!(binding > 30, "{binding}");
}

#[test]
fn lowered_duals_of_cuts_are_refused() {
    let mut cuts = 0;
    for seed in 0..3 {
        let (pool, objective) = (pool(seed, 18, (3, 3)), tables(seed, 18, 0.1));
        let lineups = CertifiedLobbies::new(seed)
            .with_moves(500)
            .solve(&pool, &objective)
            .unwrap();
        assert!(verify_lobbies(&pool, &objective, &lineups).is_ok());
        for cut in 0..lineups.certificate.as_ref().unwrap().cuts.len() {
            let mut lie = lineups.clone();
            let lowered = certificate(&mut lie);
            if lowered.cuts[cut].1 > 1e-3 {
                lowered.cuts[cut].1 = 0.0;
                settle_sum(&pool, lowered);
                let error = refused(&pool, &objective, &lie);
                assert!(matches!(error, LobbyVerifyError::WorthMore { .. }), "{error}");
                cuts += 1;
            }
        }
    }
    assert!(cuts > 5, "{cuts}");
}

#[test]
fn numbers_that_are_no_certificate_are_refused_by_name() {
    let (pool, objective, lineups) = small(0);
    let error = |change: &dyn Fn(&mut LobbyCertificate)| {
        let mut lie = lineups.clone();
        change(certificate(&mut lie));
        refused(&pool, &objective, &lie).to_string()
    };
    assert!(error(&|of| of.duals[2] = f64::NAN).starts_with("the certificate has the dual of party 2 NaN"));
    assert!(error(&|of| of.excess = -0.1).starts_with("the certificate has the excess -0.1"));
    assert!(error(&|of| of.bound = f64::INFINITY).starts_with("the certificate has the bound inf"));
    assert!(error(&|of| of.duals.truncate(3)).starts_with("3 duals for"));
    for (three, dual) in [
        ([0, 1, 1], 0.1),
        ([0, 1, 99], 0.1),
        ([0, 1, 2], -0.1),
        ([0, 1, 2], f64::NAN),
    ] {
        assert!(error(&|of| of.cuts.insert(0, (three, dual))).starts_with("cut 0 has the parties"));
    }
}

#[test]
fn a_certificate_for_another_pool_is_refused() {
    let (pool, objective, lineups) = with_gap(1);
    let mut prices = pool.unmatched_penalties().to_vec();
    for &player in lineups.lobbies[0].team_a() {
        prices[player] += 0.5;
    }
    // Who plays costs nothing, so the value stands; the bound does where no dual is minus a price.
    let dearer = pool.clone().with_unmatched_penalties(&prices).unwrap();
    assert!(verify_lobbies(&dearer, &objective, &lineups).is_ok());
    // Of free players, duals below zero say nothing.
    let (pool, objective, mut lineups) = small(3);
    let free = pool
        .clone()
        .with_unmatched_penalties(&vec![0.0; pool.players()])
        .unwrap();
    lineups.value += lineups
        .unmatched
        .iter()
        .map(|&player| pool.unmatched_penalties()[player])
        .sum::<f64>();
    let lowered = certificate(&mut lineups);
    lowered.duals[0] = -pool.unmatched_penalties()[0];
    lowered.excess = 1.0 + pool.unmatched_penalties()[0];
    settle_sum(&pool, lowered);
    let error = refused(&free, &objective, &lineups);
    assert!(matches!(error, LobbyVerifyError::WrongBound { .. }), "{error}");
}

#[test]
fn lineups_that_break_a_law_are_refused_by_name() {
    let in_party = |pool: &LobbyPool, lineups: &Lineups| {
        let lobbies = lineups.lobbies.iter();
        let mut players = lobbies.flat_map(|of| [of.team_a(), of.team_b()].concat());
        players.find(|&player| pool.party_of(player).len() > 1)
    };
    let ((pool, objective, lineups), mate) = (0..)
        .map(with_gap)
        .find_map(|case| in_party(&case.0, &case.2).map(|mate| (case, mate)))
        .unwrap();
    let error = |change: &dyn Fn(&mut Lineups)| {
        let mut lie = lineups.clone();
        change(&mut lie);
        refused(&pool, &objective, &lie)
    };
    let quality = error(&|of| of.lobbies[1].quality += 1e-6);
    assert!(
        matches!(quality, LobbyVerifyError::WrongQuality { index: 1, .. }),
        "{quality}"
    );
    let value = error(&|of| of.value += 1e-6);
    assert!(matches!(value, LobbyVerifyError::WrongValue { .. }), "{value}");
    let value = error(&|of| of.value = f64::NAN);
    assert!(matches!(value, LobbyVerifyError::WrongValue { .. }), "{value}");
    let size = error(&|of| of.lobbies[0].teams[1].truncate(2));
    assert!(
        matches!(size, LobbyVerifyError::TeamSize { index: 0, .. }),
        "{size}"
    );
    let twice = error(&|of| of.unmatched.push(mate));
    assert!(matches!(twice, LobbyVerifyError::Twice { .. }), "{twice}");
    let unknown = error(&|of| of.unmatched.push(18));
    assert!(
        matches!(unknown, LobbyVerifyError::UnknownPlayer { player: 18, .. }),
        "{unknown}"
    );
    let lost = error(&|of| {
        let gone = of.lobbies.pop().unwrap();
        of.unmatched.extend(&gone.teams[0]);
    });
    assert!(matches!(lost, LobbyVerifyError::Lost { .. }), "{lost}");
    // A member of a party changes places with somebody of another team.
    let torn = error(&|of| {
        let mut teams: Vec<&mut Vec<usize>> = of.lobbies.iter_mut().flat_map(|of| &mut of.teams).collect();
        let from = teams.iter().position(|team| team.contains(&mate)).unwrap();
        let to = (from + 1) % teams.len();
        let place = teams[from].iter().position(|&player| player == mate).unwrap();
        let other = std::mem::replace(&mut teams[to][0], mate);
        teams[from][place] = other;
    });
    assert!(matches!(torn, LobbyVerifyError::TornParty { .. }), "{torn}");
}

#[test]
fn a_match_that_the_objective_forbids_is_refused() {
    let (pool, objective, lineups) = with_gap(2);
    let (a, b) = (lineups.lobbies[1].teams[0][0], lineups.lobbies[1].teams[0][1]);
    let stricter = |team_a: &[usize], team_b: &[usize]| {
        let both = |team: &[usize]| team.contains(&a) && team.contains(&b);
        let quality = objective.quality(team_a, team_b);
        quality.filter(|_| !both(team_a) && !both(team_b))
    };
    let error = refused(&pool, &stricter, &lineups);
    assert_eq!(error, LobbyVerifyError::Forbidden { index: 1 });
}

/// An objective whose terms are another's.
struct Disguised<'a>(
    &'a crate::common::lobby_world::Tables,
    &'a crate::common::lobby_world::Tables,
);

impl LobbyObjective for Disguised<'_> {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        self.0.quality(team_a, team_b)
    }

    fn terms(&self, players: &[usize], sizes: (usize, usize)) -> Option<LobbyTerms> {
        self.1.terms(players, sizes)
    }
}

#[test]
fn terms_that_are_not_the_quality_are_refused() {
    let (pool, objective, lineups) = with_gap(4);
    let mut other = tables(4, 18, 0.1);
    other.skills[7] += 3.0;
    let error = refused(&pool, &Disguised(&objective, &other), &lineups);
    assert!(matches!(error, LobbyVerifyError::Objective(_)), "{error}");
    // Nor can a certificate be checked that has nothing to be checked by.
    let asked = |a: &[usize], b: &[usize]| objective.quality(a, b);
    assert_eq!(refused(&pool, &asked, &lineups), LobbyVerifyError::NoTerms);
}

#[test]
fn a_certificate_of_nothing_but_that_1_is_the_most_needs_no_terms() {
    let (pool, objective, mut lineups) = with_gap(4);
    let asked = |a: &[usize], b: &[usize]| objective.quality(a, b);
    let trivial = certificate(&mut lineups);
    trivial.cuts.clear();
    trivial.excess = 0.0;
    trivial.duals = pool
        .parties()
        .iter()
        .map(|party| party.len() as f64 / 6.0)
        .collect();
    settle_sum(&pool, trivial);
    let verdict = verify_lobbies(&pool, &asked, &lineups).unwrap();
    assert!((verdict.bound - 3.0).abs() < 1e-6 && !verdict.is_optimal());
}

#[test]
fn a_claim_to_be_the_optimum_is_settled_or_said_not_to_be() {
    let (mut settled, mut refuted) = (0, 0);
    for seed in 0..10 {
        let (pool, objective, mut lineups) = with_gap(seed);
        let exact = CertifiedLobbies::new(seed)
            .with_moves(500)
            .solve(&pool, &objective)
            .unwrap();
        lineups.status = Status::Optimal;
        match verify_lobbies(&pool, &objective, &lineups) {
            Ok(verdict) if verdict.is_optimal() => {
                assert!(exact.value - lineups.value < 1e-7, "seed {seed}");
                settled += 1;
            }
            Ok(verdict) => assert!(verdict.to_string().ends_with("claimed by search, not checked")),
            Err(LobbyVerifyError::NotOptimal { value, better }) => {
                assert!(better > exact.value - 1e-7 && value < better, "seed {seed}");
                refuted += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(settled > 0 && refuted > 1, "{settled} {refuted}");
}

#[test]
fn lineups_without_a_certificate_are_judged_by_their_facts_alone() {
    let (pool, objective, mut lineups) = with_gap(5);
    lineups.certificate = None;
    lineups.status = Status::Finished;
    let verdict: LobbyVerdict = verify_lobbies(&pool, &objective, &lineups).unwrap();
    assert!(!verdict.is_optimal() && verdict.bound.is_infinite() && verdict.gap.is_infinite());
    assert!(verdict.to_string().ends_with("no bound"));
}
