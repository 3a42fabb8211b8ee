//! The rating systems by name, behind one door for whoever chooses at run time.

use std::collections::HashMap;

use matchwright_rating::{
    FirstAdvantage, FixedDraw, GameResult, Glicko2Rating, PartyAdjusted, RatingEstimate, RatingPeriod,
    RatingSystem, ShiftRating, TeamAdapter, TeamRatingSystem, TeamSkill,
};

use super::advantage::fit_advantage;
use super::comparisons::rate_at_once;
use super::evaluation::RateError;
use super::params::{AdvantageChoice, SystemChoice, SystemParams, points_per_log_odds};
use super::pass::{Prediction, RatingRun, run_seen};
use super::rated::{Course, CoursePoint, Rated, RatedPlayer, rank};
use super::team_pass::{predicted_pairs, run_teams};
use crate::history::{MatchHistory, PlayerIndex};
use crate::statistics::share_of;
use crate::team_history::TeamHistory;

/// Rates a history of one against one under the chosen system: players by rating, best first, and all
/// predictions. Bradley-Terry learns from the first four fifths.
///
/// # Errors
/// As [`rate_games`].
pub fn rate_history(
    choice: SystemChoice,
    params: &SystemParams,
    history: &MatchHistory,
) -> Result<(Vec<RatedPlayer>, Vec<Prediction>), RateError> {
    let rated = rate_games(choice, params, &TeamHistory::from(history), 0.8, &[])?;
    Ok((rated.players, rated.predictions))
}

/// Rates a history of games under the chosen system, and follows the players in `watch`.
///
/// Elo, Glicko, Glicko-2 and DOM MMR see sides through [`TeamAdapter`], unless all games are one against one. Glicko
/// and Glicko-2 predict from the joint deviation of both sides, which forecasts better than the opponent's alone
/// that their updates use. Bradley-Terry compares single players: its predictions are those of strengths fitted to
/// the games before the share `score_from`, its ratings those of all games.
///
/// # Errors
/// [`RateError`] names the parameter that is out of range, or the game that the system cannot take.
pub fn rate_games(
    choice: SystemChoice,
    params: &SystemParams,
    history: &TeamHistory,
    score_from: f64,
    watch: &[PlayerIndex],
) -> Result<Rated, RateError> {
    params.check(choice)?;
    let learnt = share_of(history.games().len(), score_from);
    let duels = history.duels();
    let pass = |first, watch| {
        let pass = Pass {
            params,
            period: RatingPeriod::days(params.period_days)?,
            history,
            duels: duels.as_ref(),
            first,
            learnt,
            watch,
        };
        pass.under(choice)
    };
    let first = match params.first_advantage {
        // It estimates its own.
        _ if choice == SystemChoice::BradleyTerry => FirstAdvantage::NONE,
        AdvantageChoice::Points(points) => FirstAdvantage::new(points)?,
        AdvantageChoice::Fit => {
            let pairs = predicted_pairs(history);
            fit_advantage(points_per_log_odds(choice, params), |first| {
                let mut rated = pass(first, &[])?;
                rated
                    .predictions
                    .truncate(pairs.partition_point(|pair| pair.game < learnt));
                let both = rated.predictions.into_iter().zip(&pairs);
                Ok(both
                    .filter(|(_, pair)| history.games()[pair.game].sides.len() == 2)
                    .map(|(prediction, _)| prediction)
                    .collect())
            })?
        }
    };
    pass(first, watch)
}

/// What one pass over a history needs, whatever the system.
struct Pass<'a> {
    params: &'a SystemParams,
    period: RatingPeriod,
    history: &'a TeamHistory,
    /// The same games, if all are one against one.
    duels: Option<&'a MatchHistory>,
    first: FirstAdvantage,
    /// Games before the scored part.
    learnt: usize,
    watch: &'a [PlayerIndex],
}

impl Pass<'_> {
    /// The one place where a name becomes a system.
    fn under(&self, choice: SystemChoice) -> Result<Rated, RateError> {
        let params = self.params;
        match choice {
            SystemChoice::Elo => {
                let elo = params.elo.check()?;
                self.of_two(&elo, |a, b| elo.expected_score(a, b), |_| None)
            }
            SystemChoice::Glicko => {
                let glicko = params.glicko.check()?;
                self.of_two(&glicko, |a, b| glicko.predict(a, b), |_| None)
            }
            SystemChoice::Glicko2 => {
                let glicko2 = params.glicko2.check()?;
                let volatility = |rating: &Glicko2Rating| Some(rating.volatility());
                self.of_two(&glicko2, |a, b| glicko2.predict(a, b), volatility)
            }
            SystemChoice::Dom => {
                let dom = params.dom.check()?;
                self.of_two(&dom, |a, b| dom.expected_score(a, b), |_| None)
            }
            SystemChoice::Dota => self.of_teams(&params.dota.check()?),
            SystemChoice::TrueSkill => self.of_teams(&params.trueskill.check()?),
            SystemChoice::WengLin => self.of_teams(&params.weng_lin.check()?),
            SystemChoice::BradleyTerry => rate_at_once(params, self.history, self.learnt, self.watch),
        }
    }

    /// With a system of two players, which predicts by `expect`.
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
        let Some(duels) = self.duels else {
            let own = match system.initial().deviation() {
                Some(_) => TeamSkill::Sum,
                None => TeamSkill::Mean,
            };
            let (skill, decided) = (self.params.team_skill.unwrap_or(own), FixedDraw::new(0.0)?);
            let forecaster = Forecaster { system, expect };
            return self.of_sides(
                &TeamAdapter::new(system, skill, decided),
                &TeamAdapter::new(forecaster, skill, decided),
                volatility,
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
            self.period,
            duels,
            RatingEstimate::rating,
            expect,
            seen,
            |player, time, rating| courses.add(player, time, rating),
        )?;
        Ok(self.finish(&run, volatility, courses))
    }

    /// With a system of teams, which predicts as it learns.
    fn of_teams<S>(&self, system: &S) -> Result<Rated, RateError>
    where
        S: TeamRatingSystem,
        S::Rating: RatingEstimate + ShiftRating,
    {
        self.of_sides(system, system, |_| None)
    }

    fn of_sides<S, F>(
        &self,
        system: &S,
        forecaster: &F,
        volatility: impl Fn(&S::Rating) -> Option<f64>,
    ) -> Result<Rated, RateError>
    where
        S: TeamRatingSystem,
        F: TeamRatingSystem<Rating = S::Rating>,
        S::Rating: RatingEstimate + ShiftRating,
    {
        let mut courses = Courses::of(self.watch);
        let observe = |player, time, rating: &S::Rating| courses.add(player, time, rating);
        let (period, history, first) = (&self.period, self.history, self.first);
        let run = if let Some(bonus) = self.params.party_bonus {
            let bonus = bonus.check()?;
            let (system, forecaster) = (
                PartyAdjusted::new(system, bonus),
                PartyAdjusted::new(forecaster, bonus),
            );
            run_teams(
                &system,
                period,
                history,
                first,
                |a, b| forecaster.outcome(a, b),
                observe,
            )
        } else {
            run_teams(
                system,
                period,
                history,
                first,
                |a, b| forecaster.outcome(a, b),
                observe,
            )
        }?;
        Ok(self.finish(&run, volatility, courses))
    }

    fn finish<R: RatingEstimate>(
        &self,
        run: &RatingRun<R>,
        volatility: impl Fn(&R) -> Option<f64>,
        courses: Courses,
    ) -> Rated {
        Rated {
            players: rank(self.history.players(), &run.standings, volatility),
            pairs: predicted_pairs(self.history),
            predictions: run.predictions.clone(),
            courses: courses.courses,
            first_advantage: self.first.points(),
            at_once: None,
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
