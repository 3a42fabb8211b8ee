//! [`Accounts`]: a history in which each player has the four ratings of a Dota 2 account.

use std::collections::HashMap;

use matchwright_rating::history::{Game, History, Seat, Side};
use matchwright_rating::{Calibration, GaussianRating, MatchKind, MmrTrack, QueuedAs, Shown, Viewer};
use serde::Serialize;

use super::error::RateError;
use super::rated::RatedPlayer;

/// Which of a player's four ratings it is, and who sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AccountTrack {
    /// Whose it is.
    pub account: String,
    /// Normal or ranked.
    pub kind: MatchKind,
    /// Queued for alone or with a party.
    pub queue: QueuedAs,
    /// Ranked games until it is shown; 0 for normal ones.
    pub calibration_games_left: u32,
    /// What the player and friends see of it, points; others never see it.
    pub visible: Option<f64>,
}

/// A history whose players are the ratings of accounts: a player who played normal and ranked games, alone and with parties,
/// is four, which never mix (Dota 2 blog, "Matchmaking", 2013).
///
/// A game is normal or ranked as its context says, and a player queued with a party where another of its side has the
/// same one. Whatever rates the history rates each of the four by itself.
///
/// ```
/// use matchwright_rating::history::{HistoryBuilder, NamedSeat};
/// use matchwright_rating::{CalibrationParams, RatingParams, SystemName};
/// use matchwright_sim::rate::{Accounts, RateError, rate_games};
///
/// let mut builder = HistoryBuilder::default();
/// for day in 0..12 {
///     let mut game = builder.start(86_400 * day);
///     game.context(if day == 0 { "normal" } else { "ranked" });
///     game.side(1, 0.0).seat(NamedSeat::whole("ann"));
///     game.side(2, 0.0).seat(NamedSeat::whole("bob"));
///     game.finish().unwrap();
/// }
/// let (accounts, history) = Accounts::of(&builder.finish())?;
/// let dota = RatingParams::of(SystemName::Dota);
/// let mut players = rate_games(&dota, &history, 0.5, &[])?.players;
/// accounts.label(&mut players, &CalibrationParams::default().build()?)?;
/// let best = &players[0];
/// assert_eq!((best.player.as_str(), best.games()), ("ann (ranked, solo)", 11));
/// assert_eq!(best.track.as_ref().unwrap().visible, Some(best.rating));
/// # Ok::<(), RateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Accounts {
    /// Whose rating each player of the history is, and which, by its name there.
    parts: HashMap<String, (String, MmrTrack)>,
}

impl Accounts {
    /// Splits a history whose games say `normal` or `ranked`: what was `ann` is `ann (ranked, solo)` and so on. O(n).
    ///
    /// # Errors
    /// [`RateError::Track`] names the first game that says neither.
    pub fn of(history: &History) -> Result<(Self, History), RateError> {
        // Dropped: what is neither is refused where a game has it.
        let kinds: Vec<Option<MatchKind>> = history.contexts().iter().map(|name| name.parse().ok()).collect();
        let split = history.split(
            |game, seat| {
                let index = game.context().map(|context| context as usize);
                let kind = index.and_then(|context| kinds[context]);
                let queue = if is_with_others(game, seat) {
                    QueuedAs::Party
                } else {
                    QueuedAs::Solo
                };
                kind.map(|kind| MmrTrack::new(kind, queue))
                    .ok_or_else(|| RateError::Track {
                        game: game.index() + 1,
                        time: game.time(),
                        context: index.map(|context| history.contexts()[context].clone()),
                    })
            },
            |player, track| format!("{player} ({track})"),
        )?;
        let names = split.history.players().iter().cloned();
        let parts = split.parts.into_iter();
        let parts = parts.map(|(player, track)| (history.players()[player as usize].clone(), track));
        let parts = names.zip(parts).collect();
        Ok((Self { parts }, split.history))
    }

    /// Says of rated players of the split history which rating of whom each is, and who sees it. O(n).
    ///
    /// # Errors
    /// [`RateError::Params`] if a rating is no number of points.
    pub fn label(&self, rated: &mut [RatedPlayer], calibration: &Calibration) -> Result<(), RateError> {
        for one in rated {
            if let Some((account, track)) = self.parts.get(&one.player) {
                one.track = Some(track_of(one, (account.clone(), *track), calibration)?);
            }
        }
        Ok(())
    }
}

/// Whether another player of the side has the party of this one: files may number those who queued alone, too.
fn is_with_others(game: Game<'_>, seat: Seat) -> bool {
    let of_party = |side: Side<'_>| side.seats().filter(|other| other.party == seat.party).count();
    let mut own = game.sides().filter(|side| side.players().contains(&seat.player));
    seat.party.is_some() && own.any(|side| of_party(side) > 1)
}

/// What an account shows of one rating, after the games that led to it.
fn track_of(
    rated: &RatedPlayer,
    (account, track): (String, MmrTrack),
    calibration: &Calibration,
) -> Result<AccountTrack, RateError> {
    let rating = GaussianRating::new(rated.rating, rated.deviation.unwrap_or_default())?;
    // Games after those of a calibration change nothing of what is shown.
    let counted = rated.games().min(calibration.params().games.into());
    let opened = calibration.open(rating);
    let ratings = (0..counted).fold(opened, |ratings, _| ratings.after_game(track, rating));
    Ok(AccountTrack {
        account,
        kind: track.kind,
        queue: track.queue,
        calibration_games_left: ratings.calibration_games_left(track),
        visible: match ratings.shown(track, Viewer::Owner) {
            Shown::Mmr(points) => Some(points),
            Shown::Calibrating { .. } | Shown::Hidden => None,
        },
    })
}
