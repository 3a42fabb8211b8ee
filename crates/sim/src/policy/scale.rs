//! [`RatingScale`]: for ratings of which scale the numbers of a policy are.

use matchwright_queue::{Compare, Objective, ObjectiveParams, QueueParams, WindowParams};
use matchwright_scoring::{Curve, CurveParams, PolicyDocument, ScoringPolicyParams, Weighted};

use super::attributes::decides_by_scoring;

/// What players' ratings are called in tickets.
const RATING_NAMES: [&str; 5] = ["skill", "rating", "mmr", "elo", "mu"];

/// Elo's points for odds of ten to one.
const ELO_POINTS: f64 = 400.0;
/// Scales within this factor of each other are one.
const FACTOR: f64 = 2.0;
/// A policy whose widest difference is below this share of Elo's scale may be for another one.
const ELO_WIDEST: f64 = 0.1;
/// Such a policy is hardly for ratings with more points for odds of ten to one than this many times its widest difference.
const WIDEST: f64 = 30.0;
/// Ratings whose standard deviation is less than this share of the scale, and whose mean lies below it, are hardly of that
/// scale, or of Elo's where that is narrower: where players begin at 0 the narrowest of divisions spread by a tenth; where they begin at 1500 of 400
/// points, the mean tells.
const NARROW: f64 = 0.1;
/// No standard deviation of ratings is this many times the scale: one deviation would be odds of ten thousand to one.
const VAST: f64 = 4.0;
/// Fewer ratings tell no spread: then those are hardly of a scale that lie above 0 and below this share of it.
const FEWEST: u64 = 4;
const LOW: f64 = 0.15;
/// At least this many ratings that lie near each other, far from 0, are worth a remark.
const MANY: u64 = 10;
/// A wait, where a policy has no longest: how far its windows have opened by then.
const LONG_WAIT: f64 = 600.0;

/// For ratings of which scale a policy's windows, curves and costs are: points for odds of ten to one, 400 for Elo's.
///
/// A policy says so by `points_for_ten_to_one`, or by the `scale` of its `win_probability` or `team_churn`. One that does
/// not is taken for one of Elo's scale, unless its widest difference is below a tenth of that: then any up to thirty times that difference will do.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingScale {
    said: Option<f64>,
    /// The widest difference of ratings that decides anything.
    widest: f64,
    names: Vec<String>,
    deviations: Vec<String>,
}

/// How ratings look by a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// As its own do.
    Fits,
    /// So near each other that it hardly tells them apart, though far from 0, as its own may be.
    Narrow,
    /// As those of a narrower scale do.
    Below,
    /// As those of a wider scale do.
    Above,
}

impl RatingScale {
    /// That of the parts of a document that look at ratings; none where no part does so by their points. Parts are checked
    /// elsewhere.
    ///
    /// Ratings are `skill`, `rating`, `mmr`, `elo` and `mu`; where the document says its scale and names none of them, all that its
    /// windows compare by differences.
    #[must_use]
    pub fn of(
        said: Option<f64>,
        scoring: Option<&ScoringPolicyParams>,
        queue: Option<&QueueParams>,
        objective: Option<&ObjectiveParams>,
    ) -> Option<Self> {
        let longest = queue.and_then(|queue| queue.longest_wait).unwrap_or(LONG_WAIT);
        let windows = queue.into_iter().flat_map(|queue| &queue.windows);
        let windows: Vec<_> = windows.filter(|one| one.compare == Compare::Difference).collect();
        let priced = objective.and_then(|params| params.of.as_ref());
        let scored: Vec<f64> = scoring.into_iter().flat_map(scored).collect();
        let named = windows.iter().map(|window| &window.of).chain(priced);
        let is_any = said.is_some() && scored.is_empty() && named.clone().all(|name| !is_rating(name));
        let mut names: Vec<String> = named.filter(|name| is_any || is_rating(name)).cloned().collect();
        let windows = windows.into_iter().filter(|window| names.contains(&window.of));
        let deviations = windows
            .clone()
            .filter_map(|window| window.deviation.clone())
            .collect();
        let widths = windows
            .map(|window| width(window, longest))
            .chain(scored.iter().copied());
        let costs = objective
            .filter(|params| params.of.as_ref().is_some_and(|of| names.contains(of)))
            // Dropped: the document says why, where it is loaded.
            .and_then(|params| params.build().ok())
            // Where there is nothing else, costs in points are taken for Elo's, however cheap a wait is.
            .map(|objective| worth(&objective, longest).max(ELO_POINTS));
        let widest = widths.reduce(f64::max).or(costs).filter(|width| *width > 0.0)?;
        if !scored.is_empty() {
            names.push("skill".to_owned());
        }
        let said = said.or_else(|| scoring.and_then(said_by_factors));
        Some(Self {
            said,
            widest,
            names,
            deviations,
        })
    }

    /// That of a policy: of what decides, whatever would judge it.
    #[must_use]
    pub fn of_policy(document: &PolicyDocument<QueueParams, ObjectiveParams>) -> Option<Self> {
        let queue = document.queue.as_ref()?;
        let decides = decides_by_scoring(queue);
        // Pairs by prices weigh waits against differences of the objective.
        let is_priced = queue.prices.is_some() && !decides;
        let scoring = document.scoring.as_ref().filter(|_| decides);
        let objective = document.objective.as_ref().filter(|_| is_priced);
        Self::of(document.points_for_ten_to_one, scoring, Some(queue), objective)
    }

    /// That of the `[objective]` of a document, where it judges, and by this scoring if it names no number. The windows
    /// beside it say more of its scale than what costs are worth.
    #[must_use]
    pub fn of_judge(
        document: &PolicyDocument<QueueParams, ObjectiveParams>,
        scoring: Option<&ScoringPolicyParams>,
    ) -> Option<Self> {
        let (said, objective) = (document.points_for_ten_to_one, document.objective.as_ref());
        let by_number = objective.is_some_and(|params| params.of.is_some());
        let of = |queue| Self::of(said, scoring.filter(|_| !by_number), queue, objective);
        of(None).and(of(document.queue.as_ref()))
    }

    /// Points for odds of ten to one, as the policy says or as it is taken; none if it can be taken for nothing.
    #[must_use]
    pub fn points(&self) -> Option<f64> {
        let is_elo = self.widest >= ELO_WIDEST * ELO_POINTS;
        self.said.or(is_elo.then_some(ELO_POINTS))
    }

    /// The widest difference of ratings that decides anything.
    #[must_use]
    pub const fn widest(&self) -> f64 {
        self.widest
    }

    /// The numbers of tickets that are ratings.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The numbers of tickets that are their deviations.
    #[must_use]
    pub fn deviations(&self) -> &[String] {
        &self.deviations
    }

    /// Whether ratings with this many points for odds of ten to one are of this scale, within a factor of 2.
    #[must_use]
    pub fn admits(&self, points: f64) -> bool {
        match self.points() {
            Some(own) => is_alike(own, points),
            None => points <= WIDEST * self.widest,
        }
    }

    /// How ratings look, with their mean and standard deviation. Ratings that are all alike tell nothing.
    #[must_use]
    pub fn spread(&self, ratings: &[f64]) -> (Spread, [f64; 2]) {
        let summary = crate::statistics::Summary::of(ratings.iter().copied());
        let found = [summary.mean(), summary.variance().sqrt()];
        let spread = self.spread_of(found);
        let is_low = |own: f64| {
            ratings
                .iter()
                .all(|rating| (0.0..LOW * own).contains(rating) && *rating > 0.0)
        };
        let spread = match spread {
            // A word, no more: it may be an example of three.
            Spread::Below if summary.n() < FEWEST && self.narrowest().is_some_and(is_low) => Spread::Narrow,
            Spread::Below if summary.n() < FEWEST => Spread::Fits,
            Spread::Narrow if summary.n() < MANY => Spread::Fits,
            spread => spread,
        };
        (spread, found)
    }

    /// The same of many ratings of that mean and standard deviation.
    #[must_use]
    pub fn spread_of(&self, [mean, deviation]: [f64; 2]) -> Spread {
        // Fewer than two have none.
        if deviation.is_nan() || deviation <= 0.0 {
            return Spread::Fits;
        }
        let is_narrow = |own: f64| deviation < NARROW * own;
        match self.narrowest() {
            _ if self.said.is_some_and(|own| deviation > VAST * own) => Spread::Above,
            Some(own) if is_narrow(own) && mean.abs() < own => Spread::Below,
            Some(own) if is_narrow(own) => Spread::Narrow,
            _ => Spread::Fits,
        }
    }

    /// The scale by which a spread is measured.
    fn narrowest(&self) -> Option<f64> {
        let points = self.points()?;
        Some(self.said.unwrap_or(points.min(self.widest)).min(ELO_POINTS))
    }
}

/// Whether two scales are one, within a factor of 2.
#[must_use]
pub fn is_alike(one: f64, other: f64) -> bool {
    (one / FACTOR..=one * FACTOR).contains(&other)
}

fn is_rating(name: &str) -> bool {
    RATING_NAMES.contains(&name)
}

/// How wide a window is after the longest wait.
pub(crate) fn width(window: &WindowParams, longest: f64) -> f64 {
    let points = window.steps.last().or(window.curve.last());
    let grown = window.start + window.per_second * (longest - window.after).max(0.0);
    let grown = grown.min(window.most.unwrap_or(f64::INFINITY));
    points.map_or(grown, |(_, width)| *width)
}

/// The difference that costs as much as the longest wait.
fn worth(objective: &Objective, longest: f64) -> f64 {
    objective.waiting_cost(longest) / objective.mismatch_cost(1.0)
}

/// The differences of ratings up to which factors tell matches apart.
fn scored(scoring: &ScoringPolicyParams) -> Vec<f64> {
    let factors = &scoring.factors;
    let curves = [
        heard(factors.team_skill.as_ref()).map(|one| &one.difference),
        heard(factors.player_skill.as_ref()).map(|one| &one.difference),
        heard(factors.skill_spread.as_ref()).map(|one| &one.spread),
        heard(factors.best_against_best.as_ref()).map(|one| &one.difference),
    ];
    let curves = curves.into_iter().flatten().map(reach);
    curves.chain(said_by_factors(scoring)).collect()
}

/// The scale that a factor names.
fn said_by_factors(scoring: &ScoringPolicyParams) -> Option<f64> {
    let factors = &scoring.factors;
    let win = heard(factors.win_probability.as_ref()).map(|one| one.scale);
    win.or(heard(factors.team_churn.as_ref()).map(|one| one.scale))
}

/// A factor that has a say.
fn heard<P>(factor: Option<&Weighted<P>>) -> Option<&P> {
    let factor = factor.filter(|one| one.weight > 0.0 || one.floor.is_some())?;
    Some(&factor.settings)
}

/// The measure beyond which a curve is flat.
fn reach(curve: &Curve) -> f64 {
    match curve.params() {
        CurveParams::Ramp { best, worst, .. } => best.max(*worst),
        CurveParams::Points { points } => points.last().map_or(0.0, |point| point.0),
    }
}
