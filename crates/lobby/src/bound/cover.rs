//! Exact cover: the best choice of disjoint matches, or the proof that there is none better.

/// A match to choose, as a set of units, and its loss against the bound.
#[derive(Debug, Clone)]
pub(super) struct Choice<'c> {
    /// Rising.
    pub(super) units: &'c [u32],
    /// 0 or more.
    pub(super) loss: f64,
}

/// The places of the choices that count for a cut, rising, and the loss if none of them is chosen.
pub(super) type CutChoices = (Vec<u32>, f64);

/// Losses of a choice by duals that none of its matches pays.
#[derive(Debug, Clone, Default)]
pub(super) struct Unused {
    pub(super) cuts: Vec<CutChoices>,
    /// As many sets as could be chosen, and what each loses that is not.
    pub(super) sets: usize,
    pub(super) each: f64,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cover {
    /// The places of the choices that lose least, and what is lost; the units that none of them covers are unmatched.
    /// `None` if nothing was found that loses less than allowed.
    pub(super) best: Option<(Vec<usize>, f64)>,
    /// Whether nothing else loses less.
    pub(super) is_complete: bool,
}

/// Chooses disjoint sets of units so that the losses of the chosen and of the unmatched units sum to less than
/// `allowed`, and to as little as possible.
///
/// Depth first. The unit with the fewest sets left is decided next, best sets first; a branch ends when what is lost
/// already and what each other unit must lose at least, its share of the best set left to it, is too much (Knuth,
/// "Dancing links", 2000, for exact covers, with the bound of a linear program's duals).
pub(super) fn best_cover(
    choices: &[Choice<'_>],
    sizes: &[usize],
    unmatched: &[f64],
    unused: &Unused,
    allowed: f64,
    most_nodes: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> (Cover, u64) {
    let mut order: Vec<u32> = (0..).take(choices.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&choices[a as usize], &choices[b as usize]);
        a.loss.total_cmp(&b.loss).then_with(|| a.units.cmp(b.units))
    });
    let players = |choice: &Choice<'_>| {
        choice
            .units
            .iter()
            .map(|&unit| sizes[unit as usize])
            .sum::<usize>()
    };
    let mut search = Search {
        choices,
        per_player: choices
            .iter()
            .map(|choice| choice.loss / players(choice).max(1) as f64)
            .collect(),
        sizes,
        unmatched,
        unused,
        allowed,
        most_nodes,
        best: None,
        covered: vec![false; sizes.len()],
        chosen: Vec::new(),
        nodes: 0,
        stop,
        stopped: false,
    };
    search.branch(&order, 0.0);
    let cover = Cover {
        best: search.best,
        is_complete: !search.stopped,
    };
    (cover, search.nodes)
}

struct Search<'a> {
    choices: &'a [Choice<'a>],
    /// Each choice's loss for each of its players.
    per_player: Vec<f64>,
    sizes: &'a [usize],
    unmatched: &'a [f64],
    unused: &'a Unused,
    most_nodes: u64,
    /// What must be undercut.
    allowed: f64,
    best: Option<(Vec<usize>, f64)>,
    covered: Vec<bool>,
    chosen: Vec<u32>,
    nodes: u64,
    stop: &'a (dyn Fn() -> bool + Sync),
    stopped: bool,
}

impl Search<'_> {
    /// Goes on with the choices `alive`, best first, none of which touches a covered unit.
    fn branch(&mut self, alive: &[u32], lost: f64) {
        self.nodes += 1;
        if self.nodes > self.most_nodes || (self.nodes.is_multiple_of(256) && (self.stop)()) {
            self.stopped = true;
        }
        if self.stopped {
            return;
        }
        let Some((unit, least)) = self.next_unit(alive) else {
            let lost = lost + self.unused();
            if lost < self.allowed {
                self.allowed = lost;
                self.best = Some((self.chosen.iter().map(|&choice| choice as usize).collect(), lost));
            }
            return;
        };
        if lost + least >= self.allowed {
            return;
        }
        let mut rest = Vec::new();
        for (place, &choice) in alive.iter().enumerate() {
            let candidate = &self.choices[choice as usize];
            if lost + candidate.loss >= self.allowed {
                break;
            }
            if candidate.units.binary_search(&unit).is_err() {
                continue;
            }
            for &covered in candidate.units {
                self.covered[covered as usize] = true;
            }
            let room = self.allowed - lost - candidate.loss;
            rest.clear();
            // Sets that cover the unit and come earlier do not return, as they touch it too.
            rest.extend(alive.iter().copied().enumerate().filter_map(|(at, other)| {
                let other_choice = &self.choices[other as usize];
                let free = at != place
                    && other_choice.loss < room
                    && other_choice
                        .units
                        .iter()
                        .all(|&covered| !self.covered[covered as usize]);
                free.then_some(other)
            }));
            self.chosen.push(choice);
            let next = std::mem::take(&mut rest);
            self.branch(&next, lost + candidate.loss);
            rest = next;
            self.chosen.pop();
            for &covered in candidate.units {
                self.covered[covered as usize] = false;
            }
            if self.stopped {
                return;
            }
        }
        // Or the unit is unmatched.
        let out = self.unmatched[unit as usize];
        if lost + out < self.allowed {
            self.covered[unit as usize] = true;
            let touches = |&&choice: &&u32| self.choices[choice as usize].units.binary_search(&unit).is_err();
            let next: Vec<u32> = alive.iter().filter(touches).copied().collect();
            self.branch(&next, lost + out);
            self.covered[unit as usize] = false;
        }
    }

    /// What the chosen sets lose by the cuts that none of them pays, and by being so few.
    fn unused(&self) -> f64 {
        let paid = |choices: &[u32]| {
            self.chosen
                .iter()
                .any(|choice| choices.binary_search(choice).is_ok())
        };
        let cuts = self.unused.cuts.iter().filter(|(choices, _)| !paid(choices));
        let missing = self.unused.sets.saturating_sub(self.chosen.len());
        cuts.map(|cut| cut.1).sum::<f64>() + missing as f64 * self.unused.each
    }

    /// The unit with the fewest choices, and what all units must lose at least; `None` if all are covered.
    fn next_unit(&self, alive: &[u32]) -> Option<(u32, f64)> {
        let mut counts = vec![0_u32; self.sizes.len()];
        let mut least = vec![f64::INFINITY; self.sizes.len()];
        for &choice in alive {
            let share = self.per_player[choice as usize];
            for &unit in self.choices[choice as usize].units {
                counts[unit as usize] += 1;
                let own = &mut least[unit as usize];
                *own = own.min(share * self.sizes[unit as usize] as f64);
            }
        }
        let open = || (0..self.sizes.len()).filter(|&unit| !self.covered[unit]);
        let unit = open().min_by_key(|&unit| counts[unit])?;
        let lost: f64 = open().map(|unit| least[unit].min(self.unmatched[unit])).sum();
        #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 parties")]
        Some((unit as u32, lost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// The least loss by trying every subset of the choices.
    fn by_brute_force(choices: &[Choice<'_>], unmatched: &[f64], allowed: f64) -> Option<f64> {
        let mut best: Option<f64> = None;
        for subset in 0..1_u32 << choices.len() {
            let mut covered = vec![false; unmatched.len()];
            let mut loss = 0.0;
            let mut disjoint = true;
            for (k, choice) in choices.iter().enumerate() {
                if subset >> k & 1 == 1 {
                    loss += choice.loss;
                    for &unit in choice.units {
                        disjoint &= !std::mem::replace(&mut covered[unit as usize], true);
                    }
                }
            }
            loss += (0..unmatched.len())
                .filter(|&unit| !covered[unit])
                .map(|unit| unmatched[unit])
                .sum::<f64>();
            if disjoint && loss < allowed && best.is_none_or(|best| loss < best) {
                best = Some(loss);
            }
        }
        best
    }

    #[test]
    fn covers_lose_as_little_as_brute_force_finds() {
        let mut bits = SplitMix64(5);
        for case in 0..300 {
            let units = 6 + bits.below(4);
            let sizes: Vec<usize> = (0..units).map(|_| 1 + bits.below(3)).collect();
            let unmatched: Vec<f64> = (0..units).map(|_| bits.unit()).collect();
            let lists: Vec<(Vec<u32>, f64)> = (0..10)
                .map(|_| {
                    let mut list: Vec<u32> = (0..u32::try_from(units).unwrap()).collect();
                    bits.shuffle(&mut list);
                    list.truncate(2 + bits.below(2));
                    list.sort_unstable();
                    (list, bits.unit())
                })
                .collect();
            let choices: Vec<Choice<'_>> = lists
                .iter()
                .map(|(units, loss)| Choice { units, loss: *loss })
                .collect();
            let allowed = 0.5 + 3.0 * bits.unit();
            let best = by_brute_force(&choices, &unmatched, allowed);
            let unused = Unused::default();
            let cover = best_cover(&choices, &sizes, &unmatched, &unused, allowed, u64::MAX, &|| {
                false
            })
            .0;
            assert!(cover.is_complete);
            match cover.best {
                None => assert_eq!(best, None, "case {case}"),
                Some((chosen, loss)) => {
                    assert!((loss - best.unwrap()).abs() < 1e-12, "case {case}");
                    let covered: usize = chosen.iter().map(|&choice| choices[choice].units.len()).sum();
                    assert!(covered <= units);
                }
            }
        }
    }

    #[test]
    fn a_stopped_search_does_not_claim_that_there_is_no_cover() {
        let pairs: Vec<[u32; 2]> = (0..40).flat_map(|a| (a + 1..40).map(move |b| [a, b])).collect();
        let choices: Vec<Choice<'_>> = pairs.iter().map(|units| Choice { units, loss: 0.1 }).collect();
        let cover = best_cover(
            &choices,
            &[1; 40],
            &[9.0; 40],
            &Unused::default(),
            2.5,
            10,
            &|| false,
        );
        assert_eq!((cover.0.best, cover.0.is_complete), (None, false));
    }
}
