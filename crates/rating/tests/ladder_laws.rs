//! The ladder's layers against the law suite: as ratings, and with what they display in the rating's place.

use matchwright_rating::laws::{
    Draw, LawViolation, Laws, Promise, check_all, check_promise, check_teams, time,
};
use matchwright_rating::{
    AverageWindow, Averaged, AveragedParams, AveragedRating, BonusPoolParams, Elo, EloParams, EloRating,
    FixedDraw, GameResult, GaussianRating, Glicko, GlickoParams, LadderParams, LadderPoints,
    LadderPointsParams, LadderedRating, Member, MovingAverage, PeriodChoice, PointsRating, RATING_LIMIT,
    RatingEstimate, RatingSystem, Score, Side, TeamAdapter, TeamGame, TeamRatingSystem, TeamSkill,
    TrueSkillParams, WengLinParams,
};

type Shown = PointsRating<EloRating>;

const AVERAGES: [MovingAverage; 4] = [
    MovingAverage::Simple { games: 10 },
    MovingAverage::Weighted { games: 10 },
    MovingAverage::Modified { games: 10 },
    MovingAverage::Exponential { alpha: 2.0 / 11.0 },
];

fn elo() -> Elo {
    EloParams {
        k: 24.0,
        ..EloParams::default()
    }
    .build()
    .unwrap()
}

fn glicko() -> Glicko {
    GlickoParams::default().build().unwrap()
}

fn ladder(params: LadderPointsParams) -> LadderPoints<Elo> {
    params.wrap(elo()).unwrap()
}

fn shown(hidden: f64, points: f64, unspent: f64) -> Shown {
    PointsRating::new(EloRating::new(hidden).unwrap(), points, unspent, 0.0).unwrap()
}

fn averaged(average: MovingAverage, thresholds: Vec<f64>, min_games: u32) -> Averaged<Elo> {
    AveragedParams {
        average,
        thresholds,
        min_games,
    }
    .wrap(elo())
    .unwrap()
}

fn number(draw: &mut Draw) -> f64 {
    match draw.below(8) {
        0 => 0.0,
        1 => [-RATING_LIMIT, RATING_LIMIT][draw.below(2) as usize],
        2 => draw.uniform(-1e6, 1e6),
        _ => draw.uniform(0.0, 3000.0),
    }
}

fn around<R>(hidden: R, draw: &mut Draw) -> PointsRating<R> {
    PointsRating::new(hidden, number(draw), number(draw).abs(), number(draw).abs()).unwrap()
}

fn any_shown(draw: &mut Draw) -> Shown {
    let hidden = EloRating::new(number(draw)).unwrap();
    around(hidden, draw)
}

fn settings() -> [LadderPointsParams; 4] {
    let usual = LadderPointsParams::default();
    let small = BonusPoolParams {
        max_unspent: 50.0,
        ..BonusPoolParams::default()
    };
    [
        usual,
        LadderPointsParams { floor: -1e9, ..usual },
        LadderPointsParams { bonus: None, ..usual },
        LadderPointsParams {
            bonus: Some(small),
            k: 1e6,
            ..usual
        },
    ]
}

#[test]
fn points_around_elo_and_glicko_keep_the_laws() {
    for params in settings() {
        check_all(&ladder(params), any_shown, 31, 400).unwrap();
        check_promise(&ladder(params), Promise::Complement, any_shown, 31, 400).unwrap();
        let sampler = |draw: &mut Draw| {
            let hidden = GaussianRating::new(number(draw), draw.uniform(0.0, 350.0)).unwrap();
            around(hidden, draw)
        };
        check_all(&params.wrap(glicko()).unwrap(), sampler, 32, 400).unwrap();
    }
    // Hidden points are only moved; the bonus is the displayed ones' alone.
    let usual = |draw: &mut Draw| shown(draw.uniform(0.0, 3000.0), 100.0, 50.0);
    check_promise(&ladder(settings()[0]), Promise::ZeroSum, usual, 33, 400).unwrap();
}

#[test]
fn averages_around_points_keep_the_laws() {
    for average in AVERAGES {
        let system = AveragedParams {
            average,
            thresholds: vec![0.0, 1500.0, 1600.0],
            min_games: 3,
        }
        .wrap(ladder(settings()[0]))
        .unwrap();
        let sampler = |draw: &mut Draw| {
            let mut window = AverageWindow::default();
            for _ in 0..draw.below(30) {
                window = average.after(&window, number(draw));
            }
            matchwright_rating::AveragedRating::new(any_shown(draw), window, draw.below(5))
        };
        check_all(&system, sampler, 34, 400).unwrap();
    }
}

/// The same ladder seen by its points, with the unspent pool as the deviation.
struct ByPoints(LadderPoints<Elo>);

#[derive(Debug, Clone, PartialEq)]
struct Points(Shown);

impl RatingEstimate for Points {
    fn rating(&self) -> f64 {
        self.0.points()
    }

    fn deviation(&self) -> Option<f64> {
        Some(self.0.unspent())
    }
}

impl RatingSystem for ByPoints {
    type Rating = Points;

    fn initial(&self) -> Points {
        Points(self.0.initial())
    }

    fn expected_score(&self, player: &Points, opponent: &Points) -> f64 {
        self.0.expected_score(&player.0, &opponent.0)
    }

    fn update(&self, player: &Points, elapsed: f64, games: &[GameResult<Points>]) -> Points {
        let games: Vec<_> = games
            .iter()
            .map(|game| game.with_opponent(game.opponent.0))
            .collect();
        Points(self.0.update(&player.0, elapsed, &games))
    }
}

#[test]
fn displayed_points_and_the_pool_keep_the_laws_as_if_they_were_the_rating() {
    for params in settings() {
        check_all(&ByPoints(ladder(params)), |draw| Points(any_shown(draw)), 35, 600).unwrap();
    }
}

/// The same average seen as the rating.
struct ByAverage(Averaged<Elo>);

#[derive(Debug, Clone, PartialEq)]
struct Average(matchwright_rating::AveragedRating<EloRating>, Option<f64>);

impl RatingEstimate for Average {
    fn rating(&self) -> f64 {
        self.1.unwrap_or(0.0)
    }

    fn deviation(&self) -> Option<f64> {
        Some(f64::from(self.0.tier()))
    }
}

impl RatingSystem for ByAverage {
    type Rating = Average;

    fn initial(&self) -> Average {
        Average(self.0.initial(), None)
    }

    fn expected_score(&self, player: &Average, opponent: &Average) -> f64 {
        self.0.expected_score(&player.0, &opponent.0)
    }

    fn update(&self, player: &Average, elapsed: f64, games: &[GameResult<Average>]) -> Average {
        let games: Vec<_> = games
            .iter()
            .map(|game| game.with_opponent(game.opponent.0.clone()))
            .collect();
        let after = self.0.update(&player.0, elapsed, &games);
        let average = self.0.average(&after);
        Average(after, average)
    }
}

#[test]
fn averages_and_tiers_do_not_depend_on_the_order_of_games_and_rise_with_scores() -> Result<(), LawViolation> {
    for average in AVERAGES {
        let system = ByAverage(averaged(average, vec![1490.0, 1510.0], 2));
        let draw = &mut Draw::new(36);
        for _ in 0..300 {
            let mut player = system.initial();
            let some = |draw: &mut Draw| {
                let opponent = system.initial();
                (0..=draw.below(5))
                    .map(|_| GameResult::new(opponent.clone(), Score::new(draw.uniform(0.0, 1.0)).unwrap()))
                    .collect::<Vec<_>>()
            };
            for _ in 0..draw.below(6) {
                player = system.update(&player, 0.0, &some(draw));
            }
            let games = some(draw);
            Laws(&system).order_of_games_is_irrelevant(&player, 0.0, &games)?;
            time::inactivity_adds_up(
                |player, periods| system.update(player, periods, &[]),
                &player,
                1.0,
                2.0,
            )?;
            let scores = (Score::new(draw.uniform(0.0, 1.0)).unwrap(), Score::WIN);
            Laws(&system).a_better_score_never_rates_lower(
                &player,
                0.0,
                &games,
                &system.initial(),
                scores,
            )?;
        }
    }
    Ok(())
}

/// A player of a ladder whose averages know one game.
fn laddered<R: Clone>(hidden: R, draw: &mut Draw) -> LadderedRating<R> {
    AveragedRating::new(around(hidden, draw), AverageWindow::default(), draw.below(3))
}

#[test]
fn a_ladder_around_a_system_for_teams_keeps_the_laws_of_teams() {
    fn check<S>(system: S, seed: u64)
    where
        S: TeamRatingSystem<Rating = GaussianRating>,
    {
        let ladder = LadderParams::default()
            .wrap(system, PeriodChoice::default())
            .unwrap();
        let skill = |draw: &mut Draw| {
            let hidden =
                GaussianRating::new(draw.uniform(-100.0, 100.0), draw.log_uniform(0.1, 8.0)).unwrap();
            laddered(hidden, draw)
        };
        check_teams(&ladder, skill, seed, 300).unwrap();
    }
    check(TrueSkillParams::default().build().unwrap(), 1);
    check(WengLinParams::default().build().unwrap(), 2);
}

#[test]
fn a_ladder_around_teams_pays_as_one_around_their_players() {
    let teams = |elo| TeamAdapter::new(elo, TeamSkill::Mean, FixedDraw::NONE);
    let ladder = LadderParams::default();
    let around = ladder.wrap(teams(elo()), PeriodChoice::default()).unwrap();
    let inside = TeamAdapter::new(
        ladder.wrap(elo(), PeriodChoice::default()).unwrap(),
        TeamSkill::Mean,
        FixedDraw::NONE,
    );
    let mut draw = Draw::new(3);
    for _ in 0..300 {
        let sides = 2 + draw.below(3);
        let side = |place: u32, draw: &mut Draw| {
            let rating = |draw: &mut Draw| {
                let hidden = EloRating::new(draw.uniform(1000.0, 2000.0)).unwrap();
                let shown = PointsRating::new(hidden, draw.uniform(0.0, 500.0), draw.uniform(0.0, 50.0), 0.0)
                    .unwrap();
                AveragedRating::new(shown, AverageWindow::default(), 0)
            };
            let mut members: Vec<_> = (0..3).map(|_| Member::new(rating(draw))).collect();
            members[0].share = draw.uniform(0.3, 1.0);
            Side { place, members }
        };
        let sides = (0..sides).map(|_| side(1 + draw.below(3), &mut draw)).collect();
        let game = TeamGame::new(sides).unwrap();
        let [one, other] = [around.update(&game), inside.update(&game)].map(|sides| sides.concat());
        for (one, other) in one.iter().zip(&other) {
            let [one, other] = [one, other].map(|player| {
                let shown = player.inner();
                [
                    player.rating(),
                    shown.points(),
                    shown.unspent(),
                    shown.spent(),
                    player.window().games() as f64,
                ]
            });
            assert!(
                one.iter()
                    .zip(other)
                    .all(|(one, other)| (one - other).abs() < 1e-9),
                "{one:?} {other:?}"
            );
        }
    }
}
