//! The systems of the crate `skillratings`, tuned as ours are.

use matchwright_rating::history::{Game, History};
use matchwright_rating::{Scale, Score, Tunable};
use matchwright_sim::progress::Quiet;
use matchwright_sim::rate::{CoordinateSearch, STEPS};
use skillratings::Outcomes;
use skillratings::elo::{self, EloConfig, EloRating};
use skillratings::glicko::{self, GlickoConfig, GlickoRating};
use skillratings::glicko2::{self, Glicko2Config, Glicko2Rating};
use skillratings::trueskill::{self, TrueSkillConfig, TrueSkillRating};
use skillratings::weng_lin::{self, WengLinConfig, WengLinRating};

use super::{counted, loss};

/// A system with its best parameters.
pub(super) struct Tuned {
    pub(super) name: &'static str,
    /// Mean loss of the games that it was tuned on.
    pub(super) learnt_loss: f64,
    pub(super) evaluations: usize,
    /// Loss of each decided game of the last part.
    pub(super) losses: Vec<f64>,
}

/// All systems that can rate these games, at the parameters whose forecasts of the first part are best.
pub(super) fn tuned(history: &History) -> Vec<Tuned> {
    let mut all = vec![
        tune(
            history,
            "TrueSkill",
            TrueSkillConfig::new(),
            trueskill_knobs,
            trueskill,
        ),
        tune(
            history,
            "Weng-Lin",
            WengLinConfig::new(),
            weng_lin_knobs,
            weng_lin,
        ),
    ];
    if history.duels().is_some() {
        all.push(tune(history, "Elo", EloConfig::new(), elo_knobs, elo));
        let glicko_start = (GlickoConfig::new(), GlickoRating::new());
        all.push(tune(history, "Glicko", glicko_start, glicko_knobs, glicko));
        let glicko2_start = (Glicko2Config::new(), Glicko2Rating::new());
        all.push(tune(history, "Glicko-2", glicko2_start, glicko2_knobs, glicko2));
    }
    all
}

/// What turns the numbers that are fitted.
type Turn<'a> = &'a mut dyn FnMut(&'static str, Scale, &mut f64);

/// Shows the numbers of settings that are fitted.
type Knobs<P> = fn(&mut P, Turn<'_>);

/// Settings of a peer's system.
#[derive(Clone)]
struct Peer<P> {
    params: P,
    knobs: Knobs<P>,
}

impl<P> Tunable for Peer<P> {
    fn knobs(&mut self, turn: Turn<'_>) {
        (self.knobs)(&mut self.params, turn);
    }
}

/// A pass under these parameters: the first side's probability for each game.
type Pass<P> = fn(&P, &History) -> Vec<f64>;

fn tune<P: Clone + Send + Sync>(
    history: &History,
    name: &'static str,
    start: P,
    knobs: Knobs<P>,
    pass: Pass<P>,
) -> Tuned {
    let range = counted(history);
    let measure = |peer: &Peer<P>| -> Result<Option<f64>, ()> {
        let forecasts = pass(&peer.params, history);
        let losses: Vec<f64> = losses(history, &forecasts, range.clone());
        let mean = losses.iter().sum::<f64>() / losses.len() as f64;
        Ok(mean.is_finite().then_some(mean))
    };
    let mut search = CoordinateSearch::new(measure);
    let start = Peer { params: start, knobs };
    let (Peer { params, .. }, learnt_loss) = search.descend(start, &STEPS, &Quiet).unwrap().unwrap();
    Tuned {
        name,
        learnt_loss,
        evaluations: search.evaluations,
        losses: losses(history, &pass(&params, history), range.end..history.len()),
    }
}

fn losses(history: &History, forecasts: &[f64], games: std::ops::Range<usize>) -> Vec<f64> {
    let of = |index: usize| loss(history.game(index).result_between(0, 1), forecasts[index]);
    games.filter_map(of).collect()
}

/// Goes through all games: `expect` and `rate` see both sides' ratings.
fn pass<R: Copy>(
    history: &History,
    initial: R,
    expect: impl Fn(&[R], &[R]) -> f64,
    rate: impl Fn(&[R], &[R], Outcomes) -> (Vec<R>, Vec<R>),
) -> Vec<f64> {
    let mut ratings = vec![initial; history.players().len()];
    let play = |game: Game<'_>| {
        let players = [0, 1].map(|side| game.side(side).players());
        let [first, second] =
            players.map(|side| side.iter().map(|&one| ratings[one as usize]).collect::<Vec<R>>());
        let expected = expect(&first, &second);
        let outcome = match game.result_between(0, 1) {
            Score::WIN => Outcomes::WIN,
            Score::LOSS => Outcomes::LOSS,
            _ => Outcomes::DRAW,
        };
        let after = rate(&first, &second, outcome);
        for (side, after) in players.into_iter().zip([after.0, after.1]) {
            for (&player, rating) in side.iter().zip(after) {
                ratings[player as usize] = rating;
            }
        }
        expected
    };
    history.games().map(play).collect()
}

/// A pass over duels.
fn duels<R: Copy>(
    history: &History,
    initial: R,
    expect: impl Fn(&R, &R) -> (f64, f64),
    rate: impl Fn(&R, &R, &Outcomes) -> (R, R),
) -> Vec<f64> {
    let both = |a: &[R], b: &[R], outcome| {
        let (first, second) = rate(&a[0], &b[0], &outcome);
        (vec![first], vec![second])
    };
    pass(history, initial, |a, b| expect(&a[0], &b[0]).0, both)
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "a pass takes any parameters so")]
fn elo(config: &EloConfig, history: &History) -> Vec<f64> {
    duels(history, EloRating::new(), elo::expected_score, |a, b, outcome| {
        elo::elo(a, b, outcome, config)
    })
}

fn elo_knobs(config: &mut EloConfig, turn: Turn<'_>) {
    turn("k", Scale::Factors(0.5, 400.0), &mut config.k);
}

fn glicko((config, initial): &(GlickoConfig, GlickoRating), history: &History) -> Vec<f64> {
    duels(history, *initial, glicko::expected_score, |a, b, outcome| {
        glicko::glicko(a, b, outcome, config)
    })
}

fn glicko_knobs((config, initial): &mut (GlickoConfig, GlickoRating), turn: Turn<'_>) {
    turn("c", Scale::FactorsOrZero(0.05, 500.0), &mut config.c);
    turn("deviation", Scale::Factors(30.0, 1000.0), &mut initial.deviation);
}

fn glicko2((config, initial): &(Glicko2Config, Glicko2Rating), history: &History) -> Vec<f64> {
    duels(history, *initial, glicko2::expected_score, |a, b, outcome| {
        glicko2::glicko2(a, b, outcome, config)
    })
}

fn glicko2_knobs((config, initial): &mut (Glicko2Config, Glicko2Rating), turn: Turn<'_>) {
    turn("tau", Scale::Factors(0.01, 4.0), &mut config.tau);
    turn("deviation", Scale::Factors(30.0, 1000.0), &mut initial.deviation);
    turn("volatility", Scale::Factors(1e-4, 1.0), &mut initial.volatility);
}

fn trueskill(config: &TrueSkillConfig, history: &History) -> Vec<f64> {
    pass(
        history,
        TrueSkillRating::new(),
        |a, b| trueskill::expected_score_two_teams(a, b, config).0,
        |a, b, outcome| trueskill::trueskill_two_teams(a, b, &outcome, config),
    )
}

fn trueskill_knobs(config: &mut TrueSkillConfig, turn: Turn<'_>) {
    turn("beta", Scale::Factors(0.2, 100.0), &mut config.beta);
    turn(
        "dynamics_factor",
        Scale::FactorsOrZero(1e-3, 10.0),
        &mut config.dynamics_factor,
    );
    turn(
        "draw_probability",
        Scale::Factors(1e-4, 0.9),
        &mut config.draw_probability,
    );
}

fn weng_lin(config: &WengLinConfig, history: &History) -> Vec<f64> {
    pass(
        history,
        WengLinRating::new(),
        |a, b| weng_lin::expected_score_two_teams(a, b, config).0,
        |a, b, outcome| weng_lin::weng_lin_two_teams(a, b, &outcome, config),
    )
}

fn weng_lin_knobs(config: &mut WengLinConfig, turn: Turn<'_>) {
    turn("beta", Scale::Factors(0.2, 100.0), &mut config.beta);
    turn(
        "uncertainty_tolerance",
        Scale::Factors(1e-9, 1.0),
        &mut config.uncertainty_tolerance,
    );
}
