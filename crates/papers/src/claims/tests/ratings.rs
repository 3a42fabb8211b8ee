//! Checks of ratings are seen to fail, each for a system, a setting or a print that is wrong.

use crate::dota::run_parties;
use matchwright_rating::{
    BaseOdds, BaseRating, BradleyTerryParams, DomMmr, DomMmrParams, DomRating, DotaAccount, GaussianRating,
    KeepSum, MatchKind, MmrTrack, MovingAverage, PercentileTable, QueuedAs, SeasonPull, Shown, Viewer,
};

use super::{breaks, holds, inputs};
use crate::claims::inputs::Inputs;

/// The inputs with something wrong in them.
fn with(harm: impl FnOnce(&mut Inputs)) -> Inputs {
    let mut wrong = inputs();
    harm(&mut wrong);
    wrong
}

/// Every game counts as ranked too.
fn mixed(account: DotaAccount, track: MmrTrack, rating: GaussianRating) -> DotaAccount {
    let both = MmrTrack::new(MatchKind::Ranked, track.queue);
    account.after_game(track, rating).after_game(both, rating)
}

/// Everybody sees what the owner sees.
fn open_to_all(account: &DotaAccount, track: MmrTrack, _: Viewer) -> Shown {
    account.shown(track, Viewer::Owner)
}

/// Shown from the first game on.
fn at_once(account: &DotaAccount, track: MmrTrack, _: Viewer) -> Shown {
    Shown::Mmr(account.rating(track).rating())
}

/// Both ranked ratings share a calibration.
fn one_calibration(account: DotaAccount, track: MmrTrack, rating: GaussianRating) -> DotaAccount {
    let other = MmrTrack::new(MatchKind::Ranked, QueuedAs::Party);
    account
        .after_game(track, rating)
        .after_game(other, *account.rating(other))
}

/// A point too high.
fn shifted(rows: &[(f64, f64)]) -> Result<PercentileTable, matchwright_rating::PercentileError> {
    let rows: Vec<(f64, f64)> = rows.iter().map(|row| (row.0, row.1 + 1.0)).collect();
    PercentileTable::new(&rows)
}

/// Offence counts for nothing.
fn defence_alone(odds: &BaseOdds, a: &BaseRating, b: &BaseRating) -> f64 {
    let ratio = (a.defence() / b.defence()).powf(odds.params().exponent);
    ratio / (1.0 + ratio)
}

/// The percentage of the document.
fn percent(_: &BaseOdds, a: &BaseRating, b: &BaseRating) -> f64 {
    let delta = (a.defence() - b.defence()) / b.defence();
    1.0 / (1.0 + (-10.0 * 1.5_f64.ln() * delta).exp())
}

/// Half of K.
fn half(dom: &DomMmr, rating: &DomRating) -> f64 {
    0.5 * dom.k(rating)
}

/// All to one place, so that no order is left.
fn to_the_centre(_: &SeasonPull, _: f64) -> f64 {
    12_000.0
}

#[test]
fn checks_of_accounts_notice_other_rules_and_ratings_that_mix() {
    breaks("DOTA-150", &with(|r| r.dota.rules.min_games = 140));
    breaks("DOTA-150", &with(|r| r.dota.rules.coaches = true));
    breaks("DOTA-150", &with(|r| r.dota.rules.low_priority = true));
    breaks(
        "DOTA-150",
        &with(|r| r.dota.rules.modes.push("single_draft".to_owned())),
    );
    breaks("DOTA-4MMR", &with(|r| r.dota.after_game = mixed));
    breaks("DOTA-visible", &with(|r| r.dota.shown = open_to_all));
    breaks("DOTA-visible", &with(|r| r.dota.shown = at_once));
    breaks("DOTA-cal10", &with(|r| r.dota.shown = at_once));
    breaks("DOTA-cal10", &with(|r| r.dota.calibration.games = 9));
    breaks("DOTA-cal10", &with(|r| r.dota.after_game = one_calibration));
}

#[test]
fn checks_of_the_rating_notice_what_performance_and_surprise_no_longer_do() {
    breaks("DOTA-perf", &with(|r| r.dota.system.performance_weight = 0.0));
    breaks("DOTA-perf", &with(|r| r.dota.system.performance_weight = 1.0));
    breaks("DOTA-anom", &with(|r| r.dota.system.performance_weight = 0.0));
    breaks(
        "DOTA-avg",
        &with(|r| {
            r.dota.perform = |dota, game, played| {
                let mut after = dota.update_with_performance(game, played)?;
                for one in &mut after[0] {
                    if let Ok(lower) = GaussianRating::new(one.rating() - 3.0, one.deviation()) {
                        *one = lower;
                    }
                }
                Ok(after)
            };
        }),
    );
    breaks("DOTA-unc", &with(|r| r.dota.system.gain_above = 0.0));
    breaks("DOTA-unc", &with(|r| r.dota.system.gain_below = 0.0));
    breaks("DOTA-unc", &with(|r| r.dota.system.max_uncertainty = 200.0));
}

#[test]
fn the_check_of_percentiles_notices_another_print_another_curve_and_a_normal_table() {
    breaks("DOTA-pct", &with(|r| r.dota.percentiles.truncate(7)));
    breaks("DOTA-pct", &with(|r| r.dota.percentiles[3].1 = 1_900.0));
    breaks("DOTA-pct", &with(|r| r.dota.table = shifted));
    // Were the print normal, the correction would be none.
    let z = [-1.645, -1.2816, -0.6745, 0.0, 0.6745, 1.2816, 1.645, 2.3263];
    breaks(
        "DOTA-pct",
        &with(|r| {
            for (row, z) in r.dota.percentiles.iter_mut().zip(z) {
                row.1 = 2_351.0 + 819.0 * z;
            }
        }),
    );
}

#[test]
fn checks_of_the_printed_match_notice_another_line_and_another_print() {
    for id in ["DOTA-AdjD", "DOTA-AdjC"] {
        breaks(id, &with(|r| r.dota.bonus.spread_points = 0.022));
        breaks(id, &with(|r| r.dota.bonus.size_points = [1.0; 4]));
    }
    breaks("DOTA-AdjF", &with(|r| r.dota.bonus.free_spread = 0.0));
    // One that is 0 for F: +1 is beyond every fraction.
    breaks("DOTA-AdjF", &with(|r| r.dota.bonus.free_spread = 200.0));
    breaks(
        "DOTA-AdjF",
        &with(|r| r.dota.printed_match[0][3].adjusted = 2_628.0),
    );
    // If both were +1, whole numbers would do, and there would be nothing to correct.
    breaks(
        "DOTA-AdjF",
        &with(|r| r.dota.printed_match[0][1].adjusted = 2_789.0),
    );
    breaks(
        "DOTA-AdjF",
        &with(|r| r.dota.printed_match[1][3].adjusted = 2_673.0),
    );
    breaks("DOTA-tot", &with(|r| r.dota.totals[1] = 13_503.0));
    breaks("DOTA-tot", &with(|r| r.dota.bonus.spread_points = 0.03));
}

#[test]
fn the_check_of_the_regression_notices_a_bias_and_intervals_of_another_width() {
    let few = |r: &mut Inputs| r.dota.parties.games = 1_000;
    breaks(
        "DOTA-logreg",
        &with(|r| {
            few(r);
            r.dota.run_parties = |config, seed| {
                let mut report = run_parties(config, seed)?;
                report.terms[2].estimate.mean *= 1.5;
                Ok(report)
            };
        }),
    );
    breaks(
        "DOTA-logreg",
        &with(|r| {
            few(r);
            r.dota.run_parties = |config, seed| {
                let mut report = run_parties(config, seed)?;
                report.terms[4].coverage.mean = 1.0;
                Ok(report)
            };
        }),
    );
}

#[test]
fn checks_of_bases_notice_one_rating_and_a_percentage_that_is_not_antisymmetric() {
    breaks("DOM-OD", &with(|r| r.dominations.base_odds = defence_alone));
    holds("DOM-10-60", &with(|r| r.dominations.base_odds = defence_alone));
    breaks("DOM-10-60", &with(|r| r.dominations.base_odds = percent));
    breaks("DOM-10-60", &with(|r| r.dominations.bases.exponent = 4.0));
    breaks("DOM-notgood", &with(|r| r.dominations.bases.good_delta = 0.2));
}

#[test]
fn checks_of_k_notice_a_constant_one() {
    for id in ["DOM-Knew", "DOM-Kstreak", "DOM-Khigh", "DOM-shark", "DOM-inflate"] {
        breaks(
            id,
            &with(|r| r.dominations.system = DomMmrParams::constant_k(128.0)),
        );
    }
    breaks("DOM-Kmax", &with(|r| r.dominations.k = half));
    breaks("DOM-Knew", &with(|r| r.dominations.system.newcomer_games = 1_000));
    breaks("DOM-Kstreak", &with(|r| r.dominations.system.streak_from = 1));
    breaks("DOM-Khigh", &with(|r| r.dominations.system.high_k = 128.0));
    breaks("DOM-shark", &with(|r| r.dominations.system.newcomer_games = 0));
    breaks(
        "DOM-inflate",
        &with(|r| r.dominations.system.keep_sum = Some(KeepSum::Mean)),
    );
}

#[test]
fn the_check_of_the_pull_notices_one_that_swaps_spares_or_misses() {
    // As strong everywhere: no harder further away, as a share.
    breaks(
        "DOM-pull",
        &with(|r| (r.dominations.pull.keep, r.dominations.pull.hardening) = (0.5, 0.0)),
    );
    breaks(
        "DOM-pull",
        &with(|r| r.dominations.pull.hardening = 1.0 / 24_000.0),
    );
    breaks("DOM-pull", &with(|r| r.dominations.pull.centre = 11_000.0));
    breaks("DOM-pull", &with(|r| r.dominations.pull_to = to_the_centre));
}

#[test]
fn checks_of_the_ladder_notice_another_rate_no_pool_and_another_average() {
    breaks("SC2-rate", &with(|r| r.sc2.pool.minutes_per_point = 110.0));
    breaks("SC2-points", &with(|r| r.sc2.pool.minutes_per_point = 1e6));
    breaks("SC2-points", &with(|r| r.sc2.points.win_shares = vec![0.6]));
    breaks("SC2-points", &with(|r| r.sc2.points.win_shares.clear()));
    breaks(
        "SC2-sma10",
        &with(|r| r.sc2.shown_average = MovingAverage::Weighted { games: 10 }),
    );
    breaks(
        "SC2-sma10",
        &with(|r| r.sc2.shown_average = MovingAverage::Simple { games: 9 }),
    );
}

#[test]
fn the_check_of_bradley_and_terry_notices_other_games() {
    breaks(
        "EOMM-BT",
        &with(|r| r.fit_bradley_terry = |model, players, games| model.fit(players, &games[1..])),
    );
    holds(
        "EOMM-BT",
        &with(|r| {
            r.bradley_terry = BradleyTerryParams {
                max_steps: 50,
                ..r.bradley_terry
            };
        }),
    );
}
