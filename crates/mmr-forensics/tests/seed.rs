//! Every number that "Understanding The Matchmaking System in Starcraft II" (2011) works out, rounded as it prints
//! it.

use matchwright_mmr_forensics::*;

fn share(value: f64) -> WinRate {
    WinRate::new(value).unwrap()
}

fn standing(points: f64, unspent: f64, total: f64, win: WinRate) -> Standing {
    Standing::new(
        RankPoints::new(points).unwrap(),
        Unspent::new(unspent).unwrap(),
        PoolTotal::new(total).unwrap(),
        win,
    )
    .unwrap()
}

#[test]
fn the_two_calculations_give_331_and_531() {
    let even = standing(1000.0, 2000.0, 2669.0, WinRate::HALF);
    assert_eq!(even.differential(), 331.0);
    assert_eq!(even.differential_now(), 331.0);
    let better = standing(1000.0, 2000.0, 2669.0, share(0.55));
    assert_eq!(better.differential().round(), 531.0);
    let season = LadderSeason::default();
    let magic = season.league("Diamond").unwrap().magic.unwrap();
    assert!(even.differential() < magic && better.differential() > magic);
}

#[test]
fn the_best_bronze_player_has_1160() {
    let win = WinRate::from_record(293, 238).unwrap();
    assert_eq!((win.get() * 1e4).round() / 1e4, 0.5518);
    let player = standing(3821.0, 9.0, 2671.0, win);
    assert_eq!((player.differential() * 100.0).round() / 100.0, 1159.93);
    let season = LadderSeason::default();
    let division = season.division("Bronze", Some("rank 0")).unwrap();
    let differential = player.differential_in(&division);
    assert_eq!(differential.round(), 660.0);
    assert_eq!((differential - division.magic().unwrap()).round(), 160.0);
    assert_eq!(player.mmr(&division).round(), 1160.0);
    // The middle of Silver, as the source says.
    let silver = season.division("Silver", None).unwrap();
    assert!(player.mmr(&division) > silver.conversion());
    assert!(player.mmr(&division) < silver.threshold().unwrap());
}

#[test]
fn the_tables_are_those_of_the_source() {
    let season = LadderSeason::default();
    let leagues: Vec<(&str, f64, Option<f64>)> = season
        .params()
        .leagues
        .iter()
        .map(|league| (&*league.name, league.conversion, league.magic))
        .collect();
    assert_eq!(
        leagues,
        [
            ("Bronze", 500.0, Some(500.0)),
            ("Silver", 1000.0, Some(250.0)),
            ("Gold", 1250.0, Some(250.0)),
            ("Platinum", 1500.0, Some(250.0)),
            ("Diamond", 1750.0, Some(475.0)),
            ("Master", 2225.0, None),
        ]
    );
    let diamond: Vec<(&str, Option<f64>)> = season
        .league("Diamond")
        .unwrap()
        .tiers
        .iter()
        .map(|tier| (&*tier.name, tier.offset))
        .collect();
    let printed = [
        ("Rank 6", 315.0),
        ("Rank 5", 252.0),
        ("Rank 4", 189.0),
        ("Rank 3", 126.0),
        ("Rank 2", 63.0),
        ("Rank 1", 0.0),
        ("Rank-i", -63.0),
    ];
    assert_eq!(diamond, printed.map(|(name, offset)| (name, Some(offset))));
    // What a division's best players cluster at, before K is known.
    let edge = |league, tier| season.division(league, Some(tier)).unwrap().edge().unwrap();
    assert_eq!(edge("Diamond", "Rank 2"), 412.0);
    assert_eq!(edge("Diamond", "Rank-i"), 538.0);
    assert_eq!(edge("Bronze", "Rank 0"), 1000.0);
    assert!(matches!(
        season.division("Bronze", Some("Rank F")),
        Err(ForensicsError::Offset { .. })
    ));
}

#[test]
fn games_follow_24_w_less_11_and_never_come_at_11_of_24() {
    let games = |distance, win| games_to_promotion(distance, share(win), GameValue::OBSERVED, 5.0).unwrap();
    for percent in 46..=100 {
        let win = f64::from(percent) / 100.0;
        let per_game = GameValue::OBSERVED.per_game(share(win));
        assert!((per_game - (24.0 * win - 11.0)).abs() < 1e-12);
        let GamesToPromotion::Games(number) = games(144.0, win) else {
            panic!("{win}");
        };
        assert!((number - (5.0 + 144.0 / (24.0 * win - 11.0))).abs() < 1e-9);
    }
    assert_eq!(games(144.0, 0.5), GamesToPromotion::Games(149.0));
    for never in [0.0, 0.3, 11.0 / 24.0] {
        assert_eq!(games(144.0, never), GamesToPromotion::Never);
    }
    let enough = 11.0 / 24.0 + 1e-6;
    assert!(matches!(games(144.0, enough), GamesToPromotion::Games(_)));
    assert_eq!(GameValue::OBSERVED.break_even(), Some(11.0 / 24.0));
    assert_eq!(games(-1.0, 0.5), GamesToPromotion::Soon(5.0));
    // A reader's 0.0038 games are 5 / (24 * 55 - 11): percent for a share.
    assert_eq!((5.0 / (24.0 * 55.0 - 11.0) * 1e4_f64).round(), 38.0);
    assert!(matches!(WinRate::new(55.0), Err(ForensicsError::Percent { .. })));
}

#[test]
fn an_average_of_ten_lags_four_and_a_half_games() {
    let average = MovingAverage::Simple { games: 10 };
    let rising: Vec<f64> = (0..30).map(f64::from).collect();
    assert_eq!(29.0 - average.average(&rising).unwrap(), 4.5);
    assert_eq!(average.lag_games(), 4.5);
    assert_eq!(LadderSeason::default().params().lag_games, 5.0);
}

/// The mean of all ratings but the newest n, or of all if there are no more.
struct Stale(usize);

impl Averaging for Stale {
    fn average(&self, ratings: &[f64]) -> Option<f64> {
        let old = ratings.len().saturating_sub(self.0).max(1).min(ratings.len());
        ratings.get(old.checked_sub(1)?).copied()
    }
}

#[test]
fn a_forecast_knows_the_lag_of_an_average_however_long() {
    let forecast = |average: &dyn Averaging| {
        predict_promotion(&[2200.0], 2210.0, average, WinRate::HALF, GameValue::OBSERVED, 0)
            .unwrap()
            .games
    };
    for (games, lag) in [(10, 4.5), (2_000, 999.5), (10_000, 4_999.5)] {
        let average = MovingAverage::Simple { games };
        assert_eq!(forecast(&average), GamesToPromotion::Games(lag + 10.0));
    }
    assert_eq!(forecast(&Stale(3_000)), GamesToPromotion::Games(3_010.0));
    let measured = |average: MovingAverage| {
        // The default, which measures.
        struct Measured(MovingAverage);
        impl Averaging for Measured {
            fn average(&self, ratings: &[f64]) -> Option<f64> {
                self.0.average(ratings)
            }
        }
        Measured(average).lag_games()
    };
    for average in [
        MovingAverage::Simple { games: 2_000 },
        MovingAverage::Weighted { games: 1_500 },
        MovingAverage::Modified { games: 300 },
        MovingAverage::Exponential { alpha: 0.01 },
        MovingAverage::Blend {
            simple: 2_000,
            weighted: 10,
        },
    ] {
        assert!(
            (measured(average) / average.lag_games() - 1.0).abs() < 1e-3,
            "{average:?}"
        );
    }
}

#[test]
fn numbers_that_are_none_are_refused_where_they_would_decide() {
    let games = |distance, lag| games_to_promotion(distance, WinRate::HALF, GameValue::OBSERVED, lag);
    for (distance, lag) in [
        (f64::NAN, 5.0),
        (f64::INFINITY, 5.0),
        (1e10, 5.0),
        (10.0, f64::NAN),
        (10.0, -1.0),
    ] {
        assert!(matches!(games(distance, lag), Err(ForensicsError::Number { .. })));
    }
    let history = |differentials: Vec<f64>, away| PromotionHistory {
        league: "Gold".to_owned(),
        division: "Rank 1".to_owned(),
        differentials,
        from: 0,
        promoted: true,
        away,
    };
    let all_of = |odd: PromotionHistory| {
        let mut histories = vec![history((0..30).map(f64::from).collect(), Vec::new()); 12];
        histories[7] = odd;
        histories
    };
    let compare = |histories: &[PromotionHistory], candidates: &[MovingAverage]| {
        compare_averages(histories, &|history| history.division.clone(), candidates)
    };
    let sound = all_of(history((0..30).map(f64::from).collect(), Vec::new()));
    let candidates = [
        MovingAverage::Simple { games: 10 },
        MovingAverage::Exponential { alpha: 0.1 },
    ];
    assert!(compare(&sound, &candidates).unwrap().found().is_some());
    for bad in [f64::NAN, f64::INFINITY, -1e12] {
        let mut differentials: Vec<f64> = (0..30).map(f64::from).collect();
        differentials[3] = bad;
        let histories = all_of(history(differentials, Vec::new()));
        assert!(matches!(
            compare(&histories, &candidates),
            Err(ForensicsError::Number { .. })
        ));
    }
    let histories = all_of(history(vec![1.0; 30], vec![(3, f64::NAN)]));
    assert!(matches!(
        compare(&histories, &candidates),
        Err(ForensicsError::Number { .. })
    ));
    for bad in [
        MovingAverage::Simple { games: 0 },
        MovingAverage::Weighted { games: 20_000 },
        MovingAverage::Exponential { alpha: f64::NAN },
        MovingAverage::Blend {
            simple: 10,
            weighted: 0,
        },
    ] {
        assert!(matches!(
            compare(&sound, &[candidates[0], bad]),
            Err(ForensicsError::Number { .. })
        ));
        // Asked directly, the nearest in range answers.
        assert!(bad.average(&[1.0, 2.0]).unwrap().is_finite() && bad.lag_games() >= 0.0);
    }
}

#[test]
fn spending_the_pool_brings_what_the_corrected_form_says() {
    // Where a win brings as much as a loss costs, U (3 W - 1) / W.
    let even = GameValue {
        per_win: PerWin::new(12.0).unwrap(),
        per_loss: PerLoss::new(12.0).unwrap(),
    };
    for win in [0.3, 0.45, 0.5, 0.55, 0.8, 1.0] {
        let player = standing(1000.0, 2000.0, 2669.0, share(win));
        let spent = player.differential_spent(even).unwrap();
        let printed = 1000.0 - 2669.0 + 2000.0 * (3.0 * win - 1.0) / win;
        assert!((spent - printed).abs() < 1e-9, "{win}: {spent}");
        // The rule itself, game by game: wins doubled until the pool is empty.
        let (mut points, mut pool) = (1000.0, 2000.0);
        let (mut wins, mut games) = (0.0, 0.0);
        while pool > 0.0 {
            games += 1.0;
            if wins + 1.0 <= win * games + 1e-9 {
                wins += 1.0;
                let bonus = 12.0_f64.min(pool);
                points += 12.0 + bonus;
                pool -= bonus;
            } else {
                points -= 12.0;
            }
        }
        assert!(
            (points - 2669.0 - spent).abs() < 24.0 / win,
            "{win}: {}",
            points - 2669.0
        );
    }
    let never = standing(1000.0, 2000.0, 2669.0, share(0.0));
    assert_eq!(never.differential_spent(even), None);
    let empty = standing(1000.0, 0.0, 2669.0, share(0.0));
    assert_eq!(empty.differential_spent(even), Some(-1669.0));
}

#[test]
fn the_pool_gives_90_points_a_week_and_two_points_in_224_minutes() {
    let season = LadderSeason::default();
    let total = |points| PoolTotal::new(points).unwrap();
    let clock = PoolClock::read(total(2669.0), 1000.0, &season).unwrap();
    assert_eq!(clock.total_at(1000.0 + 224.0), total(2671.0));
    assert_eq!(clock.minute_of(total(2671.0)), 1224.0);
    assert_eq!(clock.minutes_between(total(2669.0), total(2671.0)), 224.0);
    assert_eq!(clock.total_at(f64::NAN).get(), 0.0);
    assert_eq!(clock.total_at(-1e9).get(), 0.0);
    let fresh = PoolClock::starting_at(0.0, &season).unwrap();
    assert_eq!(fresh.total_at(7.0 * 1440.0).get(), 90.0);
    // 25 of 2225 points of error: Master at 2250.
    let sum: f64 = season
        .params()
        .leagues
        .iter()
        .filter_map(|league| league.magic)
        .sum();
    assert_eq!(sum, 1725.0);
    assert_eq!(season.params().leagues[0].conversion + sum, 2225.0);
}

#[test]
fn a_season_whose_leagues_do_not_fit_is_refused_by_name() {
    let mut params = LadderSeasonParams::default();
    assert!(params.clone().build().is_ok());
    params.leagues[4].magic = Some(500.0);
    let error = params.build().unwrap_err().to_string();
    assert!(
        error.contains("C of Master is 2225, but C + M of Diamond is 2250"),
        "{error}"
    );

    let mut params = LadderSeasonParams::default();
    params.leagues[1].tiers[1].name = "rank 1".to_owned();
    assert!(params.build().unwrap_err().to_string().contains("two tiers"));
    let error = LadderSeason::default()
        .league("Grandmaster")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("Bronze, Silver") && error.contains("`Grandmaster`"),
        "{error}"
    );
}

#[test]
fn more_unspent_than_ever_given_is_refused() {
    let error = Standing::new(
        RankPoints::new(10.0).unwrap(),
        Unspent::new(100.0).unwrap(),
        PoolTotal::new(50.0).unwrap(),
        WinRate::HALF,
    );
    assert!(matches!(error, Err(ForensicsError::Pool { .. })));
}

#[test]
fn a_list_by_points_is_the_one_by_rating_where_pools_are_spent() {
    let season = LadderSeason::default();
    let master = season.division("Master", None).unwrap();
    let player = |name: &str, points: f64, unspent: f64| ListedPlayer {
        name: name.to_owned(),
        posted: None,
        standing: standing(points, unspent, 2700.0, WinRate::HALF),
    };
    let spent: Vec<ListedPlayer> = (0..50)
        .map(|n| player(&format!("{n}"), 3000.0 + f64::from(n * 37 % 50), 0.0))
        .collect();
    let rows = top_list(&spent, 200, &master);
    assert!(
        rows.iter()
            .all(|row| row.place == row.place_by_rating && row.mismatch == Mismatch::None)
    );
    // An idle 200th with one of the highest ratings.
    let mut idle = spent;
    idle.push(player("idle", 2900.0, 148.0));
    let rows = top_list(&idle, 200, &master);
    let last = rows.last().unwrap();
    assert_eq!((&*last.name, last.place, last.place_by_rating), ("idle", 51, 3));
    assert_eq!(last.mismatch, Mismatch::OwnPool);
    assert_eq!(rows[10].mismatch, Mismatch::OthersPool);
    assert_eq!(rows[0].mismatch, Mismatch::None);
    // Someone who played since the list was posted.
    idle.pop();
    idle[0].posted = Some(RankPoints::new(3049.5).unwrap());
    let rows = top_list(&idle, 200, &master);
    assert_eq!(
        (rows[0].mismatch, rows[0].place_by_rating),
        (Mismatch::PlayedSince, 50)
    );
    assert_eq!(rows[20].mismatch, Mismatch::OthersPlayed);
}

#[test]
fn a_promotion_forecast_counts_all_ways_that_games_can_go() {
    let one = MovingAverage::Simple { games: 1 };
    let forecast = |ratings: &[f64], ahead| {
        predict_promotion(ratings, 100.0, &one, share(0.6), GameValue::OBSERVED, ahead).unwrap()
    };
    // One win is enough: 1 - 0.4; then a loss and two wins.
    assert!((forecast(&[95.0], 1).chance - 0.6).abs() < 1e-12);
    assert!((forecast(&[95.0], 3).chance - (0.6 + 0.4 * 0.6 * 0.6)).abs() < 1e-12);
    assert_eq!(forecast(&[101.0], 0).chance, 1.0);
    assert_eq!(forecast(&[95.0], 0).chance, 0.0);
    let chances: Vec<f64> = (0..=12).map(|ahead| forecast(&[40.0], ahead).chance).collect();
    assert!(chances.is_sorted() && chances[4] == 0.0 && chances[5] > 0.0);
    assert!(predict_promotion(&[], 1.0, &one, share(0.5), GameValue::OBSERVED, 5).is_err());
    assert!(predict_promotion(&[1.0], 1.0, &one, share(0.5), GameValue::OBSERVED, 15).is_err());
}
