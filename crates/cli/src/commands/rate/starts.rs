//! Ratings that players have before their first match, from a file.

use matchwright_import::PlayerColumns;
use matchwright_import::text::shown;
use matchwright_rating::history::{History, StartRating};
use matchwright_rating::{RATING_LIMIT, RatingParams};
use matchwright_report::FileRecord;
use matchwright_sim::policy::is_alike;

use crate::arguments::RateOptions;
use crate::failure::Failure;
use crate::input::import_players;

/// Ratings to start with, and the file that they are from.
#[derive(Default)]
pub(super) struct Starts {
    pub(super) ratings: Vec<(String, StartRating)>,
    pub(super) facts: Option<FileRecord>,
}

/// How many players of the matches have one, in words; nothing where none was asked for.
pub(super) fn found(history: &History) -> Option<String> {
    let players = 0..history.players().len();
    let has_one =
        |&player: &usize| u32::try_from(player).is_ok_and(|player| history.start_of(player).is_some());
    let found = players.clone().filter(has_one).count();
    history.has_starts().then(|| match found {
        0 => "no player of the matches has a rating to start with: do the names agree?".to_owned(),
        found => format!(
            "{found} of {} players start with their ratings of --start-ratings",
            players.len()
        ),
    })
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
