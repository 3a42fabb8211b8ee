//! What `matchwright-mmr-forensics` finds on generated ladders whose seasons it never sees. A few ladders each;
//! `matchwright reproduce sc2` runs a hundred.

use std::sync::OnceLock;

use matchwright_mmr_forensics::*;
use matchwright_papers::sc2::ladder::{LadderTruth, LadderWorld, LadderWorldParams, ladder_world};

/// Six ladders of the default kind.
fn worlds() -> &'static [(LadderWorld, LadderTruth)] {
    static WORLDS: OnceLock<Vec<(LadderWorld, LadderTruth)>> = OnceLock::new();
    let params = LadderWorldParams::default();
    WORLDS.get_or_init(|| (1..=6).map(|seed| ladder_world(&params, seed).unwrap()).collect())
}

#[test]
fn the_tier_of_a_division_is_found_and_chances_mean_what_they_say() {
    let (mut right, mut by_cluster, mut all, mut claimed) = (0, 0, 0, 0.0);
    let printed = LadderSeason::default();
    for (world, truth) in worlds() {
        for (number, division) in world.late.iter().enumerate() {
            if truth.active[number] < 20 || division.league == "Master" {
                continue;
            }
            let reading = likely_tier(division, &printed, &TierSettings::default()).unwrap();
            let reading = reading.found().unwrap();
            let cluster = cluster_tier(division, &printed).unwrap();
            all += 1;
            right += u32::from(reading.tier == truth.tiers[number]);
            by_cluster += u32::from(cluster.is_some_and(|cluster| cluster.tier == truth.tiers[number]));
            claimed += reading.tiers[0].chance;
            let sum: f64 = reading.tiers.iter().map(|tier| tier.chance).sum();
            assert!((sum - 1.0).abs() < 1e-9);
        }
    }
    let share = |count: u32| f64::from(count) / f64::from(all);
    assert!(share(right) >= 0.95 && all > 200, "{} of {all}", share(right));
    assert!(share(by_cluster) >= 0.9, "{}", share(by_cluster));
    assert!(
        (claimed / f64::from(all) - share(right)).abs() < 0.04,
        "{claimed} of {all}"
    );
}

#[test]
fn what_no_snapshot_can_tell_is_not_guessed() {
    let printed = LadderSeason::default();
    let (world, _) = &worlds()[0];
    let master = world
        .late
        .iter()
        .find(|division| division.league == "Master")
        .unwrap();
    let settings = TierSettings::default();
    assert!(
        likely_tier(master, &printed, &settings)
            .unwrap()
            .found()
            .is_none()
    );
    let mut few = world.late[0].clone();
    few.members.truncate(3);
    assert!(likely_tier(&few, &printed, &settings).unwrap().found().is_none());
    // One snapshot and no history: nothing but the lowest C, which is given.
    let fit = fit_constants(&[&world.late], &[], &printed, &settings).unwrap();
    assert!(fit.gains.found().is_none() && fit.averages.found().is_none());
    for league in &fit.leagues[1..] {
        assert!(league.conversion.found().is_none() && league.magic.found().is_none());
        assert!(league.tiers.iter().all(|tier| tier.offset.found().is_none()));
    }
}

#[test]
fn constants_come_back_with_intervals_that_hold_them() {
    let (mut held, mut all, mut widest) = ([0; 3], [0; 3], [0.0_f64; 3]);
    let printed = LadderSeason::default();
    for (world, truth) in worlds() {
        let fit = fit_constants(
            &[&world.early, &world.late],
            &world.histories,
            &printed,
            &TierSettings::default(),
        )
        .unwrap();
        let averages = fit.averages.found().unwrap();
        assert_eq!(averages[0].average, MovingAverage::Simple { games: 10 });
        assert!(averages[0].chance > 0.999);
        let gains = fit.gains.found().unwrap();
        assert!(
            (gains.per_win.value + gains.per_loss.value - 23.3).abs() < 0.5,
            "{gains:?}"
        );
        let mut count = |kind: usize, answer: &Answer<Interval>, value: f64| {
            if let Some(interval) = answer.found() {
                all[kind] += 1;
                held[kind] += u32::from(interval.holds(value));
                widest[kind] = widest[kind].max(interval.high - interval.low);
            }
        };
        for (number, league) in fit.leagues.iter().enumerate() {
            let params = &truth.season.params().leagues[number];
            if number > 0 {
                count(0, &league.conversion, params.conversion);
            }
            if let Some(magic) = params.magic {
                count(1, &league.magic, magic);
            }
            for tier in &league.tiers {
                let known = params
                    .tiers
                    .iter()
                    .find(|params| params.name == tier.tier)
                    .unwrap();
                if let Some(offset) = known.offset {
                    count(2, &tier.offset, offset);
                }
            }
        }
    }
    for kind in 0..3 {
        let share = f64::from(held[kind]) / f64::from(all[kind]);
        assert!(share >= 0.8 && all[kind] >= 20, "{kind}: {held:?} of {all:?}");
    }
    assert!(widest[0] < 40.0 && widest[1] < 10.0, "{widest:?}");
}

#[test]
fn which_average_promotes_is_told_whichever_it_is() {
    let candidates = MovingAverage::CANDIDATES;
    for average in candidates {
        let params = LadderWorldParams {
            divisions: 24,
            average,
            hand_in: 0.5,
            ..LadderWorldParams::default()
        };
        let (world, _) = ladder_world(&params, 1).unwrap();
        let compared =
            compare_averages(&world.histories, &|history| history.division.clone(), &candidates).unwrap();
        let (fits, _) = compared.found().unwrap();
        assert_eq!(fits[0].average, average);
        assert!(fits[0].chance > 0.999, "{fits:?}");
    }
}

#[test]
fn the_price_of_absence_is_found_where_histories_show_it() {
    let params = LadderWorldParams {
        hand_in: 1.0,
        ..LadderWorldParams::default()
    };
    let (world, truth) = ladder_world(&params, 2).unwrap();
    let number = |history: &PromotionHistory| -> usize {
        history
            .division
            .trim_start_matches("division ")
            .parse::<usize>()
            .unwrap()
            - 1
    };
    let edge = |history: &PromotionHistory| {
        let tier = &truth.tiers[number(history)];
        truth.season.division(&history.league, Some(tier)).unwrap().edge()
    };
    let average = MovingAverage::Simple { games: 10 };
    let mut found = 0;
    for (place, league) in ["Bronze", "Silver", "Gold", "Platinum", "Diamond"]
        .iter()
        .enumerate()
    {
        let of_league: Vec<&PromotionHistory> = world
            .histories
            .iter()
            .filter(|history| history.league == *league)
            .collect();
        if let Some(debt) = fit_debt(&of_league, &average, &edge).found() {
            found += 1;
            let rate = params.debt + params.debt_by_league * place as f64;
            let (low, high) = (debt.games_per_week.low, debt.games_per_week.high);
            assert!(
                low - 0.3 <= rate && rate <= high + 0.3,
                "{league}: {debt:?}, truth {rate}"
            );
        }
    }
    assert!(found >= 3, "{found}");
    // Without absences there is nothing to find.
    assert!(fit_debt(&[], &average, &edge).found().is_none());
}
