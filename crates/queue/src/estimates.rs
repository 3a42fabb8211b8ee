//! [`WaitEstimates`]: how long newcomers may expect to wait, learned from who was matched and who gave up.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::outcome::Lobby;
use crate::settings::QueueSettings;
use crate::state::Waiting;
use crate::ticket::Ticket;
use crate::time::{Time, seconds};

/// Waits are told apart in bins a tenth wider each, from 1 s on; the last begins after a day.
const BINS: usize = 121;
const RATIO: f64 = 1.1;

/// The share of what came before that each new ticket leaves.
const KEEP: f64 = 0.995;

/// Tickets below which a coarser group is asked.
const ENOUGH: f64 = 20.0;

/// Tickets of one queue, size, region and band of ratings; what is `None` is any.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Group {
    /// The queue.
    pub queue: Arc<str>,
    /// The number of players.
    pub players: Option<usize>,
    /// The region.
    pub region: Option<Arc<str>>,
    /// The band of the number by which waits are told apart.
    pub band: Option<i64>,
}

/// Waits by bins, recent ones counting most: of tickets that were matched, and of those that left.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "SavedHistogram"))]
struct Histogram {
    matched: Vec<f64>,
    left: Vec<f64>,
    /// The weight of the next ticket: grows, so that older ones need not shrink.
    next: f64,
}

/// A histogram as it was saved, which may be of anyone's making.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct SavedHistogram {
    matched: Vec<f64>,
    left: Vec<f64>,
    next: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<SavedHistogram> for Histogram {
    type Error = String;

    fn try_from(saved: SavedHistogram) -> Result<Self, String> {
        let SavedHistogram { matched, left, next } = saved;
        if matched.len() != BINS || left.len() != BINS {
            return Err(format!(
                "waits in {} and {} bins, not {BINS}",
                matched.len(),
                left.len()
            ));
        }
        let mut weights = matched.iter().chain(&left);
        let are_weights = weights.all(|weight| (0.0..=f64::MAX).contains(weight));
        if !(are_weights && next > 0.0 && next.is_finite()) {
            return Err("weights of waits must be finite and not negative".to_owned());
        }
        Ok(Self { matched, left, next })
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            matched: vec![0.0; BINS],
            left: vec![0.0; BINS],
            next: 1.0,
        }
    }
}

impl Histogram {
    fn add(&mut self, waited: i64, is_matched: bool) {
        let bins = if is_matched {
            &mut self.matched
        } else {
            &mut self.left
        };
        bins[bin(seconds(waited))] += self.next;
        self.next /= KEEP;
        if self.next > 1e12 {
            for weight in self.matched.iter_mut().chain(&mut self.left) {
                *weight /= self.next;
            }
            self.next = 1.0;
        }
    }

    /// How many recent tickets it knows, the newest counting 1.
    fn weight(&self) -> f64 {
        self.matched.iter().chain(&self.left).sum::<f64>() / (KEEP * self.next)
    }

    /// The wait in seconds that the next ticket keeps with a chance of `share`: of n waits alike it is as likely to fall
    /// into any of the n + 1 gaps, so that `share (n + 1) / n` of the n must be below.
    fn promise(&self, share: f64) -> Option<f64> {
        let n = self.weight();
        // Of fewer nothing is promised but what they show.
        let more = if n >= ENOUGH { 1.0 / n } else { 0.0 };
        self.quantile(share * (1.0 + more))
    }

    /// The wait in seconds after which a share of the tickets that do not give up is matched; `None` if so many give up
    /// that it cannot be told.
    fn quantile(&self, share: f64) -> Option<f64> {
        let mut at_risk: f64 = self.matched.iter().chain(&self.left).sum();
        let mut still = 1.0;
        for bin in 0..BINS {
            if at_risk <= 0.0 {
                return None;
            }
            // Those who left within the bin were at risk for half of it.
            let exposed = at_risk - 0.5 * self.left[bin];
            let hazard = if exposed > 0.0 {
                (self.matched[bin] / exposed).min(1.0)
            } else {
                0.0
            };
            let after = still * (1.0 - hazard);
            if 1.0 - after >= share && hazard > 0.0 {
                let part = (still - (1.0 - share)) / (still - after);
                return Some(edge(bin) + part.clamp(0.0, 1.0) * (edge(bin + 1) - edge(bin)));
            }
            still = after;
            at_risk -= self.matched[bin] + self.left[bin];
        }
        None
    }
}

/// Where a bin begins, in seconds.
fn edge(bin: usize) -> f64 {
    if bin == 0 {
        0.0
    } else {
        RATIO.powf(bin as f64 - 1.0)
    }
}

fn bin(waited: f64) -> usize {
    if waited < 1.0 {
        return 0;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a positive float becomes the nearest integer there is"
    )]
    let place = (waited.ln() / RATIO.ln()) as usize;
    (place + 1).min(BINS - 1)
}

/// What a newcomer may expect.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WaitEstimate {
    /// Seconds after which the ticket is matched with a chance of 50, 80 and 95 % if it does not give up; `None` where too
    /// many gave up to tell.
    pub quantiles: [Option<f64>; 3],
    /// The tickets from which that is known.
    pub group: Group,
    /// How many they are, the most recent counting 1.
    pub tickets: f64,
}

/// How long tickets wait, by queue, size, region and rating, learned as they are matched and leave: until their players are
/// asked to accept, where they are.
///
/// A product-limit estimate (Kaplan and Meier, "Nonparametric estimation from incomplete observations", J. Am. Stat.
/// Assoc. 53, 1958, eq. 2a) over bins a tenth wider each, so that tickets that give up do not make waits look short.
/// The weight of a ticket halves after 138 more. A group of fewer than 20 tickets is no answer: then the rating is left
/// out, then the region, then the size.
///
/// 2 kB a group; O(1) a ticket.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WaitEstimates {
    by: Option<(String, f64)>,
    #[cfg_attr(feature = "serde", serde(with = "as_list"))]
    groups: BTreeMap<Group, Histogram>,
}

#[cfg(feature = "serde")]
mod as_list {
    //! Maps whose keys are no strings, as lists of pairs, for formats that know no others.

    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'de, K, V, D>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Ok(Vec::<(K, V)>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl WaitEstimates {
    pub(crate) fn set(&mut self, settings: &QueueSettings) {
        if self.by != settings.estimate_by {
            self.groups.retain(|group, _| group.band.is_none());
            self.by.clone_from(&settings.estimate_by);
        }
    }

    /// A ticket counts for the region that it would ask for, not for that of its match: else the waits of those who went
    /// elsewhere, the longest, would be told to others.
    pub(crate) fn matched(&mut self, waiting: &Waiting, lobby: &Lobby, now: Time) {
        let (region, waited) = (best_region(&waiting.ticket), waiting.waited(now));
        self.add(&waiting.ticket, &lobby.queue, region.as_ref(), waited, true);
    }

    pub(crate) fn left(&mut self, waiting: &Waiting, now: Time) {
        let region = best_region(&waiting.ticket);
        for queue in waiting.queues.iter() {
            self.add(
                &waiting.ticket,
                queue,
                region.as_ref(),
                waiting.waited(now),
                false,
            );
        }
    }

    fn add(
        &mut self,
        ticket: &Ticket,
        queue: &Arc<str>,
        region: Option<&Arc<str>>,
        waited: i64,
        is_matched: bool,
    ) {
        for group in self.groups_of(ticket, queue, region) {
            self.groups.entry(group).or_default().add(waited, is_matched);
        }
    }

    /// From the finest to the coarsest, each once.
    fn groups_of(&self, ticket: &Ticket, queue: &Arc<str>, region: Option<&Arc<str>>) -> Vec<Group> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a float becomes the nearest integer there is"
        )]
        let band = self
            .by
            .as_ref()
            .and_then(|(name, width)| Some((ticket.mean(name)? / width).floor() as i64));
        let players = Some(ticket.players.len());
        let finest = Group {
            queue: Arc::clone(queue),
            players,
            region: region.cloned(),
            band,
        };
        let of_region = Group {
            band: None,
            ..finest.clone()
        };
        let of_size = Group {
            region: None,
            ..of_region.clone()
        };
        let of_queue = Group {
            players: None,
            ..of_size.clone()
        };
        let mut groups = vec![finest, of_region, of_size, of_queue];
        groups.dedup();
        groups
    }

    /// What a ticket like this may expect in a queue, by the finest group that is known well enough; `None` if no ticket has
    /// waited there yet.
    #[must_use]
    pub fn estimate(&self, ticket: &Ticket, queue: &str) -> Option<WaitEstimate> {
        let region = best_region(ticket);
        let groups = self.groups_of(ticket, &queue.into(), region.as_ref());
        let coarsest = groups.last().cloned();
        let known = |group: &Group| self.groups.get(group).map(Histogram::weight);
        let enough = groups
            .into_iter()
            .find(|group| known(group).is_some_and(|weight| weight >= ENOUGH));
        let group = enough.or(coarsest)?;
        let histogram = self.groups.get(&group)?;
        Some(WaitEstimate {
            quantiles: [0.5, 0.8, 0.95].map(|share| histogram.promise(share)),
            tickets: histogram.weight(),
            group,
        })
    }
}

/// The region with the least ping.
fn best_region(ticket: &Ticket) -> Option<Arc<str>> {
    let best = ticket.regions.iter().min_by(|a, b| a.1.total_cmp(b.1));
    best.map(|(name, _)| name.as_str().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from 0 to 1.
    fn uniform() -> impl FnMut() -> f64 {
        let mut state = 1_u64;
        move || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    #[test]
    fn a_promise_from_few_tickets_is_kept_as_often_as_one_from_many() {
        let mut uniform = uniform();
        for tickets in [21, 40, 300] {
            let rounds = 8000;
            let mut kept = 0;
            for _ in 0..rounds {
                let mut histogram = Histogram::default();
                for _ in 0..tickets {
                    histogram.add(crate::time::millis(-60.0 * uniform().ln()), true);
                }
                let promised = histogram.promise(0.8).unwrap();
                kept += i32::from(-60.0 * uniform().ln() <= promised);
            }
            // Half a percent is a standard error; bins a tenth wide cost as much again.
            let share = f64::from(kept) / f64::from(rounds);
            assert!((share - 0.8).abs() < 0.02, "{tickets}: {share}");
        }
    }

    #[test]
    fn quantiles_are_those_of_the_waits_and_leavers_do_not_make_them_look_short() {
        let mut uniform = uniform();
        // Matched after an exponential wait of 60 s on average; patience of the same kind, 90 s.
        let mut histogram = Histogram::default();
        for _ in 0..20_000 {
            let (matched, patience) = (-60.0 * uniform().ln(), -90.0 * uniform().ln());
            histogram.add(crate::time::millis(matched.min(patience)), matched < patience);
        }
        for share in [0.5, 0.8_f64] {
            let expected = -60.0 * (1.0 - share).ln();
            let found = histogram.quantile(share).unwrap();
            // Some 200 recent tickets count: a fifth is some two standard errors.
            assert!(
                (found / expected - 1.0).abs() < 0.25,
                "{share}: {found} against {expected}"
            );
        }
        assert!((histogram.weight() - 200.0).abs() < 1.0);
    }

    #[test]
    fn bins_hold_what_is_between_their_edges() {
        for waited in [0.0, 0.5, 1.0, 1.05, 7.0, 60.0, 3599.0, 80_000.0] {
            let bin = bin(waited);
            assert!(
                edge(bin) <= waited * 1.000001 && waited <= edge(bin + 1) * 1.000001,
                "{waited}: {bin}"
            );
        }
        assert_eq!(bin(1e9), BINS - 1);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_saved_histogram_of_other_bins_or_weights_is_refused() {
        let saved = serde_json::to_string(&Histogram::default()).unwrap();
        assert_eq!(
            serde_json::from_str::<Histogram>(&saved).unwrap(),
            Histogram::default()
        );
        let short = r#"{"matched":[1.0],"left":[],"next":1.0}"#;
        assert!(serde_json::from_str::<Histogram>(short).is_err());
        let negative = saved.replacen("0.0", "-1.0", 1);
        assert!(serde_json::from_str::<Histogram>(&negative).is_err());
        let endless = saved.replace("\"next\":1.0", "\"next\":0.0");
        assert!(serde_json::from_str::<Histogram>(&endless).is_err());
    }
}
