//! Careers of a million games, and the order of expectations, under every system of this crate.

use matchwright_rating::laws::{
    Draw, LawViolation, Laws, check_endurance, check_free_for_all, check_order, check_team_endurance,
    check_teams,
};
use matchwright_rating::{
    AveragedParams, DomMmr, DomMmrParams, DomRating, DotaMmr, DotaMmrParams, Elo, EloCurve, EloParams,
    EloRating, FixedDraw, GameResult, GaussianRating, Glicko, Glicko2, Glicko2Params, Glicko2Rating,
    GlickoParams, LadderPointsParams, MovingAverage, PartyAdjusted, PartyBonusParams, RatingEstimate,
    RatingSystem, ShiftRating, TeamAdapter, TeamSkill, TrueSkillParams, WengLinModel, WengLinParams,
};

/// A million under `cargo xtask test --deep`.
fn many() -> u32 {
    match std::env::var_os("MATCHWRIGHT_DEEP") {
        Some(_) => 1_000_000,
        None => 100_000,
    }
}

fn points(draw: &mut Draw) -> f64 {
    match draw.below(6) {
        0 => [-1e6, 1e6][draw.below(2) as usize],
        1 => draw.uniform(-1e6, 1e6),
        _ => draw.uniform(0.0, 3000.0),
    }
}

fn deviation(draw: &mut Draw) -> f64 {
    match draw.below(4) {
        0 => 0.0,
        1 => draw.log_uniform(1e-300, 1.0),
        _ => draw.uniform(30.0, 350.0),
    }
}

fn elo() -> Elo {
    EloParams::default().build().unwrap()
}

fn glicko() -> Glicko {
    GlickoParams::default().build().unwrap()
}

fn glicko2() -> Glicko2 {
    Glicko2Params::default().build().unwrap()
}

fn dom() -> DomMmr {
    DomMmrParams::default().build().unwrap()
}

fn dota() -> DotaMmr {
    DotaMmrParams::default().build().unwrap()
}

fn any_elo(draw: &mut Draw) -> EloRating {
    EloRating::new(points(draw)).unwrap()
}

fn any_glicko(draw: &mut Draw) -> GaussianRating {
    GaussianRating::new(points(draw), deviation(draw)).unwrap()
}

fn any_glicko2(draw: &mut Draw) -> Glicko2Rating {
    Glicko2Rating::new(points(draw), deviation(draw), draw.uniform(0.03, 0.1)).unwrap()
}

fn any_dom(draw: &mut Draw) -> DomRating {
    DomRating::new(points(draw), draw.below(400), 0).unwrap()
}

fn any_dota(draw: &mut Draw) -> GaussianRating {
    GaussianRating::new(points(draw), deviation(draw)).unwrap()
}

#[test]
fn very_many_games_keep_elo_and_dom_finite() {
    check_endurance(&elo(), any_elo, 1, many()).unwrap();
    check_endurance(&dom(), any_dom, 1, many()).unwrap();
}

#[test]
fn very_many_games_keep_glicko_finite() {
    check_endurance(&glicko(), any_glicko, 1, many()).unwrap();
}

#[test]
fn very_many_games_keep_glicko2_finite() {
    check_endurance(&glicko2(), any_glicko2, 1, many()).unwrap();
}

#[test]
fn very_many_games_keep_dota_and_the_ladder_finite() {
    check_endurance(&dota(), any_dota, 1, many()).unwrap();
    let ladder = LadderPointsParams::default().wrap(elo()).unwrap();
    let start = ladder.initial();
    let sampler = |draw: &mut Draw| {
        let moved = points(draw) - start.rating();
        start.shifted(moved)
    };
    check_endurance(&ladder, sampler, 1, many()).unwrap();
    let average = AveragedParams {
        average: MovingAverage::Weighted { games: 10 },
        thresholds: vec![1000.0, 2000.0],
        min_games: 10,
    };
    let averaged = average.wrap(elo()).unwrap();
    let start = averaged.initial();
    let sampler = |draw: &mut Draw| {
        let moved = points(draw) - start.rating();
        start.shifted(moved)
    };
    check_endurance(&averaged, sampler, 1, many()).unwrap();
}

#[test]
fn very_many_games_keep_team_systems_finite() {
    check_team_endurance(
        &TeamAdapter::new(elo(), TeamSkill::Mean, FixedDraw::EOMM),
        any_elo,
        1,
        many(),
    )
    .unwrap();
    check_team_endurance(&dota(), any_dota, 1, many()).unwrap();
    let trueskill = TrueSkillParams::default().build().unwrap();
    let rating = |draw: &mut Draw| GaussianRating::new(points(draw), deviation(draw)).unwrap();
    check_team_endurance(&trueskill, rating, 1, many()).unwrap();
    for model in [WengLinModel::BradleyTerryFull, WengLinModel::PlackettLuce] {
        let params = WengLinParams {
            model,
            ..WengLinParams::default()
        };
        let rating = |draw: &mut Draw| GaussianRating::new(points(draw), deviation(draw)).unwrap();
        check_team_endurance(&params.build().unwrap(), rating, 1, many()).unwrap();
    }
}

#[test]
fn many_games_keep_adapted_systems_and_parties_finite() {
    let mean = TeamSkill::Mean;
    let many = many() / 10;
    let teams = TeamAdapter::new(glicko(), TeamSkill::Sum, FixedDraw::EOMM);
    check_team_endurance(&teams, any_glicko, 2, many).unwrap();
    let teams = TeamAdapter::new(glicko2(), mean, FixedDraw::EOMM);
    check_team_endurance(&teams, any_glicko2, 2, many).unwrap();
    let teams = TeamAdapter::new(dom(), mean, FixedDraw::EOMM);
    check_team_endurance(&teams, any_dom, 2, many).unwrap();
    let ladder = LadderPointsParams::default().wrap(elo()).unwrap();
    let start = ladder.initial();
    let sampler = |draw: &mut Draw| start.shifted(points(draw) - start.rating());
    let teams = TeamAdapter::new(ladder, mean, FixedDraw::EOMM);
    check_team_endurance(&teams, sampler, 2, many).unwrap();
    let bonus = PartyBonusParams::default().build().unwrap();
    let parties = PartyAdjusted::new(dota(), bonus);
    check_team_endurance(&parties, any_dota, 2, many).unwrap();
    check_free_for_all(&parties, any_dota, 3, 20_000).unwrap();
    let elos = PartyAdjusted::new(TeamAdapter::new(elo(), mean, FixedDraw::EOMM), bonus);
    check_teams(&elos, any_elo, 4, 400).unwrap();
    check_teams(&parties, any_dota, 4, 400).unwrap();
}

#[test]
fn better_ratings_expect_more_under_every_system() -> Result<(), LawViolation> {
    let ladder = LadderPointsParams::default().wrap(glicko()).unwrap();
    let start = ladder.initial();
    let sampler = |draw: &mut Draw| start.shifted(points(draw)).with_deviation(deviation(draw));
    check_order(&ladder, sampler, 6, 5000)?;
    let averaged = AveragedParams::default().wrap(elo()).unwrap();
    let start = averaged.initial();
    check_order(&averaged, |draw| start.shifted(points(draw)), 7, 5000)?;
    check_order(&elo(), any_elo, 1, 5000)?;
    check_order(&glicko(), any_glicko, 2, 5000)?;
    check_order(&glicko2(), any_glicko2, 3, 5000)?;
    check_order(&dom(), any_dom, 4, 5000)?;
    check_order(&dota(), any_dota, 5, 5000)
}

#[test]
fn fides_table_keeps_the_order_up_to_2650_and_breaks_it_there_by_its_own_rule() {
    let params = EloParams {
        curve: EloCurve::FideTable,
        ..EloParams::default()
    };
    let fide = params.build().unwrap();
    let mut draw = Draw::new(1);
    for _ in 0..5000 {
        let (a, b) = (draw.uniform(0.0, 2650.0), draw.uniform(0.0, 2600.0));
        let (a, b, up) = (
            EloRating::new(a).unwrap(),
            EloRating::new(b).unwrap(),
            draw.uniform(0.0, 49.0),
        );
        Laws(&fide)
            .a_stronger_opponent_leaves_less_to_expect(&a, &b, up)
            .unwrap();
        Laws(&fide).a_stronger_player_expects_more(&b, &a, up).unwrap();
    }
    // From 2650 on differences over 400 count whole, also where one's opponent is the stronger.
    let (a, b) = (EloRating::new(2640.0).unwrap(), EloRating::new(3400.0).unwrap());
    Laws(&fide)
        .a_stronger_player_expects_more(&a, &b, 20.0)
        .unwrap_err();
}

/// Elo whose expectations fall with the player's own rating.
struct UpsideDown(Elo);

impl RatingSystem for UpsideDown {
    type Rating = EloRating;

    fn initial(&self) -> EloRating {
        self.0.initial()
    }

    fn expected_score(&self, player: &EloRating, opponent: &EloRating) -> f64 {
        1.0 - self.0.expected_score(player, opponent)
    }

    fn update(&self, player: &EloRating, elapsed: f64, games: &[GameResult<EloRating>]) -> EloRating {
        self.0.update(player, elapsed, games)
    }
}

#[test]
fn a_system_that_expects_upside_down_fails_both_laws_of_order() {
    let flawed = UpsideDown(elo());
    let violation = check_order(&flawed, any_elo, 1, 100).unwrap_err();
    assert_eq!(violation.law, "a_stronger_opponent_leaves_less_to_expect");
    let (a, b) = (flawed.initial(), flawed.initial());
    let violation = Laws(&flawed)
        .a_stronger_player_expects_more(&a, &b, 50.0)
        .unwrap_err();
    assert_eq!(violation.law, "a_stronger_player_expects_more");
}

/// A number that every game doubles, so that it is infinite after a thousand.
#[derive(Debug, Clone, PartialEq)]
struct Doubling(f64);

impl RatingEstimate for Doubling {
    fn rating(&self) -> f64 {
        self.0
    }

    fn deviation(&self) -> Option<f64> {
        None
    }
}

struct RunsAway;

impl RatingSystem for RunsAway {
    type Rating = Doubling;

    fn initial(&self) -> Doubling {
        Doubling(1.0)
    }

    fn expected_score(&self, _: &Doubling, _: &Doubling) -> f64 {
        0.5
    }

    fn update(&self, player: &Doubling, _: f64, games: &[GameResult<Doubling>]) -> Doubling {
        games
            .iter()
            .fold(player.clone(), |rating, _| Doubling(2.0 * rating.0))
    }
}

#[test]
fn a_rating_that_runs_away_fails_a_long_career_and_not_a_short_one() {
    let sampler = |draw: &mut Draw| Doubling(draw.uniform(0.0, 1.0));
    check_endurance(&RunsAway, sampler, 1, 100).unwrap();
    let violation = check_endurance(&RunsAway, sampler, 1, 2000).unwrap_err();
    assert_eq!(violation.law, "careers_stay_finite");
}
