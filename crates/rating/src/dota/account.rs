//! [`DotaAccount`]: the four ratings of one Dota 2 player, calibration, and who may see them.

use std::fmt;
use std::str::FromStr;

use crate::error::{AMOUNTS, ParamError, within};
use crate::gaussian::GaussianRating;

/// Which games a rating comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MatchKind {
    /// Normal matchmaking, whose rating is never shown.
    Normal,
    /// Ranked matchmaking, whose rating is shown after calibration.
    Ranked,
}

impl FromStr for MatchKind {
    type Err = UnknownKind;

    /// `normal` or `ranked`, in letters of any case.
    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        if text.eq_ignore_ascii_case("ranked") {
            return Ok(Self::Ranked);
        }
        let is_normal = text.eq_ignore_ascii_case("normal");
        is_normal.then_some(Self::Normal).ok_or(UnknownKind)
    }
}

impl fmt::Display for MatchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normal => "normal",
            Self::Ranked => "ranked",
        })
    }
}

/// What is neither normal nor ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("neither `normal` nor `ranked`")]
pub struct UnknownKind;

/// How the player queued for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum QueuedAs {
    /// Alone.
    Solo,
    /// With a party.
    Party,
}

impl fmt::Display for QueuedAs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Solo => "solo",
            Self::Party => "party",
        })
    }
}

/// One of a player's four ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MmrTrack {
    /// Which games.
    pub kind: MatchKind,
    /// How queued.
    pub queue: QueuedAs,
}

impl MmrTrack {
    /// All four.
    pub const ALL: [Self; 4] = [
        Self::new(MatchKind::Normal, QueuedAs::Solo),
        Self::new(MatchKind::Normal, QueuedAs::Party),
        Self::new(MatchKind::Ranked, QueuedAs::Solo),
        Self::new(MatchKind::Ranked, QueuedAs::Party),
    ];

    /// The rating of games of `kind`, queued for in `queue`.
    #[must_use]
    pub const fn new(kind: MatchKind, queue: QueuedAs) -> Self {
        Self { kind, queue }
    }
}

impl fmt::Display for MmrTrack {
    /// `ranked, solo`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.kind, self.queue)
    }
}

/// Who looks at a rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// The player.
    Owner,
    /// A friend of the player.
    Friend,
    /// Anybody else.
    Other,
}

/// What somebody sees of a rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shown {
    /// The MMR, in points.
    Mmr(f64),
    /// That it is being calibrated, and for how many games more.
    Calibrating {
        /// Games until it is shown.
        games_left: u32,
    },
    /// Nothing.
    Hidden,
}

/// A ranked rating and the games until it is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Ranked {
    rating: GaussianRating,
    games_left: u32,
}

/// The four ratings of a player: normal or ranked, queued for alone or with a party. They never mix: a game
/// changes the one that it was played for.
///
/// ```
/// use matchwright_rating::{
///     CalibrationParams, GaussianRating, MatchKind, MmrTrack, QueuedAs, Shown, Viewer,
/// };
///
/// let calibration = CalibrationParams::default().build()?;
/// let mut ann = calibration.open(GaussianRating::new(2250.0, 300.0)?);
/// let ranked = MmrTrack::new(MatchKind::Ranked, QueuedAs::Solo);
/// assert_eq!(ann.rating(ranked).deviation(), 542.0);
/// for game in 1..=10 {
///     assert_eq!(ann.shown(ranked, Viewer::Owner), Shown::Calibrating { games_left: 11 - game });
///     ann = ann.after_game(ranked, GaussianRating::new(2250.0 + 16.0 * f64::from(game), 300.0)?);
/// }
/// assert_eq!(ann.shown(ranked, Viewer::Friend), Shown::Mmr(2410.0));
/// assert_eq!(ann.shown(ranked, Viewer::Other), Shown::Hidden);
/// let other = MmrTrack::new(MatchKind::Ranked, QueuedAs::Party);
/// assert_eq!(ann.shown(other, Viewer::Owner), Shown::Calibrating { games_left: 10 });
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DotaAccount {
    normal_solo: GaussianRating,
    normal_party: GaussianRating,
    ranked_solo: Ranked,
    ranked_party: Ranked,
}

impl DotaAccount {
    /// The rating of `track`.
    #[must_use]
    pub const fn rating(&self, track: MmrTrack) -> &GaussianRating {
        match (track.kind, track.queue) {
            (MatchKind::Normal, QueuedAs::Solo) => &self.normal_solo,
            (MatchKind::Normal, QueuedAs::Party) => &self.normal_party,
            (MatchKind::Ranked, queue) => &self.ranked(queue).rating,
        }
    }

    /// Games of calibration left in `track`; always 0 for normal games.
    #[must_use]
    pub const fn calibration_games_left(&self, track: MmrTrack) -> u32 {
        match track.kind {
            MatchKind::Normal => 0,
            MatchKind::Ranked => self.ranked(track.queue).games_left,
        }
    }

    /// The account after one game of `track` that led to `rating`: the other three ratings stay, and a calibration
    /// has one game less to go.
    #[must_use]
    pub const fn after_game(mut self, track: MmrTrack, rating: GaussianRating) -> Self {
        match (track.kind, track.queue) {
            (MatchKind::Normal, QueuedAs::Solo) => self.normal_solo = rating,
            (MatchKind::Normal, QueuedAs::Party) => self.normal_party = rating,
            (MatchKind::Ranked, queue) => {
                let games_left = self.ranked(queue).games_left.saturating_sub(1);
                *self.ranked_mut(queue) = Ranked { rating, games_left };
            }
        }
        self
    }

    /// What `viewer` sees of `track`: normal ratings never, ranked ones the owner and friends, after
    /// calibration.
    #[must_use]
    pub const fn shown(&self, track: MmrTrack, viewer: Viewer) -> Shown {
        match (track.kind, viewer) {
            (MatchKind::Normal, _) | (_, Viewer::Other) => Shown::Hidden,
            (MatchKind::Ranked, Viewer::Owner | Viewer::Friend) => {
                let Ranked { rating, games_left } = self.ranked(track.queue);
                if *games_left > 0 {
                    Shown::Calibrating {
                        games_left: *games_left,
                    }
                } else {
                    Shown::Mmr(rating.rating())
                }
            }
        }
    }

    const fn ranked(&self, queue: QueuedAs) -> &Ranked {
        match queue {
            QueuedAs::Solo => &self.ranked_solo,
            QueuedAs::Party => &self.ranked_party,
        }
    }

    const fn ranked_mut(&mut self, queue: QueuedAs) -> &mut Ranked {
        match queue {
            QueuedAs::Solo => &mut self.ranked_solo,
            QueuedAs::Party => &mut self.ranked_party,
        }
    }
}

/// The settings of a [`Calibration`], unchecked until [`build`](Self::build).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct CalibrationParams {
    /// Games for which a ranked rating is not shown. Default 10, the source's.
    pub games: u32,
    /// The uncertainty with which a calibration starts, if it was lower; 0 to 1e9 points. Default 542, a newcomer's
    /// in [`DotaMmrParams`](crate::DotaMmrParams): the source calls it high.
    pub uncertainty: f64,
}

impl Default for CalibrationParams {
    fn default() -> Self {
        Self {
            games: 10,
            uncertainty: 542.0,
        }
    }
}

impl CalibrationParams {
    /// The rules of calibration, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<Calibration, ParamError> {
        within("uncertainty", self.uncertainty, AMOUNTS)?;
        Ok(Calibration { params: self })
    }
}

/// How ranked ratings are calibrated; each of the two has its own count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    params: CalibrationParams,
}

impl Calibration {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &CalibrationParams {
        &self.params
    }

    /// The account of a player who starts everywhere with `initial`, ranked with the uncertainty of a calibration.
    #[must_use]
    pub fn open(&self, initial: GaussianRating) -> DotaAccount {
        DotaAccount {
            normal_solo: initial,
            normal_party: initial,
            ranked_solo: self.started(&initial),
            ranked_party: self.started(&initial),
        }
    }

    /// `account` with the calibration of one ranked rating started again, for when it is thought to be wrong: the MMR
    /// stays, the uncertainty rises to that of a calibration, and the rating is hidden for as many games.
    #[must_use]
    pub fn reactivated(&self, mut account: DotaAccount, queue: QueuedAs) -> DotaAccount {
        let rating = account.ranked(queue).rating;
        *account.ranked_mut(queue) = self.started(&rating);
        account
    }

    fn started(&self, rating: &GaussianRating) -> Ranked {
        let uncertainty = rating.deviation().max(self.params.uncertainty);
        Ranked {
            rating: GaussianRating::of(rating.rating(), uncertainty),
            games_left: self.params.games,
        }
    }
}
