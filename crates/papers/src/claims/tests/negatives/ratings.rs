//! Negative cases of the checks of ratings: Dota 2's and DomiNations' systems and prints.

use matchwright_rating::{
    DomMmrParams, DotaAccount, DotaMmr, GaussianRating, MatchKind, MmrTrack, PerformanceError, TeamGame,
};

use super::Negative;
use crate::check::verdict::Finding;
use crate::claims::inputs::Inputs;
use crate::dominations::claims::schedule;
use crate::dota::claims::{accounts, parties, rating};
use crate::dota::{PartiesConfig, run_parties};

pub(super) const ALL: &[Negative] = &[
    Negative::new("ranked play from 140 games", &["DOTA-150"], |r| {
        r.dota.rules.min_games = 140;
    }),
    Negative::part("every game counts as ranked too", &["DOTA-4MMR"], |inputs| {
        accounts::four(&inputs.dota, mixed)
    }),
    Negative::new("calibration of sixty games", &["DOTA-visible"], |r| {
        r.dota.calibration.games = 60;
    }),
    Negative::new("nine games of calibration", &["DOTA-cal10"], |r| {
        r.dota.calibration.games = 9;
    }),
    Negative::new("performance does not count", &["DOTA-anom", "DOTA-perf"], |r| {
        r.dota.system.performance_weight = 0.0;
    }),
    Negative::part("winners lose three points more", &["DOTA-avg"], |inputs| {
        rating::averages(&inputs.dota, winners_lose)
    }),
    Negative::new("surprise raises no uncertainty", &["DOTA-unc"], |r| {
        r.dota.system.gain_above = 0.0;
    }),
    Negative::new("a percentile less printed", &["DOTA-pct"], |r| {
        r.dota.percentiles.truncate(7);
    }),
    Negative::new("a steeper line for parties", &["DOTA-AdjC", "DOTA-AdjD"], |r| {
        r.dota.bonus.spread_points = 0.022;
    }),
    Negative::new("parties pay for any spread", &["DOTA-AdjF"], |r| {
        r.dota.bonus.free_spread = 0.0;
    }),
    Negative::new("another total printed", &["DOTA-tot"], |r| {
        r.dota.totals[1] = 13_503.0;
    }),
    Negative::part("a biased regression", &["DOTA-logreg"], biased),
    Negative::new("ratings that count for nothing", &["DOM-OD"], |r| {
        r.dominations.bases.exponent = 1e-300;
    }),
    Negative::new("an exponent of 4", &["DOM-10-60"], |r| {
        r.dominations.bases.exponent = 4.0;
    }),
    Negative::new("20 % of difference called good", &["DOM-notgood"], |r| {
        r.dominations.bases.good_delta = 0.2;
    }),
    Negative::new(
        "one K for all",
        &[
            "DOM-Knew",
            "DOM-Kstreak",
            "DOM-inflate",
            "DOM-reboot",
            "DOM-shark",
        ],
        |r| r.dominations.system = DomMmrParams::constant_k(128.0),
    ),
    Negative::part("half of K stated", &["DOM-Kmax"], |inputs| {
        schedule::most(&inputs.dominations, |dom, rating| 0.5 * dom.k(rating))
    }),
    Negative::new("the usual K at high glory", &["DOM-Khigh"], |r| {
        r.dominations.system.high_k = 128.0;
    }),
    Negative::new(
        "newcomers as certain as settled alliances",
        &["DOM-glicko2"],
        |r| {
            r.dominations.glicko2.initial_deviation = 20.0;
        },
    ),
    Negative::new("newcomers as certain as known players", &["DOTA-newcomer"], |r| {
        (r.dota.system.initial_uncertainty, r.dota.system.max_uncertainty) =
            (r.dota.system.floor, r.dota.system.floor);
    }),
    Negative::new("a pull as strong everywhere", &["DOM-pull"], |r| {
        (r.dominations.pull.keep, r.dominations.pull.hardening) = (0.5, 0.0);
    }),
];

fn mixed(account: DotaAccount, track: MmrTrack, rating: GaussianRating) -> DotaAccount {
    let both = MmrTrack::new(MatchKind::Ranked, track.queue);
    account.after_game(track, rating).after_game(both, rating)
}

fn winners_lose(
    dota: &DotaMmr,
    game: &TeamGame<GaussianRating>,
    played: &[Vec<f64>],
) -> Result<Vec<Vec<GaussianRating>>, PerformanceError> {
    let mut after = dota.update_with_performance(game, played)?;
    for one in &mut after[0] {
        if let Ok(lower) = GaussianRating::new(one.rating() - 3.0, one.deviation()) {
            *one = lower;
        }
    }
    Ok(after)
}

fn biased(inputs: &Inputs) -> anyhow::Result<Finding> {
    let config = PartiesConfig {
        games: 1_000,
        ..inputs.dota.parties.clone()
    };
    let mut report = run_parties(&config, inputs.dota.seed)?;
    report.terms[2].estimate.mean *= 1.5;
    Ok(parties::regression(&report))
}
