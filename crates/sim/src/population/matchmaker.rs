//! Which two of those who want to play meet: the replaceable part of a generated history.

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;

use super::behaviour::seconds;
use super::params::GeneratorParams;
use crate::random::standard_normal;

/// The people who want to play: from when on, Unix seconds, and who, by its number.
pub type Arrivals = BTreeSet<(i64, u32)>;

/// Two people who meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// When both are there, Unix seconds.
    pub time: i64,
    /// Who, the one who came first in front.
    pub people: [u32; 2],
    /// Whether the first had to wait longer than it should for want of opponents.
    pub delayed: bool,
}

/// Decides who meets whom. It knows the people by their number and skill alone, and people know nothing of it.
pub trait Matchmaker {
    /// Takes the next two who meet out of `arrivals`; `None` if fewer than two people are there. `skills` are by
    /// person.
    ///
    /// A meeting is not before either's arrival. Meetings need not come in the order of time, but the first person of
    /// each does.
    fn next_meeting(&self, arrivals: &mut Arrivals, skills: &[f64], rng: &mut ChaCha8Rng) -> Option<Meeting>;
}

/// The person who has wanted to play for longest meets the one nearest in skill to a target drawn around its own,
/// among those who want to play within the longest wait; if there are none, the next who does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestSkill {
    /// Standard deviation of the target around the first person's skill.
    pub deviation: f64,
    /// How long the first person waits for the second, at most, seconds.
    pub longest_wait: f64,
}

impl NearestSkill {
    /// The matchmaker of the population that EOMM's study uses.
    #[must_use]
    pub const fn of(params: &GeneratorParams) -> Self {
        Self {
            deviation: params.opponent_deviation,
            longest_wait: params.longest_wait,
        }
    }
}

impl Matchmaker for NearestSkill {
    /// O(log n + w) for n people, of whom w want to play within the longest wait.
    fn next_meeting(&self, arrivals: &mut Arrivals, skills: &[f64], rng: &mut ChaCha8Rng) -> Option<Meeting> {
        let (from, first) = arrivals.pop_first()?;
        let target = skills[first as usize] + self.deviation * standard_normal(rng);
        let until = from.saturating_add(seconds(self.longest_wait));
        let gap = |person: u32| (skills[person as usize] - target).abs();
        let near = arrivals
            .range(..=(until, u32::MAX))
            .map(|&entry| (gap(entry.1), entry));
        let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let second = nearest
            .map(|(_, entry)| entry)
            .or_else(|| arrivals.first().copied())?;
        arrivals.remove(&second);
        Some(Meeting {
            time: second.0,
            people: [first, second.1],
            delayed: nearest.is_none(),
        })
    }
}
