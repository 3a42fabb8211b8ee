//! [`RatingScale`]: for ratings of which scale the numbers of a policy are.

use matchwright_queue::{Compare, Objective, ObjectiveParams, QueueParams, WindowParams};
use matchwright_scoring::{Curve, CurveParams, ScoringPolicyParams, Weighted};

/// What players' ratings are called in tickets.
pub const RATING_NAMES: [&str; 2] = ["skill", "rating"];

/// Elo's points for odds of ten to one.
const ELO_POINTS: f64 = 400.0;
/// Scales within this factor of each other are one.
const FACTOR: f64 = 2.0;
/// A policy whose widest difference is below this share of Elo's scale may be for another one.
const ELO_WIDEST: f64 = 0.1;
/// Such a policy is hardly for ratings of more points for odds of ten to one than so many times its widest difference.
const WIDEST: f64 = 30.0;
/// Ratings whose standard deviation is less than this share of the scale, and whose mean lies below it, are hardly of that
/// scale, or of Elo's where that is narrower: where players begin at 0 the narrowest of divisions spread by a tenth; where they begin at 1500 of 400
/// points, the mean tells.
const NARROW: f64 = 0.1;
/// Fewer ratings tell no spread.
const FEWEST: usize = 4;
/// A wait, where a policy has no longest: how far its windows have opened by then.
const LONG_WAIT: f64 = 600.0;

/// For ratings of which scale a policy's windows, curves and costs are: points for odds of ten to one, 400 for Elo's.
///
/// A policy says so by `points_for_ten_to_one`, or by the `scale` of its `win_probability` or `team_churn`. One that does
/// not is taken for one of Elo's scale, unless its widest difference is below a tenth of that: then any up to thirty times that difference will do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingScale {
    said: Option<f64>,
    /// The widest difference of ratings that decides anything.
    widest: f64,
}

impl RatingScale {
    /// That of the parts of a document; none where no part looks at ratings by their points. Parts are checked elsewhere.
    #[must_use]
    pub fn of(
        said: Option<f64>,
        scoring: Option<&ScoringPolicyParams>,
        queue: Option<&QueueParams>,
        objective: Option<&ObjectiveParams>,
    ) -> Option<Self> {
        let longest = queue.and_then(|queue| queue.longest_wait).unwrap_or(LONG_WAIT);
        let windows = queue.into_iter().flat_map(|queue| &queue.windows);
        let windows = windows.filter(|window| is_rating(&window.of) && window.compare == Compare::Difference);
        let costs = objective
            .filter(|params| params.of.as_deref().is_some_and(is_rating))
            // Dropped: the document says why, where it is loaded.
            .and_then(|params| params.build().ok())
            .map(|objective| worth(&objective, longest));
        let scored = scoring.into_iter().flat_map(scored);
        let widths = windows.map(|window| width(window, longest)).chain(scored);
        // Where there are neither, costs in points are taken for Elo's, however cheap a wait is.
        let costs = costs.map(|worth| worth.max(ELO_POINTS));
        let widest = widths.reduce(f64::max).or(costs).filter(|width| *width > 0.0)?;
        let said = said.or_else(|| scoring.and_then(said_by_factors));
        Some(Self { said, widest })
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

    /// Whether ratings of so many points for odds of ten to one are of this scale, within a factor of 2.
    #[must_use]
    pub fn admits(&self, points: f64) -> bool {
        match self.points() {
            Some(own) => (own / FACTOR..=own * FACTOR).contains(&points),
            None => points <= WIDEST * self.widest,
        }
    }

    /// Mean and standard deviation of ratings, four at least, that are hardly of this scale: they lie near each other and
    /// near 0, measured by it. Ratings that are all alike tell nothing.
    #[must_use]
    pub fn far_below(&self, ratings: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
        let ratings = crate::statistics::Summary::of(ratings);
        let found = (ratings.mean(), ratings.variance().sqrt());
        (ratings.n() >= FEWEST as u64 && self.is_above(found)).then_some(found)
    }

    /// Whether ratings of that mean and standard deviation are hardly of this scale.
    #[must_use]
    pub fn is_above(&self, (mean, deviation): (f64, f64)) -> bool {
        let own = self
            .points()
            .map(|points| self.said.unwrap_or(points.min(self.widest)).min(ELO_POINTS));
        own.is_some_and(|own| deviation > 0.0 && deviation < NARROW * own && mean.abs() < own)
    }
}

fn is_rating(name: &str) -> bool {
    RATING_NAMES.contains(&name)
}

/// How wide a window is after the longest wait.
fn width(window: &WindowParams, longest: f64) -> f64 {
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
