//! StarCraft II: what the hidden rating is, by `matchwright-mmr-forensics`.

use super::inputs::Sc2Inputs;
use crate::check::prelude::*;
use anyhow::ensure;
use matchwright_mmr_forensics::{
    AfterGame, Averaging, ForensicsError, GameValue, GamesToPromotion, LadderSeason, LadderState, NextGame,
    PerLoss, PerWin, PoolKnowledge, PoolTotal, RankPoints, ShownGame, Standing, Unspent, WinRate,
    games_to_promotion, play_backward, play_forward,
};

pub(crate) const CHECKS: &[Check<Sc2Inputs>] = &[
    Check::new(
        "SC2-Pp",
        Exact(|inputs| differential(inputs, Standing::differential)),
    ),
    Check::new("SC2-Pp0", Exact(|_| first_form(Standing::differential))),
    Check::new("SC2-331", Exact(worked_pair)),
    Check::new("SC2-M", Exact(magic_numbers)),
    Check::new("SC2-C", Exact(conversions)),
    Check::new("SC2-err", Exact(stated_error)),
    Check::new("SC2-G", Exact(games)),
    Check::new("SC2-G24", Exact(per_game)),
    Check::new("SC2-G-never", Exact(never)),
    Check::new("SC2-G-unit", Exact(percent)),
    Check::new("SC2-G-5", Exact(lag)),
    Check::new("SC2-A", Exact(without_bonus)),
    Check::new("SC2-tiers", Exact(tiers)),
    Check::new("SC2-293", Exact(best_of_bronze)),
    Check::new("SC2-retro", Exact(|inputs| backwards(inputs, play_backward))),
    Check::new(
        "SC2-X14",
        Exact(|inputs| spending(inputs, Standing::differential_now)),
    ),
    Check::new("SC2-range", Exact(range)),
    Check::new("SC2-table2", Exact(second_table)),
];

pub(crate) fn standing(points: f64, unspent: f64, total: f64, share: f64) -> Result<Standing> {
    let (points, unspent) = (RankPoints::new(points)?, Unspent::new(unspent)?);
    let (total, share) = (PoolTotal::new(total)?, WinRate::new(share)?);
    Ok(Standing::new(points, unspent, total, share)?)
}

/// How far a player is ahead.
pub(crate) type Differential = fn(&Standing) -> f64;
/// What tells a history backwards.
pub(crate) type Backward = fn(
    LadderState,
    &[ShownGame],
    PoolKnowledge,
    f64,
    &LadderSeason,
) -> Result<Vec<AfterGame>, ForensicsError>;

pub(crate) fn differential(inputs: &Sc2Inputs, differential: Differential) -> Result<Finding> {
    let ladder = inputs;
    let season = ladder.season.clone().build()?;
    let mut off = 0.0;
    for (points, unspent, total, share) in [
        (1000.0, 2000.0, 2669.0, 0.55),
        (3821.0, 9.0, 2671.0, 0.5518),
        (50.0, 0.0, 10.0, 0.0),
    ] {
        let player = standing(points, unspent, total, share)?;
        let formula = points + 2.0 * unspent * share - total;
        deviate(&mut off, differential(&player), formula);
        for league in &ladder.season.leagues {
            for division in season.divisions(&league.name)? {
                let mmr = formula + division.offset() + league.conversion;
                deviate(&mut off, player.mmr(&division), mmr);
            }
        }
    }
    Ok(Finding::new()
        .number("off the formula at most by", off, 3)
        .require(off < 1e-9, "P + 2 U W - B + K, and C more"))
}

pub(crate) fn first_form(differential: Differential) -> Result<Finding> {
    let mut off = 0.0;
    for unspent in [0.0, 9.0, 500.0, 2000.0] {
        let player = standing(1234.0, unspent, 2669.0, 0.5)?;
        let formula = 1234.0 + unspent - 2669.0;
        deviate(&mut off, differential(&player), formula);
        deviate(&mut off, player.differential_now(), formula);
    }
    Ok(Finding::new()
        .number("off P + U - B at W = .5 by", off, 3)
        .require(off < 1e-9, "both forms agree at W = .5"))
}

pub(crate) fn worked_pair(inputs: &Sc2Inputs) -> Result<Finding> {
    let at = |share| standing(1000.0, 2000.0, 2669.0, share);
    let of = |share| Ok::<f64, anyhow::Error>(at(share)?.differential());
    let (even, better) = (of(0.50)?, of(0.55)?);
    let season = inputs.season.clone().build()?;
    let magic = season.league("Diamond")?.magic.unwrap_or(f64::NAN);
    Ok(Finding::new()
        .number("at W .50", even, 0)
        .number("at W .55", better, 0)
        .number("magic number", magic, 0)
        .require(even.round() == 331.0 && better.round() == 531.0, "331 and 531")
        .require(even < magic && better > magic, "below and over the magic number"))
}

fn magic_numbers(inputs: &Sc2Inputs) -> Result<Finding> {
    let season = inputs.season.clone().build()?;
    let mut found = Finding::new();
    let leagues = ["Bronze", "Silver", "Gold", "Platinum", "Diamond"];
    for (league, printed) in leagues.into_iter().zip([500.0, 250.0, 250.0, 250.0, 475.0]) {
        let magic = season.league(league)?.magic.unwrap_or(f64::NAN);
        found = found
            .number(league, magic, 0)
            .require(magic == printed, "the printed magic number");
    }
    let rank_0 = season.division("Bronze", Some("Rank 0"))?;
    let edge = rank_0.edge().unwrap_or(f64::NAN);
    Ok(found
        .number("to pass in Rank 0 Bronze", edge, 0)
        .require(edge == 1000.0, "Bronze's 1000 is that of Rank 0"))
}

fn conversions(inputs: &Sc2Inputs) -> Result<Finding> {
    let season = inputs.season.clone().build()?;
    let printed = [500.0, 1000.0, 1250.0, 1500.0, 1750.0, 2225.0];
    let leagues = &season.params().leagues;
    let mut off = 0.0;
    for pair in leagues.windows(2) {
        let next = pair[0].conversion + pair[0].magic.unwrap_or(f64::NAN);
        deviate(&mut off, pair[1].conversion, next);
    }
    let as_printed = leagues.iter().map(|league| league.conversion).eq(printed);
    let rank_0 = season.division("Bronze", Some("Rank 0"))?;
    let lowest = rank_0.conversion() + rank_0.offset();
    Ok(Finding::new()
        .number("the next one off C + M by", off, 1)
        .number("Rank 0 Bronze adds", lowest, 0)
        .require(as_printed && lowest == 0.0, "the printed constants")
        .require(off < 1e-9, "each is the one below plus its magic number"))
}

fn stated_error(inputs: &Sc2Inputs) -> Result<Finding> {
    let leagues = &inputs.season.leagues;
    // Bronze counts from Rank 0, whose constant is 0.
    let start = leagues.first().map_or(f64::NAN, |league| league.conversion);
    ensure!(!leagues.is_empty(), "a season has leagues");
    let sum = start + leagues.iter().filter_map(|league| league.magic).sum::<f64>();
    Ok(Finding::new()
        .number("sum of the magic numbers", sum, 0)
        .number("with the stated error", sum + 25.0, 0)
        .number("stated error, percent", 100.0 * 25.0 / sum, 1)
        .require(sum == 2225.0 && sum + 25.0 == 2250.0, "2225 and 2250"))
}

fn number(games: GamesToPromotion) -> f64 {
    match games {
        GamesToPromotion::Soon(games) | GamesToPromotion::Games(games) => games,
        GamesToPromotion::Never => f64::INFINITY,
    }
}

pub(crate) fn games(inputs: &Sc2Inputs) -> Result<Finding> {
    let game = inputs.season.game;
    let (a, loss) = (game.per_win.get(), game.per_loss.get());
    let mut off = 0.0;
    for share in [0.5, 0.55, 0.6, 0.75, 1.0] {
        let formula = 5.0 + 144.0 / (share * a + (share - 1.0) * loss);
        let ours = number(games_to_promotion(144.0, WinRate::new(share)?, game, 5.0)?);
        deviate(&mut off, ours, formula);
    }
    let worked = number(games_to_promotion(144.0, WinRate::HALF, game, 5.0)?);
    // As printed, with the pool's total for B.
    let literal = 5.0 + 144.0 / (0.5 * a - 0.5 * 2669.0);
    Ok(Finding::new()
        .number("games from 331 to 475 at W .50", worked, 0)
        .number("with B the pool's total", literal, 2)
        .number("off the corrected form by", off, 3)
        .require(worked == 149.0 && off < 1e-9, "W A + (W - 1) L, with L positive")
        .completes_page(
            literal < 5.0,
            "with the other B of the document, the pool's total, it is nonsense",
        ))
}

pub(crate) fn per_game(inputs: &Sc2Inputs) -> Result<Finding> {
    let game = inputs.season.game;
    let mut off = 0.0;
    for percent in 0..=100 {
        let share = WinRate::from_percent(f64::from(percent))?;
        deviate(&mut off, game.per_game(share), 24.0 * share.get() - 11.0);
    }
    Ok(Finding::new()
        .number("off 24 W - 11 by", off, 3)
        .require(off < 1e-9, "24 W - 11 for 13 and 11 points"))
}

fn never(inputs: &Sc2Inputs) -> Result<Finding> {
    let game = inputs.season.game;
    let at = |share: f64| -> Result<GamesToPromotion> {
        Ok(games_to_promotion(144.0, WinRate::new(share)?, game, 5.0)?)
    };
    let mut found = Finding::new().number("break-even", game.break_even().unwrap_or(f64::NAN), 4);
    for share in [0.0, 0.2, 0.45, 11.0 / 24.0] {
        found = found.require(at(share)? == GamesToPromotion::Never, "never, up to 11 of 24");
    }
    let found = found.require(number(at(0.46)?).is_finite(), "some day, above");
    Ok(found.ours())
}

/// What could have led to 0.0038 games: 5 + (M - Pp) / (24 W - 11), with one slip, two or none.
fn percent(inputs: &Sc2Inputs) -> Result<Finding> {
    let game = inputs.season.game;
    let (win, loss) = (game.per_win.get(), game.per_loss.get());
    let a_game = |share: f64| (win + loss) * share - loss;
    let one_slip = 5.0 + 144.0 / a_game(55.0);
    let two_slips = 5.0 / a_game(55.0);
    // None: this far past the magic number, at a share of wins of .55.
    let past = (5.0 - 0.0038) * a_game(0.55);
    let answer = number(games_to_promotion(-past, WinRate::new(0.55)?, game, 5.0)?);
    let refused = WinRate::new(55.0);
    let hint = refused
        .as_ref()
        .map_or_else(ToString::to_string, |_| String::new());
    let is_refused = matches!(refused, Err(ForensicsError::Percent { .. }));
    Ok(Finding::new()
        .number("5 + 144 / (24 55 - 11)", one_slip, 2)
        .number("5 / (24 55 - 11)", two_slips, 4)
        .number("points past M that give it without a slip at W .55", past, 2)
        .number("games answered there", answer, 0)
        .require(
            (two_slips * 1e4).round() == 38.0,
            "percents, and the 5 divided too",
        )
        .require((past * 100.0).round() == 1_099.0, "or 10.99 points past M")
        .require(answer == 5.0, "where the answer is at most 5 games")
        .require(is_refused, "percents are refused")
        .require(hint.contains("0.55") && hint.contains("percent"), "with a hint")
        .completes_page(one_slip > 5.0, "percents alone do not give 0.0038"))
}

fn lag(inputs: &Sc2Inputs) -> Result<Finding> {
    let average = inputs.season.average;
    let rising: Vec<f64> = (0..40).map(f64::from).collect();
    let mean = average.average(&rising);
    let measured = 39.0 - mean.context("forty ratings have an average")?;
    let said = inputs.season.lag_games;
    Ok(Finding::new()
        .number("games added", said, 1)
        .number("games that the mean lags", measured, 1)
        .require(said == 5.0, "5 games added, as printed")
        .require(average.lag_games() == measured, "the stated lag is measured")
        .require(measured == 4.5, "a mean of ten games lags 4.5")
        .require(measured < said, "so 5 is cautious, rounded up or something else")
        .ours())
}

fn without_bonus(inputs: &Sc2Inputs) -> Result<Finding> {
    let season = inputs.season.clone().build()?;
    let win = season.params().game.per_win.get();
    let play = |unspent: f64| -> Result<(f64, f64)> {
        let start = LadderState {
            points: 100.0,
            unspent,
            total: 200.0,
        };
        let won = NextGame {
            minutes_before: 0.0,
            earned: win,
        };
        let games = play_forward(start, &[won], &season)?;
        let (after, shown) = games.first().context("one game was played")?;
        Ok((shown.change, after.differential_now() - start.differential_now()))
    };
    let (full, empty) = (play(50.0)?, play(0.0)?);
    Ok(Finding::new()
        .number("shown with a pool", full.0, 0)
        .number("without", empty.0, 0)
        .require(full.0 == 26.0 && empty.0 == 13.0, "the bonus doubles points")
        .require([full.1, empty.1] == [13.0; 2], "points less bonus rise by A"))
}

fn tiers(inputs: &Sc2Inputs) -> Result<Finding> {
    let season = inputs.season.clone().build()?;
    let mut found = Finding::new();
    for (place, rank) in (1..=6).enumerate() {
        let tier = format!("Rank {rank}");
        let offset = season.division("Diamond", Some(&tier))?.offset();
        found = found.require(offset == 63.0 * place as f64, "steps of 63");
    }
    for league in ["Silver", "Gold", "Platinum", "Diamond"] {
        let offset = season.division(league, Some("Rank-i"))?.offset();
        found = found.require(offset == -63.0, "Rank-i at -63");
    }
    let rank_0 = season.division("Bronze", Some("Rank 0"))?.offset();
    let rank_6 = season.division("Diamond", Some("6"))?.offset();
    let unknown = season.division("Bronze", Some("Rank F"));
    let master = season.divisions("Master")?;
    let none = matches!(unknown, Err(ForensicsError::Offset { .. }));
    Ok(found
        .number("Rank 6 Diamond", rank_6, 0)
        .number("Rank 0 Bronze", rank_0, 0)
        .require(rank_0 == -500.0, "Rank 0 at -500")
        .require(none, "nothing is worked out for Rank F")
        .require(master.len() == 1 && master[0].offset() == 0.0, "Master has none"))
}

pub(crate) fn best_of_bronze(inputs: &Sc2Inputs) -> Result<Finding> {
    let season = inputs.season.clone().build()?;
    let share = WinRate::from_record(293, 238)?;
    let player = standing(3821.0, 9.0, 2671.0, share.get())?;
    let rank_0 = season.division("Bronze", Some("Rank 0"))?;
    let differential = player.differential();
    let over = differential + rank_0.offset() - rank_0.magic().unwrap_or(f64::NAN);
    let mmr = rank_0.mmr(differential + rank_0.offset());
    let rounded = [over.round(), mmr.round()];
    Ok(Finding::new()
        .number("W", share.get(), 4)
        .number("Pp before K", differential, 2)
        .number("over M", over, 0)
        .number("rating", mmr, 0)
        .require((share.get() * 1e4).round() == 5518.0, ".5518")
        .require((differential * 100.0).round() == 115_993.0, "1159.93, as printed")
        .require(rounded == [160.0, 1160.0], "160 over M, a rating of 1160"))
}

/// A thousand games forwards from so full a pool, the last state, and what a history shows of them.
fn thousand_games(unspent: f64, season: &LadderSeason) -> Result<Vec<(LadderState, ShownGame)>> {
    let start = LadderState {
        points: 500.0,
        unspent,
        total: unspent + 660.0,
    };
    let game = |number: u32| NextGame {
        minutes_before: f64::from(number * 37 % 900),
        earned: match number % 7 {
            0..4 => 8.0 + f64::from(number % 9),
            _ => -7.0 - f64::from(number % 9),
        },
    };
    let games: Vec<NextGame> = (0..1_000).map(game).collect();
    Ok(play_forward(start, &games, season)?)
}

/// How far points less bonus are off, at most, by the document's rule: half of each win was bonus, and all games are
/// taken to have been played at the end.
fn off_by_halves(played: &[(LadderState, ShownGame)]) -> f64 {
    let mut off = 0.0;
    let Some((mut state, _)) = played.last().copied() else {
        return f64::NAN;
    };
    for (truth, shown) in played.iter().rev() {
        deviate(&mut off, state.differential_now(), truth.differential_now());
        state.points -= shown.change;
        state.unspent += 0.5 * shown.change.max(0.0);
    }
    off
}

pub(crate) fn backwards(inputs: &Sc2Inputs, backward: Backward) -> Result<Finding> {
    let season = inputs.season.clone().build()?;
    let off_by_ours = |played: &[(LadderState, ShownGame)], told: bool| -> Result<f64> {
        let end = played.last().context("no game was played")?.0;
        let shown = played.iter().map(|(_, shown)| ShownGame {
            bonus: shown.bonus.filter(|_| told),
            minutes_before: None,
            ..*shown
        });
        let shown: Vec<ShownGame> = shown.collect();
        let after = backward(end, &shown, PoolKnowledge::NeverEmpty, 0.0, &season)?;
        let mut off = if after.len() == played.len() {
            0.0
        } else {
            f64::NAN
        };
        for (after, (state, _)) in after.iter().zip(played) {
            deviate(&mut off, after.differential.middle(), state.differential_now());
            deviate(&mut off, after.points, state.points);
        }
        Ok(off)
    };
    let lasting = thousand_games(20_000.0, &season)?;
    let empty = thousand_games(40.0, &season)?;
    let (by_rule, by_rule_empty) = (off_by_halves(&lasting), off_by_halves(&empty));
    let (ours, told) = (off_by_ours(&lasting, false)?, off_by_ours(&empty, true)?);
    Ok(Finding::new()
        .count("games", lasting.len() as u64)
        .number("the rule off at most by, pool never empty", by_rule, 3)
        .number("ours", ours, 3)
        .number("the rule off by, pool often empty", by_rule_empty, 0)
        .number("ours, told each game's bonus", told, 3)
        .require(by_rule < 1e-9, "half of each win, as long as the pool lasts")
        .require(ours < 1e-9, "ours is that rule")
        .require(
            by_rule_empty > 100.0,
            "more work for a pool often empty, as it says",
        )
        .require(told < 1e-9, "with the bonus of each game, exact for any pool"))
}

/// What the unspent pool is worth for the rating of now: it is spent in games that leave the rating where it is, by the
/// library's play, and the correction must be what the points then say.
pub(crate) fn spending(inputs: &Sc2Inputs, now_of: fn(&Standing) -> f64) -> Result<Finding> {
    let season = inputs.season.clone().build()?;
    let equal = GameValue {
        per_win: PerWin::new(12.0)?,
        per_loss: PerLoss::new(12.0)?,
    };
    let game = |number: u32| NextGame {
        minutes_before: 0.0,
        earned: if number.is_multiple_of(2) { 12.0 } else { -12.0 },
    };
    let games: Vec<NextGame> = (0..150).map(game).collect();
    let start = LadderState {
        points: 1_000.0,
        unspent: 900.0,
        total: 2_669.0,
    };
    let played = play_forward(start, &games, &season)?;
    let (end, _) = played.last().context("no game was played")?;
    let truth = end.points - end.total;
    let mut found = Finding::new()
        .number("unspent points after 150 games at a level rating", end.unspent, 0)
        .number("which were worth", truth - start.points + start.total, 0);
    let (mut off, mut farther) = (0.0, true);
    for share in [0.35, 0.45, 0.55, 0.7] {
        let player = standing(start.points, start.unspent, start.total, share)?;
        let spent = player.differential_spent(equal).unwrap_or(f64::NAN);
        let theirs = (player.differential() - truth).abs();
        deviate(&mut off, now_of(&player), truth);
        farther &= theirs > 10.0 && (spent - truth).abs() > theirs;
        found = found
            .number(format!("W {share}: 2 U W off it by"), theirs, 0)
            .number("a forecast at a fixed W", (spent - truth).abs(), 0);
    }
    Ok(found
        .require(end.unspent == 0.0, "the pool is spent")
        .require(off < 1e-9, "P + U - B is the rating of now")
        .refutes_page(
            farther,
            "2 U W is not, at another W than a half; U (3 W - 1) / W, what its games would bring at that W, is farther",
        ))
}

/// In which range Pp lies: from Silver on no player of a league can have its constant.
fn range(inputs: &Sc2Inputs) -> Result<Finding> {
    let leagues = &inputs.season.leagues;
    let (mut found, mut beyond) = (Finding::new(), true);
    for pair in leagues.windows(2).skip(1) {
        let (own, next) = (&pair[0], &pair[1]);
        let magic = own.magic.unwrap_or(f64::NAN);
        found = found
            .number(
                format!("{}: Pp as high as C is a rating of", own.name),
                2.0 * own.conversion,
                0,
            )
            .require(
                own.conversion + magic == next.conversion,
                "Pp as high as M is where the next league begins",
            );
        beyond &= 2.0 * own.conversion > next.conversion;
    }
    Ok(found
        .require(leagues.len() > 2, "there are leagues")
        .refutes_page(
            beyond,
            "Pp as high as C is beyond the next league's beginning, from Silver on",
        ))
}

/// The tiers of Diamond in the second table beside those of the first.
fn second_table(inputs: &Sc2Inputs) -> Result<Finding> {
    let diamond = inputs
        .season
        .leagues
        .iter()
        .find(|league| league.name == "Diamond");
    let tiers = &diamond.context("a season without Diamond")?.tiers;
    let offsets = tiers.iter().filter_map(|tier| tier.offset);
    let missing: Vec<f64> = offsets
        .filter(|offset| !inputs.second_table.contains(offset))
        .collect();
    Ok(Finding::new()
        .count("tiers of Diamond", tiers.len() as u64)
        .count("in the second table", inputs.second_table.len() as u64)
        .text("not there", format!("{missing:?}"))
        .require(tiers.len() == 7, "seven tiers, as the text has it")
        .refutes_page(missing == [315.0], "Rank 6, +315, is not in the second table"))
}
