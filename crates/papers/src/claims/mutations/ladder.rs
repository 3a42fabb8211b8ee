//! Wrong parts for the checks of ladders: forms, seasons, and what is inferred from generated ladders.

use matchwright_mmr_forensics::{
    AfterGame, Division, ForensicsError, GameValue, GamesToPromotion, LadderSeason, LadderState,
    ListedPlayer, Mismatch, MovingAverage, PerLoss, PerWin, PoolKnowledge, ShownGame, Standing, TopRow,
    WinRate, games_to_promotion, play_backward, top_list,
};

use super::Mutation;

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
        &["SC2-G", "SC2-G24", "SC2-G-never"],
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
    Mutation::trying("a middling pool that fits exactly", &["SC2-acc"], |wrong| {
        wrong.runs.ladders.change(|report| {
            report.pool.get_mut(2)?.squares = 1.0;
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
                report.brier_top.ours = report.brier_top.rule + 5.0;
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
    Mutation::trying("an average that is taken for another", &["SC2-modma"], |wrong| {
        wrong.runs.ladders.change(|report| {
            report.averages_told -= 1;
            Some(())
        })
    }),
    Mutation::new("ladders without a debt of absence", &["SC2-inact"], |wrong| {
        wrong.sc2.world.divisions = 12;
        wrong.sc2.world.debt = 0.0;
        wrong.sc2.world.debt_by_league = 0.0;
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
