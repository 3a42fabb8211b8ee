//! Whether a certificate proves its bound.

use matchwright_solver::{Limits, Meter, Progress};

use super::error::LobbyVerifyError;
use super::facts::teams_of;
use super::matches::each_match_above;
use super::stop::Stop;
use super::tables::Tables;
use super::{TOLERANCE, agrees};
use crate::progress::CHECK;
use crate::{Lineups, LobbyCertificate, LobbyObjective, LobbyPool, LobbyTerms, ObjectiveError};

/// Matches for which terms and quality are compared, besides those that matter.
const SAMPLE: u64 = 300;

/// The numbers are numbers, the cuts are cuts, and the bound is their sum, which is returned.
pub(super) fn check_sum(pool: &LobbyPool, certificate: &LobbyCertificate) -> Result<f64, LobbyVerifyError> {
    let parties = pool.parties();
    if certificate.duals.len() != parties.len() {
        return Err(LobbyVerifyError::DualCount {
            duals: certificate.duals.len(),
            parties: parties.len(),
        });
    }
    for (party, &value) in certificate.duals.iter().enumerate() {
        if !value.is_finite() {
            return Err(LobbyVerifyError::NotFinite {
                what: format!("the dual of party {party}"),
                value,
            });
        }
    }
    for (cut, &(of, dual)) in certificate.cuts.iter().enumerate() {
        let [u, v, w] = of;
        let distinct = u != v && u != w && v != w;
        let known = of.iter().all(|&party| (party as usize) < parties.len());
        if !(distinct && known && dual.is_finite() && dual >= 0.0) {
            return Err(LobbyVerifyError::BadCut {
                cut,
                parties: of,
                dual,
            });
        }
    }
    for (set, (of, dual)) in certificate.odd_sets.iter().enumerate() {
        let rises = of.windows(2).all(|two| two[0] < two[1]);
        let known = of.last().is_some_and(|&last| (last as usize) < parties.len());
        let is_odd = pool.match_size() == 2 && of.len() % 2 == 1;
        if !(rises && known && is_odd && dual.is_finite() && *dual >= 0.0) {
            return Err(LobbyVerifyError::BadOddSet {
                set,
                parties: of.len(),
                dual: *dual,
            });
        }
    }
    let (excess, bound) = (certificate.excess, certificate.bound);
    if !(excess.is_finite() && excess >= 0.0) {
        return Err(LobbyVerifyError::NotFinite {
            what: "the excess".to_owned(),
            value: excess,
        });
    }
    if !bound.is_finite() {
        return Err(LobbyVerifyError::NotFinite {
            what: "the bound".to_owned(),
            value: bound,
        });
    }
    let most = |(party, dual): (&Vec<usize>, &f64)| dual.max(-pool.penalty(party));
    let actual = parties.iter().zip(&certificate.duals).map(most).sum::<f64>()
        + certificate.cuts.iter().map(|cut| cut.1).sum::<f64>()
        + certificate
            .odd_sets
            .iter()
            .map(|(of, dual)| (of.len() / 2) as f64 * dual)
            .sum::<f64>()
        + (pool.players() / pool.match_size()) as f64 * excess;
    if !agrees(bound, actual, 1 + pool.players() / pool.match_size()) {
        return Err(LobbyVerifyError::WrongBound {
            claimed: bound,
            actual,
        });
    }
    Ok(actual)
}

/// Called with two teams of parties, and by how much their quality exceeds what they pay.
type Weighed<'v> = &'v mut dyn FnMut(&[usize], &[usize], f64) -> Result<(), Stop>;

/// A certificate, and what it is held against.
pub(super) struct Judged<'a> {
    pub(super) pool: &'a LobbyPool,
    pub(super) objective: &'a dyn LobbyObjective,
    pub(super) certificate: &'a LobbyCertificate,
    pub(super) terms: Option<LobbyTerms>,
    /// The least that a match pays by its duals.
    pub(super) cheapest: f64,
    /// Counts the terms that are looked at.
    meter: Meter<'a>,
}

impl<'a> Judged<'a> {
    pub(super) fn new(
        pool: &'a LobbyPool,
        objective: &'a dyn LobbyObjective,
        certificate: &'a LobbyCertificate,
        limits: &Limits<'a>,
    ) -> Result<Self, LobbyVerifyError> {
        // Pairs are asked for one by one.
        let terms = if pool.match_size() == 2 {
            None
        } else {
            objective.terms_of_pool(pool)?
        };
        Ok(Self {
            pool,
            objective,
            certificate,
            terms,
            cheapest: cheapest(pool, &certificate.duals),
            meter: Meter::new(*limits),
        })
    }

    /// The terms are the quality for the matches of the lineups and for some others.
    pub(super) fn check_sample(&self, lineups: &Lineups) -> Result<(), LobbyVerifyError> {
        let Some(terms) = &self.terms else {
            return Ok(());
        };
        for lobby in &lineups.lobbies {
            self.agreed(terms, &lobby.teams)?;
        }
        let mut order: Vec<usize> = (0..self.pool.parties().len()).collect();
        for sample in 0..SAMPLE {
            // In an order that multiplication by an odd number, high bits first, scrambles anew for each sample.
            let hash = |party: usize| {
                (party as u64 ^ sample << 32)
                    .wrapping_add(1)
                    .wrapping_mul(0xd6e8_feb8_6659_fd93)
            };
            order.sort_unstable_by_key(|&party| {
                (hash(party) ^ hash(party) >> 32).wrapping_mul(0x9e6c_63d0_876a_68ef)
            });
            if let Some((team_a, team_b)) = teams_of(self.pool, order.iter().copied()) {
                self.agreed(terms, &[team_a, team_b])?;
            }
        }
        Ok(())
    }

    /// The quality of a match, if the terms sum to it.
    fn agreed(&self, terms: &LobbyTerms, teams: &[Vec<usize>]) -> Result<Option<f64>, ObjectiveError> {
        self.objective
            .agreed_quality(teams, terms.quality(&teams[0], &teams[1]))
    }

    /// No match is worth more than it pays, and the excess.
    pub(super) fn check_matches(&self) -> Result<(), Stop> {
        let least = self.certificate.excess + TOLERANCE;
        if 1.0 - self.cheapest <= least {
            // No quality exceeds 1, and no cut makes a match pay less.
            return Ok(());
        }
        if self.pool.match_size() == 2 {
            return self.check_pairs(least);
        }
        let terms = self.terms.as_ref().ok_or(LobbyVerifyError::NoTerms)?;
        self.each_match(terms, least, &mut |team_a, team_b, reduced| {
            if reduced <= least {
                return Ok(());
            }
            let paid = self.paid(team_a, team_b);
            Err(self.worth_more(team_a, team_b, reduced + paid, paid))
        })
    }

    fn worth_more(&self, team_a: &[usize], team_b: &[usize], quality: f64, paid: f64) -> Stop {
        Stop::Wrong(LobbyVerifyError::WorthMore {
            team_a: self.players(team_a),
            team_b: self.players(team_b),
            quality,
            paid,
            excess: self.certificate.excess,
        })
    }

    /// The same where matches are pairs of players: all of them, one by one.
    fn check_pairs(&self, least: f64) -> Result<(), Stop> {
        let parties = self.pool.parties();
        let mut sets_of = vec![Vec::new(); parties.len()];
        for (set, (of, _)) in self.certificate.odd_sets.iter().enumerate() {
            for &party in of {
                sets_of[party as usize].push(set);
            }
        }
        for (one, party) in parties.iter().enumerate() {
            self.meter.spend(parties.len() as u64)?;
            self.meter.check(Progress::new(CHECK))?;
            for (other, rival) in parties.iter().enumerate().skip(one + 1) {
                let Some(quality) = self.objective.checked_duel(party[0], rival[0])? else {
                    continue;
                };
                let mut paid = self.certificate.duals[one] + self.certificate.duals[other];
                if quality - paid <= least {
                    continue;
                }
                let both = sets_of[one]
                    .iter()
                    .filter(|set| sets_of[other].binary_search(set).is_ok());
                paid = self.paid(&[one], &[other]);
                paid += both.map(|&set| self.certificate.odd_sets[set].1).sum::<f64>();
                if quality - paid > least {
                    return Err(self.worth_more(&[one], &[other], quality, paid));
                }
            }
        }
        Ok(())
    }

    /// Calls `visit` with all matches whose quality exceeds what they pay by more than `least`, by how much, and some
    /// others.
    pub(super) fn each_match(&self, terms: &LobbyTerms, least: f64, visit: Weighed<'_>) -> Result<(), Stop> {
        let tables = Tables::new(self.pool, terms, self.certificate);
        let mut weigh = |team_a: &[usize], team_b: &[usize]| {
            let (a, b) = (self.players(team_a), self.players(team_b));
            match self.agreed(terms, &[a, b])? {
                Some(quality) => visit(team_a, team_b, quality - self.paid(team_a, team_b)),
                None => Ok(()),
            }
        };
        each_match_above(&tables, &self.meter, least, &mut weigh)?;
        if -self.cheapest > least {
            // Terms that sum to less than 0 are a quality of 0.
            each_match_above(
                &tables.of_nothing(self.certificate),
                &self.meter,
                least,
                &mut weigh,
            )?;
        }
        Ok(())
    }

    /// What the match pays, by the duals of its parties and of the cuts of which it has two or three. Pairs pay odd sets as
    /// well, see [`check_pairs`](Self::check_pairs).
    pub(super) fn paid(&self, team_a: &[usize], team_b: &[usize]) -> f64 {
        let has = |party: u32| team_a.contains(&(party as usize)) || team_b.contains(&(party as usize));
        let parties = team_a.iter().chain(team_b);
        let duals: f64 = parties.map(|&party| self.certificate.duals[party]).sum();
        let counted = |cut: &&([u32; 3], f64)| cut.0.iter().filter(|&&party| has(party)).count() >= 2;
        let cuts = self.certificate.cuts.iter().filter(counted);
        duals + cuts.map(|cut| cut.1).sum::<f64>()
    }

    /// The players of these parties.
    fn players(&self, parties: &[usize]) -> Vec<usize> {
        let members = parties.iter().flat_map(|&party| &self.pool.parties()[party]);
        members.copied().collect()
    }
}

/// The least that parties with the players of one match pay; infinite if no parties have as many.
fn cheapest(pool: &LobbyPool, duals: &[f64]) -> f64 {
    let mut least = vec![f64::INFINITY; pool.match_size() + 1];
    least[0] = 0.0;
    for (party, dual) in pool.parties().iter().zip(duals) {
        for players in (party.len()..least.len()).rev() {
            least[players] = least[players].min(least[players - party.len()] + dual);
        }
    }
    least[pool.match_size()]
}
