//! Objectives for tests: terms drawn from a seed, or the same with the terms kept secret.

use matchwright_lobby::{Balance, LobbyObjective, LobbyTerms};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Terms of any players, as shares of the pairs in a match, so that they differ with the sizes of its teams.
#[derive(Debug, Clone, Default)]
pub(crate) struct Summed {
    /// Of two mates and of two opponents, None where forbidden.
    pub(crate) pairs: Vec<Vec<[Option<f64>; 2]>>,
    pub(crate) balances: Vec<(Vec<f64>, f64, f64)>,
    pub(crate) linked: Option<(Vec<Vec<bool>>, Vec<f64>)>,
    pub(crate) secret: bool,
}

/// What to draw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) players: usize,
    pub(crate) balances: usize,
    /// Whether some terms are below 0.
    pub(crate) signed: bool,
    /// Of a thousand pairs of mates, and as many of opponents.
    pub(crate) forbidden: u32,
    pub(crate) links: bool,
}

impl Summed {
    pub(crate) fn draw(plan: Plan, seed: u64) -> Self {
        let n = plan.players;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut pairs = vec![vec![[Some(0.0); 2]; n]; n];
        for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
            for side in [0, 1] {
                let least = if plan.signed { -0.5 } else { 0.0 };
                let term: f64 = rng.random_range(least..1.0);
                let term = (rng.random_range(0..1000) >= plan.forbidden).then_some(term);
                pairs[i][j][side] = term;
                pairs[j][i][side] = term;
            }
        }
        let mut levels = || (0..n).map(|_| rng.random_range(0.0..10.0)).collect::<Vec<f64>>();
        let balances = (0..plan.balances)
            .map(|b| (levels(), 0.3 / (1 + b) as f64, 1.0 + b as f64))
            .collect();
        let linked = plan.links.then(|| {
            let hosts: Vec<bool> = (0..n).map(|_| rng.random_range(0..3) == 0).collect();
            let mut row = || (0..n).map(|i| hosts[i] || rng.random_range(0..10) > 0).collect();
            ((0..n).map(|_| row()).collect(), vec![0.0, 0.1, 0.2])
        });
        Self {
            pairs,
            balances,
            linked,
            secret: false,
        }
    }

    fn build(&self, players: &[usize], (a, b): (usize, usize)) -> LobbyTerms {
        let mates = (a * a.saturating_sub(1) + b * b.saturating_sub(1)) as f64 / 2.0;
        let weights = [0.4 / mates.max(1.0), 0.3 / ((a * b) as f64).max(1.0)];
        let term = |i: usize, j: usize, side: usize| {
            self.pairs[players[i]][players[j]][side].map(|term| weights[side] * term)
        };
        let mut terms = LobbyTerms::new(players.len()).unwrap();
        if !self.pairs.is_empty() {
            terms = terms
                .with_pairs(|i, j| term(i, j, 0), |i, j| term(i, j, 1))
                .unwrap();
        }
        for (levels, most, width) in &self.balances {
            let levels = players.iter().map(|&player| levels[player]).collect();
            let (most, width) = (*most, *width);
            terms = terms
                .with_balance(Balance::new(levels, most, move |gap| {
                    most * (1.0 - gap / width).max(0.0)
                }))
                .unwrap();
        }
        if let Some((linked, by_count)) = &self.linked {
            terms = terms
                .with_links(|i, j| linked[players[i]][players[j]], by_count.clone())
                .unwrap();
        }
        terms
    }
}

impl LobbyObjective for Summed {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        let players = [team_a, team_b].concat();
        let places: Vec<usize> = (0..players.len()).collect();
        let (a, b) = places.split_at(team_a.len());
        self.build(&players, (a.len(), b.len())).quality(a, b)
    }

    fn terms(&self, players: &[usize], sizes: (usize, usize)) -> Option<LobbyTerms> {
        (!self.secret).then(|| self.build(players, sizes))
    }
}

/// Every way to put units into teams, sides told apart, by the plainest means.
pub(crate) fn every_split(units: &[Vec<usize>], sizes: &[usize], then: &mut impl FnMut(&[Vec<usize>])) {
    fn place(
        units: &[Vec<usize>],
        sizes: &[usize],
        teams: &mut Vec<Vec<usize>>,
        then: &mut impl FnMut(&[Vec<usize>]),
    ) {
        let Some((unit, rest)) = units.split_first() else {
            then(teams);
            return;
        };
        for team in 0..sizes.len() {
            if teams[team].len() + unit.len() <= sizes[team] {
                teams[team].extend(unit);
                place(rest, sizes, teams, then);
                let left = teams[team].len() - unit.len();
                teams[team].truncate(left);
            }
        }
    }
    place(units, sizes, &mut vec![Vec::new(); sizes.len()], then);
}

/// The quality of teams, by the definition.
pub(crate) fn quality(teams: &[Vec<usize>], objective: &dyn LobbyObjective) -> Option<f64> {
    let mut qualities = Vec::new();
    for (k, a) in teams.iter().enumerate() {
        for b in &teams[k + 1..] {
            qualities.push(objective.quality(a, b)?);
        }
    }
    Some(qualities.iter().sum::<f64>() / qualities.len() as f64)
}
