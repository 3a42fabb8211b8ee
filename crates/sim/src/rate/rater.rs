//! A rating system with what it knows of all players: it takes games in pieces, whatever the system.

use std::ops::Range;

use matchwright_rating::history::{History, PlayerIndex};
use matchwright_rating::{
    FixedDraw, GameResult, HomeAdvantage, MarginWeight, Member, OutcomeProbabilities, PartyAdjusted,
    PartyBonus, PerformanceWeight, RatingEstimate, RatingPeriod, RatingSystem, ShiftRating, TeamAdapter,
    TeamRatingSystem, TeamSkill,
};

use super::batch::Batch;
use super::evaluation::RateError;
use super::pass::{DuelWalk, Standing, greet};
use super::period::Clock;
use super::rated::{Estimate, Extras, RatedPlayer, rank};
use super::team_pass::Walk;
use super::told::Told;

/// Rates games piece by piece, in order of time.
pub(super) trait Rater: Send {
    /// Goes on through `games` of a history, whose players are those of earlier pieces and more.
    ///
    /// # Errors
    /// [`RateError`] if time goes back, which a history excludes.
    fn over(&mut self, history: &History, games: Range<usize>, told: &mut Told<'_>) -> Result<(), RateError>;

    /// Takes up what was left open, for want of later games.
    fn finish(&mut self, told: &mut Told<'_>);

    /// The rating of a player and its deviation, as the latest game left them; of a newcomer, if there is no such player.
    fn estimate(&self, player: PlayerIndex) -> Estimate;

    /// All players as they stand, by rating.
    fn players(&self, names: &[String]) -> Vec<RatedPlayer>;

    /// How two sides of players with these ratings fare, as it forecasts games: draws apart, nobody at home.
    ///
    /// # Errors
    /// [`RateError`] for parameters out of range.
    fn outcome(
        &self,
        side: &[Member<Estimate>],
        opponents: &[Member<Estimate>],
    ) -> Result<OutcomeProbabilities, RateError>;
}

/// The members of a side, rated as `initial` is but for what is known of them.
fn as_rated<R: RatingEstimate + ShiftRating>(initial: &R, members: &[Member<Estimate>]) -> Vec<Member<R>> {
    let rated = |member: &Member<Estimate>| {
        let moved = initial.shifted(member.rating.rating() - initial.rating());
        let deviation = member.rating.deviation().or(initial.deviation());
        member.with_rating(moved.with_deviation(deviation.unwrap_or(0.0)))
    };
    members.iter().map(rated).collect()
}

/// How two sides fare, whose ratings are told from outside, with the party bonus if there is one.
pub(super) fn outcome_of_sides<F>(
    forecaster: &F,
    bonus: Option<PartyBonus>,
    side: &[Member<Estimate>],
    opponents: &[Member<Estimate>],
) -> OutcomeProbabilities
where
    F: TeamRatingSystem,
    F::Rating: RatingEstimate + ShiftRating,
{
    let initial = forecaster.initial();
    let (side, opponents) = (as_rated(&initial, side), as_rated(&initial, opponents));
    match bonus {
        Some(bonus) => PartyAdjusted::new(forecaster, bonus).outcome_probabilities(&side, &opponents),
        None => forecaster.outcome_probabilities(&side, &opponents),
    }
}

/// What goes with any system.
#[derive(Clone, Copy)]
pub(super) struct Setup {
    pub(super) clock: Clock,
    /// The period whose games count at its end, if they do.
    pub(super) batch: Option<RatingPeriod>,
    pub(super) first: HomeAdvantage,
    pub(super) margin: Option<MarginWeight>,
    pub(super) performance: PerformanceWeight,
    pub(super) team_skill: Option<TeamSkill>,
    pub(super) bonus: Option<PartyBonus>,
}

/// A system of two players, which predicts by `expect`; teams are seen through [`TeamAdapter`].
pub(super) struct OfTwo<S: RatingSystem, E, X> {
    pub(super) setup: Setup,
    pub(super) system: S,
    pub(super) expect: E,
    /// What it tells of a rating beyond number and deviation.
    pub(super) extras: X,
    pub(super) standings: Vec<Standing<S::Rating>>,
    pub(super) batch: Batch<S::Rating>,
}

impl<S, E, X> Rater for OfTwo<S, E, X>
where
    S: RatingSystem + Send + Sync,
    S::Rating: RatingEstimate + ShiftRating + Send + Sync,
    E: Fn(&S, &S::Rating, &S::Rating) -> f64 + Send + Sync,
    X: Fn(&S, &S::Rating) -> Extras + Send,
{
    fn over(&mut self, history: &History, games: Range<usize>, told: &mut Told<'_>) -> Result<(), RateError> {
        let (system, setup) = (&self.system, &self.setup);
        greet(system.initial(), history.players().len(), &mut self.standings);
        let expect = |a: &S::Rating, b: &S::Rating| (self.expect)(system, a, b);
        if let Some(duels) = history.duels() {
            let (walk, standings) = (setup.duels(system), &mut self.standings);
            let Some(period) = setup.batch else {
                return Ok(walk.over(duels, games, expect, standings, told)?);
            };
            walk.over_in_batches(period, (duels, games), expect, standings, &mut self.batch, told);
            return Ok(());
        }
        if setup.batch.is_some() {
            return Err(RateError::BatchOfTeams);
        }
        let (skill, decided) = (self.team_skill(), FixedDraw::new(0.0)?);
        let forecaster = Forecaster { system, expect };
        setup.sides(
            &TeamAdapter::new(system, skill, decided),
            &TeamAdapter::new(forecaster, skill, decided),
            (history, games),
            &mut self.standings,
            told,
        )
    }

    fn finish(&mut self, told: &mut Told<'_>) {
        if let Some(period) = self.setup.batch {
            let walk = self.setup.duels(&self.system);
            walk.close(period, &mut self.standings, &mut self.batch, told);
        }
    }

    fn estimate(&self, player: PlayerIndex) -> Estimate {
        let standing = self.standings.get(player as usize);
        standing.map_or_else(
            || Estimate::of(&self.system.initial()),
            |standing| Estimate::of(&standing.rating),
        )
    }

    fn players(&self, names: &[String]) -> Vec<RatedPlayer> {
        rank(names, &self.standings, |rating| {
            (self.extras)(&self.system, rating)
        })
    }

    fn outcome(
        &self,
        side: &[Member<Estimate>],
        opponents: &[Member<Estimate>],
    ) -> Result<OutcomeProbabilities, RateError> {
        let system = &self.system;
        let expect = |a: &S::Rating, b: &S::Rating| (self.expect)(system, a, b);
        let forecaster = Forecaster { system, expect };
        let teams = TeamAdapter::new(forecaster, self.team_skill(), FixedDraw::new(0.0)?);
        Ok(outcome_of_sides(&teams, self.setup.bonus, side, opponents))
    }
}

impl<S, E, X> OfTwo<S, E, X>
where
    S: RatingSystem,
    S::Rating: RatingEstimate,
{
    /// How it sees a side.
    fn team_skill(&self) -> TeamSkill {
        let own = match self.system.initial().deviation() {
            Some(_) => TeamSkill::Sum,
            None => TeamSkill::Mean,
        };
        self.setup.team_skill.unwrap_or(own)
    }
}

/// A system of teams, which predicts by `forecaster`.
pub(super) struct OfSides<S: TeamRatingSystem, F> {
    pub(super) setup: Setup,
    pub(super) system: S,
    pub(super) forecaster: F,
    pub(super) standings: Vec<Standing<S::Rating>>,
}

impl<S, F> Rater for OfSides<S, F>
where
    S: TeamRatingSystem + Send + Sync,
    F: TeamRatingSystem<Rating = S::Rating> + Send + Sync,
    S::Rating: RatingEstimate + ShiftRating + Send + Sync,
{
    fn over(&mut self, history: &History, games: Range<usize>, told: &mut Told<'_>) -> Result<(), RateError> {
        greet(
            self.system.initial(),
            history.players().len(),
            &mut self.standings,
        );
        let standings = &mut self.standings;
        self.setup
            .sides(&self.system, &self.forecaster, (history, games), standings, told)
    }

    fn finish(&mut self, _: &mut Told<'_>) {}

    fn estimate(&self, player: PlayerIndex) -> Estimate {
        let standing = self.standings.get(player as usize);
        standing.map_or_else(
            || Estimate::of(&self.system.initial()),
            |standing| Estimate::of(&standing.rating),
        )
    }

    fn players(&self, names: &[String]) -> Vec<RatedPlayer> {
        rank(names, &self.standings, |_| Extras::default())
    }

    fn outcome(
        &self,
        side: &[Member<Estimate>],
        opponents: &[Member<Estimate>],
    ) -> Result<OutcomeProbabilities, RateError> {
        Ok(outcome_of_sides(
            &self.forecaster,
            self.setup.bonus,
            side,
            opponents,
        ))
    }
}

impl Setup {
    fn duels<'a, S>(&self, system: &'a S) -> DuelWalk<'a, S> {
        DuelWalk {
            system,
            clock: self.clock,
            first: self.first,
            margin: self.margin,
        }
    }

    /// Games of sides, with the party bonus if there is one.
    fn sides<S, F>(
        &self,
        system: &S,
        forecaster: &F,
        (history, games): (&History, Range<usize>),
        standings: &mut Vec<Standing<S::Rating>>,
        told: &mut Told<'_>,
    ) -> Result<(), RateError>
    where
        S: TeamRatingSystem + Sync,
        F: TeamRatingSystem<Rating = S::Rating> + Sync,
        S::Rating: RatingEstimate + ShiftRating + Send + Sync,
    {
        let walk = Walk {
            clock: self.clock,
            history,
            first: self.first,
            margin: self.margin,
            performance: self.performance,
        };
        let Some(bonus) = self.bonus else {
            let outcome = |a: &[_], b: &[_]| forecaster.outcome_probabilities(a, b);
            return Ok(walk.over(games, system, outcome, standings, told)?);
        };
        let forecaster = PartyAdjusted::new(forecaster, bonus);
        let outcome = |a: &[_], b: &[_]| forecaster.outcome_probabilities(a, b);
        let system = PartyAdjusted::new(system, bonus);
        Ok(walk.over(games, &system, outcome, standings, told)?)
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
