//! Wrong parts for the checks of ratings: Dota 2's and DomiNations' systems and prints.

use matchwright_rating::{
    BaseOdds, BaseRating, DomMmr, DomMmrParams, DomRating, DotaAccount, GaussianRating, KeepSum, MatchKind,
    MmrTrack, PercentileError, PercentileTable, QueuedAs, SeasonPull, Shown, Viewer,
};

use super::Mutation;
use crate::dota::run_parties;

pub(super) const ALL: &[Mutation] = &[
    Mutation::new("ranked play from 140 games", &["DOTA-150"], |r| {
        r.dota.rules.min_games = 140;
    }),
    Mutation::new("ranked play with coaches", &["DOTA-150"], |r| {
        r.dota.rules.coaches = true;
    }),
    Mutation::new("ranked play from the low-priority pool", &["DOTA-150"], |r| {
        r.dota.rules.low_priority = true;
    }),
    Mutation::new("another mode ranked", &["DOTA-150"], |r| {
        r.dota.rules.modes.push("single_draft".to_owned());
    }),
    Mutation::new("every game counts as ranked too", &["DOTA-4MMR"], |r| {
        r.dota.after_game = mixed;
    }),
    Mutation::new("ratings shown to everybody", &["DOTA-visible"], |r| {
        r.dota.shown = open_to_all;
    }),
    Mutation::new(
        "ratings shown from the first game on",
        &["DOTA-visible", "DOTA-cal10"],
        |r| {
            r.dota.shown = at_once;
        },
    ),
    Mutation::new("nine games of calibration", &["DOTA-cal10"], |r| {
        r.dota.calibration.games = 9;
    }),
    Mutation::new("one calibration for both ranked ratings", &["DOTA-cal10"], |r| {
        r.dota.after_game = one_calibration;
    }),
    Mutation::new("performance does not count", &["DOTA-perf", "DOTA-anom"], |r| {
        r.dota.system.performance_weight = 0.0;
    }),
    Mutation::new("performance alone counts", &["DOTA-perf"], |r| {
        r.dota.system.performance_weight = 1.0;
    }),
    Mutation::new("winners lose three points more", &["DOTA-avg"], |r| {
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
    Mutation::new("surprise raises no uncertainty", &["DOTA-unc"], |r| {
        r.dota.system.gain_above = 0.0;
    }),
    Mutation::new("expected results lower no uncertainty", &["DOTA-unc"], |r| {
        r.dota.system.gain_below = 0.0;
    }),
    Mutation::new("a percentile less printed", &["DOTA-pct"], |r| {
        r.dota.percentiles.truncate(7);
    }),
    Mutation::new("a table of percentiles a point too high", &["DOTA-pct"], |r| {
        r.dota.table = shifted;
    }),
    Mutation::new(
        "percentiles of a normal distribution printed",
        &["DOTA-pct"],
        |r| {
            let z = [-1.645, -1.2816, -0.6745, 0.0, 0.6745, 1.2816, 1.645, 2.3263];
            for (row, z) in r.dota.percentiles.iter_mut().zip(z) {
                row.1 = 2_351.0 + 819.0 * z;
            }
        },
    ),
    Mutation::new("a steeper line for parties", &["DOTA-AdjD", "DOTA-AdjC"], |r| {
        r.dota.bonus.spread_points = 0.022;
    }),
    Mutation::new(
        "a point for a party of any size",
        &["DOTA-AdjD", "DOTA-AdjC"],
        |r| {
            r.dota.bonus.size_points = [1.0; 4];
        },
    ),
    Mutation::new("parties pay for any spread", &["DOTA-AdjF"], |r| {
        r.dota.bonus.free_spread = 0.0;
    }),
    // The bonus is 0 for party F then: +1 is beyond every fraction.
    Mutation::new(
        "parties pay for 200 points of spread and more",
        &["DOTA-AdjF"],
        |r| {
            r.dota.bonus.free_spread = 200.0;
        },
    ),
    Mutation::new("2626 printed as 2628", &["DOTA-AdjF"], |r| {
        r.dota.printed_match[0][3].adjusted = 2_628.0;
    }),
    // If both were +1, whole numbers would do, and there would be nothing to add.
    Mutation::new("2788 printed as 2789", &["DOTA-AdjF"], |r| {
        r.dota.printed_match[0][1].adjusted = 2_789.0;
    }),
    Mutation::new("a single player printed a point higher", &["DOTA-AdjF"], |r| {
        r.dota.printed_match[1][3].adjusted = 2_673.0;
    }),
    Mutation::new("another total printed", &["DOTA-tot"], |r| {
        r.dota.totals[1] = 13_503.0;
    }),
    Mutation::new("a line for parties half as steep again", &["DOTA-tot"], |r| {
        r.dota.bonus.spread_points = 0.03;
    }),
    Mutation::new("a biased regression", &["DOTA-logreg"], |r| {
        r.dota.parties.games = 1_000;
        r.dota.run_parties = |config, seed| {
            let mut report = run_parties(config, seed)?;
            report.terms[2].estimate.mean *= 1.5;
            Ok(report)
        };
    }),
    Mutation::new(
        "intervals of the regression that always cover",
        &["DOTA-logreg"],
        |r| {
            r.dota.parties.games = 1_000;
            r.dota.run_parties = |config, seed| {
                let mut report = run_parties(config, seed)?;
                report.terms[4].coverage.mean = 1.0;
                Ok(report)
            };
        },
    ),
    Mutation::new("offence counts for nothing", &["DOM-OD"], |r| {
        r.dominations.base_odds = defence_alone;
    }),
    Mutation::new("the percentage as (A - B)/B", &["DOM-10-60"], |r| {
        r.dominations.base_odds = percent;
    }),
    Mutation::new("an exponent of 4", &["DOM-10-60"], |r| {
        r.dominations.bases.exponent = 4.0;
    }),
    Mutation::new("20 % of difference called good", &["DOM-notgood"], |r| {
        r.dominations.bases.good_delta = 0.2;
    }),
    Mutation::new(
        "one K for all",
        &[
            "DOM-Knew",
            "DOM-Kstreak",
            "DOM-shark",
            "DOM-inflate",
            "DOM-reboot",
        ],
        |r| r.dominations.system = DomMmrParams::constant_k(128.0),
    ),
    Mutation::new("half of K stated", &["DOM-Kmax"], |r| {
        r.dominations.k = |dom: &DomMmr, rating: &DomRating| 0.5 * dom.k(rating);
    }),
    Mutation::new("newcomers for a thousand wars", &["DOM-Knew"], |r| {
        r.dominations.system.newcomer_games = 1_000;
    }),
    Mutation::new("a streak from the first result on", &["DOM-Kstreak"], |r| {
        r.dominations.system.streak_from = 1;
    }),
    Mutation::new("the usual K at high glory", &["DOM-Khigh"], |r| {
        r.dominations.system.high_k = 128.0;
    }),
    Mutation::new("no newcomers", &["DOM-shark", "DOM-reboot"], |r| {
        r.dominations.system.newcomer_games = 0;
    }),
    Mutation::new("points kept by the mean of both K", &["DOM-inflate"], |r| {
        r.dominations.system.keep_sum = Some(KeepSum::Mean);
    }),
    Mutation::new(
        "newcomers as certain as settled alliances",
        &["DOM-glicko2"],
        |r| {
            r.dominations.glicko2.initial_deviation = 20.0;
        },
    ),
    Mutation::new("newcomers as certain as known players", &["DOTA-newcomer"], |r| {
        (r.dota.system.initial_uncertainty, r.dota.system.max_uncertainty) =
            (r.dota.system.floor, r.dota.system.floor);
    }),
    Mutation::new(
        "party C printed with a bonus of 30",
        &["DOTA-AdjF", "DOTA-AdjC"],
        |r| {
            for one in r.dota.printed_match[1].iter_mut().filter(|one| one.party == 'C') {
                one.adjusted += 14.0;
            }
        },
    ),
    Mutation::new("a pull as strong everywhere", &["DOM-pull"], |r| {
        (r.dominations.pull.keep, r.dominations.pull.hardening) = (0.5, 0.0);
    }),
    Mutation::new("a pull that hardens more", &["DOM-pull"], |r| {
        r.dominations.pull.hardening = 1.0 / 24_000.0;
    }),
    Mutation::new("a pull towards 11,000", &["DOM-pull"], |r| {
        r.dominations.pull.centre = 11_000.0;
    }),
    Mutation::new("a pull of all to one place", &["DOM-pull"], |r| {
        r.dominations.pull_to = |_: &SeasonPull, _| 12_000.0;
    }),
];

fn mixed(account: DotaAccount, track: MmrTrack, rating: GaussianRating) -> DotaAccount {
    let both = MmrTrack::new(MatchKind::Ranked, track.queue);
    account.after_game(track, rating).after_game(both, rating)
}

fn open_to_all(account: &DotaAccount, track: MmrTrack, _: Viewer) -> Shown {
    account.shown(track, Viewer::Owner)
}

fn at_once(account: &DotaAccount, track: MmrTrack, _: Viewer) -> Shown {
    Shown::Mmr(account.rating(track).rating())
}

fn one_calibration(account: DotaAccount, track: MmrTrack, rating: GaussianRating) -> DotaAccount {
    let other = MmrTrack::new(MatchKind::Ranked, QueuedAs::Party);
    account
        .after_game(track, rating)
        .after_game(other, *account.rating(other))
}

fn shifted(rows: &[(f64, f64)]) -> Result<PercentileTable, PercentileError> {
    let rows: Vec<(f64, f64)> = rows.iter().map(|row| (row.0, row.1 + 1.0)).collect();
    PercentileTable::new(&rows)
}

fn defence_alone(odds: &BaseOdds, a: &BaseRating, b: &BaseRating) -> f64 {
    let ratio = (a.defence() / b.defence()).powf(odds.params().exponent);
    ratio / (1.0 + ratio)
}

fn percent(_: &BaseOdds, a: &BaseRating, b: &BaseRating) -> f64 {
    let delta = (a.defence() - b.defence()) / b.defence();
    1.0 / (1.0 + (-10.0 * 1.5_f64.ln() * delta).exp())
}
