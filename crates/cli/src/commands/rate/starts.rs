//! Ratings that players have before their first match, from a file.

use matchwright_import::PlayerColumns;
use matchwright_import::text::shown;
use matchwright_rating::history::StartRating;
use matchwright_rating::{RATING_LIMIT, RatingParams};
use matchwright_report::FileRecord;
use matchwright_sim::policy::is_alike;

use crate::arguments::RateOptions;
use crate::failure::{Failure, tell};
use crate::input::import_players;

/// Ratings to start with, and the file that they are from.
#[derive(Default)]
pub(super) struct Starts {
    pub(super) ratings: Vec<(String, StartRating)>,
    pub(super) facts: Option<FileRecord>,
}

impl Starts {
    /// Those of the file that is asked for.
    pub(super) fn read(options: &RateOptions, params: &RatingParams) -> Result<Self, Failure> {
        let Some(path) = &options.between.start_ratings else {
            return Ok(Self::default());
        };
        let players = import_players(path, &PlayerColumns::default(), options.reading.names.as_written)?;
        if let Some(by) = players.rated_by()
            && !is_alike(by.points_for_ten_to_one, params.points_for_ten_to_one())
        {
            let (theirs, ours) = (by.points_for_ten_to_one, params.points_for_ten_to_one());
            return Err(players.refuse(&format!(
                "its ratings are those of {}, of {theirs} points for odds of ten to one; those of {} are of {ours}",
                by.params.system.name().name(),
                options.system.name()
            )));
        }
        players.notes.iter().for_each(|note| tell(note));
        let mut ratings = Vec::new();
        for player in players.pool.players() {
            let is_within = |number: &f64| number.abs() <= RATING_LIMIT;
            let rating = player.skill.filter(is_within).ok_or_else(|| {
                let name = shown(&player.id);
                players.refuse(&format!("`{name}` has no rating within 1000000000 either way"))
            })?;
            let deviation = player.uncertainty;
            ratings.push((player.id.clone(), StartRating { rating, deviation }));
        }
        Ok(Self {
            ratings,
            facts: Some(players.facts),
        })
    }
}
