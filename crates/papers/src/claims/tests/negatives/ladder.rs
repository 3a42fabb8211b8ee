//! Negative cases of the checks of ladders: forms, seasons, and what is inferred from generated ladders.

use matchwright_mmr_forensics::{
    AfterGame, Division, ForensicsError, LadderSeason, LadderState, ListedPlayer, Mismatch, MovingAverage,
    PerLoss, PerWin, PoolKnowledge, ShownGame, Standing, TopRow, play_backward, top_list,
};

use super::Negative;
use crate::sc2::claims::{forensics, lists};

pub(super) const ALL: &[Negative] = &[
    Negative::part("P + U W - B", &["SC2-Pp"], |inputs| {
        forensics::differential(&inputs.sc2, with_half_of_the_pool)
    }),
    Negative::part("P + U W - B", &["SC2-Pp0"], |_| {
        forensics::first_form(with_half_of_the_pool)
    }),
    Negative::part("2 U W for the rating of now", &["SC2-X14"], |inputs| {
        forensics::spending(&inputs.sc2, Standing::differential)
    }),
    Negative::new("leagues twice as high, each", &["SC2-range"], |wrong| {
        let mut next = 500.0;
        for league in &mut wrong.sc2.season.leagues {
            (league.conversion, league.magic) = (next, Some(next));
            next *= 2.0;
        }
    }),
    Negative::new("Rank 6 in the second table", &["SC2-table2"], |wrong| {
        wrong.sc2.second_table.insert(0, 315.0);
    }),
    Negative::trying("forecasts below that are worse", &["SC2-smalower"], |wrong| {
        wrong.sc2.runs.ladders.change(|report| {
            report.brier.ours *= 1.5;
            Some(())
        })
    }),
    Negative::part("games backwards with a point more", &["SC2-retro"], |inputs| {
        forensics::backwards(&inputs.sc2, a_point_more)
    }),
    Negative::part("a top list that explains nothing", &["SC2-top200"], |inputs| {
        lists::top_200(&inputs.sc2, unexplained)
    }),
    Negative::new("a mean of five games", &["SC2-promo"], |wrong| {
        wrong.sc2.average = MovingAverage::Simple { games: 5 };
    }),
    Negative::trying(
        "ten points a loss",
        &["SC2-G", "SC2-G-never", "SC2-G-unit", "SC2-G24"],
        |wrong| {
            wrong.sc2.season.game.per_loss = PerLoss::new(10.0)?;
            Ok(())
        },
    ),
    Negative::new("a mean of eleven games in the season", &["SC2-G-5"], |wrong| {
        wrong.sc2.season.average = MovingAverage::Simple { games: 11 };
    }),
    Negative::new(
        "Diamond's magic number at 450",
        &["SC2-C", "SC2-M", "SC2-detect", "SC2-err"],
        |wrong| {
            wrong.sc2.season.leagues[4].magic = Some(450.0);
            wrong.sc2.season.leagues[5].conversion = 2200.0;
        },
    ),
    Negative::new("Diamond's magic number at 300", &["SC2-331"], |wrong| {
        wrong.sc2.season.leagues[4].magic = Some(300.0);
        wrong.sc2.season.leagues[5].conversion = 2050.0;
    }),
    Negative::new("a tier of Diamond a point off", &["SC2-tiers"], |wrong| {
        wrong.sc2.season.leagues[4].tiers[3].offset = Some(125.0);
    }),
    Negative::new("Rank 0 Bronze at -490", &["SC2-293"], |wrong| {
        wrong.sc2.season.leagues[0].tiers[1].offset = Some(-490.0);
    }),
    Negative::trying("14 points a win", &["SC2-A"], |wrong| {
        wrong.sc2.season.game.per_win = PerWin::new(14.0)?;
        Ok(())
    }),
    Negative::trying("large pools as good as small ones", &["SC2-acc"], |wrong| {
        wrong.sc2.runs.ladders.change(|report| {
            let small = report.pool.first()?.ladders.clone();
            report
                .pool
                .iter_mut()
                .for_each(|row| row.ladders.clone_from(&small));
            Some(())
        })
    }),
    Negative::trying(
        "forecasts to Master worse than the rule",
        &["SC2-smapred"],
        |wrong| {
            wrong.sc2.runs.ladders.change(|report| {
                report.brier_top.leads.iter_mut().for_each(|lead| *lead = -*lead);
                Some(())
            })
        },
    ),
    Negative::new(
        "too few promotions to tell averages apart",
        &["SC2-modma"],
        |wrong| {
            wrong.sc2.averages.promotions = vec![9];
        },
    ),
    Negative::new(
        "absence that costs alike in all leagues",
        &["SC2-inact"],
        |wrong| {
            wrong.sc2.world.debt_by_league = 0.0;
        },
    ),
    Negative::new("a list looked at all at once", &["SC2-snap"], |wrong| {
        wrong.sc2.snapshot_hours = [9.75; 2];
    }),
    Negative::new("busy players who play as seldom", &["SC2-points"], |wrong| {
        wrong.sc2.busy_games = wrong.sc2.points.games_per_week;
    }),
    Negative::new("a bonus point each 110 minutes", &["SC2-rate"], |wrong| {
        wrong.sc2.pool.minutes_per_point = 110.0;
    }),
    Negative::new("a weighted mean shown", &["SC2-sma10"], |wrong| {
        wrong.sc2.shown_average = matchwright_rating::MovingAverage::Weighted { games: 10 };
    }),
];

fn with_half_of_the_pool(player: &Standing) -> f64 {
    player.points().get() + player.unspent().get() * player.share().get() - player.total().get()
}

fn a_point_more(
    end: LadderState,
    games: &[ShownGame],
    pool: PoolKnowledge,
    expired: f64,
    season: &LadderSeason,
) -> Result<Vec<AfterGame>, ForensicsError> {
    let mut rows = play_backward(end, games, pool, expired, season)?;
    for row in &mut rows {
        row.points += 1.0;
    }
    Ok(rows)
}

fn unexplained(players: &[ListedPlayer], length: usize, division: &Division<'_>) -> Vec<TopRow> {
    let mut rows = top_list(players, length, division);
    for row in &mut rows {
        row.mismatch = Mismatch::None;
    }
    rows
}
