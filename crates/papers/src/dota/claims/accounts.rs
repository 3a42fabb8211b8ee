//! Who may play ranked, and the four ratings: DOTA-150, 4MMR, visible, cal10.

use super::inputs::DotaInputs;
use crate::check::prelude::*;
use crate::climb::{ClimbConfig, climb};
use crate::dota::printed::{CALIBRATION_GAMES, GAMES_TO_UNLOCK};
use matchwright_rating::{
    DotaAccount, GaussianRating, MatchKind, MmrTrack, QueuedAs, QueuingPlayer, RatingSystem, RefusalReason,
    Shown, Viewer,
};

pub(crate) const CHECKS: &[Check<DotaInputs>] = &[
    Check::new("DOTA-150", Exact(unlocked)),
    Check::new("DOTA-4MMR", Exact(|inputs| four(inputs, DotaAccount::after_game))),
    Check::new("DOTA-visible", Exact(visible)),
    Check::new("DOTA-cal10", Exact(calibration)),
];

fn unlocked(inputs: &DotaInputs) -> Result<Finding> {
    let rules = &inputs.rules;
    let player = QueuingPlayer::new;
    let may = |party: &[QueuingPlayer]| rules.refusals("all_pick", party).is_empty();
    let first = (0..10_000).find(|&games| may(&[player(games)]));
    let short = rules.refusals("all_pick", &[player(9_999), player(GAMES_TO_UNLOCK - 1)]);
    let one_of_two = matches!(
        short.as_slice(),
        [only] if only.member == Some(1) && matches!(only.reason, RefusalReason::TooFewGames { .. })
    );
    let (mut low, mut coach) = (player(9_999), player(9_999));
    low.low_priority = true;
    coach.coach = true;
    let modes = ["all_pick", "captains_mode", "captains_draft"];
    let offered = |mode: &str| rules.refusals(mode, &[player(9_999)]).is_empty();
    let barred = !may(&[player(9_999), low]) && !may(&[low]);
    Ok(Finding::new()
        .count("games that unlock", first.unwrap_or(u32::MAX).into())
        .count("modes offered", rules.modes.len() as u64)
        .require(first == Some(GAMES_TO_UNLOCK), "unlocked by 150 games")
        .require(one_of_two, "a party is refused for the one member short")
        .require(barred, "nobody from the low-priority pool")
        .require(!may(&[player(9_999), coach]), "no coaches")
        .require(modes.into_iter().all(offered), "the three modes")
        .require(!offered("single_draft") && !offered("random_draft"), "no others"))
}

fn opened(inputs: &DotaInputs) -> Result<DotaAccount> {
    let calibration = inputs.calibration.build()?;
    Ok(calibration.open(GaussianRating::new(2_250.0, 542.0)?))
}

/// What an account is after a game.
pub(crate) type AfterGame = fn(DotaAccount, MmrTrack, GaussianRating) -> DotaAccount;

pub(crate) fn four(inputs: &DotaInputs, after_game: AfterGame) -> Result<Finding> {
    let start = opened(inputs)?;
    let mut others_stay = true;
    let mut own_moves = true;
    // Every order of two games, so that a rating that was moved once is among those that have to stay.
    for first in MmrTrack::ALL {
        for second in MmrTrack::ALL {
            let once = after_game(start, first, GaussianRating::new(2_300.0, 500.0)?);
            let twice = after_game(once, second, GaussianRating::new(2_200.0, 480.0)?);
            own_moves &= twice.rating(second).rating() == 2_200.0;
            let stays = |&track: &MmrTrack| track == second || twice.rating(track) == once.rating(track);
            others_stay &= MmrTrack::ALL.iter().all(stays);
        }
    }
    Ok(Finding::new()
        .count("ratings", MmrTrack::ALL.len() as u64)
        .require(own_moves, "a game moves the rating that it was played for")
        .require(others_stay, "and leaves the other three to the bit"))
}

/// `account` after this many games of `track`.
fn played(mut account: DotaAccount, track: MmrTrack, games: u32) -> Result<DotaAccount> {
    for game in 1..=games {
        let rating = GaussianRating::new(2_250.0 + f64::from(game), 400.0)?;
        account = account.after_game(track, rating);
    }
    Ok(account)
}

pub(crate) fn visible(inputs: &DotaInputs) -> Result<Finding> {
    let fresh = opened(inputs)?;
    let mut wrong = 0;
    let mut cells = 0;
    for track in MmrTrack::ALL {
        let calibrated = played(fresh, track, 50)?;
        for viewer in [Viewer::Owner, Viewer::Friend, Viewer::Other] {
            for (account, is_calibrated) in [(&fresh, false), (&calibrated, true)] {
                let sees = matches!(account.shown(track, viewer), Shown::Mmr(_));
                let may = track.kind == MatchKind::Ranked && viewer != Viewer::Other && is_calibrated;
                cells += 1;
                wrong += u64::from(sees != may);
            }
        }
    }
    Ok(Finding::new()
        .count("cells of the table", cells)
        .count("wrong", wrong)
        .require(wrong == 0, "calibrated ranked MMR: oneself and friends alone"))
}

/// The strength of a newcomer to be calibrated: the 90th of the printed percentiles.
const STRONG: f64 = 3_200.0;

fn calibration(inputs: &DotaInputs) -> Result<Finding> {
    let rules = inputs.calibration.build()?;
    let ranked = |queue| MmrTrack::new(MatchKind::Ranked, queue);
    let (solo, party) = (ranked(QueuedAs::Solo), ranked(QueuedAs::Party));
    let sees = |account: &DotaAccount, track| matches!(account.shown(track, Viewer::Owner), Shown::Mmr(_));
    let games_until_shown = |account: DotaAccount, track| -> Result<Option<u32>> {
        for games in 0..100 {
            if sees(&played(account, track, games)?, track) {
                return Ok(Some(games));
            }
        }
        Ok(None)
    };
    let fresh = opened(inputs)?;
    let (alone, together) = (games_until_shown(fresh, solo)?, games_until_shown(fresh, party)?);
    let done = played(fresh, solo, 50)?;
    let own = done.calibration_games_left(party) == CALIBRATION_GAMES;
    let again = rules.reactivated(done, QueuedAs::Solo);
    let anew = games_until_shown(again, solo)?;
    let wider = again.rating(solo).deviation() > done.rating(solo).deviation();
    let kept = again.rating(solo).rating() == done.rating(solo).rating();
    let games = |found: Option<u32>| found.unwrap_or(u32::MAX).into();
    let ten = Some(CALIBRATION_GAMES);
    let dota = inputs.system.build()?;
    let followed = ClimbConfig {
        games: CALIBRATION_GAMES,
        ..inputs.climb.clone()
    };
    let known = |mmr| GaussianRating::new(mmr, dota.params().floor);
    let start = RatingSystem::initial(&dota);
    let path = climb(&dota, &start, STRONG, known, &followed, inputs.seed)?;
    let shown = path.ratings.last().copied().unwrap_or(f64::NAN);
    Ok(Finding::new()
        .count("games, alone", games(alone))
        .count("in a party", games(together))
        .count("when reactivated", games(anew))
        .require([alone, together, anew] == [ten; 3], "ten games each")
        .require(own, "each of the two has its own calibration")
        .require(wider && kept, "reactivated with the old MMR, less certain")
        .number(
            format!("a newcomer of {STRONG} stands after ten games, on average, at"),
            shown,
            0,
        )
        .completes_page(
            shown < f64::midpoint(start.rating(), STRONG),
            "after ten games a strong newcomer is not half way",
        ))
}
