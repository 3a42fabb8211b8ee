//! Around Dota's rating: accounts, who may queue, percentiles.

use matchwright_rating::{
    Calibration, CalibrationParams, DotaAccount, GaussianRating, MatchKind, MmrTrack, PercentileError,
    PercentileTable, QueuedAs, QueuingPlayer, RankedRules, RefusalReason, Shown, Viewer,
};
use proptest::prelude::*;

fn rating(mmr: f64, uncertainty: f64) -> GaussianRating {
    GaussianRating::new(mmr, uncertainty).unwrap()
}

fn calibration() -> Calibration {
    CalibrationParams::default().build().unwrap()
}

fn ranked(queue: QueuedAs) -> MmrTrack {
    MmrTrack::new(MatchKind::Ranked, queue)
}

/// An account that played `games` games in each track.
fn played(games: u32) -> DotaAccount {
    let mut account = calibration().open(rating(2250.0, 400.0));
    for track in MmrTrack::ALL {
        for _ in 0..games {
            account = account.after_game(track, rating(2400.0, 250.0));
        }
    }
    account
}

#[test]
fn a_game_changes_the_rating_that_it_was_played_for_and_no_other() {
    for games in [0, 5, 10] {
        for track in MmrTrack::ALL {
            let before = played(games);
            let after = before.after_game(track, rating(3000.0, 222.0));
            assert_eq!(*after.rating(track), rating(3000.0, 222.0));
            for other in MmrTrack::ALL.into_iter().filter(|other| *other != track) {
                assert_eq!(
                    after.rating(other),
                    before.rating(other),
                    "{track:?} touched {other:?}"
                );
                assert_eq!(
                    after.calibration_games_left(other),
                    before.calibration_games_left(other)
                );
            }
        }
    }
}

#[test]
fn each_ranked_rating_has_ten_games_of_its_own_with_high_uncertainty() {
    let fresh = played(0);
    for track in MmrTrack::ALL {
        let (left, uncertainty) = if track.kind == MatchKind::Ranked {
            (10, 542.0)
        } else {
            (0, 400.0)
        };
        assert_eq!(fresh.calibration_games_left(track), left);
        assert_eq!(fresh.rating(track).deviation(), uncertainty);
    }
    let mut account = fresh;
    for left in (0..10).rev() {
        account = account.after_game(ranked(QueuedAs::Solo), rating(2300.0, 300.0));
        assert_eq!(account.calibration_games_left(ranked(QueuedAs::Solo)), left);
    }
    assert_eq!(account.calibration_games_left(ranked(QueuedAs::Party)), 10);
    let more = account.after_game(ranked(QueuedAs::Solo), rating(2300.0, 300.0));
    assert_eq!(more.calibration_games_left(ranked(QueuedAs::Solo)), 0);
    // Who is more uncertain than that stays so.
    assert_eq!(
        calibration()
            .open(rating(0.0, 900.0))
            .rating(ranked(QueuedAs::Solo))
            .deviation(),
        900.0
    );
}

#[test]
fn calibration_can_be_reactivated_for_one_rating() {
    let (solo, party) = (ranked(QueuedAs::Solo), ranked(QueuedAs::Party));
    let again = calibration().reactivated(played(20), QueuedAs::Solo);
    assert_eq!(
        (again.rating(solo).rating(), again.rating(solo).deviation()),
        (2400.0, 542.0)
    );
    assert_eq!(
        again.shown(solo, Viewer::Owner),
        Shown::Calibrating { games_left: 10 }
    );
    assert_eq!(again.shown(party, Viewer::Owner), Shown::Mmr(2400.0));
    assert_eq!(again.rating(party), played(20).rating(party));
}

#[test]
fn ranked_ratings_are_seen_by_owner_and_friends_after_calibration_and_normal_ones_by_nobody() {
    for (games, seen) in [
        (9, Shown::Calibrating { games_left: 1 }),
        (10, Shown::Mmr(2400.0)),
    ] {
        let account = played(games);
        for track in MmrTrack::ALL {
            for viewer in [Viewer::Owner, Viewer::Friend, Viewer::Other] {
                let expected = match (track.kind, viewer) {
                    (MatchKind::Ranked, Viewer::Owner | Viewer::Friend) => seen,
                    _ => Shown::Hidden,
                };
                assert_eq!(
                    account.shown(track, viewer),
                    expected,
                    "{games} {track:?} {viewer:?}"
                );
            }
        }
    }
}

#[test]
fn settings_of_a_calibration_are_checked() {
    for uncertainty in [-1.0, f64::NAN, 1e10] {
        let params = CalibrationParams {
            uncertainty,
            ..CalibrationParams::default()
        };
        assert_eq!(params.build().unwrap_err().name(), "uncertainty");
    }
}

/// A coach of hardly any games.
fn coach() -> QueuingPlayer {
    QueuingPlayer {
        coach: true,
        ..QueuingPlayer::new(3)
    }
}

/// In the low-priority pool, after this many games.
fn low_priority(games: u32) -> QueuingPlayer {
    QueuingPlayer {
        low_priority: true,
        ..QueuingPlayer::new(games)
    }
}

/// Whom the default rules refuse, and why.
fn found(mode: &str, party: &[QueuingPlayer]) -> Vec<(Option<usize>, RefusalReason)> {
    let refusals = RankedRules::default().refusals(mode, party).into_iter();
    refusals.map(|refusal| (refusal.member, refusal.reason)).collect()
}

#[test]
fn every_rule_of_ranked_games_has_its_reason_and_its_member() {
    let (fine, new) = (QueuingPlayer::new(150), QueuingPlayer::new(149));
    let (low, both, coach) = (low_priority(150), low_priority(149), coach());
    let few = RefusalReason::TooFewGames {
        played: 149,
        needed: 150,
    };
    for mode in ["all_pick", "captains_mode", "captains_draft"] {
        assert_eq!(found(mode, &[fine; 5]), []);
    }
    assert_eq!(found("all_pick", &[fine, new, fine]), [(Some(1), few.clone())]);
    assert_eq!(
        found("all_pick", &[low, fine]),
        [(Some(0), RefusalReason::LowPriority)]
    );
    assert_eq!(
        found("all_pick", &[fine, coach]),
        [(Some(1), RefusalReason::Coach)]
    );
    let mode = RefusalReason::Mode {
        mode: "all_random".into(),
    };
    assert_eq!(found("all_random", &[fine]), [(None, mode.clone())]);
    assert_eq!(found("all_pick", &[]), [(None, RefusalReason::NobodyPlays)]);
    assert_eq!(
        found("all_pick", &[coach]),
        [
            (None, RefusalReason::NobodyPlays),
            (Some(0), RefusalReason::Coach)
        ]
    );
    // All of them at once, in order.
    assert_eq!(
        found("all_random", &[fine, both, coach]),
        [
            (None, mode),
            (Some(1), few),
            (Some(1), RefusalReason::LowPriority),
            (Some(2), RefusalReason::Coach)
        ]
    );
    for refusal in RankedRules::default().refusals("all_random", &[both, coach]) {
        assert!(refusal.to_string().len() > 20);
    }
}

#[test]
fn the_rules_of_ranked_games_are_data() {
    let open = RankedRules {
        min_games: 0,
        modes: vec!["all_random".into()],
        low_priority: true,
        coaches: true,
    };
    assert_eq!(open.refusals("all_random", &[low_priority(149), coach()]), []);
}

#[test]
fn the_eight_published_rows_are_met_exactly_both_ways() {
    let table = PercentileTable::dota_2013();
    let rows: Vec<_> = table.rows().collect();
    assert_eq!(rows.len(), 8);
    for ((percent, value), (p, v)) in rows.into_iter().zip([
        (0.05, 1100.0),
        (0.1, 1500.0),
        (0.25, 2000.0),
        (0.5, 2250.0),
        (0.75, 2731.0),
        (0.9, 3200.0),
        (0.95, 3900.0),
        (0.99, 4100.0),
    ]) {
        assert_eq!((percent / 100.0, value), (p, v));
        assert_eq!(table.quantile(p).unwrap(), v);
        assert_eq!(table.cdf(v), p);
    }
}

#[test]
fn the_published_table_rises_strictly_everywhere_and_reaches_0_and_1_in_the_limit() {
    let table = PercentileTable::dota_2013();
    let mut last = table.cdf(-20_000.0);
    assert!(last > 0.0);
    // Further up 1 - share is less than the last digits of 1.
    for tenth in -199_999..65_000 {
        let share = table.cdf(f64::from(tenth) / 10.0);
        assert!(share > last && share < 1.0, "at {}", f64::from(tenth) / 10.0);
        last = share;
    }
    assert_eq!(
        (table.cdf(f64::NEG_INFINITY), table.cdf(f64::INFINITY)),
        (0.0, 1.0)
    );
    assert!(table.cdf(f64::NAN).is_nan());
    let mut last = table.quantile(1e-300).unwrap();
    for step in 1..100_000 {
        let value = table.quantile(f64::from(step) / 100_000.0).unwrap();
        assert!(value > last, "at {step}");
        last = value;
    }
    // The tails go on with the slope of the end: no step, no kink, and to any length.
    for end in [1100.0, 4100.0] {
        let slope = |from: f64| (table.cdf(from + 0.01) - table.cdf(from)) / 0.01;
        assert!((slope(end) / slope(end - 0.01) - 1.0).abs() < 1e-3);
    }
    for bad in [0.0, 1.0, -0.1, f64::NAN, f64::INFINITY] {
        assert!(table.quantile(bad).is_err());
    }
}

proptest! {
    #[test]
    fn any_rising_table_is_met_rises_strictly_and_turns_back(
        gaps in prop::collection::vec((0.01..1.0_f64, 0.1..1_000.0_f64), 2..12), start in -5e3..5e3_f64,
        share in 0.001..0.999_f64, step in 1e-6..0.5_f64,
    ) {
        let total: f64 = gaps.iter().map(|gap| gap.0).sum::<f64>() * 1.02;
        let (mut percent, mut value) = (0.0, start);
        let rows: Vec<_> = gaps.iter().map(|gap| {
            percent += 100.0 * gap.0 / total;
            value += gap.1;
            (percent, value)
        }).collect();
        let table = PercentileTable::new(&rows).unwrap();
        for &(percent, value) in &rows {
            prop_assert_eq!(table.cdf(value), percent / 100.0);
            prop_assert_eq!(table.quantile(percent / 100.0).unwrap(), value);
        }
        let value = table.quantile(share).unwrap();
        prop_assert!((table.cdf(value) - share).abs() < 1e-9);
        let more = share + step * (1.0 - share);
        prop_assert!(table.quantile(more).unwrap() > value);
        prop_assert!(table.cdf(value + 0.01) > table.cdf(value));
    }
}

#[test]
fn what_is_no_table_is_refused_with_its_row() {
    let refused = |rows: &[(f64, f64)]| PercentileTable::new(rows).unwrap_err();
    assert_eq!(refused(&[(50.0, 1.0)]), PercentileError::TooFew { rows: 1 });
    for percent in [0.0, 100.0, -1.0, f64::NAN] {
        assert!(matches!(
            refused(&[(10.0, 1.0), (percent, 2.0)]),
            PercentileError::Percent { row: 1, .. }
        ));
    }
    for value in [f64::NAN, f64::INFINITY, 1e10] {
        assert!(matches!(
            refused(&[(10.0, value), (20.0, 2.0)]),
            PercentileError::Value { row: 0, .. }
        ));
    }
    for second in [(10.0, 2.0), (9.0, 2.0), (20.0, 1.0), (20.0, 0.5)] {
        assert_eq!(
            refused(&[(10.0, 1.0), second]),
            PercentileError::NotRising { row: 1 }
        );
    }
    // So near that the slope between them is beyond all numbers.
    let error = refused(&[(40.0, 0.0), (50.0, 5e-324), (60.0, 1.0)]);
    assert_eq!(error, PercentileError::NotRising { row: 1 });
}

#[cfg(feature = "serde")]
mod serde {
    use super::*;
    use ::serde::{Serialize, de::DeserializeOwned};
    use matchwright_rating::DotaMmrParams;

    fn round_trips<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
        let text = serde_json::to_string(value).unwrap();
        assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    }

    #[test]
    fn accounts_rules_and_tables_survive_a_round_trip_and_nothing_invalid_is_read() {
        round_trips(&played(3).after_game(ranked(QueuedAs::Party), rating(0.1 + 0.2, 1.0 / 3.0)));
        round_trips(calibration().params());
        round_trips(&MmrTrack::ALL);
        round_trips(&RankedRules::default());
        round_trips(&QueuingPlayer {
            coach: true,
            ..QueuingPlayer::new(7)
        });
        round_trips(&PercentileTable::dota_2013());
        assert!(serde_json::from_str::<PercentileTable>("[[50, 1]]").is_err());
        assert!(serde_json::from_str::<RankedRules>(r#"{"mode": []}"#).is_err());
        let rules: RankedRules = serde_json::from_str(r#"{"min_games": 10}"#).unwrap();
        assert_eq!(
            rules,
            RankedRules {
                min_games: 10,
                ..RankedRules::default()
            }
        );
    }

    proptest! {
        #[test]
        fn a_rating_survives_a_round_trip_bit_by_bit(mmr in -1e9..1e9_f64, uncertainty in 0.0..1e9_f64) {
            let text = serde_json::to_string(&rating(mmr, uncertainty)).unwrap();
            prop_assert_eq!(serde_json::from_str::<GaussianRating>(&text).unwrap(), rating(mmr, uncertainty));
        }
    }

    #[test]
    fn settings_survive_a_round_trip_and_nothing_invalid_is_read() {
        let system = DotaMmrParams {
            growth: 1.25,
            step: 0.1,
            ..DotaMmrParams::default()
        };
        round_trips(&system);
        assert_eq!(
            serde_json::from_str::<DotaMmrParams>("{}").unwrap(),
            DotaMmrParams::default()
        );
        assert!(serde_json::from_str::<DotaMmrParams>(r#"{"stepp": 1}"#).is_err());
        assert!(serde_json::from_str::<GaussianRating>(r#"{"rating": 1, "deviation": -1}"#).is_err());
    }
}
