//! Forward and backward passes of messages over the games, until they converge.

use super::ThroughTime;
use super::history::{Batch, Game, History, Side};
use super::mixing::Mixing;
use crate::gaussian::{SideSums, Weights};
use crate::trueskill::{Evidence, Message, Ranking, TrueSkill, without_skill};

/// How often the order of tied sides in games of three and more is looked at again after all else has settled.
const MOST_SEATINGS: u32 = 6;

/// Tied sides whose means differ by less than this part of a deviation, and whose variances by less than this
/// part (or a hundred tolerances), are told apart by what is left to converge alone.
const TWINS: f64 = 1e-6;

/// All messages of a fit. Skills are measured from the initial mu, so that no digits go into the scale's zero.
pub(super) struct Sweeps {
    pub(super) history: History,
    system: TrueSkill,
    tolerance: f64,
    /// What games say, seat by seat.
    told: Vec<Message>,
    /// During a batch, for each seat: what the games of the batch say that are still to come.
    to_come: Vec<Message>,
    /// What the prior and earlier times say, visit by visit.
    pub(super) past: Vec<Message>,
    /// What the games of this time say.
    pub(super) present: Vec<Message>,
    /// What later times say.
    pub(super) future: Vec<Message>,
    /// Whether the tied sides of all games stand in an order; where not, games that need one are left out.
    seated: bool,
    scratch: Scratch,
}

/// What one game needs.
#[derive(Default)]
struct Scratch {
    /// What all but this game says of its players, seat by seat.
    cavities: Vec<Message>,
    ranked: Vec<(u32, SideSums)>,
    ranking: Ranking,
}

/// How the sweeps ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ending {
    pub(super) sweeps: u32,
    pub(super) last_change: f64,
}

/// What is known of a skill after it wandered on by `variance`.
pub(super) fn wandered(known: Message, variance: f64) -> Message {
    let kept = 1.0 / (1.0 + known.precision * variance);
    Message {
        precision: known.precision * kept,
        pull: known.pull * kept,
    }
}

impl Sweeps {
    pub(super) fn new(model: &ThroughTime, history: History) -> Self {
        let none = Message::default();
        let (seats, visits) = (history.seats.len(), history.visits.len());
        Self {
            system: model.system,
            tolerance: model.params.tolerance,
            told: vec![none; seats],
            to_come: vec![none; seats],
            past: vec![none; visits],
            present: vec![none; visits],
            future: vec![none; visits],
            seated: false,
            scratch: Scratch::default(),
            history,
        }
    }

    /// Sweeps until a sweep changes no skill by more than the tolerance, `max_sweeps` times at most.
    ///
    /// Tied sides are put in order by skills that have settled, so that the way there cannot show in it: first by
    /// those of all other games, then by those of all games with the order last found, until it stays.
    pub(super) fn settle(&mut self, max_sweeps: u32) -> Ending {
        let mut ending = Ending {
            sweeps: 0,
            last_change: 0.0,
        };
        let needed = self.history.games.iter().any(|game| game.tied);
        self.seated = !needed;
        self.sweep(max_sweeps, &mut ending);
        if needed {
            for _ in 0..MOST_SEATINGS {
                if !self.seat() && self.seated {
                    break;
                }
                self.seated = true;
                self.sweep(max_sweeps, &mut ending);
            }
        }
        ending
    }

    /// Sweeps with the order of tied sides as it is. Where no sweep is left, nobody knows how far it is to the end.
    fn sweep(&mut self, max_sweeps: u32, ending: &mut Ending) {
        if self.history.games.is_empty() {
            return;
        }
        ending.last_change = f64::INFINITY;
        let mut mixing = Mixing::default();
        let mut before = self.skills();
        while ending.sweeps < max_sweeps {
            ending.sweeps += 1;
            let told = self.pulls();
            self.forth();
            self.back();
            let after = self.skills();
            let changes = before.iter().zip(&after).map(|(old, new)| change(*old, *new));
            ending.last_change = changes.fold(0.0, f64::max);
            if ending.last_change <= self.tolerance || ending.sweeps == max_sweeps {
                break;
            }
            let variances: Vec<f64> = self
                .history
                .seats
                .iter()
                .map(|seat| after[seat.visit].1.powi(2))
                .collect();
            let mixed = mixing.next(&told, &self.pulls(), &variances);
            for (message, pull) in self.told.iter_mut().zip(mixed) {
                message.pull = pull;
            }
            before = self.skills();
        }
    }

    /// Puts tied sides in order by what all other games say; whether that changed anything.
    fn seat(&mut self) -> bool {
        let twins = TWINS.max(100.0 * self.tolerance);
        let mut changed = false;
        for batch in 0..self.history.batches.len() {
            let batch = self.history.batches[batch].clone();
            self.gather(&batch, batch.games.clone().rev());
            for game in batch.games {
                if self.history.games[game].tied {
                    self.look(game);
                    let sides = self.history.games[game].sides.clone();
                    let sides = &mut self.history.sides[sides];
                    changed |= seat_tied(sides, &mut self.scratch.ranked, twins);
                }
                self.pass(game);
            }
        }
        changed
    }

    /// Leaves a game behind within its batch, with what it says as it is.
    fn pass(&mut self, game: usize) {
        for seat in self.history.seats_of(game) {
            let present = &mut self.present[self.history.seats[seat].visit];
            *present = present.and(self.told[seat]);
        }
    }

    fn pulls(&self) -> Vec<f64> {
        self.told.iter().map(|message| message.pull).collect()
    }

    /// Brings all that is known up to what games say now; mean and deviation of every visit's skill.
    fn skills(&mut self) -> Vec<(f64, f64)> {
        self.present.fill(Message::default());
        for (seat, told) in self.history.seats.iter().zip(&self.told) {
            self.present[seat.visit] = self.present[seat.visit].and(*told);
        }
        for visit in 0..self.past.len() {
            self.remember(visit);
        }
        for visit in (0..self.future.len()).rev() {
            self.foresee(visit);
        }
        let all = self.past.iter().zip(&self.present).zip(&self.future);
        all.map(|((past, present), future)| {
            let known = past.and(*present).and(*future);
            (known.pull / known.precision, 1.0 / known.precision.sqrt())
        })
        .collect()
    }

    fn forth(&mut self) {
        for batch in 0..self.history.batches.len() {
            let batch = self.history.batches[batch].clone();
            for visit in batch.visits.clone() {
                self.remember(visit);
            }
            self.gather(&batch, batch.games.clone().rev());
            for game in batch.games {
                self.learn(game);
            }
        }
    }

    fn back(&mut self) {
        for batch in (0..self.history.batches.len()).rev() {
            let batch = self.history.batches[batch].clone();
            for visit in batch.visits.clone() {
                self.foresee(visit);
            }
            self.gather(&batch, batch.games.clone());
            for game in batch.games.rev() {
                self.learn(game);
            }
        }
    }

    /// What earlier times say of a visit's skill.
    fn remember(&mut self, visit: usize) {
        self.past[visit] = match self.history.visits[visit].before {
            Some(before) => {
                let known = self.past[before].and(self.present[before]);
                wandered(known, self.drift(before, visit))
            }
            None => self.prior(),
        };
    }

    /// What later times say of a visit's skill.
    fn foresee(&mut self, visit: usize) {
        self.future[visit] = match self.history.visits[visit].after {
            Some(after) => {
                let known = self.future[after].and(self.present[after]);
                wandered(known, self.drift(visit, after))
            }
            None => Message::default(),
        };
    }

    fn prior(&self) -> Message {
        let sigma = self.system.params().initial_sigma;
        Message {
            precision: 1.0 / (sigma * sigma),
            pull: 0.0,
        }
    }

    /// The variance that a skill gathers between two visits.
    fn drift(&self, earlier: usize, later: usize) -> f64 {
        let gamma = self.system.params().tau_per_period;
        let visits = &self.history.visits;
        gamma * gamma * (visits[later].time - visits[earlier].time)
    }

    /// Sums up for each seat what comes after its game, for games of one batch that come in the reverse of the
    /// order given, and forgets what they say together: it is gathered anew as they are learnt from.
    ///
    /// Sums of what is to come and of what came leave a game's own message out without a difference, which could
    /// lose all digits.
    fn gather(&mut self, batch: &Batch, games: impl Iterator<Item = usize>) {
        self.present[batch.visits.clone()].fill(Message::default());
        for game in games {
            for seat in self.history.seats_of(game) {
                let present = &mut self.present[self.history.seats[seat].visit];
                self.to_come[seat] = *present;
                *present = present.and(self.told[seat]);
            }
        }
        self.present[batch.visits.clone()].fill(Message::default());
    }

    /// Gathers what all else says of a game's players and sides.
    fn look(&mut self, game: usize) {
        let Scratch { cavities, ranked, .. } = &mut self.scratch;
        let seats = self.history.seats_of(game);
        cavities.clear();
        cavities.extend(seats.clone().map(|seat| {
            let visit = self.history.seats[seat].visit;
            let others = self.past[visit].and(self.future[visit]);
            others.and(self.present[visit].and(self.to_come[seat]))
        }));
        let mu = self.system.params().initial_mu;
        ranked.clear();
        for side in &self.history.sides[self.history.games[game].sides.clone()] {
            let members = side.seats.clone().map(|seat| {
                let known = cavities[seat - seats.start];
                let mean = known.pull / known.precision;
                (mu + mean, 1.0 / known.precision, self.history.seats[seat].weights)
            });
            // A side has members; none would perform at 0.
            ranked.push((side.place, SideSums::of_present(members).unwrap_or_default()));
        }
    }

    /// Ranks a game by what all else says of its players.
    fn rank(&mut self, game: usize) {
        self.look(game);
        let Scratch { ranked, ranking, .. } = &mut self.scratch;
        ranking.settle(&self.system, ranked);
        let Game { sides, tied } = &self.history.games[game];
        if *tied {
            let mut first = 0;
            for group in self.history.sides[sides.clone()].chunk_by(|_, next| next.twin) {
                ranking.share(first, first + group.len());
                first += group.len();
            }
        }
    }

    /// Tells the players of a game what it says of their skills.
    fn learn(&mut self, game: usize) {
        if self.history.games[game].tied && !self.seated {
            return;
        }
        self.rank(game);
        let first_seat = self.history.seats_of(game).start;
        let beta = self.system.params().beta;
        let sides = &self.history.sides[self.history.games[game].sides.clone()];
        for (side, (variance, evidence)) in sides.iter().zip(self.scratch.ranking.told()) {
            let seats = &self.history.seats[side.seats.clone()];
            let cavities = &self.scratch.cavities[side.seats.start - first_seat..side.seats.end - first_seat];
            let parts = seats.iter().zip(cavities).map(|(seat, known)| {
                let Weights { skill, luck } = seat.weights;
                (skill * skill / known.precision, luck * luck * beta * beta)
            });
            for (index, ((seat, known), (mine, _))) in
                seats.iter().zip(cavities).zip(parts.clone()).enumerate()
            {
                let rest = without_skill(variance, mine, index, parts.clone());
                let message = to_member(evidence, variance, rest, seat.weights.skill, *known);
                self.told[side.seats.start + index] = message;
                let present = &mut self.present[seat.visit];
                *present = present.and(message);
            }
        }
    }

    /// ln of the probability of all results, after the sweeps.
    ///
    /// With every game replaced by its messages, each product of messages scaled so that it is worth as much as
    /// the game where all else is known, the integral over all skills is a product over games and visits.
    pub(super) fn log_evidence(&mut self) -> f64 {
        let mut sum = 0.0;
        for batch in 0..self.history.batches.len() {
            let batch = self.history.batches[batch].clone();
            self.gather(&batch, batch.games.clone().rev());
            for game in batch.games {
                self.rank(game);
                sum += self.scratch.ranking.ln_probability();
                for (seat, known) in self.history.seats_of(game).zip(&self.scratch.cavities) {
                    sum -= self.told[seat].ln_mean_under(*known);
                }
                self.pass(game);
            }
            for visit in batch.visits {
                sum += self.present[visit].ln_mean_under(self.past[visit]);
            }
        }
        sum
    }
}

/// How far a skill's mean and deviation moved, in units of the deviation (the mean relative to its distance from
/// the initial one, where that is larger).
fn change((old_mean, old_sigma): (f64, f64), (mean, sigma): (f64, f64)) -> f64 {
    let moved = (mean - old_mean).abs() / (sigma + mean.abs());
    moved.max((sigma - old_sigma).abs() / sigma)
}

/// What a game says of a member's skill, of which `known` is known otherwise.
///
/// It says e^(Q y - P y^2 / 2) of the side's performance, less its mean. That is a (skill - mean), a the `weight`, plus all
/// that the member's skill is not, of variance `rest`; with the latter integrated out,
///
/// ```text
/// precision = a^2 P / (1 + rest P),   pull = a Q / (1 + rest P) + precision mean
/// ```
fn to_member(evidence: &Evidence, variance: f64, rest: f64, weight: f64, known: Message) -> Message {
    let precision = (1.0 - evidence.ratio) / (evidence.ratio * variance);
    let pull = evidence.pull / evidence.ratio;
    let kept = weight / (1.0 + rest * precision);
    let precision = weight * kept * precision;
    Message {
        precision,
        pull: kept * pull + precision * (known.pull / known.precision),
    }
}

/// Puts tied sides in order, the stronger above, as TrueSkill does, and marks those that nothing tells apart;
/// whether that changed anything.
fn seat_tied(sides: &mut [Side], ranked: &mut [(u32, SideSums)], twins: f64) -> bool {
    let sums = ranked.iter().map(|one| one.1);
    let mut seats: Vec<(Side, SideSums)> = sides.iter().cloned().zip(sums).collect();
    seats.sort_by(|(a, sums_a), (b, sums_b)| a.place.cmp(&b.place).then(sums_b.compare(sums_a)));
    let mut changed = false;
    for (index, (side, sums)) in seats.iter().enumerate() {
        let twin = index.checked_sub(1).is_some_and(|above| {
            let (other, other_sums) = &seats[above];
            other.place == side.place && alike(other_sums, sums, twins)
        });
        let new = Side { twin, ..side.clone() };
        // Among twins the order is rounding's.
        changed |= sides[index].twin != twin || (sides[index] != new && !twin);
        sides[index] = new;
        ranked[index] = (side.place, *sums);
    }
    changed
}

fn alike(a: &SideSums, b: &SideSums, by: f64) -> bool {
    let near = |a: f64, b: f64, unit: f64| (a - b).abs() <= by * unit;
    a.players == b.players
        && near(a.squares, b.squares, a.squares)
        && near(a.variance, b.variance, a.variance)
        && near(a.mean, b.mean, a.variance.sqrt())
}
