//! `matchwright forensics mmr` and `games`.

use matchwright_mmr_forensics::{
    Averaging as _, Division, GameValue, GamesToPromotion, LadderSeason, PerLoss, PerWin, PoolTotal,
    RankPoints, Standing, Unspent, WinRate, games_to_promotion,
};
use matchwright_report::{Axis, Column, Plot, Point, Section, Series, Table};
use serde_json::json;

use super::Findings;
use crate::arguments::{DivisionOptions, GamesOptions, MmrOptions, ShareOptions, StandingOptions};
use crate::failure::Failure;

/// Points from M within which one says that it is close: the width of a tier.
const CLOSE: f64 = 63.0;

/// How messages about numbers begin, and the options that such a number is from.
const OPTIONS: [(&str, &str); 6] = [
    ("points is", "--points is"),
    ("the unspent bonus pool is", "--unspent is"),
    ("the pool's total is", "--total is"),
    ("the points of a win is", "--per-win is"),
    ("the points of a loss is", "--per-loss is"),
    (
        "games to take a share of wins from: 0 rows",
        "--wins and --losses: 0 games",
    ),
];

fn usage(error: impl std::fmt::Display) -> Failure {
    let message = error.to_string();
    let named = |(words, option): &(&str, &str)| Some(format!("{option}{}", message.strip_prefix(words)?));
    Failure::Usage(OPTIONS.iter().find_map(named).unwrap_or(message))
}

pub(super) fn division<'s>(
    season: &'s LadderSeason,
    options: &DivisionOptions,
) -> Result<Division<'s>, Failure> {
    season
        .division(&options.league, options.tier.as_deref())
        .map_err(usage)
}

pub(super) fn standing(options: &StandingOptions, share: WinRate) -> Result<Standing, Failure> {
    let points = RankPoints::new(options.points).map_err(usage)?;
    let unspent = Unspent::new(options.unspent).map_err(usage)?;
    let total = PoolTotal::new(options.total).map_err(usage)?;
    Standing::new(points, unspent, total, share).map_err(usage)
}

fn share(options: &ShareOptions) -> Result<WinRate, Failure> {
    match (options.win_rate, options.wins.zip(options.losses)) {
        (Some(share), _) => Ok(share),
        (None, Some((wins, losses))) => WinRate::from_record(wins, losses).map_err(usage),
        (None, None) => Ok(WinRate::HALF),
    }
}

/// `331 points: not close; at 50 % about 149 more games`.
fn plain(
    differential: f64,
    division: &Division<'_>,
    share: WinRate,
    game: GameValue,
    lag: f64,
) -> Result<String, Failure> {
    let Some(magic) = division.magic() else {
        let (league, rating) = (&division.league().name, division.mmr(differential));
        return Ok(format!(
            "{rating:.0} is the rating itself; there is no promotion out of {league}"
        ));
    };
    let percent = format!("{:.4}", 100.0 * share.get());
    let percent = percent.trim_end_matches('0').trim_end_matches('.');
    let distance = magic - differential;
    let how = if distance <= 0.0 {
        "over the magic number"
    } else if distance <= CLOSE {
        "close"
    } else {
        "not close"
    };
    let games = match games_to_promotion(distance, share, game, lag).map_err(usage)? {
        GamesToPromotion::Soon(games) => {
            format!("within about {games:.0} games, as soon as the moving average follows")
        }
        GamesToPromotion::Games(games) => format!("at {percent} % about {games:.0} more games"),
        GamesToPromotion::Never => {
            let even = game.break_even().map_or(f64::NAN, |share| 100.0 * share);
            format!("at {percent} % never: only above {even:.1} % points are gained")
        }
    };
    Ok(format!("{differential:.0} points: {how}; {games}"))
}

pub(super) fn mmr(options: &MmrOptions, season: &LadderSeason) -> Result<Findings, Failure> {
    let params = season.params();
    let division = division(season, &options.division)?;
    let share = share(&options.share)?;
    let player = standing(&options.standing, share)?;
    let differential = player.differential_in(&division);
    let mut answer = vec![plain(
        differential,
        &division,
        share,
        params.game,
        params.lag_games,
    )?];
    let (league, tier) = (&division.league().name, &division.tier().name);
    answer.push(format!(
        "MMR {:.0} ({league}, {tier}): {:.0} now, by points less the bonus spent",
        player.mmr(&division),
        player.mmr_now(&division)
    ));
    let spent = player.differential_spent(params.game);
    let games = division.magic().map(|magic| {
        games_to_promotion(magic - differential, share, params.game, params.lag_games).map_err(usage)
    });
    let games = games.transpose()?;
    let value = json!({
        "answer": answer,
        "differential": differential,
        "mmr": player.mmr(&division),
        "mmr_now": player.mmr_now(&division),
        "differential_once_spent": spent.map(|value| value + division.offset()),
        "distance": division.magic().map(|magic| magic - differential),
        "games": games,
        "win_rate": share,
        "league": league,
        "tier": tier,
    });
    Ok(Findings {
        words: answer,
        results: Section::new("The rating by each form")
            .table(form_table(&player, &division, share, params.game).file("forms"))
            .plot(form_plot(&player, &division, params.game)?),
        value,
        inputs: Vec::new(),
    })
}

/// The rating by each of the three forms, and what they take in.
fn form_table(player: &Standing, division: &Division<'_>, share: WinRate, game: GameValue) -> Table {
    let spent = player.differential_spent(game);
    let with_k = |value: f64| value + division.offset();
    let forms = [
        ("the source's", "P + 2 U W - B + K", Some(player.differential())),
        (
            "now, at W = 1/2",
            "P + U - B + K",
            Some(player.differential_now()),
        ),
        (
            "once the pool is spent",
            "P - B + U (2 - (1 - W) L / (W A)) + K",
            spent,
        ),
    ];
    Table::of("The rating behind the points", &forms)
        .column(Column::text("Form"), |(name, ..)| *name)
        .column(Column::text("Differential"), |(_, formula, _)| *formula)
        .column(Column::number("Pp", 2), |(.., value)| value.map(with_k))
        .column(Column::number("MMR", 2), |(.., value)| {
            value.map(|value| division.mmr(with_k(value)))
        })
        .build()
        .note(format!(
            "P {}, U {}, B {}, W {:.4}, K {}, C {}, A {}, L {}{}.",
            player.points().get(),
            player.unspent().get(),
            player.total().get(),
            share.get(),
            division.offset(),
            division.conversion(),
            game.per_win.get(),
            game.per_loss.get(),
            division
                .magic()
                .map_or(String::new(), |magic| format!(", M {magic}"))
        ))
}

/// The rating by each form, for other shares of games won: how much it hangs on the share that one believes in.
fn form_plot(player: &Standing, division: &Division<'_>, game: GameValue) -> Result<Plot, Failure> {
    let mut forms: [Vec<Point>; 3] = Default::default();
    for percent in 30..=70 {
        let percent = f64::from(percent);
        let share = WinRate::from_percent(percent).map_err(usage)?;
        let at = Standing::new(player.points(), player.unspent(), player.total(), share).map_err(usage)?;
        let values = [
            Some(at.differential()),
            Some(at.differential_now()),
            at.differential_spent(game),
        ];
        for (form, value) in forms.iter_mut().zip(values) {
            form.extend(value.map(|value| Point::new(percent, division.mmr(value + division.offset()))));
        }
    }
    let [source, now, spent] = forms;
    let mut plot = Plot::new("The rating by each form, by the share of games won")
        .file("forms")
        .x(Axis::new("Games won").unit("%"))
        .y(Axis::new("MMR").unit("points"))
        .series(Series::line("the source's", source))
        .series(Series::line("now, at W = 1/2", now))
        .series(Series::line("once the pool is spent", spent));
    if let Some(magic) = division.magic() {
        let at = division.mmr(magic);
        let ends = [30.0, 70.0].map(|percent| Point::new(percent, at));
        plot = plot.series(Series::line("promotion", ends).dashed());
    }
    Ok(plot)
}

pub(super) fn games(options: &GamesOptions, season: &LadderSeason) -> Result<Findings, Failure> {
    let params = season.params();
    let division = division(season, &options.division)?;
    let share = share(&options.share)?;
    let mut game = params.game;
    if let Some(points) = options.per_win {
        game.per_win = PerWin::new(points).map_err(usage)?;
    }
    if let Some(points) = options.per_loss {
        game.per_loss = PerLoss::new(points).map_err(usage)?;
    }
    let answer = vec![plain(
        options.differential,
        &division,
        share,
        game,
        params.lag_games,
    )?];
    let distance = division.magic().map(|magic| magic - options.differential);
    let lag = params.average.lag_games();
    let wins = [40, 45, 46, 48, 50, 52, 55, 60, 65, 70, 80];
    let shares: Vec<WinRate> = wins
        .iter()
        .map(|&percent| WinRate::from_percent(f64::from(percent)).map_err(usage))
        .collect::<Result<_, _>>()?;
    let number = |share, lag| match games_to_promotion(distance?, share, game, lag).ok()? {
        GamesToPromotion::Soon(games) | GamesToPromotion::Games(games) => Some(games),
        GamesToPromotion::Never => None,
    };
    let published = format!("Games, lag {} as in the source", params.lag_games);
    let exact = format!("Games, lag {lag} of {}", params.average.name());
    let table = Table::of("Games until promotion, by win rate", &shares)
        .column(Column::percent("Won", 0), |share| share.get())
        .column(Column::number("Points a game", 2), |share| game.per_game(*share))
        .column(Column::number(published, 1), |share| {
            number(*share, params.lag_games)
        })
        .column(Column::number(exact, 1), |share| number(*share, lag))
        .build()
        .note("No number: with such a win rate no points are gained, so promotion never comes.")
        .file("games");
    let points: Vec<Point> = shares
        .iter()
        .filter_map(|share| Some(Point::new(100.0 * share.get(), number(*share, params.lag_games)?)))
        .collect();
    let plot = Plot::new("Games until promotion")
        .file("games")
        .x(Axis::new("Games won").unit("%"))
        .y(Axis::new("Games").log10())
        .series(Series::line_and_points("by the source's formula", points));
    let games = |lag| {
        let games = distance.map(|distance| games_to_promotion(distance, share, game, lag).map_err(usage));
        games.transpose()
    };
    let value = json!({
        "answer": answer,
        "distance": distance,
        "games": games(params.lag_games)?,
        "games_with_exact_lag": games(lag)?,
        "points_a_game": game.per_game(share),
        "break_even": game.break_even(),
        "win_rate": share,
    });
    Ok(Findings {
        words: answer,
        results: Section::new("Games until promotion").table(table).plot(plot),
        value,
        inputs: Vec::new(),
    })
}
