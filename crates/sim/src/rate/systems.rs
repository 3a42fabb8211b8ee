//! The rating systems by name, for a choice at run time.

use matchwright_rating::history::{History, PlayerIndex};
use matchwright_rating::{
    Glicko, Glicko2, Glicko2Rating, HomeAdvantage, PartyBonusParams, PerformanceWeight, RatingEstimate,
    RatingSystem, ShiftRating, TeamRatingSystem, TrueSkillParams,
};

use super::advantage::fit_advantage;
use super::batch::Batch;
use super::comparisons::rate_at_once;
use super::evaluation::RateError;
use super::ladder::{Laddered, LadderedRating, standing};
use super::params::{AdvantageChoice, SystemChoice, SystemParams, points_per_log_odds};
use super::rated::{Extras, Rated};
use super::rater::{OfSides, OfTwo, Rater, Setup};
use super::settings::{SystemFeature, Unsupported};
use super::team_pass::predicted_pairs;
use super::through_time::rate_through_time;
use super::told::Told;
use crate::statistics::share_of;

/// Rates a history of games under the chosen system, and follows the players in `watch`.
///
/// Elo, Glicko, Glicko-2 and DOM MMR see sides through [`TeamAdapter`](matchwright_rating::TeamAdapter), unless all games are one against one. Glicko
/// and Glicko-2 predict from the joint deviation of both sides, which forecasts better than the opponent's alone
/// that their updates use. TrueSkill forecasts who performs better, without its margin for draws: a model
/// of draws goes on top, as with all systems. Bradley-Terry compares single players: its predictions are those
/// of strengths fitted to the games before the share `evaluate_from`, its ratings those of all games. TrueSkill Through
/// Time's ratings, too, are of all games; its forecasts never look ahead: they come from ten fits, each to the games
/// before it, and from learning forward from there to the next.
///
/// # Errors
/// [`RateError`] names the parameter that is out of range, or the game that the system cannot take.
pub fn rate_games(
    choice: SystemChoice,
    params: &SystemParams,
    history: &History,
    evaluate_from: f64,
    watch: &[PlayerIndex],
) -> Result<Rated, RateError> {
    params.check(choice)?;
    params.draw_kind(choice).check(history, 0)?;
    if !watch.is_empty() {
        choice.require(SystemFeature::Course)?;
    }
    rate_games_with(choice, params, history, evaluate_from, watch, false)
}

/// As [`rate_games`], for parameters that were checked; with the games as they looked before them if `with_games`.
pub(super) fn rate_games_with(
    choice: SystemChoice,
    params: &SystemParams,
    history: &History,
    evaluate_from: f64,
    watch: &[PlayerIndex],
    with_games: bool,
) -> Result<Rated, RateError> {
    let learnt = share_of(history.len(), evaluate_from);
    let pass = |first, watch, with_games| match choice {
        SystemChoice::BradleyTerry => rate_at_once(params, history, learnt),
        SystemChoice::ThroughTime => rate_through_time(
            &params.through_time.build()?,
            params.period.build()?,
            history,
            watch,
        ),
        _ => {
            let rater = rater(choice, params, first)?;
            rate_with(rater, first, history, watch, with_games)
        }
    };
    let first = match params.home_advantage {
        // It estimates its own.
        _ if choice == SystemChoice::BradleyTerry => HomeAdvantage::NONE,
        AdvantageChoice::Points(points) => HomeAdvantage::new(points)?,
        AdvantageChoice::Fit => {
            let pairs = predicted_pairs(history);
            fit_advantage(points_per_log_odds(choice, params), |first| {
                let mut rated = pass(first, &[], false)?;
                rated
                    .predictions
                    .truncate(pairs.partition_point(|pair| pair.game < learnt));
                let both = rated.predictions.into_iter().zip(&pairs);
                Ok(both
                    .filter(|(_, pair)| history.game(pair.game).sides().len() == 2)
                    .map(|(prediction, _)| prediction)
                    .collect())
            })?
        }
    };
    pass(first, watch, with_games)
}

/// One pass over a whole history.
fn rate_with(
    mut rater: Box<dyn Rater>,
    first: HomeAdvantage,
    history: &History,
    watch: &[PlayerIndex],
    with_games: bool,
) -> Result<Rated, RateError> {
    let (mut predictions, mut pairs) = (Vec::new(), Vec::new());
    predictions.reserve(history.len());
    pairs.reserve(history.len());
    let mut predicted = |pair, prediction| {
        pairs.push(pair);
        predictions.push(prediction);
    };
    let mut told = Told::new(&mut predicted).watch(watch);
    told.before = with_games.then(Vec::new);
    rater.over(history, 0..history.len(), &mut told)?;
    rater.finish(&mut told);
    let (courses, before) = (told.courses, told.before.unwrap_or_default());
    Ok(Rated {
        players: rater.players(history.players()),
        predictions,
        pairs,
        courses,
        home_advantage: first.points(),
        before,
        ..Rated::default()
    })
}

/// A system that learns game by game, under its name.
///
/// # Errors
/// [`RateError`] for a parameter that is out of range, and for systems that fit all games at once.
pub(super) fn rater(
    choice: SystemChoice,
    params: &SystemParams,
    first: HomeAdvantage,
) -> Result<Box<dyn Rater>, RateError> {
    let build = Build {
        params,
        setup: Setup {
            clock: params.period.build()?,
            batch: params.period.batch()?,
            first,
            margin: params.margin,
            performance: PerformanceWeight::new(params.performance)?,
            team_skill: params.team_skill,
            bonus: params.party_bonus.map(PartyBonusParams::build).transpose()?,
        },
    };
    match choice {
        SystemChoice::Elo => match params.scheduled_elo() {
            Some(scheduled) => build.of_two(scheduled.build()?, RatingSystem::expected_score, |_| None),
            None => build.of_two(params.elo.build()?, RatingSystem::expected_score, |_| None),
        },
        SystemChoice::Glicko => build.of_two(params.glicko.build()?, Glicko::win_probability, |_| None),
        SystemChoice::Glicko2 => build.of_two(
            params.glicko2.build()?,
            Glicko2::win_probability,
            |rating: &Glicko2Rating| Some(rating.volatility()),
        ),
        SystemChoice::Dom => build.of_two(params.dom.build()?, RatingSystem::expected_score, |_| None),
        SystemChoice::Dota => {
            let dota = params.dota.build()?;
            Ok(build.of_sides(dota, dota))
        }
        SystemChoice::TrueSkill => {
            let decided = TrueSkillParams {
                draw_probability: 0.0,
                ..params.trueskill
            };
            Ok(build.of_sides(params.trueskill.build()?, decided.build()?))
        }
        SystemChoice::WengLin => {
            let weng_lin = params.weng_lin.build()?;
            Ok(build.of_sides(weng_lin, weng_lin))
        }
        SystemChoice::EloMmr => {
            let elo_mmr = params.elo_mmr.build()?;
            Ok(build.of_sides(elo_mmr, elo_mmr))
        }
        SystemChoice::BradleyTerry | SystemChoice::ThroughTime => {
            Err(Unsupported::without(SystemFeature::Stream).into())
        }
    }
}

/// What raters are made with.
struct Build<'a> {
    params: &'a SystemParams,
    setup: Setup,
}

impl Build<'_> {
    /// With a system of two players, which predicts by `expect`, and a ladder around it if there is one.
    fn of_two<S>(
        &self,
        system: S,
        expect: impl Fn(&S, &S::Rating, &S::Rating) -> f64 + Send + Sync + 'static,
        volatility: impl Fn(&S::Rating) -> Option<f64> + Send + 'static,
    ) -> Result<Box<dyn Rater>, RateError>
    where
        S: RatingSystem + Clone + Send + Sync + 'static,
        S::Rating: RatingEstimate + ShiftRating + Send + Sync,
    {
        let Some(ladder) = &self.params.ladder else {
            return Ok(Box::new(OfTwo {
                setup: self.setup,
                system,
                expect,
                extras: move |_: &S, rating: &S::Rating| Extras {
                    volatility: volatility(rating),
                    ladder: None,
                },
                standings: Vec::new(),
                batch: Batch::default(),
            }));
        };
        let ladder = ladder.wrap(system.clone(), self.params.period)?;
        Ok(Box::new(OfTwo {
            setup: self.setup,
            system: ladder,
            expect: move |_: &Laddered<S>, a: &LadderedRating<S::Rating>, b: &LadderedRating<S::Rating>| {
                expect(&system, a.inner().hidden(), b.inner().hidden())
            },
            extras: move |ladder: &Laddered<S>, rating: &LadderedRating<S::Rating>| Extras {
                volatility: volatility(rating.inner().hidden()),
                ladder: Some(standing(ladder, rating)),
            },
            standings: Vec::new(),
            batch: Batch::default(),
        }))
    }

    /// With a system of teams, which predicts by `forecaster`.
    fn of_sides<S, F>(&self, system: S, forecaster: F) -> Box<dyn Rater>
    where
        S: TeamRatingSystem + Send + Sync + 'static,
        F: TeamRatingSystem<Rating = S::Rating> + Send + Sync + 'static,
        S::Rating: RatingEstimate + ShiftRating + Send + Sync,
    {
        Box::new(OfSides {
            setup: self.setup,
            system,
            forecaster,
            standings: Vec::new(),
        })
    }
}
