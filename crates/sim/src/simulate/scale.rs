//! On which scale the ratings of a world are, held against that of the policies.

use super::checks::ScenarioError;
use super::scenario::Scenario;
use crate::policy::{RatingScale, Spread};
use crate::rate::points_for_ten_to_one;
use crate::statistics::Summary;

impl Scenario {
    /// Points for odds of ten to one of the ratings that tickets carry.
    #[must_use]
    pub fn rating_points(&self) -> f64 {
        let rating = &self.params().rating;
        rating.points_for_ten_to_one.unwrap_or_else(|| self.own_points())
    }

    /// The same of the ratings before they are brought to another scale.
    fn own_points(&self) -> f64 {
        let params = self.params();
        let rater = self.rated.as_ref().map(|make| points_for_ten_to_one(&*make()));
        let system = params.rating.system.as_ref();
        rater
            .or_else(|| Some(system?.points_for_ten_to_one()))
            .unwrap_or(params.play.points_for_ten_to_one)
    }

    /// What ratings are multiplied with to be of the scale that tickets carry.
    pub(super) fn rating_factor(&self) -> f64 {
        self.rating_points() / self.own_points()
    }

    /// Refuses an objective that is for ratings of another scale than this world's.
    ///
    /// # Errors
    /// [`ScenarioError::Objective`] says what brings the ratings to it.
    pub fn check_objective_scale(&self, scale: Option<&RatingScale>) -> Result<(), ScenarioError> {
        let found = scale.and_then(|scale| self.misfit(scale));
        found.map_or(Ok(()), |what| {
            let key = "rating";
            Err(ScenarioError::Objective { key, what })
        })
    }

    /// Why the ratings of this world are of another scale than the one that is wanted, and what brings them to it.
    pub(super) fn misfit(&self, scale: &RatingScale) -> Option<String> {
        let rating = &self.params().rating;
        // A number that a world gives its people is on a scale of its own.
        let is_own = |name: &String| self.params().people.numbers.contains_key(name);
        if scale.names().iter().all(is_own) {
            return None;
        }
        let points = self.rating_points();
        let Some(own) = scale.points() else {
            return (!scale.admits(points)).then(|| {
                format!(
                    "does not say for which ratings it is, and looks at differences up to {}: with `points_for_ten_to_one = \
                     {points:.1}` at its top it is for those of this world",
                    scale.widest()
                )
            });
        };
        let wanted = format!("is for ratings of {own} points for odds of ten to one");
        let bring = format!("`points_for_ten_to_one = {own}` in [rating]");
        if !scale.admits(points) {
            let whose = rating
                .system
                .as_ref()
                .map_or("true skills", |of| of.system.name().name());
            return Some(format!(
                "{wanted}, and those of this world ({whose}) have {points:.1}: {bring} brings them to it"
            ));
        }
        if rating.system.is_some() || rating.points_for_ten_to_one.is_some() {
            return None;
        }
        let [mean, deviation] = self
            .spread(scale)
            .filter(|spread| scale.spread_of(*spread) == Spread::Below)?;
        Some(format!(
            "{wanted}, and those of this world have a standard deviation of {deviation:.1} around {mean:.1}: say their scale \
             in [play], such as `points_for_ten_to_one = 8.5`, and {bring} brings them to the policy's; alone it says that \
             they are meant so"
        ))
    }

    /// Mean and standard deviation of the true skills and their errors; of a log, of its ratings.
    fn spread(&self, scale: &RatingScale) -> Option<[f64; 2]> {
        let params = self.params();
        let Some(log) = self.log() else {
            let people = &params.people;
            let deviation = people.skill_deviation.hypot(params.rating.error_deviation);
            return params
                .arrivals
                .log
                .is_none()
                .then_some([people.skill_mean, deviation]);
        };
        let has = |name: &&String| {
            log.tickets()
                .iter()
                .any(|logged| logged.ticket.mean(name).is_some())
        };
        let name = scale.names().iter().find(has)?;
        let ratings = Summary::of(log.tickets().iter().filter_map(|logged| logged.ticket.mean(name)));
        Some([ratings.mean(), ratings.variance().sqrt()])
    }
}
