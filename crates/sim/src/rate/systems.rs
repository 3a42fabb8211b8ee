//! The rating systems by name, for a choice at run time.

use std::collections::HashMap;

use matchwright_rating::history::{History, PlayerIndex};
use matchwright_rating::{
    FixedDraw, GameResult, Glicko2Rating, HomeAdvantage, Member, OutcomeProbabilities, PartyAdjusted,
    RatingEstimate, RatingSystem, ShiftRating, TeamAdapter, TeamGame, TeamRatingSystem, TeamSkill,
    TrueSkillParams,
};

use super::advantage::fit_advantage;
use super::comparisons::rate_at_once;
use super::evaluation::RateError;
use super::ladder::standing;
use super::params::{AdvantageChoice, SystemChoice, SystemParams, points_per_log_odds};
use super::pass::{RatingRun, run_seen};
use super::period::Clock;
use super::rated::{Course, CoursePoint, Estimate, Extras, Rated, rank};
use super::settings::SystemFeature;
use super::team_pass::{Step, Walk, predicted_pairs};
use super::through_time::rate_through_time;
use crate::statistics::share_of;

/// Rates a history of games under the chosen system, and follows the players in `watch`.
///
/// Elo, Glicko, Glicko-2 and DOM MMR see sides through [`TeamAdapter`], unless all games are one against one. Glicko
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
    let pass = |first, watch, with_games| {
        let pass = Pass {
            params,
            clock: params.period.build()?,
            history,
            first,
            learnt,
            watch,
            with_games,
        };
        pass.under(choice)
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

/// What one pass over a history needs, whatever the system.
struct Pass<'a> {
    params: &'a SystemParams,
    clock: Clock,
    history: &'a History,
    first: HomeAdvantage,
    /// Games before the evaluated part.
    learnt: usize,
    watch: &'a [PlayerIndex],
    /// Whether the games of sides are kept as they looked before them.
    with_games: bool,
}

impl Pass<'_> {
    /// A pass under the system of this name.
    fn under(&self, choice: SystemChoice) -> Result<Rated, RateError> {
        let params = self.params;
        match choice {
            SystemChoice::Elo => {
                let elo = params.elo.build()?;
                self.of_two(&elo, |a, b| elo.expected_score(a, b), |_| None)
            }
            SystemChoice::Glicko => {
                let glicko = params.glicko.build()?;
                self.of_two(&glicko, |a, b| glicko.win_probability(a, b), |_| None)
            }
            SystemChoice::Glicko2 => {
                let glicko2 = params.glicko2.build()?;
                let volatility = |rating: &Glicko2Rating| Some(rating.volatility());
                self.of_two(&glicko2, |a, b| glicko2.win_probability(a, b), volatility)
            }
            SystemChoice::Dom => {
                let dom = params.dom.build()?;
                self.of_two(&dom, |a, b| dom.expected_score(a, b), |_| None)
            }
            SystemChoice::Dota => {
                let dota = params.dota.build()?;
                self.of_sides(&dota, &dota, |_| Extras::default())
            }
            SystemChoice::TrueSkill => {
                let decided = TrueSkillParams {
                    draw_probability: 0.0,
                    ..params.trueskill
                };
                self.of_sides(&params.trueskill.build()?, &decided.build()?, |_| {
                    Extras::default()
                })
            }
            SystemChoice::WengLin => {
                let weng_lin = params.weng_lin.build()?;
                self.of_sides(&weng_lin, &weng_lin, |_| Extras::default())
            }
            SystemChoice::BradleyTerry => rate_at_once(params, self.history, self.learnt),
            SystemChoice::ThroughTime => rate_through_time(
                &params.through_time.build()?,
                self.clock,
                self.history,
                self.watch,
            ),
        }
    }

    /// With a system of two players, which predicts by `expect`, and a ladder around it if there is one.
    fn of_two<S>(
        &self,
        system: &S,
        expect: impl Fn(&S::Rating, &S::Rating) -> f64,
        volatility: impl Fn(&S::Rating) -> Option<f64>,
    ) -> Result<Rated, RateError>
    where
        S: RatingSystem,
        S::Rating: RatingEstimate + ShiftRating,
    {
        let Some(ladder) = &self.params.ladder else {
            return self.of_two_shown(system, expect, |rating| Extras {
                volatility: volatility(rating),
                ladder: None,
            });
        };
        let ladder = ladder.wrap(system, self.params.period)?;
        self.of_two_shown(
            &ladder,
            |a, b| expect(a.inner().hidden(), b.inner().hidden()),
            |rating| Extras {
                volatility: volatility(rating.inner().hidden()),
                ladder: Some(standing(&ladder, rating)),
            },
        )
    }

    fn of_two_shown<S>(
        &self,
        system: &S,
        expect: impl Fn(&S::Rating, &S::Rating) -> f64,
        extras: impl Fn(&S::Rating) -> Extras,
    ) -> Result<Rated, RateError>
    where
        S: RatingSystem,
        S::Rating: RatingEstimate + ShiftRating,
    {
        let Some(duels) = self.history.duels() else {
            let own = match system.initial().deviation() {
                Some(_) => TeamSkill::Sum,
                None => TeamSkill::Mean,
            };
            let (skill, decided) = (self.params.team_skill.unwrap_or(own), FixedDraw::new(0.0)?);
            let forecaster = Forecaster { system, expect };
            return self.of_sides(
                &TeamAdapter::new(system, skill, decided),
                &TeamAdapter::new(forecaster, skill, decided),
                extras,
            );
        };
        let points = self.first.points();
        let seen = |side: usize, opponent: &S::Rating| match side {
            _ if points == 0.0 => opponent.clone(),
            0 => opponent.shifted(-points),
            _ => opponent.shifted(points),
        };
        let mut courses = Courses::of(self.watch);
        let run = run_seen(
            system,
            self.clock,
            duels,
            RatingEstimate::rating,
            expect,
            seen,
            |player, time, rating| courses.add(player, time, rating),
        )?;
        Ok(self.finish(run, extras, courses, Vec::new()))
    }

    /// With a system of teams, which predicts by `forecaster`.
    fn of_sides<S, F>(
        &self,
        system: &S,
        forecaster: &F,
        extras: impl Fn(&S::Rating) -> Extras,
    ) -> Result<Rated, RateError>
    where
        S: TeamRatingSystem,
        F: TeamRatingSystem<Rating = S::Rating>,
        S::Rating: RatingEstimate + ShiftRating,
    {
        let Some(bonus) = self.params.party_bonus else {
            return self.walk(system, |a, b| forecaster.outcome_probabilities(a, b), extras);
        };
        let bonus = bonus.build()?;
        let forecaster = PartyAdjusted::new(forecaster, bonus);
        self.walk(
            &PartyAdjusted::new(system, bonus),
            |a, b| forecaster.outcome_probabilities(a, b),
            extras,
        )
    }

    fn walk<S>(
        &self,
        system: &S,
        outcome: impl Fn(&[Member<S::Rating>], &[Member<S::Rating>]) -> OutcomeProbabilities,
        extras: impl Fn(&S::Rating) -> Extras,
    ) -> Result<Rated, RateError>
    where
        S: TeamRatingSystem,
        S::Rating: RatingEstimate + ShiftRating,
    {
        let (mut courses, mut before) = (Courses::of(self.watch), Vec::new());
        let walk = Walk {
            clock: self.clock,
            history: self.history,
            first: self.first,
        };
        let mut run = walk.start(&system.initial());
        let all = 0..self.history.len();
        walk.over(all, system, outcome, &mut run, |step| match step {
            Step::Before(index, game) if self.with_games && game.sides().len() == 2 => {
                before.push((index, game.map_seats(|_, _, member| Estimate::of(&member.rating))));
            }
            Step::Before(..) => {}
            Step::After(player, time, rating) => courses.add(player, time, rating),
        })?;
        Ok(self.finish(run, extras, courses, before))
    }

    fn finish<R: RatingEstimate>(
        &self,
        run: RatingRun<R>,
        extras: impl Fn(&R) -> Extras,
        courses: Courses,
        before: Vec<(usize, TeamGame<Estimate>)>,
    ) -> Rated {
        Rated {
            players: rank(self.history.players(), &run.standings, extras),
            pairs: predicted_pairs(self.history),
            predictions: run.predictions,
            courses: courses.courses,
            home_advantage: self.first.points(),
            before,
            ..Rated::default()
        }
    }
}

/// A system whose expectations are replaced by forecasts, for predicting alone.
struct Forecaster<'a, S, F> {
    system: &'a S,
    expect: F,
}

impl<S: RatingSystem, F: Fn(&S::Rating, &S::Rating) -> f64> RatingSystem for Forecaster<'_, S, F> {
    type Rating = S::Rating;

    fn initial(&self) -> S::Rating {
        self.system.initial()
    }

    fn expected_score(&self, player: &S::Rating, opponent: &S::Rating) -> f64 {
        (self.expect)(player, opponent)
    }

    fn update(&self, player: &S::Rating, elapsed_periods: f64, games: &[GameResult<S::Rating>]) -> S::Rating {
        self.system.update(player, elapsed_periods, games)
    }
}

/// The courses of the watched players' ratings.
struct Courses {
    slots: HashMap<PlayerIndex, usize>,
    courses: Vec<Course>,
}

impl Courses {
    fn of(watch: &[PlayerIndex]) -> Self {
        Self {
            slots: watch
                .iter()
                .enumerate()
                .map(|(slot, &player)| (player, slot))
                .collect(),
            courses: vec![Course::new(); watch.len()],
        }
    }

    fn add(&mut self, player: PlayerIndex, time: i64, rating: &impl RatingEstimate) {
        if let Some(&slot) = self.slots.get(&player) {
            self.courses[slot].push(CoursePoint {
                time,
                rating: rating.rating(),
                deviation: rating.deviation(),
            });
        }
    }
}
