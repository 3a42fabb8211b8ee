//! Long series of games, one after the other and all at once: ratings must stay finite.

use std::fmt::Debug;

use crate::laws::law::{Laws, is_sound, require};
use crate::laws::team::{self, law::TeamLaws};
use crate::laws::{Draw, LawViolation};
use crate::score::{GameResult, Score};
use crate::system::{RatingEstimate, RatingSystem};
use crate::team::{Side, TeamGame, TeamRatingSystem};

/// How a career goes.
const CAREERS: [&str; 4] = ["winning all", "losing all", "drawing all", "in turn"];

fn score_of(career: usize, game: u32) -> Score {
    match (career, game % 2) {
        (0, _) | (3, 0) => Score::WIN,
        (1 | 3, _) => Score::LOSS,
        _ => Score::DRAW,
    }
}

/// Opponents of a career; more would only take time.
const OPPONENTS: u32 = 16;

/// The players after each of the careers; every rating on the way must be sound.
fn careers<R: RatingEstimate + Debug>(
    initial: impl Fn() -> R,
    games: u32,
    play: impl Fn(&R, u32, Score) -> Result<R, LawViolation>,
) -> Result<Vec<R>, LawViolation> {
    let career = |(career, name): (usize, &&str)| {
        let mut player = initial();
        for game in 0..games {
            player = play(&player, game, score_of(career, game))?;
            require(is_sound(&player), "careers_stay_finite", || {
                format!("{name}, after game {game} of {games} the player is {player:?}")
            })?;
        }
        Ok(player)
    };
    CAREERS.iter().enumerate().map(career).collect()
}

/// Plays `games` games in a row, one a period, and all at once in one period: by a player who wins
/// all, loses all, draws all, and does both in turn, against the same few drawn opponents.
///
/// Every rating on the way must be finite and fit to be played with. A million games are the career
/// that this crate's own systems are held to.
///
/// # Errors
/// The first [`LawViolation`]; the same one for the same `seed`.
pub fn check_endurance<S>(
    system: &S,
    mut sampler: impl FnMut(&mut Draw) -> S::Rating,
    seed: u64,
    games: u32,
) -> Result<(), LawViolation>
where
    S: RatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let draw = &mut Draw::new(seed);
    let opponents: Vec<S::Rating> = (0..OPPONENTS).map(|_| sampler(draw)).collect();
    let met = |game: u32, score| GameResult::new(opponents[(game % OPPONENTS) as usize].clone(), score);
    let play = |player: &S::Rating, game, score| Ok(system.update(player, 1.0, &[met(game, score)]));
    let players = careers(|| system.initial(), games, play)?;
    for (career, player) in players.iter().enumerate() {
        Laws(system).update_stays_finite(player, 1.0, &[])?;
        let at_once: Vec<_> = (0..games).map(|game| met(game, score_of(career, game))).collect();
        Laws(system).update_stays_finite(&system.initial(), 1.0, &at_once)?;
    }
    Ok(())
}

/// As [`check_endurance`], one game after another, for a player and a partner against two others.
///
/// # Errors
/// The first [`LawViolation`]; the same one for the same `seed`.
pub fn check_team_endurance<S>(
    system: &S,
    mut sampler: impl FnMut(&mut Draw) -> S::Rating,
    seed: u64,
    games: u32,
) -> Result<(), LawViolation>
where
    S: TeamRatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let draw = &mut Draw::new(seed);
    let others: Vec<S::Rating> = (0..OPPONENTS).map(|_| sampler(draw)).collect();
    let other = |game: u32| others[(game % OPPONENTS) as usize].clone();
    let play = |player: &S::Rating, game, score| {
        let place = match score {
            Score::WIN => 1,
            Score::LOSS => 3,
            _ => 2,
        };
        let sides = vec![
            Side::new(place, [system.after_inactivity(player, 1.0), other(game)]),
            Side::new(2, [other(game + 5), other(game + 7)]),
        ];
        let game = team::checked(TeamGame::new(sides))?;
        // Not asked again: who is asked twice may answer twice.
        let after = TeamLaws(system).answer(&game)?;
        // An answer in the game's shape has a first member.
        Ok(after
            .into_iter()
            .flatten()
            .next()
            .unwrap_or_else(|| player.clone()))
    };
    careers(|| system.initial(), games, play).map(drop)
}
