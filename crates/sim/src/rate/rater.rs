//! [`Rater`]: a rating system and the ratings of its players, fed with pieces of a history; for any system.

use std::ops::Range;

use matchwright_rating::history::{History, PlayerIndex};
use matchwright_rating::{
    Adjust, Adjustments, FixedDraw, LadderParams, Laddered, LadderedRating, Member, OutcomeProbabilities,
    ParamError, PartyAdjusted, PartyBonus, PeriodChoice, RatingEstimate, RatingParams, RatingPeriod,
    RatingSystem, Seasons, ShiftRating, SystemKind, TeamAdapter, TeamRatingSystem, TeamSkill, TimeError,
    Unsupported, WholeFit, WithSystem,
};

use super::batch::{Batch, Known, OpenPeriod};
use super::error::RateError;
use super::pass::{DuelWalk, greet};
use super::period::Clock;
use super::prediction::Standing;
use super::rated::{Estimate, Extras, Rated, RatedPlayer, rank};
use super::seasons::SeasonClock;
use super::team_pass::Walk;
use super::told::Told;

/// Rates games piece by piece, in order of time: each is predicted before it is learnt from.
///
/// [`PairRater`] makes one of any [`RatingSystem`], [`TeamRater`] of any [`TeamRatingSystem`], [`rater_of`] of a system by
/// its name. Object-safe: what takes a rater takes a `&mut dyn Rater`, compiled for the system inside.
pub trait Rater: Send {
    /// Goes on through `games` of a history, whose players are those of earlier pieces and more.
    ///
    /// # Errors
    /// [`RateError`] if time goes back, which a history excludes, and for games that the system cannot take.
    fn over(&mut self, history: &History, games: Range<usize>, told: &mut Told<'_>) -> Result<(), RateError>;

    /// Takes up what was left open, for want of later games.
    fn finish(&mut self, told: &mut Told<'_>) {
        let _ = told;
    }

    /// The rating of a player and its deviation, as the latest game left them; of a newcomer, if there is no such player.
    fn estimate(&self, player: PlayerIndex) -> Estimate;

    /// All players as they stand, by rating; `names` by index.
    fn players(&self, names: &[String]) -> Vec<RatedPlayer>;

    /// Win probabilities of two sides with these ratings in a decided game without home advantage.
    fn decided(&self, side: &[Member<Estimate>], opponents: &[Member<Estimate>]) -> OutcomeProbabilities;
}

const _: Option<&dyn Rater> = None;

/// How a rater tells of a rating what is no estimate.
type Describe<S, R> = Box<dyn Fn(&S, &R) -> Extras + Send + Sync>;

/// Rates with a system for two players; sides are seen through [`TeamAdapter`].
///
/// ```
/// use matchwright_rating::history::{HistoryBuilder, NamedGame};
/// use matchwright_rating::{Glicko2Params, PeriodChoice, Score};
/// use matchwright_sim::rate::{PairRater, Rater, rate};
///
/// let mut builder = HistoryBuilder::default();
/// for time in 0..10 {
///     builder.push(&NamedGame::duel(time, ["ann", "bob"], Score::WIN, 0.0))?;
/// }
/// let mut rater = PairRater::new(Glicko2Params::default().build()?, PeriodChoice::default())?;
/// let rated = rate(&mut rater, &builder.finish(), &[])?;
/// assert_eq!((rated.players[0].player.as_str(), rated.players[0].wins), ("ann", 10));
/// assert!(rated.predictions[9].expected > 0.8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PairRater<S: RatingSystem, A = ()> {
    system: S,
    adjust: A,
    clock: Clock,
    /// The period whose games count at its end, if they do.
    batched: Option<RatingPeriod>,
    team_skill: Option<TeamSkill>,
    bonus: Option<PartyBonus>,
    describe: Describe<S, S::Rating>,
    standings: Vec<Standing<S::Rating>>,
    batch: Batch<S::Rating>,
    seasons: SeasonClock,
}

impl<S: RatingSystem> PairRater<S>
where
    S::Rating: RatingEstimate,
{
    /// No players yet, no home advantage, no weights.
    ///
    /// # Errors
    /// [`ParamError`] for a period out of range.
    pub fn new(system: S, period: PeriodChoice) -> Result<Self, ParamError> {
        let clock = Clock::of(period)?;
        Ok(Self {
            system,
            adjust: (),
            clock,
            batched: match clock {
                Clock::Whole(period) => Some(period),
                Clock::Games | Clock::Fractions(_) => None,
            },
            team_skill: None,
            bonus: None,
            describe: Box::new(|_, rating| Extras::of(rating)),
            standings: Vec::new(),
            batch: Batch::default(),
            seasons: SeasonClock::default(),
        })
    }

    /// The same with what the circumstances of games change.
    pub fn adjusted<A: Adjust<S::Rating>>(self, adjust: A) -> PairRater<S, A> {
        PairRater {
            adjust,
            system: self.system,
            clock: self.clock,
            batched: self.batched,
            team_skill: self.team_skill,
            bonus: self.bonus,
            describe: self.describe,
            standings: self.standings,
            batch: self.batch,
            seasons: self.seasons,
        }
    }
}

impl<S: RatingSystem, A> PairRater<S, A>
where
    S::Rating: RatingEstimate,
{
    /// The same with another view of a side: default the sum of its players where the system keeps deviations, else the mean.
    #[must_use]
    pub const fn seeing_teams_by(mut self, skill: TeamSkill) -> Self {
        self.team_skill = Some(skill);
        self
    }

    /// The same with a party bonus, in games of sides.
    #[must_use]
    pub const fn with_bonus(mut self, bonus: PartyBonus) -> Self {
        self.bonus = Some(bonus);
        self
    }

    /// Every player as the system knows it, by index.
    #[must_use]
    pub fn standings(&self) -> &[Standing<S::Rating>] {
        &self.standings
    }

    /// The same, taken out.
    #[must_use]
    pub fn into_standings(self) -> Vec<Standing<S::Rating>> {
        self.standings
    }
}

/// A system for two players as one for games of sides.
fn teams_of<S>(system: &S, skill: Option<TeamSkill>) -> TeamAdapter<&S, FixedDraw>
where
    S: RatingSystem,
    S::Rating: RatingEstimate + ShiftRating,
{
    let own = match system.initial().deviation() {
        Some(_) => TeamSkill::Sum,
        None => TeamSkill::Mean,
    };
    TeamAdapter::new(system, skill.unwrap_or(own), FixedDraw::NONE)
}

impl<S, A> PairRater<S, A>
where
    S: RatingSystem + Send + Sync,
    S::Rating: RatingEstimate + ShiftRating + Send + Sync,
    A: Adjust<S::Rating> + Send + Sync,
{
    /// Goes on through games of one season, whose players all have standings.
    fn play(&mut self, history: &History, games: Range<usize>, told: &mut Told<'_>) -> Result<(), RateError> {
        let Self {
            system,
            adjust,
            clock,
            standings,
            batch,
            ..
        } = self;
        let (system, adjust, clock) = (&*system, &*adjust, *clock);
        let walk = DuelWalk {
            system,
            adjust,
            clock,
        };
        match (history.duels(), self.batched) {
            (Some(duels), None) => Ok(walk.over(duels, games, standings, told)?),
            (Some(duels), Some(period)) => {
                walk.over_in_batches(period, (duels, games), standings, batch, told);
                Ok(())
            }
            (None, Some(_)) => Err(RateError::BatchOfTeams),
            (None, None) => {
                let teams = teams_of(system, self.team_skill);
                let (circumstances, games) = ((adjust, clock), (history, games));
                Ok(over_sides(
                    &teams,
                    self.bonus,
                    circumstances,
                    games,
                    (standings, None),
                    told,
                )?)
            }
        }
    }
}

impl<S, A> Rater for PairRater<S, A>
where
    S: RatingSystem + Send + Sync,
    S::Rating: RatingEstimate + ShiftRating + Send + Sync,
    A: Adjust<S::Rating> + Send + Sync,
{
    fn over(&mut self, history: &History, games: Range<usize>, told: &mut Told<'_>) -> Result<(), RateError> {
        greet(&self.system.initial(), history, &mut self.standings);
        for (starts, games) in self.seasons.pieces(history, games)? {
            if starts.is_any() {
                self.finish(told);
                starts.change(&self.system.initial(), &mut self.standings);
            }
            self.play(history, games, told)?;
        }
        Ok(())
    }

    fn finish(&mut self, told: &mut Told<'_>) {
        if let Some(period) = self.batched {
            let walk = DuelWalk {
                system: &self.system,
                adjust: &self.adjust,
                clock: self.clock,
            };
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
            (self.describe)(&self.system, rating)
        })
    }

    fn decided(&self, side: &[Member<Estimate>], opponents: &[Member<Estimate>]) -> OutcomeProbabilities {
        let teams = teams_of(&self.system, self.team_skill);
        decided(&teams, self.bonus, side, opponents)
    }
}

/// Rates with a system for teams.
pub struct TeamRater<S: TeamRatingSystem, A = ()> {
    system: S,
    adjust: A,
    clock: Clock,
    bonus: Option<PartyBonus>,
    describe: Describe<S, S::Rating>,
    standings: Vec<Standing<S::Rating>>,
    /// The period whose games count at its end, if they do.
    open: Option<OpenPeriod<S::Rating>>,
    seasons: SeasonClock,
}

impl<S: TeamRatingSystem> TeamRater<S>
where
    S::Rating: RatingEstimate,
{
    /// No players yet, no home advantage, no weights.
    ///
    /// # Errors
    /// [`ParamError`] for a period out of range.
    pub fn new(system: S, period: PeriodChoice) -> Result<Self, ParamError> {
        let clock = Clock::of(period)?;
        Ok(Self {
            system,
            adjust: (),
            clock,
            open: match clock {
                Clock::Whole(period) => Some(OpenPeriod::new(period)),
                Clock::Games | Clock::Fractions(_) => None,
            },
            bonus: None,
            describe: Box::new(|_, rating| Extras::of(rating)),
            standings: Vec::new(),
            seasons: SeasonClock::default(),
        })
    }

    /// The same with what the circumstances of games change.
    pub fn adjusted<A: Adjust<S::Rating>>(self, adjust: A) -> TeamRater<S, A> {
        TeamRater {
            describe: self.describe,
            adjust,
            system: self.system,
            clock: self.clock,
            bonus: self.bonus,
            standings: self.standings,
            open: self.open,
            seasons: self.seasons,
        }
    }
}

impl<S: TeamRatingSystem, A> TeamRater<S, A> {
    /// The same with a party bonus.
    #[must_use]
    pub const fn with_bonus(mut self, bonus: PartyBonus) -> Self {
        self.bonus = Some(bonus);
        self
    }

    /// Every player as the system knows it, by index; in a period whose games count at its end, as before that period.
    #[must_use]
    pub fn standings(&self) -> &[Standing<S::Rating>] {
        self.open.as_ref().map_or(&self.standings, |open| &open.shown)
    }
}

impl<S, A> Rater for TeamRater<S, A>
where
    S: TeamRatingSystem + Send + Sync,
    S::Rating: RatingEstimate + ShiftRating + Send + Sync,
    A: Adjust<S::Rating> + Send + Sync,
{
    fn over(&mut self, history: &History, games: Range<usize>, told: &mut Told<'_>) -> Result<(), RateError> {
        let newcomer = self.system.initial();
        greet(&newcomer, history, &mut self.standings);
        for (starts, games) in self.seasons.pieces(history, games)? {
            if starts.is_any() {
                self.finish(told);
                starts.change(&newcomer, &mut self.standings);
                if let Some(open) = &mut self.open {
                    open.shown.clone_from(&self.standings);
                }
            }
            let (circumstances, games) = ((&self.adjust, self.clock), (history, games));
            let standings = (&mut self.standings[..], self.open.as_mut());
            over_sides(&self.system, self.bonus, circumstances, games, standings, told)?;
        }
        Ok(())
    }

    fn finish(&mut self, told: &mut Told<'_>) {
        if let Some(open) = &mut self.open {
            open.close(&self.system, &mut self.standings, told);
        }
    }

    fn estimate(&self, player: PlayerIndex) -> Estimate {
        let standing = self.standings().get(player as usize);
        standing.map_or_else(
            || Estimate::of(&self.system.initial()),
            |standing| Estimate::of(&standing.rating),
        )
    }

    fn players(&self, names: &[String]) -> Vec<RatedPlayer> {
        rank(names, self.standings(), |rating| {
            (self.describe)(&self.system, rating)
        })
    }

    fn decided(&self, side: &[Member<Estimate>], opponents: &[Member<Estimate>]) -> OutcomeProbabilities {
        decided(&self.system, self.bonus, side, opponents)
    }
}

/// Games of sides, with the party bonus if there is one.
fn over_sides<S, A>(
    system: S,
    bonus: Option<PartyBonus>,
    (adjust, clock): (&A, Clock),
    (history, games): (&History, Range<usize>),
    known: Known<'_, S::Rating>,
    told: &mut Told<'_>,
) -> Result<(), TimeError>
where
    S: TeamRatingSystem + Sync,
    S::Rating: RatingEstimate + ShiftRating + Send + Sync,
    A: Adjust<S::Rating> + Sync,
{
    match bonus {
        None => Walk::new(&system, adjust, clock, history).over_any(games, known, told),
        Some(bonus) => {
            let system = PartyAdjusted::new(system, bonus);
            Walk::new(&system, adjust, clock, history).over_any(games, known, told)
        }
    }
}

/// How two sides fare whose ratings are told from outside, each rated as a newcomer but for what is known of it.
pub(super) fn decided<S>(
    system: &S,
    bonus: Option<PartyBonus>,
    side: &[Member<Estimate>],
    opponents: &[Member<Estimate>],
) -> OutcomeProbabilities
where
    S: TeamRatingSystem,
    S::Rating: RatingEstimate + ShiftRating,
{
    let initial = system.initial();
    let rated = |member: &Member<Estimate>| {
        let moved = initial.shifted(member.rating.rating() - initial.rating());
        let deviation = member.rating.deviation().or(initial.deviation());
        member.with_rating(moved.with_deviation(deviation.unwrap_or(0.0)))
    };
    let [side, opponents] = [side, opponents].map(|side| side.iter().map(rated).collect::<Vec<_>>());
    match bonus {
        Some(bonus) => PartyAdjusted::new(system, bonus).decided_probabilities(&side, &opponents),
        None => system.decided_probabilities(&side, &opponents),
    }
}

/// One pass over a whole history, following the players in `watch`.
///
/// # Errors
/// [`RateError`] names the game that the system cannot take.
pub fn rate(rater: &mut dyn Rater, history: &History, watch: &[PlayerIndex]) -> Result<Rated, RateError> {
    rate_with(rater, history, watch, false)
}

/// As [`rate`], with the games as they looked before them if `with_games`.
pub(super) fn rate_with(
    rater: &mut dyn Rater,
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
        before,
        ..Rated::default()
    })
}

/// The rater of a system by its name, with all that goes with it. A home advantage that is yet to be fitted counts as none.
///
/// # Errors
/// [`RateError`] for settings out of range or that do not go together, and for models of all games at once.
pub fn rater_of(params: &RatingParams) -> Result<Box<dyn Rater>, RateError> {
    params.check()?;
    let layers = Layers {
        period: params.period,
        adjustments: params.adjustments()?,
        team_skill: params.team_skill,
        bonus: params.bonus()?,
        ladder: params.ladder.as_ref(),
        seasons: params.seasons.as_ref(),
    };
    params.system.with(layers)?
}

/// What a ladder shows beside the rating.
fn on_ladder<S, R: RatingEstimate>(ladder: &Laddered<S>, rating: &LadderedRating<R>) -> Extras {
    Extras {
        ladder: Some(ladder.standing(rating)),
        ..Extras::of(rating)
    }
}

/// What goes with any system.
#[derive(Clone, Copy)]
struct Layers<'a> {
    period: PeriodChoice,
    adjustments: Adjustments,
    team_skill: Option<TeamSkill>,
    bonus: Option<PartyBonus>,
    ladder: Option<&'a LadderParams>,
    seasons: Option<&'a Seasons>,
}

impl Layers<'_> {
    fn of_two<S>(self, system: S, describe: Describe<S, S::Rating>) -> Result<Box<dyn Rater>, RateError>
    where
        S: RatingSystem + Send + Sync + 'static,
        S::Rating: RatingEstimate + ShiftRating + Send + Sync + 'static,
    {
        let mut rater = PairRater::new(system, self.period)?.adjusted(self.adjustments);
        (rater.team_skill, rater.bonus) = (self.team_skill, self.bonus);
        rater.describe = describe;
        rater.seasons = SeasonClock::of(self.seasons.cloned());
        Ok(Box::new(rater))
    }

    fn of_teams<S>(self, system: S, describe: Describe<S, S::Rating>) -> Result<Box<dyn Rater>, RateError>
    where
        S: TeamRatingSystem + Send + Sync + 'static,
        S::Rating: RatingEstimate + ShiftRating + Send + Sync + 'static,
    {
        let mut rater = TeamRater::new(system, self.period)?.adjusted(self.adjustments);
        (rater.bonus, rater.describe) = (self.bonus, describe);
        rater.seasons = SeasonClock::of(self.seasons.cloned());
        Ok(Box::new(rater))
    }
}

impl WithSystem for Layers<'_> {
    type Output = Result<Box<dyn Rater>, RateError>;

    fn pairs<S>(self, system: S) -> Self::Output
    where
        S: RatingSystem + Clone + Send + Sync + 'static,
        S::Rating: RatingEstimate + ShiftRating + Send + Sync + 'static,
    {
        match self.ladder {
            None => self.of_two(system, Box::new(|_, rating| Extras::of(rating))),
            Some(ladder) => self.of_two(ladder.wrap(system, self.period)?, Box::new(on_ladder)),
        }
    }

    fn teams<S>(self, system: S) -> Self::Output
    where
        S: TeamRatingSystem + Clone + Send + Sync + 'static,
        S::Rating: RatingEstimate + ShiftRating + Send + Sync + 'static,
    {
        match self.ladder {
            None => self.of_teams(system, Box::new(|_, rating| Extras::of(rating))),
            Some(ladder) => self.of_teams(ladder.wrap(system, self.period)?, Box::new(on_ladder)),
        }
    }

    fn whole(self, _: WholeFit) -> Self::Output {
        let online = |name: matchwright_rating::SystemName| name.kind() != SystemKind::Whole;
        Err(Unsupported::but_for("a stream of matches", online).into())
    }
}
