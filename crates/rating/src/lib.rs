//! Who is how good: rating systems, and the probabilities of win, draw and loss that follow from
//! them.
//!
//! # Which system
//!
//! | system | knows | choose it when |
//! |---|---|---|
//! | [`Elo`] | a rating | everyone plays often, or points must be explained in one line |
//! | [`ScheduledElo`] | and games and peak | K should fall with games or rating, as in FIDE's and US Chess's rules |
//! | [`DomMmr`] | and games and streak | newcomers and streaks should move faster, the top slower |
//! | [`Glicko`] | and its deviation | newcomers and returning players should move fast, regulars slowly |
//! | [`Glicko2`] | and a volatility | strength also changes in leaps; the safe choice for online games |
//! | [`DotaMmr`] | and an uncertainty | teams, where surprises unsettle and individual play may count |
//! | [`LadderPoints`] | and displayed points, a bonus pool | a ladder should show something else: a layer around any |
//! | [`Averaged`] | and a moving average, a tier | players are promoted: a layer around any |
//!
//! All of them implement [`RatingSystem`]; the rest of a program need not know which one it got.
//! Games of one rating period are given together; a period may hold one game. Time is an argument:
//! [`RatingPeriod`] turns time stamps into fractional periods, and deviations grow by a closed
//! formula when a player is looked at again, not by a daily job.
//!
//! Teams and games of many sides are rated by a [`TeamRatingSystem`], from one [`TeamGame`] at a time:
//!
//! | system | knows | choose it when |
//! |---|---|---|
//! | [`TrueSkill`] | mean and deviation, draws from a margin | teams change, people come late, few games must do |
//! | [`WengLin`] | mean and deviation | the same without iteration; Plackett-Luce for very many sides |
//! | [`EloMmr`] | mean, deviation and latest performances | ranked games of many; one bad day should not count much |
//! | [`DotaMmr`] | mean and uncertainty, and who played how well | as above |
//! | [`TeamAdapter`] | what the system inside knows | a system for two players is to rate sides too |
//! | [`PartyAdjusted`] | and what queuing together is worth ([`fit_party_bonus`]) | friends play as one: around any |
//!
//! A closed list of games, such as a tournament's or a season's, is rated at once:
//!
//! | model | knows | choose it when |
//! |---|---|---|
//! | [`BradleyTerry`] | strengths, their errors, what moving first is worth | all games count alike, in any order |
//! | [`ThroughTime`] | mean and deviation at any time, from games before and after | skills change meanwhile |
//!
//! [`HomeAdvantage`] goes with any system where moving first, or playing at home, is worth something; [`MarginWeight`]
//! where a win by more says more; [`update_game_weighted`] where players of a side did unequal shares of it.
//!
//! What is not won by players but built, such as a base with a rating for attack and one for defence, is compared by
//! [`BaseOdds`].
//!
//! Ratings under ids of your own, game by game, saved and loaded, and put right when a past game is retracted or
//! inserted, are kept by a [`RatingStore`](store::RatingStore).
//!
//! # Which outcome model
//!
//! A rating system expects a score; win, draw and loss apart need an [`DrawModel`]:
//! [`FixedDraw`] if draws are equally likely at any gap (EOMM's 20 %), [`Davidson`] or
//! [`RaoKupper`] if they get rarer with it, as they do in chess and football. The rate of draws
//! between equals is theirs to be told, or fitted by [`fit_draw_probability`].
//!
//! # Example
//!
//! Rate two players through a week, then ask how their next game will end:
//!
//! ```
//! use matchwright_rating::{
//!     DrawModel, FixedDraw, Glicko2Params, RatingPeriod, RatingSystem, Score,
//! };
//!
//! let system = Glicko2Params::default().build()?;
//! let day = RatingPeriod::days(1.0)?;
//! let (mut ann, mut bob) = (system.initial(), system.initial());
//! let mut last = 1_700_000_000;
//! let games = [(1_700_000_000, Score::WIN), (1_700_090_000, Score::DRAW), (1_700_500_000, Score::WIN)];
//! for (time, score) in games {
//!     let elapsed = day.elapsed(last, time)?;
//!     // Both from the ratings just before the game, which the time since the last one has made less sure.
//!     (ann, bob) = system.update_pair((&ann, elapsed), (&bob, elapsed), score);
//!     last = time;
//! }
//! assert!(ann.rating() > 1600.0 && ann.deviation() < 350.0);
//!
//! let (e, reverse) = (system.expected_score(&ann, &bob), system.expected_score(&bob, &ann));
//! let next = FixedDraw::EOMM.outcome_probabilities(e, reverse);
//! assert!(next.win > next.loss);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A system by its name
//!
//! A program whose users choose takes [`RatingParams`]: a system by its [`SystemName`] with its settings, and what goes with any
//! (period, home advantage, margin, performances, party bonus, ladder, draws). [`AnyParams::with`] hands the system itself to a
//! visitor; stores and services take one whose ratings are of one type, whichever it is:
//!
//! ```
//! use matchwright_rating::{RatingEstimate, RatingSystem, Score, SystemName};
//!
//! for name in SystemName::ALL {
//!     let Some(system) = name.params().build_pairs()? else { continue };
//!     let newcomer = system.initial();
//!     let (winner, loser) = system.update_pair((&newcomer, 1.0), (&newcomer, 1.0), Score::WIN);
//!     assert!(winner.rating() > loser.rating(), "{name}");
//! }
//! # Ok::<(), matchwright_rating::ParamError>(())
//! ```
//!
//! Documents of settings, as tuning writes them, are read by `RatingDocument`, whose errors say line, column and the keys that there
//! are.
//!
//! # Features
//! - `serde`: ratings, parameters and models as data; what is read is checked.
//! - `toml`, `json`: `RatingDocument`, systems and their settings as a document.
//! - `store`: ratings under ids of the caller's own (module `store`), saved in a file.
//! - `history`: games in order of time (module `history`), checked and compact.
//! - `laws`: the contracts of [`RatingSystem`] and [`TeamRatingSystem`] as suites that anyone can run on an
//!   implementation.

mod adjust;
mod advantage;
mod blend;
mod bradley_terry;
mod decay;
mod dom;
mod dota;
mod draw;
mod elo;
mod elo_mmr;
mod error;
mod floors;
mod gaussian;
mod glickman;
mod glicko;
mod glicko2;
#[cfg(feature = "history")]
pub mod history;
mod ladder;
#[cfg(feature = "laws")]
pub mod laws;
mod limit;
mod margin;
mod normal;
#[cfg(feature = "serde")]
mod packed;
mod party;
mod periods;
mod registry;
mod score;
mod season;
mod sigmoid;
#[cfg(feature = "store")]
pub mod store;
mod sum;
mod system;
mod team;
mod through_time;
mod trueskill;
mod tunable;
mod weng_lin;

pub use adjust::{Adjust, Adjustments, DuelFacts, TeamFacts, mean_rating};
pub use advantage::{AdvantageError, HomeAdvantage, fit_home_advantage};
pub use blend::ContextBlend;
pub use bradley_terry::{
    AdvantageEstimate, BradleyTerry, BradleyTerryError, BradleyTerryFit, BradleyTerryParams,
    BradleyTerryPrior, Comparison, Connectivity,
};
pub use decay::{Decay, DecayParams};
pub use dom::{
    BaseComparison, BaseOdds, BaseOddsParams, BaseRating, DomLedger, DomMmr, DomMmrParams, DomRating,
    KReason, KeepSum, PointsLedger, PullError, PulledRatings, RatingSpread, SeasonPull, SeasonPullParams,
    nearest_bases,
};
pub use dota::{
    Calibration, CalibrationParams, DotaAccount, DotaMmr, DotaMmrParams, MatchKind, MmrTrack, NormalFit,
    PercentileError, PercentileTable, PerformanceError, QueuedAs, QueuingPlayer, RankedRules, Refusal,
    RefusalReason, Shown, UnknownKind, Viewer,
};
pub use draw::{
    Davidson, DrawChoice, DrawKind, DrawModel, FitError, FixedDraw, OutcomeProbabilities, RaoKupper,
    fit_draw_probability,
};
pub use elo::{
    Elo, EloCurve, EloParams, EloRating, KSchedule, ScheduledElo, ScheduledEloParams, ScheduledRating,
};
pub use elo_mmr::{EloMmr, EloMmrParams, EloMmrRating};
pub use error::ParamError;
pub use floors::RankFloors;
pub use gaussian::GaussianRating;
pub use glicko::{Glicko, GlickoParams};
pub use glicko2::{Glicko2, Glicko2Params, Glicko2Rating};
pub use ladder::{
    AverageWindow, Averaged, AveragedParams, AveragedRating, BonusPool, BonusPoolParams, LadderParams,
    LadderPoints, LadderPointsParams, LadderStanding, Laddered, LadderedRating, MovingAverage, PointsRating,
};
pub use limit::RATING_LIMIT;
pub use margin::{MarginWeight, PerformanceWeight, update_game_weighted, weighted_update};
pub use party::{
    Identification, PartyAdjusted, PartyBonus, PartyBonusFit, PartyBonusParams, PartyCoefficient,
    PartyFitError, PartyFitOptions, PartyTerm, PointEstimate, fit_party_bonus,
};
pub use periods::{PeriodChoice, RatingPeriod, TimeError};
pub use registry::{
    AdvantageChoice, AnyParams, AnyRating, AnySystem, AnyTeamSystem, RatingParams, RatingParamsError,
    SystemKind, SystemName, SystemSettings, UnknownSystem, Unsupported, WholeFit, WithSystem,
};
#[cfg(feature = "serde")]
pub use registry::{DocumentError, RatingDocument};
pub use score::{GameResult, Score};
pub use season::{SeasonChange, Seasons};
pub use system::{RatingEstimate, RatingSystem};
pub use team::{
    GameError, Member, PlaceProbabilities, ShiftRating, Side, TeamAdapter, TeamGame, TeamRatingSystem,
    TeamSkill,
};
pub use through_time::{
    SkillPoint, ThroughTime, ThroughTimeError, ThroughTimeFit, ThroughTimeParams, TimedGame,
};
pub use trueskill::{TrueSkill, TrueSkillParams};
pub use tunable::{Scale, Tunable, knobs_of, turned};
pub use weng_lin::{WengLin, WengLinGamma, WengLinModel, WengLinParams};

/// The code of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
