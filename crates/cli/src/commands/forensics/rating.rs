//! `matchwright forensics mmr` and `games`.

use matchwright_mmr_forensics::{
    Averaging as _, Division, FirstPassage, GameValue, GamesToPromotion, LadderSeason,
    MOST_GAMES_TO_PROMOTION, MovingAverage, PerLoss, PerWin, PoolTotal, RankPoints, Standing, Unspent,
    WinRate, first_passage, games_to_promotion,
};
use matchwright_report::{Axis, Column, Plot, Point, Section, Series, Table, count, counted};
use serde_json::json;

use super::Findings;
use crate::arguments::{DivisionOptions, Floor, GamesOptions, MmrOptions, ShareOptions, StandingOptions};
use crate::failure::{Failure, tell};

/// Points from M within which one says that it is close, half of M at most: the width of a tier.
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

/// The way from a differential to promotion out of its division's league.
struct Climb {
    differential: f64,
    distance: f64,
    game: GameValue,
    lag: f64,
    /// Points above the floor, if there is one; negative where that is yet to be reached.
    above_floor: Option<f64>,
}

impl Climb {
    /// `None` in the highest league, out of which nothing leads.
    fn new(
        differential: f64,
        division: &Division<'_>,
        floor: Option<f64>,
        game: GameValue,
        lag: f64,
    ) -> Option<Self> {
        Some(Self {
            differential,
            distance: division.magic()? - differential,
            game,
            lag,
            above_floor: floor.map(|floor| differential - floor),
        })
    }

    /// By the mean step alone.
    fn mean(&self, share: WinRate, lag: f64) -> Result<GamesToPromotion, Failure> {
        games_to_promotion(self.distance, share, self.game, lag).map_err(usage)
    }

    fn passage(&self, share: WinRate) -> Result<FirstPassage, Failure> {
        first_passage(self.distance, self.above_floor, share, self.game).map_err(usage)
    }

    /// `331 points: not close; at 50 % the rating itself is there within 102 games for half, within 318 for nine of ten`.
    fn words(&self, share: WinRate) -> Result<String, Failure> {
        let (differential, distance) = (self.differential, self.distance);
        let how = if distance <= 0.0 {
            "over the magic number"
        } else if distance <= CLOSE.min(0.5 * (differential + distance)) {
            "close"
        } else {
            "not close"
        };
        let (follows, to_it) = match self.lag {
            0.0 => ("", ""),
            _ => ("promotion follows with its moving average; ", " to it"),
        };
        let mean = match self.mean(share, self.lag)? {
            GamesToPromotion::Soon(games) => {
                return Ok(format!(
                    "{differential:.0} points: {how}; within about {}, as soon as the moving average follows",
                    in_games(games)
                ));
            }
            GamesToPromotion::Games(games) => format!("the mean step alone takes {}{to_it}", in_games(games)),
            GamesToPromotion::Never => match self.game.break_even() {
                Some(even) => format!("the mean step gains points above {:.1} % alone", 100.0 * even),
                None => "games are worth nothing".to_owned(),
            },
        };
        let passage = self.passage(share)?;
        let within = |games| format!("within {}", counted(games, "game", "games"));
        let most = within(MOST_GAMES_TO_PROMOTION);
        let there = match [0.5, 0.9].map(|share| passage.quantile(share)) {
            [Some(half), Some(most)] => format!(
                "{} for half, within {} for nine of ten",
                within(half),
                count(most as u64)
            ),
            [Some(half), None] => format!(
                "{} for half, {most} for {:.0} %",
                within(half),
                100.0 * passage.chance(MOST_GAMES_TO_PROMOTION)
            ),
            _ => match passage.chance(MOST_GAMES_TO_PROMOTION) {
                chance if chance < 0.001 => format!("{most} for less than one of 1,000"),
                chance => format!("{most} for {:.1} %", 100.0 * chance),
            },
        };
        Ok(format!(
            "{differential:.0} points: {how}; at {} % the rating itself is there {there} ({follows}{mean})",
            percent(share)
        ))
    }

    /// What losses lead to, and what promotes.
    fn note(&self, average: &MovingAverage) -> String {
        let floor = self.above_floor.map_or_else(
            || "no floor".to_owned(),
            |above| {
                let reached = if above < 0.0 {
                    " once it has been there"
                } else {
                    ""
                };
                format!("no loss leads below {:.0}{reached}", self.differential - above)
            },
        );
        let later = if average.lag_games() > 0.0 {
            format!("; its average, {}, follows some games later", average.name())
        } else {
            String::new()
        };
        format!("Of the rating itself, {floor}{later}.")
    }
}

/// A mean number of games, without decimals.
fn in_games(games: f64) -> String {
    match format!("{games:.0}").as_str() {
        "1" => "1 game".to_owned(),
        games => format!("{games} games"),
    }
}

fn percent(share: WinRate) -> String {
    let percent = format!("{:.4}", 100.0 * share.get());
    percent.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// What is told where no promotion leads out.
fn highest(differential: f64, division: &Division<'_>) -> String {
    let (league, rating) = (&division.league().name, division.mmr(differential));
    format!("{rating:.0} is the rating itself; there is no promotion out of {league}")
}

pub(super) fn mmr(options: &MmrOptions, season: &LadderSeason) -> Result<Findings, Failure> {
    let params = season.params();
    let division = division(season, &options.division)?;
    let share = share(&options.share)?;
    let player = standing(&options.standing, share)?;
    let differential = player.differential_in(&division);
    // The way to promotion begins where the rating is now, not where the source's form says that it will be.
    let now = player.differential_now() + division.offset();
    let climb = Climb::new(
        now,
        &division,
        division.league().floor,
        params.game,
        params.lag_games,
    );
    let (league, tier) = (&division.league().name, &division.tier().name);
    let mut answer = vec![format!(
        "MMR {:.0} now ({league}, {tier}), by points less the bonus spent; {:.0} by the source's 2 U W",
        player.mmr_now(&division),
        player.mmr(&division)
    )];
    let words = climb.as_ref().map(|climb| climb.words(share)).transpose()?;
    answer.push(words.unwrap_or_else(|| highest(now, &division)));
    let spent = player.differential_spent(params.game);
    let games = climb.as_ref().map(|climb| climb.mean(share, climb.lag));
    let games = games.transpose()?;
    let value = json!({
        "answer": answer,
        "differential": differential,
        "differential_now": now,
        "mmr": player.mmr(&division),
        "mmr_now": player.mmr_now(&division),
        "differential_once_spent": spent.map(|value| value + division.offset()),
        "distance": division.magic().map(|magic| magic - differential),
        "distance_now": division.magic().map(|magic| magic - now),
        "promotion_by_mean_step": games,
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

/// The floor that is asked for, which the rating must have reached, or the league's.
fn floor(options: &GamesOptions, division: &Division<'_>) -> Result<Option<f64>, Failure> {
    let differential = options.differential;
    match options.floor {
        None => Ok(division.league().floor),
        Some(Floor::None) => Ok(None),
        Some(Floor::At(floor)) if floor > differential => Err(Failure::Usage(format!(
            "--floor is {floor}, above --differential, {differential}; give a floor that the rating has reached, or none"
        ))),
        Some(Floor::At(floor)) => Ok(Some(floor)),
    }
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
    let differential = options.differential;
    let floor = floor(options, &division)?;
    if options.division.tier.is_some() {
        tell("--tier had no effect: a differential counts for its league, whatever the tier");
    }
    let Some(climb) = Climb::new(differential, &division, floor, game, params.lag_games) else {
        let answer = highest(differential, &division);
        return Ok(Findings {
            words: vec![answer.clone()],
            results: Section::new("Games until promotion"),
            value: json!({"answer": [answer], "distance": null, "win_rate": share}),
            inputs: Vec::new(),
        });
    };
    let answer = vec![climb.words(share)?];
    let lag = params.average.lag_games();
    let rows = GAMES_WON.map(|percent| -> Result<_, Failure> {
        let share = WinRate::from_percent(percent).map_err(usage)?;
        Ok((share, climb.passage(share)?))
    });
    let rows: Vec<(WinRate, FirstPassage)> = rows.into_iter().collect::<Result<_, _>>()?;
    let mean = |share, lag| match climb.mean(share, lag).ok()? {
        GamesToPromotion::Soon(games) | GamesToPromotion::Games(games) => Some(games),
        GamesToPromotion::Never => None,
    };
    let at = |passage: &FirstPassage, share| passage.quantile(share).map(|games| games as f64);
    let published = format!("Promotion, lag {} as in the source", params.lag_games);
    let exact = format!("Promotion, lag {lag} of {}", params.average.name());
    let table = Table::of(UNTIL, &rows)
        .column(Column::percent("Won", 0), |row| row.0.get())
        .column(Column::number("Points a game", 2), |row| game.per_game(row.0))
        .column(Column::number("Rating of one of ten within", 0), |row| {
            at(&row.1, 0.1)
        })
        .column(Column::number("Of half within", 0), |row| at(&row.1, 0.5))
        .column(Column::number("Of nine of ten within", 0), |row| at(&row.1, 0.9))
        .column(Column::number(published, 1), |row| mean(row.0, params.lag_games))
        .column(Column::number(exact, 1), |row| mean(row.0, lag))
        .build()
        .note(climb.note(&params.average))
        .note(format!(
            "No number: fewer than that share get there within {} games, or the mean step gains no points.",
            count(MOST_GAMES_TO_PROMOTION as u64)
        ))
        .file("games");
    let line = |games: &dyn Fn(&(WinRate, FirstPassage)) -> Option<f64>| -> Vec<Point> {
        rows.iter()
            .filter_map(|row| Some(Point::new(100.0 * row.0.get(), games(row)?)))
            .collect()
    };
    let plot = Plot::new(UNTIL)
        .file("games")
        .x(Axis::new("Games won").unit("%"))
        .y(Axis::new("Games").log10())
        .series(Series::line_and_points(
            "rating of half within",
            line(&|row| at(&row.1, 0.5)),
        ))
        .series(Series::line("rating of nine of ten within", line(&|row| at(&row.1, 0.9))).dashed())
        .series(Series::line(
            "promotion by the mean step",
            line(&|row| mean(row.0, params.lag_games)),
        ));
    let passage = climb.passage(share)?;
    let value = json!({
        "answer": answer,
        "distance": climb.distance,
        "floor": climb.above_floor.map(|above| differential - above),
        "promotion_by_mean_step": climb.mean(share, params.lag_games)?,
        "promotion_by_mean_step_with_exact_lag": climb.mean(share, lag)?,
        "rating_within": {
            "tenth": passage.quantile(0.1),
            "half": passage.quantile(0.5),
            "nine_tenths": passage.quantile(0.9),
        },
        "rating_chance": {"games": MOST_GAMES_TO_PROMOTION, "chance": passage.chance(MOST_GAMES_TO_PROMOTION)},
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

/// What the table and the plot show.
const UNTIL: &str = "Games until the rating itself is there, and until promotion by the mean step";
/// The win rates of the table, %.
const GAMES_WON: [f64; 12] = [
    40.0, 45.0, 46.0, 48.0, 50.0, 51.0, 52.0, 55.0, 60.0, 65.0, 70.0, 80.0,
];
