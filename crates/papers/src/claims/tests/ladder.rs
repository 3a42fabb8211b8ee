//! Checks of the hidden rating are seen to fail, each for a season, a form or a ladder that is wrong.

use crate::sc2::{Brier, Held, LeagueDebt, PoolRow, TierShares, WorldReport};
use matchwright_mmr_forensics::{
    AfterGame, Division, ForensicsError, GameValue, GamesToPromotion, LadderSeason, LadderState,
    ListedPlayer, Mismatch, MovingAverage, PerLoss, PoolKnowledge, ShownGame, Standing, TopRow, WinRate,
    games_to_promotion, play_backward, top_list,
};

use super::{breaks, holds, inputs};
use crate::claims::inputs::Inputs;
use crate::sc2::claims::inputs::Sc2Inputs;

fn with(harm: impl FnOnce(&mut Sc2Inputs)) -> Inputs {
    let mut wrong = inputs();
    harm(&mut wrong.sc2);
    wrong
}

fn without_share(player: &Standing) -> f64 {
    player.points().get() + player.unspent().get() * player.share().get() - player.total().get()
}

fn two_u_w(player: &Standing, game: GameValue) -> Option<f64> {
    player.differential_spent(game).map(|_| player.differential())
}

fn always(
    distance: f64,
    share: WinRate,
    game: GameValue,
    lag: f64,
) -> Result<GamesToPromotion, ForensicsError> {
    Ok(match games_to_promotion(distance, share, game, lag)? {
        GamesToPromotion::Never => GamesToPromotion::Games(1e6),
        other => other,
    })
}

fn of_percent(share: f64) -> Result<WinRate, ForensicsError> {
    WinRate::new(share).or_else(|_| WinRate::from_percent(share))
}

fn all_bonus(
    end: LadderState,
    games: &[ShownGame],
    pool: PoolKnowledge,
    expired: f64,
    season: &LadderSeason,
) -> Result<Vec<AfterGame>, ForensicsError> {
    let hidden: Vec<ShownGame> = games
        .iter()
        .map(|game| ShownGame {
            bonus: Some(0.0),
            ..*game
        })
        .collect();
    play_backward(end, &hidden, pool, expired, season)
}

fn unexplained(players: &[ListedPlayer], length: usize, division: &Division<'_>) -> Vec<TopRow> {
    let mut rows = top_list(players, length, division);
    for row in &mut rows {
        row.mismatch = Mismatch::None;
    }
    rows
}

#[test]
fn checks_of_the_arithmetic_notice_other_forms() {
    for id in ["SC2-Pp", "SC2-Pp0", "SC2-331", "SC2-293"] {
        breaks(id, &with(|ladder| ladder.differential = without_share));
    }
    breaks("SC2-X14", &with(|ladder| ladder.spent = two_u_w));
    breaks("SC2-G-never", &with(|ladder| ladder.games = always));
    breaks("SC2-G-unit", &with(|ladder| ladder.share = of_percent));
    breaks("SC2-retro", &with(|ladder| ladder.backward = all_bonus));
    breaks("SC2-top200", &with(|ladder| ladder.top = unexplained));
    breaks("SC2-snap", &with(|ladder| ladder.top = unexplained));
    breaks(
        "SC2-promo",
        &with(|ladder| ladder.average = MovingAverage::Simple { games: 5 }),
    );
}

#[test]
fn checks_of_the_season_notice_other_constants() {
    let games = |ladder: &mut Sc2Inputs| ladder.season.game.per_loss = PerLoss::new(10.0).unwrap();
    for id in ["SC2-G", "SC2-G24", "SC2-G-never"] {
        breaks(id, &with(games));
    }
    breaks(
        "SC2-G-5",
        &with(|ladder| ladder.season.average = MovingAverage::Simple { games: 11 }),
    );
    breaks("SC2-G-5", &with(|ladder| ladder.season.lag_games = 4.5));
    let moved = |ladder: &mut Sc2Inputs| {
        ladder.season.leagues[4].magic = Some(450.0);
        ladder.season.leagues[5].conversion = 2200.0;
    };
    for id in ["SC2-M", "SC2-C", "SC2-err", "SC2-detect"] {
        breaks(id, &with(moved));
    }
    breaks(
        "SC2-331",
        &with(|ladder| {
            ladder.season.leagues[4].magic = Some(300.0);
            ladder.season.leagues[5].conversion = 2050.0;
        }),
    );
    breaks(
        "SC2-tiers",
        &with(|ladder| ladder.season.leagues[4].tiers[3].offset = Some(125.0)),
    );
    breaks(
        "SC2-tiers",
        &with(|ladder| ladder.season.leagues[0].tiers[2].offset = Some(0.0)),
    );
    breaks(
        "SC2-293",
        &with(|ladder| ladder.season.leagues[0].tiers[1].offset = Some(-490.0)),
    );
    breaks(
        "SC2-A",
        &with(|ladder| ladder.season.game.per_win = matchwright_mmr_forensics::PerWin::new(14.0).unwrap()),
    );
}

/// A report as it should be.
fn fitting() -> WorldReport {
    let held = Held {
        intervals: 100,
        held: 95,
    };
    let brier = Brier {
        forecasts: 1_000,
        ours: 20.0,
        rule: 40.0,
    };
    let row = |up_to: f64| PoolRow {
        up_to,
        players: 200,
        squares: up_to * up_to,
    };
    WorldReport {
        tiers: TierShares {
            divisions: 100,
            right: 97,
            right_by_cluster: 96,
            claimed: 97.0,
        },
        conversion: held,
        magic: held,
        offset: held,
        offset_trusted: held,
        averages_told: 6,
        averages_compared: 6,
        promotions: 1_000,
        brier,
        brier_top: brier,
        pool: [10.0, 50.0, 100.0, 200.0].map(row).to_vec(),
        debts: vec![LeagueDebt {
            league: "Bronze".to_owned(),
            truth: 2.0,
            estimates: vec![2.0],
            held: 1,
        }],
    }
}

#[test]
fn checks_of_ladders_hold_on_a_report_that_fits_and_notice_one_that_does_not() {
    let after = |harm: fn(&mut WorldReport)| {
        let mut report = fitting();
        harm(&mut report);
        inputs().with_ladders(report)
    };
    let fits = after(|_| {});
    for id in ["SC2-acc", "SC2-detect", "SC2-smapred", "SC2-modma"] {
        holds(id, &fits);
    }
    breaks("SC2-acc", &after(|report| report.pool[2].squares = 1.0));
    breaks("SC2-acc", &after(|report| report.pool.truncate(1)));
    breaks("SC2-detect", &after(|report| report.tiers.right = 90));
    breaks("SC2-detect", &after(|report| report.tiers.right_by_cluster = 80));
    breaks("SC2-smapred", &after(|report| report.brier_top.ours = 45.0));
    breaks("SC2-smapred", &after(|report| report.brier.ours = 100.0));
    breaks("SC2-modma", &after(|report| report.averages_told = 5));
}

#[test]
fn the_check_of_absence_notices_a_ladder_without_debts() {
    breaks(
        "SC2-inact",
        &with(|ladder| {
            ladder.world.divisions = 12;
            ladder.world.debt = 0.0;
            ladder.world.debt_by_league = 0.0;
        }),
    );
}
