//! What a check finds, and the verdict on a statement: the same for the pages and for the table of claims.

use std::ops::RangeInclusive;

use matchwright_report::{Callout, Column, Section, Table};
use matchwright_sim::statistics::{Estimate, MeanTest, RatioOfMeans, t_test};
use serde::Serialize;
use statrs::distribution::{Binomial, DiscreteCDF};

/// What a check says of a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    /// The statement holds here.
    #[default]
    Confirmed,
    /// The source is in error, and the corrected statement holds.
    Corrected,
    /// The source is vague or silent, and our sharper statement holds.
    MadePrecise,
    /// No document says so, and it holds.
    Ours,
    /// What would decide it is in the document's own data.
    NotTestable,
    /// It does not hold.
    NotConfirmed,
    /// Too few samples to tell.
    Inconclusive,
    /// Not checked: not built yet, or left out of this run.
    Open,
}

impl Verdict {
    /// All, the best first.
    pub(crate) const ALL: [Self; 8] = [
        Self::Confirmed,
        Self::Corrected,
        Self::MadePrecise,
        Self::NotTestable,
        Self::NotConfirmed,
        Self::Inconclusive,
        Self::Open,
        Self::Ours,
    ];

    /// As tables and pages write it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Corrected => "corrected",
            Self::MadePrecise => "made precise",
            Self::Ours => "ours",
            Self::NotTestable => "not testable here",
            Self::NotConfirmed => "not confirmed",
            Self::Inconclusive => "inconclusive",
            Self::Open => "open",
        }
    }

    /// The same as above, the most telling first: what decides where several criteria differ.
    const BY_WEIGHT: [Self; 8] = [
        Self::NotConfirmed,
        Self::Inconclusive,
        Self::Open,
        Self::NotTestable,
        Self::Corrected,
        Self::MadePrecise,
        Self::Ours,
        Self::Confirmed,
    ];

    fn callout(self) -> Callout {
        match self {
            Self::Confirmed | Self::Corrected | Self::MadePrecise | Self::Ours => Callout::Success,
            Self::NotConfirmed => Callout::Failure,
            Self::Inconclusive => Callout::Warning,
            Self::Open | Self::NotTestable => Callout::Note,
        }
    }
}

/// From which t on, and below which p, a test is clear.
const CLEAR: (f64, f64) = (3.0, 0.02);

/// Numbers below this are rounding errors of a few hundred steps.
const ROUNDING: f64 = 1e-9;

/// The 97.5th percentile of the standard normal distribution.
const NORMAL_95: f64 = 1.96;

/// A value that a check computed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Figure {
    /// What it is.
    pub(crate) name: String,
    /// The number; none for words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<f64>,
    /// Its standard error, if it comes from samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) standard_error: Option<f64>,
    /// Number or words, as the tables show them.
    pub(crate) shown: String,
    /// The 95 % interval of the mean, as the tables show it.
    #[serde(skip)]
    pub(crate) shown_interval: Option<String>,
}

/// A number from samples, with its standard error and its 95 % interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    mean: f64,
    standard_error: f64,
    interval: (f64, f64),
}

impl Measured {
    /// With this margin to either side of the mean.
    fn within(mean: f64, standard_error: f64, margin: f64) -> Self {
        Self {
            mean,
            standard_error,
            interval: (mean - margin, mean + margin),
        }
    }

    /// In percent.
    pub(crate) fn percent(self) -> Self {
        let (low, high) = self.interval;
        Self {
            mean: 100.0 * self.mean,
            standard_error: 100.0 * self.standard_error,
            interval: (100.0 * low, 100.0 * high),
        }
    }
}

/// Of many samples: 1.96 standard errors to either side.
impl From<Estimate> for Measured {
    fn from(of: Estimate) -> Self {
        Self::within(of.mean, of.standard_error, NORMAL_95 * of.standard_error)
    }
}

/// A mean and its standard error, of many samples.
impl From<(f64, f64)> for Measured {
    fn from(of: (f64, f64)) -> Self {
        Estimate::from(of).into()
    }
}

/// Student's t times the standard error to either side.
impl From<MeanTest> for Measured {
    fn from(test: MeanTest) -> Self {
        Self::within(test.difference, test.standard_error, test.margin(0.95))
    }
}

/// By Fieller.
impl From<RatioOfMeans> for Measured {
    fn from(of: RatioOfMeans) -> Self {
        Self {
            mean: of.ratio,
            standard_error: of.standard_error,
            interval: (of.low, of.high),
        }
    }
}

/// What a check found: figures, the criteria, and whether all of them were met.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Finding {
    pub(crate) verdict: Verdict,
    pub(crate) figures: Vec<Figure>,
    criteria: Vec<String>,
    samples: Option<String>,
    pub(crate) notes: Vec<String>,
}

impl Finding {
    /// No figure yet, and no criterion that is not met.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A verdict without a check, for this reason.
    pub(crate) fn unchecked(verdict: Verdict, why: impl Into<String>) -> Self {
        let mut found = Self::new();
        found.verdict = verdict;
        found.note(why)
    }

    /// What this check found, or why it could not be carried out.
    pub(crate) fn of(found: anyhow::Result<Self>) -> Self {
        found.unwrap_or_else(|error| Self::unchecked(Verdict::NotConfirmed, format!("{error:#}")))
    }

    /// Adds a number.
    pub(crate) fn number(self, name: impl Into<String>, value: f64, decimals: usize) -> Self {
        self.figure(name, Some(value), None, show(value, decimals))
    }

    /// Adds a count.
    pub(crate) fn count(self, name: impl Into<String>, value: u64) -> Self {
        self.number(name, value as f64, 0)
    }

    /// Adds a number with its standard error: a mean, or a difference of means.
    pub(crate) fn estimate(self, name: impl Into<String>, of: impl Into<Measured>, decimals: usize) -> Self {
        let Measured {
            mean,
            standard_error,
            interval: (low, high),
        } = of.into();
        // One sample has no interval.
        let interval = low.is_finite() && high.is_finite();
        let interval = interval.then(|| format!("{} to {}", show(low, decimals), show(high, decimals)));
        let error = interval.map(|interval| (standard_error, interval));
        self.figure(name, Some(mean), error, show(mean, decimals))
    }

    /// Adds words.
    pub(crate) fn text(self, name: impl Into<String>, words: impl Into<String>) -> Self {
        self.figure(name, None, None, words.into())
    }

    fn figure(
        mut self,
        name: impl Into<String>,
        value: Option<f64>,
        error: Option<(f64, String)>,
        shown: String,
    ) -> Self {
        let (standard_error, shown_interval) = error.unzip();
        let name = name.into();
        self.figures.push(Figure {
            name,
            value,
            standard_error,
            shown,
            shown_interval,
        });
        self
    }

    /// The statement is not confirmed unless this is so; `what` says what should have been.
    pub(crate) fn require(self, holds: bool, what: impl Into<String>) -> Self {
        self.criterion(holds, Verdict::NotConfirmed, what.into())
    }

    /// Without this the statement is neither confirmed nor refuted; `what` says how much is needed.
    pub(crate) fn require_enough(self, enough: bool, what: impl Into<String>) -> Self {
        self.criterion(enough, Verdict::Inconclusive, what.into())
    }

    /// The statement must hold. Where it does not, it is not confirmed if `opposite`, the test of its opposite, is clear
    /// (t > 3, p < 0.02), and inconclusive if chance alone may be why.
    pub(crate) fn require_tested(mut self, holds: bool, opposite: MeanTest, what: impl Into<String>) -> Self {
        if !holds {
            let samples = opposite.degrees + 1.0;
            self.notes.push(if opposite.t.is_finite() && samples.is_finite() {
                format!("t = {:.1} against it, n = {samples:.0}", opposite.t)
            } else {
                "no test: too few samples, or all alike".to_owned()
            });
        }
        let may_be_chance = opposite.t <= CLEAR.0 || opposite.p >= CLEAR.1 || opposite.p.is_nan();
        if may_be_chance {
            self.require_enough(holds, what)
        } else {
            self.require(holds, what)
        }
    }

    /// The difference must be above 0 by more than `t` standard errors: 3, with p < 0.02, or 4, with p < 0.001.
    /// Not confirmed where it is clearly below 0.
    pub(crate) fn require_above(self, test: MeanTest, t: f64, what: impl std::fmt::Display) -> Self {
        let p = if t < 4.0 { CLEAR.1 } else { 0.001 };
        let what = format!("{what} (t > {t}, p < {p})");
        self.require_tested(test.t > t && test.p < p, test.reversed(), what)
    }

    /// The difference must be below `limit`. Not confirmed where it is clearly above.
    pub(crate) fn require_below(self, test: MeanTest, limit: f64, what: impl Into<String>) -> Self {
        self.require_tested(test.difference < limit, test.against(limit), what)
    }

    /// The mean of `n` samples must be within `tolerance` of `target`. Not confirmed where it is clearly further off.
    pub(crate) fn require_near(
        self,
        (mean, n): (Estimate, u64),
        (target, tolerance): (f64, f64),
        what: impl Into<String>,
    ) -> Self {
        let off = (mean.mean - target).abs();
        let further = t_test(off - tolerance, mean.standard_error, n as f64 - 1.0);
        self.require_tested(off <= tolerance, further, what)
    }

    /// The share of `some` in `all` must be within `allowed`. Not confirmed where a true share within it would give this
    /// many or more, or this few or fewer, with a probability below 0.001: samples taken as independent.
    pub(crate) fn require_share(
        self,
        (some, all): (u32, u32),
        allowed: &RangeInclusive<f64>,
        what: impl Into<String>,
    ) -> Self {
        let share = f64::from(some) / f64::from(all);
        let at_most = |some: u32, share: f64| {
            Binomial::new(share, u64::from(all)).map_or(f64::NAN, |law| law.cdf(u64::from(some)))
        };
        let chance = if share < *allowed.start() {
            at_most(some, *allowed.start())
        } else {
            // The chance of this many or more is that of this few or fewer others.
            at_most(all - some.min(all), 1.0 - allowed.end())
        };
        if chance < 0.001 {
            self.require(allowed.contains(&share), what)
        } else {
            self.require_enough(allowed.contains(&share), what)
        }
    }

    /// The statement fails as the page has it, as `what` says and the check has just shown: with all else met, the
    /// verdict is "corrected". Without that there is nothing to correct.
    pub(crate) fn refutes_page(self, fails: bool, what: impl Into<String>) -> Self {
        self.amends_page(fails, Verdict::Corrected, what.into())
    }

    /// The page leaves open what the check has just shown to matter, as `what` says: with all else met, the verdict is
    /// "made precise". Without that there is nothing to add.
    pub(crate) fn completes_page(self, matters: bool, what: impl Into<String>) -> Self {
        self.amends_page(matters, Verdict::MadePrecise, what.into())
    }

    /// What decides the statement is not here, as `what` says and the check has just shown: with all else met, the verdict
    /// is "not testable here".
    pub(crate) fn leaves_open(self, open: bool, what: impl Into<String>) -> Self {
        self.amends_page(open, Verdict::NotTestable, what.into())
    }

    /// A statement that no document makes.
    pub(crate) fn ours(mut self) -> Self {
        self.verdict = worse(self.verdict, Verdict::Ours);
        self
    }

    fn amends_page(mut self, amends: bool, verdict: Verdict, what: String) -> Self {
        if amends {
            self.verdict = worse(self.verdict, verdict);
        } else {
            self.notes.push(format!("not so: {what}"));
        }
        self.criteria.push(what);
        self
    }

    fn criterion(mut self, holds: bool, otherwise: Verdict, what: String) -> Self {
        if !holds {
            self.verdict = worse(self.verdict, otherwise);
            self.notes.push(format!("not so: {what}"));
        }
        if !self.criteria.contains(&what) {
            self.criteria.push(what);
        }
        self
    }

    /// How many samples the figures come from, such as `20 pools`.
    pub(crate) fn samples(mut self, n: impl std::fmt::Display, of: &str) -> Self {
        self.samples = Some(format!("{n} {of}"));
        self
    }

    /// Adds what another check found: both must be confirmed.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.verdict = worse(self.verdict, other.verdict);
        self.figures.extend(other.figures);
        self.criteria.extend(other.criteria);
        self.notes.extend(other.notes);
        self.samples = self.samples.or(other.samples);
        self
    }

    /// Something to say beside the figures.
    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// How many samples there were.
    pub(crate) fn samples_in_words(&self) -> Option<String> {
        self.samples.as_ref().map(|samples| format!("n: {samples}"))
    }

    /// What was required; where an error stopped the check, nothing was.
    #[cfg(test)]
    pub(crate) fn criteria(&self) -> &[String] {
        &self.criteria
    }

    /// What was required, and of how many samples.
    pub(crate) fn criterion_in_words(&self) -> String {
        let parts = self.criteria.iter().cloned().chain(self.samples_in_words());
        parts.collect::<Vec<_>>().join("; ")
    }

    #[cfg(test)]
    pub(crate) fn is_open(&self) -> bool {
        self.verdict == Verdict::Open
    }
}

fn worse(one: Verdict, other: Verdict) -> Verdict {
    let mut order = Verdict::BY_WEIGHT.into_iter();
    order
        .find(|verdict| [one, other].contains(verdict))
        .unwrap_or(one)
}

/// A sentence of a page, and what its check found.
pub(crate) type Statement = anyhow::Result<(Finding, String)>;

/// A sentence, and what its check found.
pub(crate) fn says(text: impl Into<String>, found: Finding) -> Statement {
    Ok((found, text.into()))
}

/// The same of a check that may not come to an end.
pub(crate) fn told(text: &str, found: anyhow::Result<Finding>) -> Statement {
    says(text, found?)
}

/// What a page says of its document: how many statements hold, and each of them.
pub(crate) struct InShort {
    /// How many came to which verdict.
    pub(crate) sentence: String,
    /// Each statement with its verdict, the criterion and the number of samples.
    pub(crate) section: Section,
}

/// "In short": the verdicts of these statements.
pub(crate) fn in_short(statements: impl IntoIterator<Item = Statement>) -> InShort {
    let settled: Vec<(Finding, String)> = statements.into_iter().map(settled).collect();
    let count = |verdict: Verdict| settled.iter().filter(|one| one.0.verdict == verdict).count();
    let counts = Verdict::ALL
        .into_iter()
        .map(|verdict| (count(verdict), verdict.words()));
    let counts: Vec<String> = counts
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{count} {words}"))
        .collect();
    let sentence = format!(
        "Of the document's statements {} were checked here: {}.",
        settled.len(),
        counts.join(", ")
    );
    let section = settled
        .into_iter()
        .fold(Section::new("In short"), |section, (found, text)| {
            called(section, &found, text)
        });
    InShort { sentence, section }
}

impl InShort {
    /// With more in its section.
    pub(crate) fn map(self, change: impl FnOnce(Section) -> Section) -> Self {
        Self {
            section: change(self.section),
            ..self
        }
    }
}

/// A section for a statement: its verdict, and the figures that it rests on, in the file of that name.
pub(crate) fn evidence(section: Section, (caption, file): (&str, &str), statement: Statement) -> Section {
    let (found, text) = settled(statement);
    let figures = Table::of(caption, &found.figures)
        .column(Column::text("What"), |figure| figure.name.trim_end_matches(','))
        .column(Column::text("Found"), |figure| figure.shown.as_str())
        .optional_column(Column::text("95 % interval"), |figure| {
            figure.shown_interval.clone()
        })
        .build()
        .notes(found.samples_in_words())
        .file(file);
    called(section, &found, text).table(figures)
}

fn settled(statement: Statement) -> (Finding, String) {
    statement.unwrap_or_else(|error| (Finding::of(Err(error)), String::new()))
}

fn called(section: Section, found: &Finding, mut words: String) -> Section {
    let mut label = found.verdict.words().to_owned();
    label[..1].make_ascii_uppercase();
    if found.verdict != Verdict::Confirmed && !found.notes.is_empty() {
        words = format!("{words} {}.", found.notes.join("; "));
    }
    let criterion = found.criterion_in_words();
    if !criterion.is_empty() {
        words = format!("{words} Criterion: {criterion}.");
    }
    section.labelled_callout(found.verdict.callout(), &label, words)
}

/// With these decimals; with a power of ten where they would show nothing, as a bound where only rounding is left, which
/// differs from machine to machine, and as a word where there is no number.
fn show(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return if value.is_nan() { "unknown" } else { "unbounded" }.to_owned();
    }
    if value != 0.0 && value.abs() < ROUNDING {
        return "< 1e-9".to_owned();
    }
    let plain = format!("{value:.decimals$}");
    let vanished = value != 0.0 && !plain.bytes().any(|b| (b'1'..=b'9').contains(&b));
    if vanished {
        return format!("{value:.1e}");
    }
    if value == 0.0 { "0".to_owned() } else { plain }
}

#[cfg(test)]
mod tests;
