//! The options of `matchwright rate`.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use matchwright_rating::{
    AdvantageChoice, DecayParams, DrawKind, PeriodChoice, RankFloors, RatingPeriod, SeasonChange, SystemName,
    TeamSkill,
};

use super::common::{named, number_or};
use super::{LadderOptions, ReadingOptions, draw_models};

pub(super) const RATE_EXAMPLES: &str = r#"Examples:
  matchwright rate --system glicko2 examples/matches.csv
  matchwright rate --system glicko2 examples/matches.csv --page target/rate
  matchwright rate --system elo --set k=64 examples/matches.csv \
    --out target/ratings.csv
  matchwright rate --system trueskill examples/parties.jsonl --by context
  matchwright rate --system glicko examples/matches.csv \
    --predictions target/predictions.csv --json
  matchwright rate --system trueskill examples/teams.jsonl --chart
  matchwright rate --system glicko2 examples/matches.csv \
    --plot target/course.svg
  matchwright rate --system weng-lin examples/teams.jsonl \
    --reliability target/bins.svg
  matchwright rate --system through-time examples/teams.jsonl --chart
  matchwright rate --system elo --ladder \
    --promote-at 1550,1600 examples/matches.csv
  matchwright rate --system elo --party-bonus fit examples/parties.jsonl
  matchwright rate --system dota --accounts examples/parties.jsonl
  matchwright rate --system scheduled-elo --set schedule=us_chess \
    --margin 3 examples/matches.csv
  matchwright rate --system glicko2 --seasons 2016-01-05 \
    --season-reset 0.5,60 --decay 2,3 examples/matches.csv
  matchwright rate --system glicko2 examples/matches.csv \
    --tune target/glicko2.toml

FILE holds matches of one against one as CSV or JSON lines: a time (RFC 3339, a date, Unix seconds or
milliseconds), two players, and two scores or a result (1, 0.5, 0 for the first player).

Plain numbers below 100000000 may be years, days or an index: --time-unit says which. Under --time-unit index
only the order counts: no deviation grows between matches, unless --period game lets it grow with every match.

Teams and free-for-alls are JSON lines, one game a line, with a place (1 for the winners, equal places are
draws) or a score for each side:
  {"time": "2024-05-01T18:00:00Z", "teams": [["ann", "bob"], ["cyd", "dot"]], "ranks": [1, 2]}
  {"time": 1714586400, "teams": [["ann"], ["bob"], ["cyd"]], "scores": [31, 12, 12]}
A member may also be an object, with the share of a whole game that it played (where nobody's is 1, the game ended
before its time and says the less), a label for the party that it queued with, and its performance (kills, points:
higher is better), which --performance weighs:
  {"player": "ann", "share": 0.5, "party": 1, "performance": 12}
Two teams are read from CSV where every player has a column:
  --columns time=date,team1=red1+red2+red3,team2=blue1+blue2+blue3,score1=red_score,score2=blue_score
CSV may also have a row for each player: columns match, time, player, and rank, score or result (win, draw, loss); team
where players play together, party where they queued together, performance. Where scores of a team's players differ
anywhere in the file they are the players' own and add up in every match, else they are the team's; if they are each
player's own, they may be named as performance, too.

A file may tell the result in several ways: scores, a result, ranks, a column that names the winner, players' columns
called winner and loser. All must agree. Equal scores beside a winner do, as after a shoot-out; different scores beside
a draw do not. --columns result=COLUMN (or score1=..., rank=..., winner=...) names what counts, and the rest does not.

Numbers are exact: whole ones beyond 2^53 (9007199254740992) are refused, but for names, which are texts.

The forecasts of a game of more than two sides are those of its pairs of sides: of all pairs up to 10
sides, of neighbours in the ranking beyond. Bradley-Terry is fitted to the matches before --evaluate-from
alone and evaluated on the rest; its ratings are those of all matches.

through-time is TrueSkill Through Time, a smoother: the leaderboard and the plots show each player's skill as
all matches have it, later ones included. Its forecasts never look ahead: ten times along the file all skills
are fitted to the matches before that point, and from there it goes forward, match by match, to the next.

--ladder shows what a ladder would show around the hidden rating: points that wins and losses move, doubled
out of a bonus pool while it lasts, a moving average of the rating, and the tier that the average has reached.
Figures are those after a player's last match; the pool of a player starts with the first match.

--party-bonus fit estimates, from the matches before --evaluate-from, the party bonus of parties of 2, 3, 4, and 5
or more, and that of each point between the best and the worst of a party, in rating points with 95 %
intervals; it says which are not estimable. Players are then rated under that bonus.

A match may say what was played, such as a mode or a surface, in a column or key `context` (--columns context=NAME).
--where map=dust2,mill reads only matches with these values of a column, --by map tells the forecasts of each value apart.
--context-games 20 rates players in each context besides, by their matches there alone; a forecast blends the log odds of
both ratings, so that those of the context weigh as much as the common ones after 20 matches there. --accounts
gives each player the four ratings of a Dota 2 account, which never mix: normal or ranked, as the context says, queued
for alone or with a party. A ranked one is shown after ten games, to the player and friends alone.

Between matches, --seasons draws all ratings towards a mean when a season starts (before the matches of that second), --decay
takes points from who stays away, and --rank-floors keeps what was reached. --start-ratings goes on from the ratings of
another file: those that an earlier run wrote, or a game's own. They are ratings in the points of the system.

--tune fits the parameters of the system, the period, the advantage of the first side, weights by margin and by
performance, the blend with ratings in contexts, the factor of log odds and the kind of draw model to the matches
before --evaluate-from, by how well they forecast these, and writes a file that --config reads. `matchwright compare` does so for several systems.

Libraries that know no time grow deviations with every match: for their figures give --period game.

Exit codes: 0 done, 1 failed, 2 usage."#;

#[derive(Args)]
pub(crate) struct RateOptions {
    /// File of matches: CSV or JSON lines (plain, gzip or zstd) or Parquet, or - for standard input
    pub(crate) file: PathBuf,
    /// Rating system
    #[arg(long, value_parser = systems())]
    pub(crate) system: SystemName,
    /// Tell forecasts apart by the values of this column or key: map, mode, patch
    #[arg(long, value_name = "KEY", conflicts_with = "stream")]
    pub(crate) by: Option<String>,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    /// Write all players' ratings to this file: .csv, .csv.gz, .csv.zst or .parquet; the manifest beside it names system and
    /// scale, and names stay as they are, also those that a spreadsheet takes for formulas
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Keep no matches: rate a file of any length in memory for its players and ten bytes a match, fifty where matches
    /// have ids
    #[arg(long, conflicts_with_all = ["tune", "page", "predictions", "plot", "chart", "players", "sort"])]
    pub(crate) stream: bool,
    /// Make a page in this folder: forecasts, players and their courses, distribution, churn; with ratings.csv
    #[arg(long, value_name = "DIR")]
    pub(crate) page: Option<PathBuf>,
    /// Hours without a match that the page counts as churn [default: 168, in files of less than four weeks 8]
    #[arg(long, value_name = "HOURS", requires = "page", value_parser = clap::value_parser!(u32).range(1..=87_600))]
    pub(crate) churn_hours: Option<u32>,
    /// Write the forecast of every match to this file: .csv, .csv.gz, .csv.zst or .parquet
    #[arg(long, value_name = "FILE")]
    pub(crate) predictions: Option<PathBuf>,
    /// Share of the matches after which predictions are evaluated
    #[arg(long, default_value_t = 0.8, value_name = "SHARE")]
    pub(crate) evaluate_from: f64,
    /// How draws get their probability [default: davidson]
    #[arg(long, value_parser = draw_models())]
    pub(crate) draws: Option<DrawKind>,
    /// Parameters of the system, from a file that --tune wrote; options go before it
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,
    /// Fit the system's parameters to the matches before the evaluated part, and write them to this file
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) tune: Option<PathBuf>,
    /// Length of a rating period: days; game for a period a game, whatever time has passed; batch:DAYS for periods whose
    /// matches count at the end alone [default: 1]
    #[arg(long, value_name = "DAYS|game|batch:DAYS", value_parser = period)]
    pub(crate) period: Option<PeriodChoice>,
    #[command(flatten)]
    pub(crate) own: OwnOptions,
    /// How a system for two players sees a team: the mean or the sum of its players [default: sum where the system keeps
    /// deviations, which would shrink too fast under a mean]
    #[arg(long, value_parser = team_skills())]
    pub(crate) team_skill: Option<TeamSkill>,
    #[command(flatten)]
    pub(crate) accounts: AccountOptions,
    #[command(flatten)]
    pub(crate) between: BetweenOptions,
    /// Party bonus: what playing as a party is worth
    #[arg(long, value_enum, default_value_t = PartyName::Off)]
    pub(crate) party_bonus: PartyName,
    /// With --party-bonus fit: how far apart in rating points a party may be at no bonus [default: 0]
    #[arg(long, value_name = "POINTS", value_parser = spread)]
    pub(crate) free_spread: Option<f64>,
    /// Home advantage, of the first side in games of two: rating points, or fit [default: 0]
    #[arg(long, value_name = "POINTS|fit", allow_hyphen_values = true, value_parser = advantage)]
    pub(crate) home_advantage: Option<AdvantageChoice>,
    /// How many players the printed leaderboard shows
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) top: usize,
    /// What players are sorted by [default: conservative where ratings have deviations, else rating]
    #[arg(long, value_enum)]
    pub(crate) rank_by: Option<RankName>,
    /// Games below which players come after all others [default: 10 where ratings have no deviations, else 0]
    #[arg(long, value_name = "N")]
    pub(crate) min_games: Option<u64>,
    /// Plot players' ratings over time, with bands of 95 %, to this SVG file
    #[arg(long, value_name = "FILE.svg", value_parser = svg_file())]
    pub(crate) plot: Option<PathBuf>,
    /// Plot predicted against observed wins to this SVG file
    #[arg(long, value_name = "FILE.svg", value_parser = svg_file())]
    pub(crate) reliability: Option<PathBuf>,
    /// Print both plots small, with characters
    #[arg(long, conflicts_with = "json")]
    pub(crate) chart: bool,
    /// Players whose ratings are plotted [default: the first six of the leaderboard]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) players: Vec<String>,
    /// Print everything as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) ladder: LadderOptions,
}

impl RateOptions {
    /// Whether something is asked for that only forecasts can show.
    pub(crate) fn shows_forecasts(&self) -> bool {
        let files = [&self.predictions, &self.reliability, &self.page];
        self.chart || files.iter().any(|file| file.is_some())
    }
}

/// Several ratings of a player.
#[derive(Args)]
pub(crate) struct AccountOptions {
    /// The four ratings of a Dota 2 account: normal and ranked, queued for alone and with a party. The column `context` of the
    /// matches says `normal` or `ranked` (--columns context=NAME), their parties who queued together
    #[arg(long, conflicts_with = "stream")]
    pub(crate) accounts: bool,
    /// Ranked matches for which an account does not show its rating [default: 10]
    #[arg(long, value_name = "N", requires = "accounts")]
    pub(crate) calibration_games: Option<u32>,
}

/// What ratings are before the first match, and what happens to them between matches.
#[derive(Args)]
pub(crate) struct BetweenOptions {
    /// Ratings that players have before their first match: a file of players, their rating and, where it is known, its deviation,
    /// as --out writes it; others start as newcomers
    #[arg(long, value_name = "FILE")]
    pub(crate) start_ratings: Option<PathBuf>,
    /// When seasons start: dates or times with commas between, or every:DAYS, counted from 1970-01-01
    #[arg(long, value_name = "DATES|every:DAYS", value_parser = season_starts)]
    pub(crate) seasons: Option<SeasonStarts>,
    /// What a season's start does to all ratings: which share of the way to a mean they go, by how many points their deviations
    /// grow (at most to a newcomer's), and which mean that is [default: 0.5,0 and a newcomer's rating]
    #[arg(long, value_name = "SHARE[,DEVIATION[,MEAN]]", requires = "seasons", value_parser = season_reset)]
    pub(crate) season_reset: Option<SeasonChange>,
    /// Points a day that a rating loses after some days without a match, down to a rating [default of that: a newcomer's]
    #[arg(long, value_name = "POINTS,DAYS[,RATING]", value_parser = decay)]
    pub(crate) decay: Option<DecayParams>,
    /// Ranks that cannot be lost: floors every STEP points from FROM on, below which no match takes a rating that has reached
    /// them
    #[arg(long, value_name = "FROM,STEP[,TO]", value_parser = rank_floors)]
    pub(crate) rank_floors: Option<RankFloors>,
    /// The most points by which a deviation after a match is above that after the last one, however long ago that was: 0 for
    /// players who get no less certain by playing [default: no cap]
    #[arg(long, value_name = "POINTS")]
    pub(crate) max_deviation_growth: Option<f64>,
}

/// When seasons start.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SeasonStarts {
    /// Unix seconds.
    At(Vec<i64>),
    /// Days.
    Every(f64),
}

/// `2024-01-01,2024-07-01`, or `every:90`.
fn season_starts(text: &str) -> Result<SeasonStarts, String> {
    if let Some(days) = text.strip_prefix("every:") {
        let days = days.parse().ok().filter(|days| (1.0..=1e6).contains(days));
        return days
            .map(SeasonStarts::Every)
            .ok_or_else(|| "give days from 1 to 1000000, such as every:90".to_owned());
    }
    let at = |text: &str| {
        let day = |text: &str| {
            Some(
                text.parse::<jiff::civil::Date>()
                    .ok()?
                    .to_zoned(jiff::tz::TimeZone::UTC)
                    .ok()?
                    .timestamp(),
            )
        };
        let time = |text: &str| text.parse::<jiff::Timestamp>().ok();
        // What has a time of day is no date.
        let is_time = text.contains(['T', ' ']);
        let read = if is_time { time(text) } else { day(text) };
        let seconds = read.map(jiff::Timestamp::as_second).or_else(|| text.parse().ok());
        seconds.ok_or_else(|| format!("`{text}` is no date such as 2024-07-01, no time such as 2024-07-01T12:00:00Z and no whole number of seconds"))
    };
    let mut starts = text
        .split(',')
        .map(|text| at(text.trim()))
        .collect::<Result<Vec<i64>, _>>()?;
    starts.sort_unstable();
    Ok(SeasonStarts::At(starts))
}

/// Numbers with commas between, `least` or more of them and `N` at most.
fn numbers<const N: usize>(text: &str, least: usize, wanted: &str) -> Result<[Option<f64>; N], String> {
    let parsed: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    let parsed = parsed.filter(|found| (least..=N).contains(&found.len()));
    let found = parsed.ok_or_else(|| format!("give {wanted}"))?;
    Ok(std::array::from_fn(|place| found.get(place).copied()))
}

/// `0.5,60,1500`: a share, a deviation, a mean.
fn season_reset(text: &str) -> Result<SeasonChange, String> {
    let wanted = "a share from 0 to 1 and perhaps points, such as 0.5,60";
    let [share, added_deviation, mean] = numbers(text, 1, wanted)?;
    let change = SeasonChange {
        share: share.unwrap_or_default(),
        added_deviation: added_deviation.unwrap_or_default(),
        mean,
    };
    change.checked().map_err(|error| error.to_string())
}

/// `5,28,1500`: points a day, days, a rating.
fn decay(text: &str) -> Result<DecayParams, String> {
    let wanted = "points a day and the days before the first, such as 5,28";
    let [points, after_days, down_to] = numbers(text, 2, wanted)?;
    let params = DecayParams {
        points: points.unwrap_or_default(),
        after_days: after_days.unwrap_or_default(),
        down_to,
    };
    let day = RatingPeriod::days(1.0).map_err(|error| error.to_string())?;
    params
        .build(day, 0.0)
        .map(|_| params)
        .map_err(|error| error.to_string())
}

/// `1200,100,2100`: the lowest floor, the step, the highest.
fn rank_floors(text: &str) -> Result<RankFloors, String> {
    let wanted = "the lowest floor and the points to the next, such as 1200,100";
    let [from, step, to] = numbers(text, 2, wanted)?;
    let floors = RankFloors {
        from: from.unwrap_or_default(),
        step: step.unwrap_or_default(),
        to,
    };
    floors.checked().map_err(|error| error.to_string())
}

/// What is weighed, and the parameters of the system itself.
#[derive(Args)]
pub(crate) struct OwnOptions {
    /// A parameter of the system, such as k=64 or tau=0.3; may be given several times. A wrong name is answered with those that
    /// there are; docs.rs/matchwright-rating and a file of --tune tell what they mean
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) settings: Vec<(String, toml::Value)>,
    /// Games of two sides count by their margin. A number: logarithmically, those of that margin once; world-football: by the
    /// goal index of eloratings.net; or off [default: off]
    #[arg(long, value_name = "MARGIN|world-football|off", value_parser = margin)]
    pub(crate) margin: Option<MarginChoice>,
    /// Blend forecasts with those of ratings in each context (a mode, a map, a surface: column `context`), which weigh as much as
    /// the common ones after so many matches there; --tune fits it [default: off]
    #[arg(long, value_name = "GAMES|off", value_parser = context_games)]
    pub(crate) context_games: Option<ContextGames>,
    /// What the log odds of forecasts are multiplied with: below 1 where the system's are too sure; --tune fits it [default: 1]
    #[arg(long, value_name = "FACTOR")]
    pub(crate) log_odds_scale: Option<f64>,
    /// Weight of individual performances in teams. A member whose performance is a standard deviation above the mean of the side
    /// counts a won game 1 + WEIGHT times, a lost one 1 - WEIGHT times [default: 0]
    #[arg(long, value_name = "WEIGHT")]
    pub(crate) performance: Option<f64>,
}

/// A path that does not promise another format.
pub(super) fn svg_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let is_svg = path
            .extension()
            .is_none_or(|ending| ending.eq_ignore_ascii_case("svg"));
        let what = "plots are written as SVG; give a name that ends in .svg";
        if is_svg { Ok(path) } else { Err(what) }
    })
}

/// The rating systems by their names.
pub(super) fn systems() -> impl TypedValueParser<Value = SystemName> {
    let names = SystemName::ALL
        .iter()
        .map(|system| PossibleValue::new(system.name()).help(system.about()))
        .map(|value| match value.get_name() {
            "weng-lin" => value.alias("openskill"),
            _ => value,
        });
    PossibleValuesParser::new(names).try_map(|text| text.parse::<SystemName>())
}

/// `tau=0.3`, `prior=always`, `schedule={provisional={games=10,first_k=80,k=16}}`: a value of TOML, or a text.
pub(super) fn setting(text: &str) -> Result<(String, toml::Value), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("give a name and a value, such as k=64")?;
    let parsed = toml::from_str::<toml::Table>(&format!("v = {value}"));
    // Dropped: what is no value of TOML is a text.
    let value = parsed.ok().and_then(|mut table| table.remove("v"));
    let value = value.unwrap_or_else(|| toml::Value::String(text[name.len() + 1..].to_owned()));
    Ok((name.trim().to_owned(), value))
}

/// The ways to see a team by their names.
fn team_skills() -> impl TypedValueParser<Value = TeamSkill> {
    named([
        ("mean", "The size of a side does not matter", TeamSkill::Mean),
        ("sum", "Skills add up", TeamSkill::Sum),
    ])
}

/// Names of the party bonuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PartyName {
    /// Nothing
    Off,
    /// The line through the parties of the match that Valve printed, in points of Elo's scale
    Line,
    /// Learnt from the matches before the evaluated part, in points of the system
    Fit,
}

/// Names of what a leaderboard is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RankName {
    /// The rating
    Rating,
    /// The rating less three deviations
    Conservative,
    /// The ladder's points
    Points,
}

/// `7`: days; or `game`.
fn period(text: &str) -> Result<PeriodChoice, String> {
    let (text, choice): (_, fn(f64) -> PeriodChoice) = match text.strip_prefix("batch:") {
        Some(days) => (days, PeriodChoice::Batch),
        None => (text, PeriodChoice::Days),
    };
    let days = number_or("game", text, "days above 0", |days| days > 0.0)?;
    Ok(days.map_or(PeriodChoice::Game, choice))
}

/// `32`: rating points; or `fit`.
fn advantage(text: &str) -> Result<AdvantageChoice, String> {
    let points = number_or("fit", text, "rating points", f64::is_finite)?;
    Ok(points.map_or(AdvantageChoice::Fit, AdvantageChoice::Points))
}

/// What is given for weights by margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MarginChoice {
    /// None.
    Off,
    /// Logarithmic, with this margin counting once.
    Typical(f64),
    /// The goal index.
    WorldFootball,
}

/// `3`: a typical margin; `world-football`, or `off`.
fn margin(text: &str) -> Result<MarginChoice, String> {
    if text == "world-football" {
        return Ok(MarginChoice::WorldFootball);
    }
    let wanted = "the margin that counts once, such as 3, world-football";
    let typical = number_or("off", text, wanted, |margin| (1e-3..=1e6).contains(&margin))?;
    Ok(typical.map_or(MarginChoice::Off, MarginChoice::Typical))
}

/// After how many games in a context its ratings weigh half; none: never.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContextGames(pub(crate) Option<f64>);

/// `20`: games; or `off`.
fn context_games(text: &str) -> Result<ContextGames, String> {
    number_or("off", text, "matches above 0, such as 20", |games| games > 0.0).map(ContextGames)
}

/// Rating points, none below 0.
fn spread(text: &str) -> Result<f64, String> {
    let points = text.parse().ok().filter(|points| (0.0..=1e6).contains(points));
    points.ok_or_else(|| "give rating points from 0 to 1000000".to_owned())
}
