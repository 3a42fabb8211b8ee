//! [`replay`]: every step computed again, and the first that comes out otherwise.

use std::fmt;

use super::read::{Entry, JournalReader, Record, StepRecord};
use super::recover::{load, next_policy};
use super::write::new_policy;
use super::{HEADER, JournalError, JournalFault};
use crate::event::PolicyChange;
use crate::outcome::{Decision, Outcome};
use crate::policy::MatchPolicy;
use crate::state::{State, StepError, step_within};
use crate::time::Time;

/// How a journal and its steps computed again compare.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// How many records are the same, snapshots included.
    pub same: usize,
    /// The first that is not; `None` if all whole records are the same.
    pub difference: Option<Difference>,
    /// What is wrong with the journal after the records compared.
    pub fault: Option<JournalError>,
}

/// A record that comes out otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Where the record begins.
    pub offset: u64,
    /// The time of its step.
    pub now: Time,
    /// How it differs.
    pub kind: DifferenceKind,
}

/// How a record differs.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum DifferenceKind {
    /// A decision that is no note; `None` where there is none.
    Decision {
        /// Its place among those of the step.
        place: usize,
        /// What was decided.
        recorded: Option<Box<Decision>>,
        /// What is decided now.
        computed: Option<Box<Decision>>,
    },
    /// The next time; all decisions are the same.
    Wakeup {
        /// As it was.
        recorded: Option<Time>,
        /// As it is now.
        computed: Option<Time>,
    },
    /// A step that cannot be taken now.
    Step(StepError),
    /// The state of a snapshot, after steps that are all the same.
    State,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (offset, millis) = (self.offset, self.now.millis());
        write!(f, "byte {offset}, at {millis} ms: ")?;
        match &self.kind {
            DifferenceKind::Decision {
                place,
                recorded,
                computed,
            } => {
                let show = |decision: &Option<Box<Decision>>| match decision {
                    Some(decision) => format!("{decision:?}"),
                    None => "nothing".to_owned(),
                };
                let (recorded, computed) = (show(recorded), show(computed));
                write!(f, "decision {place} was {recorded} and is now {computed}")
            }
            DifferenceKind::Wakeup { recorded, computed } => {
                write!(f, "the next time was {recorded:?} and is now {computed:?}")
            }
            DifferenceKind::Step(error) => write!(f, "the step cannot be taken now: {error}"),
            DifferenceKind::State => write!(f, "the state is not that of the snapshot"),
        }
    }
}

/// Computes every step again from the first snapshot on, each with the budget of its record, and stops at the first that comes out
/// otherwise.
///
/// `open` makes the policies, as for [`recover`](super::recover); made by other means than their documents say, they show
/// from where on another policy decides otherwise.
///
/// As long as the steps took.
///
/// # Errors
/// A journal without one whole record, a first record that is no snapshot, a document that `open` makes no policy of.
pub fn replay<P: MatchPolicy>(
    bytes: &[u8],
    mut open: impl FnMut(&PolicyChange) -> Result<P, String>,
) -> Result<Replay, JournalError> {
    let mut entries = JournalReader::new(bytes)?;
    let first = entries
        .next()
        .unwrap_or(Err(JournalFault::Cut.at(HEADER as u64)))?;
    let Record::Snapshot(snapshot) = first.record else {
        return Err(JournalFault::NoSnapshot.at(first.offset));
    };
    let (mut state, mut policy) = load(*snapshot, first.offset, &mut open)?;
    let mut replay = Replay {
        same: 1,
        difference: None,
        fault: None,
    };
    for entry in entries {
        let Entry { offset, record, .. } = match entry {
            Ok(entry) => entry,
            Err(fault) => {
                replay.fault = Some(fault);
                break;
            }
        };
        let kind = match record {
            Record::Snapshot(snapshot) => (!snapshot.state.is_as(&state)).then_some(DifferenceKind::State),
            Record::Step(record) => {
                if let Some(change) = new_policy(&record.events, &record.outcome) {
                    policy = next_policy(&policy, change, offset, &mut open)?;
                }
                compare(&mut state, &mut policy, &record)
            }
        };
        if let Some(kind) = kind {
            let now = state.now();
            replay.difference = Some(Difference { offset, now, kind });
            break;
        }
        replay.same += 1;
    }
    Ok(replay)
}

fn compare(state: &mut State, policy: &mut dyn MatchPolicy, record: &StepRecord) -> Option<DifferenceKind> {
    let computed = match step_within(state, policy, record.now, &record.events, record.outcome.budget) {
        Ok(computed) => computed,
        Err(error) => return Some(DifferenceKind::Step(error)),
    };
    let recorded = &record.outcome;
    // What a policy notes is how it works, and nothing that it decides.
    let of = |outcome: &Outcome| {
        let mut decisions = outcome.decisions.clone();
        decisions.retain(|decision| !matches!(decision, Decision::Noted { .. }));
        decisions
    };
    let (told, now) = (of(recorded), of(&computed));
    if told != now {
        let place = told
            .iter()
            .zip(&now)
            .take_while(|(told, now)| told == now)
            .count();
        let at = |decisions: &[Decision]| decisions.get(place).cloned().map(Box::new);
        return Some(DifferenceKind::Decision {
            place,
            recorded: at(&told),
            computed: at(&now),
        });
    }
    (recorded.wakeup != computed.wakeup).then_some(DifferenceKind::Wakeup {
        recorded: recorded.wakeup,
        computed: computed.wakeup,
    })
}
