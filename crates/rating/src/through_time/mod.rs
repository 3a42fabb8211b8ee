//! TrueSkill Through Time: all skills at all times, from all games.

mod fit;
mod game;
mod history;
mod mixing;
mod params;
mod sweep;

pub use fit::{SkillPoint, ThroughTimeFit};
pub use game::{ThroughTimeError, TimedGame};
pub use params::ThroughTimeParams;

use crate::trueskill::TrueSkill;
use history::History;
use sweep::Sweeps;

/// TrueSkill Through Time: Dangauthier, Herbrich, Minka and Graepel, "TrueSkill Through Time: Revisiting the
/// History of Chess", 2007 (Advances in Neural Information Processing Systems 20, pages 337-344).
///
/// The model of a game is [`TrueSkill`]'s. A player's skill is a random walk with one prior, at the first game:
///
/// ```text
/// s(t_1)            ~ N(mu, sigma^2)                              t_1: the player's first game
/// s(t') given s(t)  ~ N(s(t), gamma^2 (t' - t))                   t, t' in rating periods
/// ```
///
/// TrueSkill learns forward alone: what is found out later about an opponent never reaches an earlier game. Here
/// every skill is judged by all games, before and after, so skills of different years can be compared, and an
/// opponent who was underrated at the time counts as a strong one.
///
/// # Method
/// Expectation propagation. Every game tells each of its players a normal factor of the skill, worked out by
/// TrueSkill's update from what all other games say. What is known of a skill at one time says of it at another
///
/// ```text
/// precision' = precision / (1 + precision gamma^2 dt),   mean' = mean        precision = 1 / variance
/// ```
///
/// A sweep goes forward through all games and back again; what it changes is extrapolated by Anderson's mixing over
/// the last five sweeps. It ends with a sweep that moves no skill by more than
/// [`tolerance`](ThroughTimeParams::tolerance), or after [`max_sweeps`](ThroughTimeParams::max_sweeps);
/// [`ThroughTimeFit::last_change`] is the certificate. Games of the same time share their players' skills, so their
/// order, the numbers of the players and the order of sides do not count, up to what the tolerance leaves open.
///
/// Who of tied sides stands next to whom, in games of three sides and more, is chosen as by TrueSkill: by the settled
/// skills of all other games, and again by those of all games until it stays, six times at most. Such games make a
/// fit two or three times as long.
///
/// # What it leaves out
/// How the errors of two players' skills hang together. Deviations are right where opponents rarely share
/// opponents, and too small in a circle of players who meet each other again and again: of three newcomers who beat
/// each other round, it finds 5.42 points where the model's exact deviation is 5.78.
///
/// Cost: sweeps times seats of all games, twice (more for games of many sides, as in TrueSkill). 10 to 40 sweeps are
/// usual: 100,000 duels among 2,000 players take some 30, and 2 to 4 seconds of one core. Memory: some 400 bytes a
/// seat.
///
/// ```
/// use matchwright_rating::{ThroughTimeParams, TimedGame};
///
/// // Ann beat Bob; ten periods later Bob turned out to be much better than Cid, whom nobody knew.
/// let games = [
///     TimedGame::duel(0.0, 0, 1),
///     TimedGame::duel(10.0, 1, 2),
///     TimedGame::duel(10.0, 1, 2),
/// ];
/// let model = ThroughTimeParams::default().build()?;
/// let (then, now) = (model.fit(3, &games[..1])?, model.fit(3, &games)?);
/// assert!(now.converged() && now.last_change() <= 1e-8);
/// // That tells something of Ann's first game, too.
/// assert!(now.curve(0).unwrap()[0].skill.rating() > then.curve(0).unwrap()[0].skill.rating());
/// // Between two games a skill is less sure than at either.
/// let sigma = |time| now.skill(1, time).unwrap().deviation();
/// assert!(sigma(20.0) > sigma(10.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThroughTime {
    params: ThroughTimeParams,
    system: TrueSkill,
}

impl ThroughTime {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &ThroughTimeParams {
        &self.params
    }

    /// TrueSkill with the same model of a game: tau is 0, and idle skills wander by gamma. Its
    /// [`outcome_probabilities`](crate::TeamRatingSystem::outcome_probabilities) turns fitted skills into win, draw and loss.
    #[must_use]
    pub const fn system(&self) -> &TrueSkill {
        &self.system
    }

    /// The skills of `players`, numbered from 0, at all times, as `games` in any order have them.
    ///
    /// # Errors
    /// [`ThroughTimeError`] that says which game is wrong. That sweeps ended before they settled is no error:
    /// [`ThroughTimeFit::converged`] says so.
    pub fn fit(&self, players: usize, games: &[TimedGame]) -> Result<ThroughTimeFit, ThroughTimeError> {
        game::check(players, games)?;
        let mut sweeps = Sweeps::new(self, History::new(players, games));
        let ending = sweeps.settle(self.params.max_sweeps);
        Ok(ThroughTimeFit::new(
            self.system,
            self.params.tolerance,
            players,
            &mut sweeps,
            ending,
        ))
    }
}
