//! Whether lineups are the optimum: all combinations of the matches that better lineups could have.

use std::collections::{BTreeMap, HashMap};

use super::certificate::Judged;
use super::error::LobbyVerifyError;
use super::stop::Stop;

/// Matches that better lineups could have, above which nothing is settled.
const MOST_MATCHES: usize = 20_000;

/// Lineups begun, after which it is given up.
const MOST_NODES: u64 = 300_000;

/// True if no lineups are worth more than `value` and `rounding`, false if that takes too long to tell.
///
/// Lineups that are worth more lose less than `bound - value` against the bound: by matches that are worth less than
/// they pay and the excess, and by unmatched parties whose penalty is above minus their dual. So only matches that lose less
/// than that are listed, and combined party by party, those with the fewest matches first. A way to deal with the
/// same parties that is worth less than another is not followed.
///
/// # Errors
/// [`LobbyVerifyError::NotOptimal`] if there are better ones.
pub(super) fn is_optimum(
    judged: &Judged<'_>,
    bound: f64,
    value: f64,
    rounding: f64,
) -> Result<bool, LobbyVerifyError> {
    let Some(terms) = &judged.terms else {
        return Ok(false);
    };
    let room = bound - value + rounding;
    let excess = judged.certificate.excess;
    let mut qualities: BTreeMap<Vec<usize>, (f64, f64)> = BTreeMap::new();
    let listed = judged.each_match(terms, excess - room, &mut |team_a, team_b, reduced| {
        let mut parties = [team_a, team_b].concat();
        parties.sort_unstable();
        let quality = reduced + judged.paid(team_a, team_b);
        let best = qualities.entry(parties).or_insert((quality, reduced));
        if quality > best.0 {
            *best = (quality, reduced);
        }
        if qualities.len() > MOST_MATCHES {
            return Err(Stop::TooMany);
        }
        Ok(())
    });
    match listed {
        Ok(()) => (),
        Err(Stop::TooMany | Stop::Limit(_)) => return Ok(false),
        Err(Stop::Wrong(error)) => return Err(error),
    }
    let matches = qualities
        .into_iter()
        .map(|(parties, (quality, reduced))| Choice {
            parties,
            quality,
            loss: (excess - reduced).max(0.0),
        })
        .collect();
    let mut search = Search::new(judged, matches, room);
    search.decide(0, 0.0, 0.0);
    if search.best > value + rounding {
        return Err(LobbyVerifyError::NotOptimal {
            value,
            better: search.best,
        });
    }
    Ok(search.nodes < MOST_NODES)
}

/// A match that better lineups could have.
struct Choice {
    /// Its parties, rising.
    parties: Vec<usize>,
    quality: f64,
    /// What it loses against the bound.
    loss: f64,
}

struct Search {
    choices: Vec<Choice>,
    /// The parties, in the order in which they are decided.
    order: Vec<usize>,
    /// For each party, the choices with it, best first.
    with: Vec<Vec<usize>>,
    /// For each party, its unmatched penalty, and the loss against the bound if it is unmatched.
    penalties: Vec<f64>,
    unmatched: Vec<f64>,
    /// What each party loses at least.
    least: Vec<f64>,
    room: f64,
    /// Bit by bit, the parties that are decided.
    decided: Vec<u64>,
    /// The most that decided parties were worth.
    known: HashMap<Vec<u64>, f64>,
    best: f64,
    nodes: u64,
}

impl Search {
    fn new(judged: &Judged<'_>, mut choices: Vec<Choice>, room: f64) -> Self {
        let parties = judged.pool.parties();
        choices.sort_by(|a, b| a.loss.total_cmp(&b.loss).then_with(|| a.parties.cmp(&b.parties)));
        let mut with = vec![Vec::new(); parties.len()];
        let penalties: Vec<f64> = parties.iter().map(|party| judged.pool.penalty(party)).collect();
        let duals = judged.certificate.duals.iter().zip(&penalties);
        let unmatched: Vec<f64> = duals.map(|(dual, price)| (dual + price).max(0.0)).collect();
        let mut least = unmatched.clone();
        for (at, choice) in choices.iter().enumerate() {
            for &party in &choice.parties {
                with[party].push(at);
                let share = parties[party].len() as f64 / judged.pool.match_size() as f64;
                least[party] = least[party].min(choice.loss * share);
            }
        }
        let mut order: Vec<usize> = (0..parties.len()).collect();
        order.sort_by_key(|&party| (with[party].len(), party));
        Self {
            choices,
            order,
            with,
            penalties,
            unmatched,
            least,
            room,
            decided: vec![0; parties.len().div_ceil(64)],
            known: HashMap::new(),
            best: f64::NEG_INFINITY,
            nodes: 0,
        }
    }

    fn is_decided(&self, party: usize) -> bool {
        self.decided[party / 64] >> (party % 64) & 1 == 1
    }

    fn flip(&mut self, party: usize) {
        self.decided[party / 64] ^= 1 << (party % 64);
    }

    /// Goes on from this place of the order, with this much lost and won.
    fn decide(&mut self, mut at: usize, lost: f64, won: f64) {
        while at < self.order.len() && self.is_decided(self.order[at]) {
            at += 1;
        }
        let Some(&party) = self.order.get(at) else {
            self.best = self.best.max(won);
            return;
        };
        self.nodes += 1;
        let open = self.order[at..].iter().filter(|&&party| !self.is_decided(party));
        let least: f64 = open.map(|&party| self.least[party]).sum();
        if self.nodes >= MOST_NODES || lost + least >= self.room {
            return;
        }
        if let Some(known) = self.known.get_mut(&self.decided) {
            if *known >= won {
                return;
            }
            *known = won;
        } else {
            self.known.insert(self.decided.clone(), won);
        }
        for k in 0..self.with[party].len() {
            let choice = self.with[party][k];
            let parties = self.choices[choice].parties.clone();
            if parties.iter().any(|&party| self.is_decided(party)) {
                continue;
            }
            for &party in &parties {
                self.flip(party);
            }
            let (loss, quality) = (self.choices[choice].loss, self.choices[choice].quality);
            self.decide(at + 1, lost + loss, won + quality);
            for &party in &parties {
                self.flip(party);
            }
        }
        self.flip(party);
        self.decide(at + 1, lost + self.unmatched[party], won - self.penalties[party]);
        self.flip(party);
    }
}
