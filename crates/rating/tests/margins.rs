//! Weighted updates: published multipliers, limits, and the laws.

use approx::assert_abs_diff_eq;
use matchwright_rating::{
    EloParams, EloRating, GameResult, GaussianRating, Glicko2Params, Glicko2Rating, MarginWeight,
    PerformanceWeight, RatingSystem, Score, Side, TeamGame, TeamRatingSystem, TrueSkillParams, WengLinParams,
    update_game_weighted, weighted_update,
};

const NFL: MarginWeight = MarginWeight::Logarithmic {
    typical: 7.0,
    damping: 2200.0,
};

#[test]
fn weights_are_the_published_multipliers() {
    for (margin, index) in [
        (0.0, 1.0),
        (1.0, 1.0),
        (2.0, 1.5),
        (3.0, 1.75),
        (4.0, 1.875),
        (5.0, 2.0),
    ] {
        assert_eq!(MarginWeight::WorldFootball.weight(margin, 300.0), index);
        assert_eq!(MarginWeight::WorldFootball.weight(-margin, 0.0), index);
    }
    // FiveThirtyEight's ln(|m| + 1) 2.2 / (0.001 lead + 2.2), over its value for 7 points between equals.
    let published = |m: f64, lead: f64| (m + 1.0).ln() * 2.2 / (0.001 * lead + 2.2) / 8.0_f64.ln();
    for (margin, lead) in [(1.0, 0.0), (7.0, 0.0), (24.0, 150.0), (3.0, -210.0)] {
        assert_abs_diff_eq!(NFL.weight(margin, lead), published(margin, lead), epsilon = 1e-12);
    }
    assert_eq!(NFL.weight(0.0, 500.0), 1.0);
}

#[test]
fn no_margin_or_lead_makes_a_weight_out_of_range() {
    for weights in [NFL, MarginWeight::WorldFootball] {
        for margin in [0.0, 1e-300, 1.0, 1e300, f64::INFINITY, f64::NAN] {
            for lead in [-1e300, -1e4, 0.0, 1e4, 1e300, f64::NAN] {
                let weight = weights.weight(margin, lead);
                assert!((0.0..=10.0).contains(&weight), "{margin} {lead}: {weight}");
            }
        }
    }
    let refused = |typical, damping| {
        MarginWeight::Logarithmic { typical, damping }
            .checked()
            .unwrap_err()
    };
    assert_eq!(refused(0.0, 2200.0).name(), "typical");
    assert_eq!(refused(7.0, f64::NAN).name(), "damping");
    assert_eq!(NFL.checked().unwrap(), NFL);
}

#[test]
fn a_weighted_update_is_a_share_of_the_update_or_more_than_all_of_it() {
    let glicko2 = Glicko2Params::default().build().unwrap();
    let before = Glicko2Rating::new(1500.0, 120.0, 0.06).unwrap();
    let after = glicko2.update(&before, 1.0, &[GameResult::new(before, Score::WIN)]);
    for odd in [0.0, -3.0] {
        assert_eq!(weighted_update(&before, &after, odd), before);
    }
    for whole in [1.0, f64::NAN] {
        assert_eq!(weighted_update(&before, &after, whole), after);
    }
    let half = weighted_update(&before, &after, 0.5);
    assert_abs_diff_eq!(
        half.rating(),
        0.5 * (before.rating() + after.rating()),
        epsilon = 1e-9
    );
    let middle = (before.deviation() * after.deviation()).sqrt();
    assert_abs_diff_eq!(half.deviation(), middle, epsilon = 1e-9);
    let double = weighted_update(&before, &after, 2.0);
    assert!(double.rating() > after.rating() && double.deviation() < after.deviation());
    assert_eq!(
        weighted_update(&before, &after, 1e300),
        weighted_update(&before, &after, 10.0)
    );
}

#[test]
fn a_larger_margin_moves_ratings_further_in_duels_and_in_games_of_sides() {
    let elo = EloParams::default().build().unwrap();
    let (a, b) = (EloRating::new(1620.0).unwrap(), EloRating::new(1500.0).unwrap());
    let gain = |margin| NFL.update_pair(&elo, (&a, 0.0), (&b, 0.0), margin).0.value() - 1620.0;
    assert!(0.0 < gain(1.0) && gain(1.0) < gain(7.0) && gain(7.0) < gain(30.0));
    // The upset counts for more than the favourite's win by as much.
    assert!(-gain(-7.0) > 32.0 * elo.expected_score(&a, &b));
    let (plain, _) = elo.update_pair((&a, 0.0), (&b, 0.0), Score::DRAW);
    assert_eq!([gain(0.0), gain(f64::NAN)], [plain.value() - 1620.0; 2]);

    let trueskill = TrueSkillParams::default().build().unwrap();
    let weng_lin = WengLinParams::default().build().unwrap();
    let systems: [&dyn TeamRatingSystem<Rating = GaussianRating>; 2] = [&trueskill, &weng_lin];
    for system in systems {
        let new = system.initial();
        let game = TeamGame::new(vec![Side::new(2, [new, new]), Side::new(1, [new, new])]).unwrap();
        let after = |margin| MarginWeight::WorldFootball.update_game(system, &game, margin);
        assert_eq!(after(1.0), system.update(&game));
        assert!(after(3.0)[1][0].rating() > after(1.0)[1][0].rating());
        assert!(after(3.0)[0][1].rating() < after(1.0)[0][1].rating());
        assert!(after(3.0)[0][0].deviation() < after(1.0)[0][0].deviation());
        // Who carried the side gains more; who has no weight has all of the update.
        let carried = update_game_weighted(system, &game, &[vec![], vec![1.5, 0.5]]);
        assert!(carried[1][0].rating() > after(1.0)[1][0].rating());
        assert!(carried[1][1].rating() < after(1.0)[1][1].rating());
        assert_eq!(carried[0], after(1.0)[0]);
    }
}

#[test]
fn a_better_performance_gains_more_of_a_win_and_loses_less_of_a_loss() {
    let system = TrueSkillParams::default().build().unwrap();
    let new = system.initial();
    let game =
        |places: [u32; 2]| TeamGame::new(places.map(|place| Side::new(place, [new, new])).to_vec()).unwrap();
    let apply = |weight, game: &TeamGame<GaussianRating>, performances: [[Option<f64>; 2]; 2]| {
        let mut after = system.update(game);
        let weight = PerformanceWeight::new(weight).unwrap();
        weight.apply(game, &performances.map(Vec::from), &mut after);
        after
    };
    // The standard deviation within sides is sqrt((1 + 1 + 0 + 0) / (4 - 2)) = 1.
    let told = [[Some(3.0), Some(1.0)], [Some(5.0), Some(5.0)]];
    for (places, weights) in [([1, 2], [1.5, 0.5]), ([2, 1], [0.5, 1.5])] {
        let game = game(places);
        let expected = update_game_weighted(&system, &game, &[weights.to_vec(), vec![1.0, 1.0]]);
        assert_eq!(apply(0.5, &game, told), expected);
        // The unit does not matter, and no weight is below 0.
        let scaled = told.map(|side| side.map(|one| one.map(|one| 64.0 * one - 8.0)));
        assert_eq!(apply(0.5, &game, scaled), expected);
        let loser = usize::from(weights[0] > 1.0);
        assert_eq!(apply(9.0, &game, told)[0][loser], new);
    }
    let game = game([1, 2]);
    let plain = system.update(&game);
    let equal = [[Some(2.0); 2], [Some(7.0); 2]];
    let lonely = [[Some(9.0), None], [None, None]];
    let huge = [[Some(f64::MAX), Some(-f64::MAX)], [Some(0.0); 2]];
    for unheard in [equal, lonely, huge] {
        assert_eq!(apply(2.0, &game, unheard), plain, "{unheard:?}");
    }
    assert_eq!(apply(0.0, &game, told), plain);
    for bad in [-0.1, 11.0, f64::NAN] {
        assert_eq!(PerformanceWeight::new(bad).unwrap_err().name(), "performance");
    }
}

#[cfg(feature = "laws")]
mod laws {
    use super::*;
    use matchwright_rating::laws::{Draw, check_all};
    use matchwright_rating::{GlickoParams, RatingEstimate, ShiftRating};

    /// Every update of the system within, weighted alike.
    struct Weighted<S>(S, f64);

    impl<S> RatingSystem for Weighted<S>
    where
        S: RatingSystem,
        S::Rating: RatingEstimate + ShiftRating,
    {
        type Rating = S::Rating;

        fn initial(&self) -> S::Rating {
            self.0.initial()
        }

        fn expected_score(&self, player: &S::Rating, opponent: &S::Rating) -> f64 {
            self.0.expected_score(player, opponent)
        }

        fn update(&self, player: &S::Rating, elapsed: f64, games: &[GameResult<S::Rating>]) -> S::Rating {
            let now = self.0.update(player, elapsed, &[]);
            if games.is_empty() {
                return now;
            }
            weighted_update(&now, &self.0.update(player, elapsed, games), self.1)
        }
    }

    #[test]
    fn updates_of_any_weight_keep_the_laws() {
        for weight in [0.3, 1.0, 2.5] {
            let elo = EloParams::default().build().unwrap();
            let rating = |draw: &mut Draw| EloRating::new(draw.uniform(0.0, 3500.0)).unwrap();
            check_all(&Weighted(elo, weight), rating, 1, 500).unwrap();
            let glicko = GlickoParams::default().build().unwrap();
            let rating = |draw: &mut Draw| {
                GaussianRating::new(draw.uniform(0.0, 3500.0), draw.log_uniform(1.0, 400.0)).unwrap()
            };
            check_all(&Weighted(glicko, weight), rating, 2, 500).unwrap();
            let glicko2 = Glicko2Params::default().build().unwrap();
            let rating = |draw: &mut Draw| {
                Glicko2Rating::new(draw.uniform(0.0, 3500.0), draw.log_uniform(1.0, 400.0), 0.06).unwrap()
            };
            check_all(&Weighted(glicko2, weight), rating, 3, 500).unwrap();
        }
    }
}
