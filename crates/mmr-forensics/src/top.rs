//! [`top_list`]: the best players by points, beside their hidden ratings.

use crate::amounts::RankPoints;
use crate::season::Division;
use crate::standing::Standing;

/// A player of such a list.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ListedPlayer {
    /// For the table.
    pub name: String,
    /// The points that the list was made from, if they are known apart from the standing.
    pub posted: Option<RankPoints>,
    /// What the player's page showed when it was looked at, perhaps hours later.
    pub standing: Standing,
}

/// Why a player's place by points is not the one by rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Mismatch {
    /// The places are the same.
    None,
    /// The player has unspent bonus points.
    OwnPool,
    /// Players beside have: they are listed too low, which lifts this one.
    OthersPool,
    /// The player has other points than the list says: games were played since.
    PlayedSince,
    /// Players beside have.
    OthersPlayed,
}

/// A row of the list.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TopRow {
    /// Place by points, from 1; ties by name.
    pub place: usize,
    /// Place by rating among the listed.
    pub place_by_rating: usize,
    /// Who.
    pub name: String,
    /// Points, as posted if known.
    pub points: f64,
    /// Unspent bonus points.
    pub unspent: f64,
    /// The rating now: P + U - B + K + C.
    pub rating: f64,
    /// Why the two places differ.
    pub mismatch: Mismatch,
}

/// The first `length` by points, with their ratings beside and each difference explained.
///
/// Points less bonus spent are the rating, so of two players whose pools are equally full the one with more points
/// has the higher rating: a player listed wrongly has another pool than those passed, or has played since the
/// list was made. Cost: n log n for n players, and the square of `length`.
#[must_use]
pub fn top_list(players: &[ListedPlayer], length: usize, division: &Division<'_>) -> Vec<TopRow> {
    let posted = |player: &ListedPlayer| {
        player
            .posted
            .map_or(player.standing.points().get(), RankPoints::get)
    };
    let rating = |player: &ListedPlayer| player.standing.mmr_now(division);
    let mut listed: Vec<&ListedPlayer> = players.iter().collect();
    listed.sort_by(|a, b| posted(b).total_cmp(&posted(a)).then_with(|| a.name.cmp(&b.name)));
    listed.truncate(length);
    let ranked = |place: usize| {
        let ahead = |(other, player): (usize, &&ListedPlayer)| {
            let (own, its) = (rating(listed[place]), rating(player));
            its > own || (its == own && other < place)
        };
        1 + listed.iter().enumerate().filter(|&pair| ahead(pair)).count()
    };
    let places: Vec<usize> = (0..listed.len()).map(ranked).collect();
    let row = |place: usize| {
        let player = listed[place];
        TopRow {
            place: place + 1,
            place_by_rating: places[place],
            name: player.name.clone(),
            points: posted(player),
            unspent: player.standing.unspent().get(),
            rating: rating(player),
            mismatch: mismatch(&listed, &places, place),
        }
    };
    (0..listed.len()).map(row).collect()
}

fn mismatch(listed: &[&ListedPlayer], places: &[usize], place: usize) -> Mismatch {
    if places[place] == place + 1 {
        return Mismatch::None;
    }
    let played = |player: &ListedPlayer| {
        player
            .posted
            .is_some_and(|points| points != player.standing.points())
    };
    if played(listed[place]) {
        return Mismatch::PlayedSince;
    }
    // Those whose order with this player differs between the two rankings.
    let crossed = || {
        let turned = |other: &usize| (*other < place) != (places[*other] < places[place]);
        (0..listed.len()).filter(move |other| *other != place && turned(other))
    };
    let own = listed[place].standing.unspent();
    if crossed().any(|other| own > listed[other].standing.unspent() && !played(listed[other])) {
        return Mismatch::OwnPool;
    }
    if crossed().any(|other| played(listed[other])) {
        return Mismatch::OthersPlayed;
    }
    Mismatch::OthersPool
}
