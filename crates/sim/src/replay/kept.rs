//! [`Moment`]: what kept those waiting who waited at a moment, rule by rule.

use std::collections::BTreeMap;

use matchwright_queue::{Obstacle, WaitState, Why};

/// At each moment so many of those who wait are asked what keeps them, one in every so many.
pub(super) const ASKED: usize = 10;

/// What keeps a ticket from a match.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(into = "String")]
pub enum Keeper {
    /// Windows, a threshold, keys, regions, sizes or rules of the scoring, by their names: all that keep it from whom it
    /// could meet first, or that which keeps most others away if it could never meet any.
    Rule(String),
    /// Too few wait whom it may meet, and no rule keeps others away.
    TooFew,
    /// No other ticket waits.
    NobodyElse,
    /// Nothing but the time until matches are made again: the next round, or when a match is good enough.
    Time,
    /// The queue is paused, or the policy made a lobby of it that breaks a rule.
    Held,
}

/// What kept those waiting who waited at one moment.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct Moment {
    /// Seconds after the first ticket came.
    pub at: f64,
    /// Tickets that waited.
    pub waiting: usize,
    /// Those of them that were asked what keeps them.
    pub asked: usize,
    /// How many of these each thing kept; each is counted once.
    pub kept: BTreeMap<Keeper, usize>,
    /// How many other tickets each rule kept away from them, in sum: [`Why::rejections`].
    pub away: BTreeMap<String, usize>,
}

impl Moment {
    pub(super) fn of(at: f64, waiting: usize, asked: &[Why]) -> Self {
        let mut moment = Self {
            at,
            waiting,
            asked: asked.len(),
            ..Self::default()
        };
        for why in asked {
            *moment.kept.entry(Keeper::of(why)).or_default() += 1;
            for (rule, others) in &why.rejections {
                *moment.away.entry(rule.clone()).or_default() += others;
            }
        }
        moment
    }

    /// How many of all who waited something kept, as far as those tell who were asked.
    #[must_use]
    pub fn tickets(&self, keeper: &Keeper) -> f64 {
        let kept = self.kept.get(keeper).copied().unwrap_or(0) as f64;
        kept * self.waiting as f64 / self.asked.max(1) as f64
    }
}

impl Keeper {
    /// What keeps a ticket of which a policy says this.
    #[must_use]
    pub fn of(why: &Why) -> Self {
        if matches!(
            why.state,
            WaitState::Paused | WaitState::Aside { .. } | WaitState::Answers
        ) {
            return Self::Held;
        }
        let most = why
            .rejections
            .iter()
            .max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)));
        let most = most.map(|(rule, _)| Self::Rule(rule.clone()));
        if why.too_few.is_some() {
            return most.unwrap_or(Self::TooFew);
        }
        match why.candidates.first() {
            Some(first) if first.obstacles.is_empty() => Self::Time,
            Some(first) => {
                let is_fixed =
                    |one: &&Obstacle| matches!(one, Obstacle::Key(_) | Obstacle::Region | Obstacle::Size);
                // If even the first cannot be met, none can.
                let fixed = first.obstacles.iter().find(is_fixed);
                let by_name = || {
                    let names: Vec<&str> = first.obstacles.iter().map(Obstacle::name).collect();
                    Self::Rule(names.join(" and "))
                };
                fixed.map_or_else(by_name, |one| {
                    most.unwrap_or_else(|| Self::Rule(one.name().to_owned()))
                })
            }
            None if why.state == WaitState::Batch => most.unwrap_or(Self::Time),
            None => most.unwrap_or(Self::NobodyElse),
        }
    }

    /// In words.
    #[must_use]
    pub fn words(&self) -> &str {
        match self {
            Self::Rule(names) => names,
            Self::TooFew => "too few others wait",
            Self::NobodyElse => "no other ticket waits",
            Self::Time => "only the time until the next matches",
            Self::Held => "the queue is paused, or the ticket is set aside",
        }
    }
}

impl From<Keeper> for String {
    fn from(keeper: Keeper) -> Self {
        keeper.words().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_queue::{Candidate, TicketId, Time, TooFew};

    fn why(obstacles: Option<Vec<Obstacle>>, rejections: &[(&str, usize)]) -> Why {
        let candidate = |obstacles| Candidate {
            ticket: TicketId(2),
            obstacles,
            compatible_at: Some(Time::default()),
        };
        let away = rejections
            .iter()
            .map(|(rule, count)| ((*rule).to_owned(), *count));
        Why {
            candidates: obstacles.into_iter().map(candidate).collect(),
            rejections: away.collect(),
            ..Why::default()
        }
    }

    fn window(of: &str) -> Obstacle {
        Obstacle::Window {
            of: of.to_owned(),
            distances: [3.0; 2],
            widths: [1.0; 2],
        }
    }

    #[test]
    fn a_ticket_is_kept_by_what_stands_between_it_and_whom_it_could_meet_first() {
        let rule = |names: &str| Keeper::Rule(names.to_owned());
        let both = why(
            Some(vec![window("skill"), window("ping")]),
            &[("mode", 9), ("skill", 1)],
        );
        assert_eq!(Keeper::of(&both), rule("skill and ping"));
        // Whom it could meet first it can never meet: then what keeps most away.
        let never = why(
            Some(vec![Obstacle::Key("mode".to_owned()), window("skill")]),
            &[("mode", 2), ("region", 7)],
        );
        assert_eq!(Keeper::of(&never), rule("region"));
        assert_eq!(Keeper::of(&why(Some(Vec::new()), &[("mode", 2)])), Keeper::Time);
        assert_eq!(Keeper::of(&why(None, &[])), Keeper::NobodyElse);
        assert_eq!(Keeper::of(&why(None, &[("a", 1), ("b", 1)])), rule("a"));
        let few = TooFew {
            others: 3,
            missing: 6,
        };
        let too_few = |rejections| Why {
            too_few: Some(few),
            state: WaitState::Batch,
            ..why(None, rejections)
        };
        assert_eq!(Keeper::of(&too_few(&[])), Keeper::TooFew);
        assert_eq!(Keeper::of(&too_few(&[("region", 4)])), rule("region"));
        let batch = Why {
            state: WaitState::Batch,
            ..why(None, &[])
        };
        assert_eq!(Keeper::of(&batch), Keeper::Time);
        let paused = Why {
            state: WaitState::Paused,
            ..both
        };
        assert_eq!(Keeper::of(&paused), Keeper::Held);
    }

    #[test]
    fn those_who_were_asked_stand_for_all_who_waited() {
        let asked = [
            why(Some(vec![window("skill")]), &[("skill", 3)]),
            why(None, &[]),
            why(Some(vec![window("skill")]), &[("skill", 5), ("mode", 2)]),
        ];
        let moment = Moment::of(7.0, 30, &asked);
        assert_eq!((moment.at, moment.waiting, moment.asked), (7.0, 30, 3));
        assert_eq!(moment.tickets(&Keeper::Rule("skill".to_owned())), 20.0);
        assert_eq!(moment.tickets(&Keeper::NobodyElse), 10.0);
        assert_eq!(moment.tickets(&Keeper::Time), 0.0);
        assert_eq!(moment.away["skill"], 8);
        assert_eq!(moment.away["mode"], 2);
    }
}
