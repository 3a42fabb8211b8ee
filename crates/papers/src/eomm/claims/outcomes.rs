//! Skills and the outcomes that follow from them: Elo, Glicko, Eq. 10-12.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use crate::eomm::printed::DRAW_RATE;
use matchwright_rating::{
    DrawModel, EloCurve, EloRating, FixedDraw, GameResult, GaussianRating, GlickoParams, RatingSystem, Score,
};

pub(crate) const CHECKS: &[Check<EommInputs>] = &[
    Check::new("EOMM-Elo", Exact(elo)),
    Check::new("EOMM-Glicko-RD", Exact(deviation)),
    Check::new("EOMM-Eq10", Exact(|inputs| draws(inputs, &FixedDraw::EOMM))),
    Check::new(
        "EOMM-Eq11-12",
        Exact(|inputs| wins_and_losses(inputs, &FixedDraw::EOMM)),
    ),
];

/// One player's deviation from game to game, points.
const SIGMA: f64 = 200.0;

/// The chance that a performance N(lead, SIGMA^2) exceeds one of N(0, SIGMA^2): the double integral by the
/// trapezoid rule.
fn performs_better(lead: f64) -> f64 {
    const STEPS: i32 = 16_000;
    let step = 16.0 * SIGMA / f64::from(STEPS);
    let density = |x: f64| {
        let z = x / SIGMA;
        (-0.5 * z * z).exp() / (SIGMA * std::f64::consts::TAU.sqrt())
    };
    let (mut below, mut chance) = (0.0, 0.0);
    let mut last = 0.0;
    for k in 0..=STEPS {
        let x = f64::from(k) * step - 8.0 * SIGMA;
        let weaker = density(x);
        below += 0.5 * step * (last + weaker);
        last = weaker;
        chance += step * density(x - lead) * below;
    }
    chance
}

fn elo(inputs: &EommInputs) -> Result<Finding> {
    let standard_deviation = SIGMA;
    let curve = match inputs.elo.curve {
        EloCurve::Logistic { .. } => EloCurve::Normal { standard_deviation },
        given => given,
    };
    let mut off = 0.0;
    for k in -8..=8 {
        let lead = 50.0 * f64::from(k);
        let expected = curve.expected(1500.0 + lead, 1500.0);
        deviate(&mut off, expected, performs_better(lead));
    }
    let system = inputs.elo.build()?;
    let (weaker, stronger) = (EloRating::new(1400.0)?, EloRating::new(1600.0)?);
    let moved = |player: EloRating, opponent: EloRating| {
        let won = GameResult::new(opponent, Score::WIN);
        system.update(&player, 1.0, &[won]).value() - player.value()
    };
    let (upset, expected) = (moved(weaker, stronger), moved(stronger, weaker));
    Ok(Finding::new()
        .number("normal curve off by", off, 6)
        .number("points for an upset over 200 points", upset, 2)
        .number("for the expected win", expected, 2)
        .require(off < 1e-6, "the normal curve is the chance to perform better")
        .require(upset > expected && expected > 0.0, "upsets move ratings more"))
}

/// Glickman, "The Glicko system", worked example: printed 1464 and 151.4, here to ten decimals.
const EXAMPLE: (f64, f64) = (1464.1064627569, 151.3989024480);

fn deviation(inputs: &EommInputs) -> Result<Finding> {
    let still = GlickoParams {
        c: 0.0,
        ..inputs.glicko
    }
    .build()?;
    let rated = |rating, deviation| GaussianRating::new(rating, deviation);
    let games = [
        GameResult::new(rated(1400.0, 30.0)?, Score::WIN),
        GameResult::new(rated(1550.0, 100.0)?, Score::LOSS),
        GameResult::new(rated(1700.0, 300.0)?, Score::LOSS),
    ];
    let after = still.update(&rated(1500.0, 200.0)?, 1.0, &games);
    let system = inputs.glicko.build()?;
    let mut idle = rated(1500.0, 50.0)?;
    let mut rises = true;
    for _ in 0..30 {
        let longer = system.update(&idle, 1.0, &[]);
        rises &= longer.deviation() > idle.deviation() && longer.rating() == idle.rating();
        idle = longer;
    }
    let mut off = 0.0;
    deviate(&mut off, after.rating(), EXAMPLE.0);
    deviate(&mut off, after.deviation(), EXAMPLE.1);
    Ok(Finding::new()
        .number("rating", after.rating(), 4)
        .number("deviation", after.deviation(), 4)
        .number("50 after 30 idle periods", idle.deviation(), 2)
        .require(off < 1e-6, "Glickman's example")
        .require(after.deviation() < 200.0, "games lower the deviation")
        .require(rises, "each idle period raises the deviation alone")
        .require((idle.deviation() - 350.0).abs() < 0.5, "350 after 30 periods"))
}

pub(crate) fn draws(inputs: &EommInputs, model: &dyn DrawModel) -> Result<Finding> {
    let system = inputs.glicko.build()?;
    let (mut off, mut pairs) = (0.0_f64, 0);
    for gap in (-2000..=2000).step_by(50) {
        for deviations in [(0.0, 0.0), (30.0, 200.0), (350.0, 350.0), (350.0, 30.0)] {
            let player = GaussianRating::new(1500.0 + f64::from(gap), deviations.0)?;
            let opponent = GaussianRating::new(1500.0, deviations.1)?;
            let expected = system.expected_score(&player, &opponent);
            let reverse = system.expected_score(&opponent, &player);
            let draw = model.outcome_probabilities(expected, reverse).draw;
            deviate(&mut off, draw, DRAW_RATE);
            pairs += 1;
        }
    }
    Ok(Finding::new()
        .count("pairs", pairs)
        .number("largest distance from 0.2", off, 3)
        .require(off <= 1e-15, "draws at 0.2, whatever the gap"))
}

pub(crate) fn wins_and_losses(inputs: &EommInputs, model: &dyn DrawModel) -> Result<Finding> {
    let system = inputs.glicko.build()?;
    let strong = GaussianRating::new(1700.0, 50.0)?;
    let weak = GaussianRating::new(1500.0, 200.0)?;
    let expected = system.expected_score(&strong, &weak);
    let reverse = system.expected_score(&weak, &strong);
    let chances = model.outcome_probabilities(expected, reverse);
    let near = |ours: f64, printed: f64, digits: i32| (ours - printed).abs() <= 0.5 * 10_f64.powi(-digits);
    Ok(Finding::new()
        .number("p + p'", expected + reverse, 5)
        .number("win", chances.win, 4)
        .number("draw", chances.draw, 4)
        .number("loss", chances.loss, 4)
        .require(near(expected + reverse, 0.96838, 5), "p + p' = .96838")
        .require(near(chances.win, 0.5994, 4), "win .5994")
        .require(near(chances.draw, 0.2, 4), "draw .2")
        .require(near(chances.loss, 0.2006, 4), "loss .2006"))
}
