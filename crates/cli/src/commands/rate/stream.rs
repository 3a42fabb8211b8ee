//! `matchwright rate --stream`: matches one after another, in memory for their players.

use matchwright_rating::RatingParams;
use matchwright_rating::history::Game;
use matchwright_sim::progress::Progress;
use matchwright_sim::rate::{RateError, RatingStream};

use super::effects::Tells;
use super::pictures::reliability_plot;
use super::starts::{Starts, found};
use super::tables::ratings_table;
use super::{Order, Outcome, configuration, failed, origin, rank, show};
use crate::arguments::RateOptions;
use crate::failure::{Failure, tell};
use crate::input::{SystemFile, stream_games};
use crate::output::{write_file, write_tables};
use crate::progress::Bar;

/// How many players are written at once.
const PIECE: usize = 1 << 16;

pub(super) fn run(
    options: &RateOptions,
    command: String,
    params: &RatingParams,
    (config, starts): (&SystemFile, Starts),
) -> Result<(), Failure> {
    let bar = Bar::new();
    bar.begin("rating the players, match by match", 0);
    let mut stream = RatingStream::new(params).map_err(Failure::of)?;
    let (mut has_many_sides, mut tells) = (false, Tells::default());
    let Starts { ratings, facts } = starts;
    let imported = stream_games(
        &options.file,
        (&options.reading, ratings),
        &mut |games, first_draw| {
            has_many_sides = has_many_sides || games.games().any(|game: Game<'_>| game.sides().len() > 2);
            tells.look(games);
            stream
                .play(games)
                .map_err(|error| failed(error, first_draw, options.reading.time_unit))
        },
    )?;
    let evaluation = stream.evaluate(options.evaluate_from, params.draw_kind());
    let mut rated = stream.finish(imported.history.players());
    let order = Order::of(options, &rated.players);
    rank(&mut rated.players, order)?;
    drop(bar);
    let configuration = configuration(options, params, &imported);
    let origin = origin(command, &configuration, (config, facts), &imported)?;
    if let Some(path) = &options.out {
        let table = |players| ratings_table(players, options.reading.time_unit);
        write_tables(path, || rated.players.chunks(PIECE).map(table), &origin)?;
    }
    // Ratings are written even if nothing can be evaluated.
    let evaluation = match evaluation {
        Err(error @ RateError::TooFew { .. }) if !options.shows_forecasts() => {
            tell(&format!("nothing is evaluated: {error}"));
            None
        }
        evaluation => Some(evaluation.map_err(Failure::of)?),
    };
    if let (Some(path), Some(evaluation)) = (&options.reliability, &evaluation) {
        let plot = reliability_plot(evaluation);
        write_file(path, plot.to_svg().map_err(Failure::of)?.as_bytes(), &origin)?;
    }
    let notes = imported.notes.iter().cloned().chain(found(&imported.history));
    let notes = notes.chain(tells.notes(options, params));
    notes.for_each(|note| tell(&note));
    let outcome = Outcome {
        rated,
        parties: None,
        watched: Vec::new(),
        plotted: 0,
        order,
        by_context: Vec::new(),
    };
    show(options, &imported, &outcome, evaluation.as_ref(), has_many_sides)
}
