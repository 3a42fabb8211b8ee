//! Wrong parts for the checks of ladders: forms, seasons, and what is inferred from generated ladders.

use matchwright_mmr_forensics::{
    AfterGame, Division, ForensicsError, GameValue, GamesToPromotion, LadderSeason, LadderState,
    ListedPlayer, Mismatch, MovingAverage, PerLoss, PerWin, PoolKnowledge, ShownGame, Standing, TopRow,
    WinRate, games_to_promotion, play_backward, top_list,
};

use super::Mutation;
use crate::claims::runs::Once;
use crate::sc2::ladder::Levels;

pub(super) const ALL: &[Mutation] = &[
    Mutation::new(
        "P + U W - B",
        &["SC2-Pp", "SC2-Pp0", "SC2-331", "SC2-293"],
        |wrong| wrong.sc2.differential = with_half_of_the_pool,
    ),
    Mutation::new("2 U W for the pool spent", &["SC2-X14"], |wrong| {
        wrong.sc2.spent = |player, game| player.differential_spent(game).map(|_| player.differential());
    }),
    Mutation::new("promotion for everybody, some day", &["SC2-G-never"], |wrong| {
        wrong.sc2.games = some_day;
    }),
    Mutation::new("percents taken for shares", &["SC2-G-unit"], |wrong| {
        wrong.sc2.share = |share| WinRate::new(share).or_else(|_| WinRate::from_percent(share));
    }),
    Mutation::new("games backwards with a point more", &["SC2-retro"], |wrong| {
        wrong.sc2.backward = a_point_more;
    }),
    Mutation::new(
        "a top list that explains nothing",
        &["SC2-top200", "SC2-snap"],
        |wrong| {
            wrong.sc2.top = unexplained;
        },
    ),
    Mutation::new("a mean of five games", &["SC2-promo"], |wrong| {
        wrong.sc2.average = MovingAverage::Simple { games: 5 };
    }),
    Mutation::trying(
        "ten points a loss",
        &["SC2-G", "SC2-G24", "SC2-G-never", "SC2-G-unit"],
        |wrong| {
            wrong.sc2.season.game.per_loss = PerLoss::new(10.0)?;
            Ok(())
        },
    ),
    Mutation::new("a mean of eleven games in the season", &["SC2-G-5"], |wrong| {
        wrong.sc2.season.average = MovingAverage::Simple { games: 11 };
    }),
    Mutation::new("4.5 games added", &["SC2-G-5"], |wrong| {
        wrong.sc2.season.lag_games = 4.5;
    }),
    Mutation::new(
        "Diamond's magic number at 450",
        &["SC2-M", "SC2-C", "SC2-err", "SC2-detect"],
        |wrong| {
            wrong.sc2.season.leagues[4].magic = Some(450.0);
            wrong.sc2.season.leagues[5].conversion = 2200.0;
        },
    ),
    Mutation::new("Diamond's magic number at 300", &["SC2-331"], |wrong| {
        wrong.sc2.season.leagues[4].magic = Some(300.0);
        wrong.sc2.season.leagues[5].conversion = 2050.0;
    }),
    Mutation::new("a tier of Diamond a point off", &["SC2-tiers"], |wrong| {
        wrong.sc2.season.leagues[4].tiers[3].offset = Some(125.0);
    }),
    Mutation::new("an offset for Rank F", &["SC2-tiers"], |wrong| {
        wrong.sc2.season.leagues[0].tiers[2].offset = Some(0.0);
    }),
    Mutation::new("Rank 0 Bronze at -490", &["SC2-293"], |wrong| {
        wrong.sc2.season.leagues[0].tiers[1].offset = Some(-490.0);
    }),
    Mutation::trying("14 points a win", &["SC2-A"], |wrong| {
        wrong.sc2.season.game.per_win = PerWin::new(14.0)?;
        Ok(())
    }),
    Mutation::trying("large pools as good as small ones", &["SC2-acc"], |wrong| {
        wrong.runs.ladders.change(|report| {
            let small = report.pool.first()?.ladders.clone();
            report
                .pool
                .iter_mut()
                .for_each(|row| row.ladders.clone_from(&small));
            Some(())
        })
    }),
    Mutation::trying(
        "small pools worse than the rating of now",
        &["SC2-acc"],
        |wrong| {
            wrong.runs.ladders.change(|report| {
                let small = &mut report.pool.first_mut()?.ladders;
                for off in small {
                    off.published += 10.0;
                }
                Some(())
            })
        },
    ),
    Mutation::trying("large pools that spoil P + U - B too", &["SC2-acc"], |wrong| {
        wrong.runs.ladders.change(|report| {
            let large = &mut report.pool.last_mut()?.ladders;
            for off in large {
                off.now += 50.0;
            }
            Some(())
        })
    }),
    Mutation::trying("pools of one size", &["SC2-acc"], |wrong| {
        wrong.runs.ladders.change(|report| {
            report.pool.truncate(1);
            Some(())
        })
    }),
    Mutation::trying(
        "a tenth of the divisions lost by likelihood",
        &["SC2-detect"],
        |wrong| {
            wrong.runs.ladders.change(|report| {
                report.tiers.right = report.tiers.divisions - report.tiers.divisions / 10;
                Some(())
            })
        },
    ),
    Mutation::trying(
        "a fifth of the divisions lost by cluster",
        &["SC2-detect"],
        |wrong| {
            wrong.runs.ladders.change(|report| {
                report.tiers.right_by_cluster = report.tiers.divisions - report.tiers.divisions / 5;
                Some(())
            })
        },
    ),
    Mutation::trying(
        "forecasts to Master worse than the rule",
        &["SC2-smapred"],
        |wrong| {
            wrong.runs.ladders.change(|report| {
                report.brier_top.leads.iter_mut().for_each(|lead| *lead = -*lead);
                Some(())
            })
        },
    ),
    Mutation::trying("poor forecasts below Master", &["SC2-smapred"], |wrong| {
        wrong.runs.ladders.change(|report| {
            report.brier.ours = 0.1 * f64::from(report.brier.forecasts);
            Some(())
        })
    }),
    Mutation::new(
        "too few promotions to tell averages apart",
        &["SC2-modma"],
        |wrong| {
            wrong.sc2.averages.promotions = vec![9];
        },
    ),
    Mutation::new("averages that are not compared", &["SC2-modma"], |wrong| {
        let unknown = MovingAverage::Simple { games: 12 };
        wrong
            .sc2
            .averages
            .rules
            .iter_mut()
            .for_each(|rule| *rule = unknown);
    }),
    Mutation::new("one average alone in turn", &["SC2-modma"], |wrong| {
        wrong.sc2.averages.rules.truncate(1);
    }),
    Mutation::new(
        "a ladder that promotes by a mean of five",
        &["SC2-promo"],
        |wrong| {
            wrong.sc2.world.average = MovingAverage::Simple { games: 5 };
        },
    ),
    Mutation::new("the same rule in place of others", &["SC2-promo"], |wrong| {
        wrong.sc2.other_rules = vec![MovingAverage::Simple { games: 10 }];
    }),
    Mutation::new(
        "players who hover at M on all ladders",
        &["SC2-detect"],
        |wrong| {
            wrong.sc2.elsewhere = Levels::Hovering;
            wrong.sc2.world.divisions = 24;
            wrong.sc2.ladders = 2;
            wrong.runs.spread_tiers = Once::default();
        },
    ),
    Mutation::new(
        "absence that costs alike in all leagues",
        &["SC2-inact"],
        |wrong| {
            wrong.sc2.world.debt_by_league = 0.0;
        },
    ),
    Mutation::new("ladders without a debt of absence", &["SC2-inact"], |wrong| {
        wrong.sc2.world.debt = 0.0;
        wrong.sc2.world.debt_by_league = 0.0;
    }),
    Mutation::new("a list looked at all at once", &["SC2-snap"], |wrong| {
        wrong.sc2.snapshot_hours = [9.75; 2];
    }),
    Mutation::new("a list looked at for four days", &["SC2-snap"], |wrong| {
        wrong.sc2.snapshot_hours = [9.0, 105.0];
    }),
    Mutation::new(
        "a top list whose pools count for nothing",
        &["SC2-top200"],
        |wrong| {
            wrong.sc2.top = without_pools;
        },
    ),
    Mutation::new("busy players who play as seldom", &["SC2-points"], |wrong| {
        wrong.sc2.busy_games = wrong.sc2.points.games_per_week;
    }),
    Mutation::new("a bonus point each 110 minutes", &["SC2-rate"], |wrong| {
        wrong.sc2.pool.minutes_per_point = 110.0;
    }),
    Mutation::new("hardly any bonus", &["SC2-points"], |wrong| {
        wrong.sc2.pool.minutes_per_point = 1e6;
    }),
    Mutation::new("players who win three of five", &["SC2-points"], |wrong| {
        wrong.sc2.points.win_shares = vec![0.6];
    }),
    Mutation::new("no players", &["SC2-points"], |wrong| {
        wrong.sc2.points.win_shares.clear();
    }),
    Mutation::new("a weighted mean shown", &["SC2-sma10"], |wrong| {
        wrong.sc2.shown_average = matchwright_rating::MovingAverage::Weighted { games: 10 };
    }),
    Mutation::new("a mean of nine games shown", &["SC2-sma10"], |wrong| {
        wrong.sc2.shown_average = matchwright_rating::MovingAverage::Simple { games: 9 };
    }),
];

fn with_half_of_the_pool(player: &Standing) -> f64 {
    player.points().get() + player.unspent().get() * player.share().get() - player.total().get()
}

fn some_day(
    distance: f64,
    share: WinRate,
    game: GameValue,
    lag: f64,
) -> Result<GamesToPromotion, ForensicsError> {
    Ok(match games_to_promotion(distance, share, game, lag)? {
        GamesToPromotion::Never => GamesToPromotion::Games(1e6),
        other => other,
    })
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

fn without_pools(players: &[ListedPlayer], length: usize, division: &Division<'_>) -> Vec<TopRow> {
    let mut rows = top_list(players, length, division);
    for row in &mut rows {
        row.place_by_rating = row.place;
    }
    rows
}
