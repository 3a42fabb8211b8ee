//! Exchanges of units between two teams, as long as they help, and from time to time when they do not.

use crate::random::SplitMix64;

/// Units of as many players that change places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Exchange {
    /// One team.
    pub(super) p: usize,
    /// The other.
    pub(super) q: usize,
    /// Units that go from p to q.
    pub(super) out: Vec<usize>,
    /// Units that go from q to p.
    pub(super) back: Vec<usize>,
}

/// Who knows how good a split is, and what an exchange would make of it.
pub(super) trait Judge {
    /// How good the split is: its quality where nothing is forbidden, less where something is.
    fn value(&self) -> f64;
    /// How good it would be after the exchange, or any number up to `above` if it would not be better than that.
    fn after(&mut self, exchange: &Exchange, above: f64) -> f64;
    /// Makes the exchange.
    fn make(&mut self, exchange: &Exchange);
    /// Starts anew, with each unit in this team.
    fn place(&mut self, team_of: &[usize]);
}

/// How to climb.
#[derive(Debug, Clone, Copy)]
pub(super) struct Climb<'a> {
    pub(super) unit_sizes: &'a [usize],
    /// How many exchanges to try.
    pub(super) tries: u64,
    pub(super) seed: u64,
    /// No split is better: stop there.
    pub(super) target: f64,
    /// Whether tries are so cheap that most of them may go into annealing.
    pub(super) anneal: bool,
}

/// The best that was met.
#[derive(Debug)]
pub(super) struct Top {
    pub(super) team_of: Vec<usize>,
    pub(super) value: f64,
    /// Splits looked at, the first included.
    pub(super) tried: u64,
}

/// One in so many tries is kept for what comes after annealing.
const KEPT: u64 = 5;
/// How hot annealing starts, as a part of what exchanges change on average. The start is a good split already: more
/// heat would undo what it has.
const HEAT: f64 = 0.1;
/// An annealing run cools down by this factor.
const COOLING: f64 = 0.1;
/// It does so at every so many tries.
const STEP: u64 = 64;

impl Climb<'_> {
    /// Climbs from a start until no exchange is better, then again from where annealing comes to, then from what a
    /// few exchanges at random make of the best, until all is tried.
    pub(super) fn run(&self, judge: &mut impl Judge, start: Vec<usize>) -> Top {
        judge.place(&start);
        let mut climber = Climber {
            climb: self,
            bits: SplitMix64(self.seed),
            order: (0..start.len()).collect(),
            exchange: Exchange::default(),
            top: Top {
                team_of: start.clone(),
                value: judge.value(),
                tried: 1,
            },
            team_of: start,
            deltas: (0.0, 0),
        };
        climber.ascend(judge);
        if self.anneal {
            let left = self.tries.saturating_sub(climber.top.tried);
            climber.anneal(judge, left - left / KEPT);
            climber.ascend(judge);
        }
        while !climber.done() {
            let before = climber.top.tried;
            climber.kick(judge);
            climber.ascend(judge);
            if climber.top.tried == before {
                // Nothing can change places.
                break;
            }
        }
        climber.top
    }
}

struct Climber<'a> {
    climb: &'a Climb<'a>,
    bits: SplitMix64,
    order: Vec<usize>,
    exchange: Exchange,
    /// Where the judge is.
    team_of: Vec<usize>,
    top: Top,
    /// By how much tried exchanges differed, and how many did.
    deltas: (f64, u64),
}

impl Climber<'_> {
    fn done(&self) -> bool {
        self.top.tried >= self.climb.tries || self.top.value >= self.climb.target
    }

    /// The first exchange that is better, again and again, units in an order of chance.
    fn ascend(&mut self, judge: &mut impl Judge) {
        let units = self.order.len();
        for last in (1..units).rev() {
            let other = self.bits.below(last + 1);
            self.order.swap(last, other);
        }
        let mut improved = true;
        while improved {
            improved = false;
            for first in 0..units {
                for second in first + 1..units {
                    if self.done() {
                        return;
                    }
                    if !self.propose(self.order[first], self.order[second]) {
                        continue;
                    }
                    let now = judge.value();
                    if self.ask(judge, now) > now {
                        self.make(judge);
                        improved = true;
                    }
                }
            }
        }
    }

    /// Exchanges at random, worse ones too, ever less often.
    fn anneal(&mut self, judge: &mut impl Judge, tries: u64) {
        let units = self.order.len();
        // As hot as exchanges differ by on average, measured in the first hundred or so.
        self.deltas = (0.0, 0);
        let measure = (tries / 20).clamp(1, 100);
        let (mut tried, mut proposed, mut heat) = (0, 0, 0.0);
        while tried < tries && proposed < 8 * tries && !self.done() {
            proposed += 1;
            let (u, v) = (self.bits.below(units), self.bits.below(units));
            if !self.propose(u, v) {
                continue;
            }
            tried += 1;
            let now = judge.value();
            if tried % STEP == 0 {
                let hottest = HEAT * self.deltas.0 / (self.deltas.1.max(1)) as f64;
                heat = hottest * COOLING.powf(tried as f64 / tries as f64);
            }
            // Metropolis' rule, turned around so that the judge need not work out what is refused.
            let chance = (self.bits.next() >> 11) as f64 / (1_u64 << 53) as f64;
            let above = now + heat * chance.max(f64::MIN_POSITIVE).ln();
            let then = self.ask(
                judge,
                if tried <= measure {
                    f64::NEG_INFINITY
                } else {
                    above
                },
            );
            if tried <= measure {
                self.deltas = (self.deltas.0 + (then - now).abs().min(1.0), self.deltas.1 + 1);
            }
            if then > above {
                self.make(judge);
            }
        }
    }

    /// Back to the best, and a few exchanges from there.
    fn kick(&mut self, judge: &mut impl Judge) {
        self.team_of.clone_from(&self.top.team_of);
        judge.place(&self.team_of);
        let units = self.order.len();
        let (mut left, mut proposed) = (1 + self.bits.below(3), 0);
        while left > 0 && proposed < 20 * units {
            proposed += 1;
            let (u, v) = (self.bits.below(units), self.bits.below(units));
            if self.propose(u, v) {
                left -= 1;
                self.top.tried += 1;
                self.make(judge);
            }
        }
    }

    fn ask(&mut self, judge: &mut impl Judge, above: f64) -> f64 {
        self.top.tried += 1;
        judge.after(&self.exchange, above)
    }

    fn make(&mut self, judge: &mut impl Judge) {
        judge.make(&self.exchange);
        for &unit in &self.exchange.out {
            self.team_of[unit] = self.exchange.q;
        }
        for &unit in &self.exchange.back {
            self.team_of[unit] = self.exchange.p;
        }
        self.keep(judge.value());
    }

    fn keep(&mut self, value: f64) {
        if value > self.top.value {
            self.top.value = value;
            self.top.team_of.clone_from(&self.team_of);
        }
    }

    /// An exchange with u on one side and v on the other; where they are not of one size, with others, chosen at
    /// random, who make up for it. False if there is none.
    fn propose(&mut self, u: usize, v: usize) -> bool {
        let (p, q) = (self.team_of[u], self.team_of[v]);
        if p == q {
            return false;
        }
        let sizes = self.climb.unit_sizes;
        let Exchange { out, back, .. } = &mut self.exchange;
        out.clear();
        back.clear();
        out.push(u);
        back.push(v);
        (self.exchange.p, self.exchange.q) = (p, q);
        let (mut more_out, mut more_back) = (sizes[u], sizes[v]);
        while more_out != more_back && self.exchange.out.len() + self.exchange.back.len() < 8 {
            let missing = more_out.abs_diff(more_back);
            let from = if more_out > more_back { q } else { p };
            let Some(unit) = self.filler(from, missing) else {
                return false;
            };
            if from == q {
                self.exchange.back.push(unit);
                more_back += sizes[unit];
            } else {
                self.exchange.out.push(unit);
                more_out += sizes[unit];
            }
        }
        more_out == more_back
    }

    /// A unit of the team that is not yet part of the exchange, of no more than `missing` players if there is one.
    fn filler(&mut self, team: usize, missing: usize) -> Option<usize> {
        let (units, sizes) = (self.order.len(), self.climb.unit_sizes);
        let from = self.bits.below(units);
        let taken = if team == self.exchange.q {
            &self.exchange.back
        } else {
            &self.exchange.out
        };
        let around = (from..units).chain(0..from);
        let free = |&unit: &usize| self.team_of[unit] == team && !taken.contains(&unit);
        let mut larger = None;
        for unit in around.filter(free) {
            if sizes[unit] <= missing {
                return Some(unit);
            }
            larger = larger.or(Some(unit));
        }
        larger
    }
}
