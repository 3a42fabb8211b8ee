//! Careers of many games, one after the other and all at once: nothing may leave its limits.

use crate::laws::law::update_stays_finite;
use crate::laws::{Draw, LawViolation, team};
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
    let met = |career, game: u32| {
        let opponent = opponents[(game % OPPONENTS) as usize].clone();
        GameResult::new(opponent, score_of(career, game))
    };
    for (career, name) in CAREERS.iter().enumerate() {
        let mut player = system.initial();
        for game in 0..games {
            player = system.update(&player, 1.0, &[met(career, game)]);
            let deviation = player.deviation();
            let sound = player.rating().is_finite() && deviation.is_none_or(|d| d.is_finite() && d >= 0.0);
            if !sound {
                let detail = format!("{name}, after game {game} of {games} the player is {player:?}");
                let law = "careers_stay_finite";
                return Err(LawViolation { law, detail });
            }
        }
        update_stays_finite(system, &player, 1.0, &[])?;
        let at_once: Vec<_> = (0..games).map(|game| met(career, game)).collect();
        update_stays_finite(system, &system.initial(), 1.0, &at_once)?;
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
    for (career, name) in CAREERS.iter().enumerate() {
        let mut player = system.initial();
        for played in 0..games {
            let place = match score_of(career, played) {
                Score::WIN => 1,
                Score::LOSS => 3,
                _ => 2,
            };
            let sides = vec![
                Side::new(place, [system.after_inactivity(&player, 1.0), other(played)]),
                Side::new(2, [other(played + 5), other(played + 7)]),
            ];
            let game = team::checked(TeamGame::new(sides))?;
            let Some(next) = team::law::answer(system, &game)?.into_iter().flatten().next() else {
                // An answer in the game's shape has a first member.
                break;
            };
            // Not asked again: who is asked twice may answer twice.
            let sound =
                next.rating().is_finite() && next.deviation().is_none_or(|d| d.is_finite() && d >= 0.0);
            if !sound {
                let detail = format!("{name}, after game {played} of {games} the player is {next:?}");
                let law = "careers_stay_finite";
                return Err(LawViolation { law, detail });
            }
            player = next;
        }
    }
    Ok(())
}
