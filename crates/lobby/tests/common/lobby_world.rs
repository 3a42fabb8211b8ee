//! Random objectives with terms of every kind, and the best lineups by trying all.

use matchwright_lobby::{Balance, Lineups, LobbyObjective, LobbyPool, LobbyTerms};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// An objective made of tables.
pub(crate) struct Tables {
    pub(crate) together: Vec<Vec<Option<f64>>>,
    pub(crate) against: Vec<Vec<Option<f64>>>,
    pub(crate) skills: Vec<f64>,
    pub(crate) linked: Vec<Vec<bool>>,
}

impl LobbyObjective for Tables {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        // One by one, in another way than the terms do.
        let pairs = ((team_a.len() + team_b.len()) * (team_a.len() + team_b.len() - 1)) as f64 / 2.0;
        let mut sum = 0.0;
        for team in [team_a, team_b] {
            for (k, &i) in team.iter().enumerate() {
                for &j in &team[..k] {
                    sum += self.together[i][j]?;
                }
            }
        }
        for &i in team_a {
            for &j in team_b {
                sum += self.against[i][j]?;
            }
        }
        let mean = |team: &[usize]| team.iter().map(|&i| self.skills[i]).sum::<f64>() / team.len() as f64;
        let balance = 0.3 * (1.0 - (mean(team_a) - mean(team_b)).abs() / 400.0).max(0.0);
        let all = || team_a.iter().chain(team_b);
        let linked = all()
            .filter(|&&i| all().all(|&j| j == i || self.linked[i][j]))
            .count();
        Some((0.6 * sum / pairs + balance + [0.0, 0.07, 0.1][linked.min(2)]).clamp(0.0, 1.0))
    }

    fn terms(&self, players: &[usize], (a, b): (usize, usize)) -> Option<LobbyTerms> {
        let pairs = ((a + b) * (a + b - 1)) as f64 / 2.0;
        let share = |term: Option<f64>| term.map(|term| 0.6 * term / pairs);
        LobbyTerms::new(players.len())
            .unwrap()
            .with_pairs(
                |i, j| share(self.together[players[i]][players[j]]),
                |i, j| share(self.against[players[i]][players[j]]),
            )
            .ok()?
            .with_balance(Balance::new(
                players.iter().map(|&p| self.skills[p]).collect(),
                0.3,
                |gap| 0.3 * (1.0 - gap / 400.0).max(0.0),
            ))
            .ok()?
            .with_links(|i, j| self.linked[players[i]][players[j]], vec![0.0, 0.07, 0.1])
            .ok()
    }
}

/// Numbers from a seed; `forbidden` of the pairs must not be together, and as many not against each other.
pub(crate) fn tables(seed: u64, players: usize, forbidden: f64) -> Tables {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut symmetric = |draw: &mut dyn FnMut(&mut ChaCha8Rng) -> Option<f64>| {
        let mut table = vec![vec![Some(0.0); players]; players];
        for (i, j) in (0..players).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let term = draw(&mut random);
            table[i][j] = term;
            table[j][i] = term;
        }
        table
    };
    let mut term = |random: &mut ChaCha8Rng| (random.random::<f64>() >= forbidden).then(|| random.random());
    let (together, against) = (symmetric(&mut term), symmetric(&mut term));
    let links = symmetric(&mut |random| Some(f64::from(u8::from(random.random::<f64>() < 0.7))));
    Tables {
        together,
        against,
        skills: (0..players)
            .map(|_| 1500.0 + 300.0 * (random.random::<f64>() - 0.5))
            .collect(),
        linked: links
            .into_iter()
            .map(|row| row.into_iter().map(|link| link != Some(0.0)).collect())
            .collect(),
    }
}

/// Parties of two and three among the first players.
pub(crate) fn parties(random: &mut impl Rng, players: usize, largest: usize) -> Vec<Vec<usize>> {
    let mut parties = Vec::new();
    let mut next = 0;
    while next + 3 < players && random.random::<f64>() < 0.6 {
        let size = 2 + usize::from(largest > 2 && random.random::<f64>() < 0.3);
        parties.push((next..next + size).collect());
        next += size;
    }
    parties
}

/// Sets of parties, by places in `free` from `from` on, that fill `room` seats; each begins with `chosen`.
fn sets_that_fill(
    pool: &LobbyPool,
    free: &[usize],
    from: usize,
    room: usize,
    chosen: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
) {
    if room == 0 {
        found.push(chosen.clone());
        return;
    }
    for at in from..free.len() {
        let size = pool.parties()[free[at]].len();
        if size <= room {
            chosen.push(free[at]);
            sets_that_fill(pool, free, at + 1, room - size, chosen, found);
            chosen.pop();
        }
    }
}

/// The value of the best lineups of all, by trying every match for the first party that is not placed, or leaving it
/// out.
pub(crate) fn best_value(pool: &LobbyPool, objective: &dyn LobbyObjective) -> f64 {
    fn teams(pool: &LobbyPool, free: &[usize], size: usize) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        sets_that_fill(pool, free, 0, size, &mut Vec::new(), &mut found);
        found
    }
    fn search(pool: &LobbyPool, objective: &dyn LobbyObjective, free: &[usize]) -> f64 {
        let Some((&first, rest)) = free.split_first() else {
            return 0.0;
        };
        let members = |team: &[usize]| {
            team.iter()
                .flat_map(|&party| pool.parties()[party].clone())
                .collect::<Vec<_>>()
        };
        let price: f64 = pool.parties()[first]
            .iter()
            .map(|&player| pool.unmatched_penalties()[player])
            .sum();
        let mut best = search(pool, objective, rest) - price;
        for (own, other) in [
            pool.two_teams().unwrap(),
            (pool.two_teams().unwrap().1, pool.two_teams().unwrap().0),
        ] {
            for team in teams(pool, free, own).iter().filter(|team| team.contains(&first)) {
                let others: Vec<usize> = free
                    .iter()
                    .copied()
                    .filter(|party| !team.contains(party))
                    .collect();
                for opponents in teams(pool, &others, other) {
                    let (a, b) = if (own, other) == pool.two_teams().unwrap() {
                        (team, &opponents)
                    } else {
                        (&opponents, team)
                    };
                    if let Some(quality) = objective.quality(&members(a), &members(b)) {
                        let left: Vec<usize> = others
                            .iter()
                            .copied()
                            .filter(|party| !opponents.contains(party))
                            .collect();
                        best = best.max(quality + search(pool, objective, &left));
                    }
                }
            }
            if own == other {
                break;
            }
        }
        best
    }
    search(pool, objective, &(0..pool.parties().len()).collect::<Vec<_>>())
}

/// The quality of the best match that a player is in, by trying all; `None` if none is allowed.
pub(crate) fn best_quality_with(
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    player: usize,
) -> Option<f64> {
    let members = |team: &[usize]| {
        let parties = team.iter().map(|&party| &pool.parties()[party]);
        parties.flatten().copied().collect::<Vec<_>>()
    };
    let own = pool.party_index(player);
    let all: Vec<usize> = (0..pool.parties().len()).collect();
    let mut best: Option<f64> = None;
    for sizes in [
        pool.two_teams().unwrap(),
        (pool.two_teams().unwrap().1, pool.two_teams().unwrap().0),
    ] {
        let mut teams = Vec::new();
        sets_that_fill(pool, &all, 0, sizes.0, &mut Vec::new(), &mut teams);
        for team in teams.iter().filter(|team| team.contains(&own)) {
            let free: Vec<usize> = all
                .iter()
                .copied()
                .filter(|party| !team.contains(party))
                .collect();
            let mut opponents = Vec::new();
            sets_that_fill(pool, &free, 0, sizes.1, &mut Vec::new(), &mut opponents);
            for other in &opponents {
                let (a, b) = (members(team), members(other));
                let quality = if sizes == pool.two_teams().unwrap() {
                    objective.quality(&a, &b)
                } else {
                    objective.quality(&b, &a)
                };
                best = quality.map_or(best, |quality| {
                    Some(best.map_or(quality, |best| best.max(quality)))
                });
            }
        }
    }
    best
}

/// That the lineups are what any solver promises.
pub(crate) fn assert_lawful(pool: &LobbyPool, objective: &dyn LobbyObjective, lineups: &Lineups) {
    let mut seen = vec![false; pool.players()];
    let mut value = 0.0;
    for lobby in &lineups.lobbies {
        assert_eq!(
            (lobby.team_a().len(), lobby.team_b().len()),
            pool.two_teams().unwrap()
        );
        for team in [lobby.team_a(), lobby.team_b()] {
            for &player in team {
                assert!(
                    !std::mem::replace(&mut seen[player], true),
                    "{player} plays twice"
                );
                assert!(
                    pool.party_of(player).iter().all(|mate| team.contains(mate)),
                    "a party is torn"
                );
            }
        }
        assert_eq!(
            objective.quality(lobby.team_a(), lobby.team_b()),
            Some(lobby.quality)
        );
        value += lobby.quality;
    }
    for &player in &lineups.unmatched {
        assert!(!std::mem::replace(&mut seen[player], true));
        value -= pool.unmatched_penalties()[player];
    }
    assert!(seen.iter().all(|seen| *seen), "a player is lost");
    assert!((value - lineups.value).abs() < 1e-9);
}
