//! On which scale the ratings of a file are: what the manifest beside it says, what the policies are for, and how the ones
//! are brought to the others.

use std::fmt::Display;
use std::path::Path;

use matchwright_rating::{RatingParams, SystemName};
use matchwright_report::{FileRecord, Manifest};
use matchwright_sim::policy::{RatingScale, Spread, is_alike};

use super::source::{InputName, read_document};
use crate::failure::{Failure, ShownPath, shown};
use crate::places::{manifest_of, note_read};

/// What wrote a file of ratings, by the manifest beside it.
#[derive(Clone, Debug)]
pub(crate) struct RatedBy {
    pub(crate) params: RatingParams,
    pub(crate) points_for_ten_to_one: f64,
    manifest: String,
}

/// What stands beside a file.
pub(crate) enum Beside {
    /// No manifest of its ratings.
    Nothing,
    /// One that does not count, and why.
    Stale(String),
    /// That of the file.
    Ratings(Box<RatedBy>),
}

impl Beside {
    /// Looks for `FILE.manifest.json`, and for the `manifest.json` of a folder; whose content the file has is told by its hash
    /// alone, since files are renamed and moved.
    pub(crate) fn of(path: &Path, facts: &FileRecord) -> Self {
        if path.as_os_str() == "-" {
            return Self::Nothing;
        }
        let own = Self::by(&manifest_of(path), true, facts);
        if matches!(own, Self::Ratings(_)) {
            return own;
        }
        match Self::by(&path.with_file_name("manifest.json"), false, facts) {
            Self::Stale(_) | Self::Nothing if matches!(own, Self::Stale(_)) => own,
            of_folder => of_folder,
        }
    }

    /// By one manifest, the file's own or one that is of a folder: that may be anything, and of other files.
    fn by(place: &Path, is_own: bool, facts: &FileRecord) -> Self {
        let name = place.shown();
        note_read(place);
        if !place.exists() {
            return Self::Nothing;
        }
        let text = match read_document(place) {
            Ok(text) => text,
            Err(error) => return Self::unread((&name, is_own), error),
        };
        Self::of_text(&text, (&name, is_own), facts)
    }

    fn unread((name, is_own): (&str, bool), why: impl Display) -> Self {
        let what = format!("{name} cannot be read as a manifest, {why}: it does not count");
        if is_own { Self::Stale(what) } else { Self::Nothing }
    }

    /// By the text of a manifest.
    pub(super) fn of_text(text: &str, (name, is_own): (&str, bool), facts: &FileRecord) -> Self {
        let manifest = match serde_json::from_str::<Manifest>(text) {
            Ok(manifest) => manifest,
            Err(error) => return Self::unread((name, is_own), error),
        };
        let Some(by) = rated_by(&manifest, name) else {
            return Self::Nothing;
        };
        let has = |is: &dyn Fn(&FileRecord) -> bool| manifest.outputs.iter().any(is);
        if has(&|record| record.sha256 == facts.sha256) {
            return Self::Ratings(Box::new(by));
        }
        if is_own || has(&|record| record.name == facts.name) {
            return Self::Stale(format!(
                "{name} does not fit the file, which was edited or replaced since: it does not count"
            ));
        }
        Self::Nothing
    }
}

/// The system of a manifest, if it is one of ratings.
fn rated_by(manifest: &Manifest, name: &str) -> Option<RatedBy> {
    let of = |key: &str| manifest.configuration.get(key).cloned();
    let params: RatingParams = serde_json::from_value(of("params")?).ok()?;
    let points = of("points_for_ten_to_one").and_then(|points| points.as_f64());
    Some(RatedBy {
        points_for_ten_to_one: points.unwrap_or_else(|| params.points_for_ten_to_one()),
        params,
        manifest: name.to_owned(),
    })
}

/// For which scale the policies of a command are that look at ratings.
#[derive(Clone, Debug, Default)]
pub(crate) struct WantedScale {
    /// Points for odds of ten to one of the file's ratings, by the command line.
    given: Option<f64>,
    /// Each with what it is called.
    policies: Vec<(String, RatingScale)>,
}

/// How ratings are brought to a scale.
pub(crate) struct Brought {
    /// What all ratings are multiplied with.
    pub(crate) factor: f64,
    pub(crate) notes: Vec<String>,
}

impl WantedScale {
    /// With what `--rating-scale` says, for no policy yet.
    pub(crate) const fn new(given: Option<f64>) -> Self {
        let policies = Vec::new();
        Self { given, policies }
    }

    /// For this policy, too, or this objective.
    pub(crate) fn add(&mut self, called: String, scale: Option<&RatingScale>) {
        self.policies.extend(scale.map(|scale| (called, scale.clone())));
    }

    /// The numbers that are in points of ratings by these policies: ratings and their deviations.
    pub(crate) fn in_points(&self) -> impl Iterator<Item = &String> {
        let scales = self.policies.iter().map(|(_, scale)| scale);
        scales.flat_map(|scale| scale.names().iter().chain(scale.deviations()))
    }

    /// What the ratings of a file must be multiplied with, or why they cannot be used; `ratings` are those that a policy
    /// looks at.
    pub(crate) fn bring(
        &self,
        name: &InputName,
        beside: &Beside,
        ratings: impl Fn(&RatingScale) -> Vec<f64>,
    ) -> Result<Brought, Failure> {
        let mut brought = Brought {
            factor: 1.0,
            notes: Vec::new(),
        };
        if let Beside::Stale(why) = beside {
            brought.notes.push(why.clone());
        }
        if let Some(given) = self.given {
            if let Beside::Ratings(by) = beside
                && !is_alike(by.points_for_ten_to_one, given)
            {
                let (given, points) = (digits(given), digits(by.points_for_ten_to_one));
                return Err(Failure::Usage(format!(
                    "--rating-scale says {given} points for odds of ten to one, and {} says {points} of the same file: leave \
                     the option out, or the manifest if it is wrong",
                    by.manifest
                )));
            }
            let to = self.common_scale()?;
            brought.factor = to / given;
            if brought.factor != 1.0 {
                let (by, from, to) = (digits(brought.factor), digits(given), digits(to));
                let what = format!(
                    "ratings were multiplied by {by}: from {from} points for odds of ten to one to {to}"
                );
                brought.notes.push(what);
            }
            return Ok(brought);
        }
        if let Beside::Ratings(by) = beside {
            for (called, scale) in &self.policies {
                if !scale.admits(by.points_for_ten_to_one) {
                    return Err(name.refuse(by.refusal(called, scale)));
                }
            }
            return Ok(brought);
        }
        // Once, though a policy and what judges it may both say so.
        let mut narrow: Option<String> = None;
        for (called, scale) in &self.policies {
            let (spread, [mean, deviation]) = scale.spread(&ratings(scale));
            let points = digits(scale.points().unwrap_or(f64::NAN));
            let (mean, deviation) = (digits(mean), digits(deviation));
            let found =
                format!("its ratings have a standard deviation of {deviation} around {mean}, and {called}");
            let is_for = format!("is for ratings of {points} points for odds of ten to one");
            let trueskill = RatingParams::of(SystemName::TrueSkill).points_for_ten_to_one();
            let (whose, other) = match spread {
                Spread::Fits => continue,
                Spread::Narrow => {
                    narrow.get_or_insert(format!(
                        "{found} {is_for}, by which they are all nearly alike: if theirs is another scale, --rating-scale \
                         POINTS brings them to it"
                    ));
                    continue;
                }
                Spread::Below => ("TrueSkill's", digits(trueskill)),
                Spread::Above => ("Elo's", "400".to_owned()),
            };
            return Err(name.refuse(format!(
                "{found} {is_for}: --rating-scale {other} brings {whose} to it; --rating-scale {points} says that these are \
                 meant so"
            )));
        }
        brought.notes.extend(narrow);
        Ok(brought)
    }

    /// The scale that all policies are for.
    fn common_scale(&self) -> Result<f64, Failure> {
        let Some((first, scale)) = self.policies.first() else {
            let what = "--rating-scale: nothing here looks at ratings; drop it";
            return Err(Failure::Usage(what.to_owned()));
        };
        let Some(points) = scale.points() else {
            return Err(Failure::Usage(format!(
                "--rating-scale: {}",
                unsaid(first, scale, None)
            )));
        };
        match self.policies.iter().find(|(_, other)| !other.admits(points)) {
            None => Ok(points),
            Some((other, _)) => Err(Failure::Usage(format!(
                "--rating-scale: {first} is for ratings of {} points for odds of ten to one, and {other} is not",
                digits(points)
            ))),
        }
    }
}

impl RatedBy {
    fn refusal(&self, called: &str, scale: &RatingScale) -> String {
        let points = digits(self.points_for_ten_to_one);
        let what = format!(
            "its ratings are those of {}, {points} points for odds of ten to one (by {})",
            self.params.system.name(),
            self.manifest
        );
        match scale.points() {
            Some(own) => format!(
                "{what}, and {called} is for {}: --rating-scale {points} brings them to it",
                digits(own)
            ),
            None => format!("{what}: {}", unsaid(called, scale, Some(&points))),
        }
    }
}

/// That a policy must say for which ratings it is.
fn unsaid(called: &str, scale: &RatingScale, points: Option<&str>) -> String {
    let points = points.unwrap_or("POINTS");
    format!(
        "{called} does not say for which ratings it is, and looks at differences up to {}: with `points_for_ten_to_one = \
         {points}` at its top it is for such",
        digits(scale.widest())
    )
}

/// What a policy is called in messages.
pub(crate) fn policy_called(name: &str) -> String {
    format!("the policy `{}`", shown(name))
}

/// A number with four digits that count.
pub(crate) fn digits(number: f64) -> String {
    let rounded: f64 = format!("{number:.3e}").parse().unwrap_or(number);
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_digits_are_shown() {
        let shown = [8.502_345, 400.0, 1023.27, 0.012_345].map(digits);
        assert_eq!(shown, ["8.502", "400", "1023", "0.01235"]);
    }
}
