//! The options of `matchwright rate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use matchwright_rating::{TeamSkill, WengLinModel};
use matchwright_sim::rate::{AdvantageChoice, PeriodChoice, SystemChoice};

use super::{DrawName, LadderOptions, ReadingOptions};

pub(super) const RATE_EXAMPLES: &str = r#"Examples:
  matchwright rate --system glicko2 examples/matches.csv
  matchwright rate --system elo --k 64 examples/matches.csv --out target/ratings.csv
  matchwright rate --system glicko examples/matches.csv --predictions target/predictions.csv --json
  matchwright rate --system trueskill examples/teams.jsonl --chart
  matchwright rate --system glicko2 examples/matches.csv --plot target/course.svg
  matchwright rate --system weng-lin examples/teams.jsonl --reliability target/bins.svg
  matchwright rate --system through-time examples/teams.jsonl --chart
  matchwright rate --system elo --ladder --promote-at 1550,1600 examples/matches.csv
  matchwright rate --system elo --party-bonus fit examples/parties.jsonl

FILE holds matches of one against one as CSV or JSON lines: a time (RFC 3339, a date, or Unix seconds),
two players, and two scores or a result (1, 0.5, 0 for the first player).

Teams and free-for-alls are JSON lines, one game a line, with a place (1 for the winners, equal places are
draws) or a score for each side:
  {"time": "2024-05-01T18:00:00Z", "teams": [["ann", "bob"], ["cyd", "dot"]], "ranks": [1, 2]}
  {"time": 1714586400, "teams": [["ann"], ["bob"], ["cyd"]], "scores": [31, 12, 12]}
A member may also be an object, with the share of the game that it played and a label for the party that
it queued with:
  {"player": "ann", "share": 0.5, "party": 1}
Two teams are read from CSV where every player has a column:
  --columns time=date,team1=red1+red2+red3,team2=blue1+blue2+blue3,score1=red_score,score2=blue_score

The forecasts of a game of more than two sides are those of its pairs of sides: of all pairs up to 10
sides, of neighbours in the ranking beyond. Bradley-Terry learns from the matches before --score-from
alone and is judged on the rest; its ratings are those of all matches.

through-time is TrueSkill Through Time, a smoother: the leaderboard and the plots show each player's skill as
all matches have it, later ones included. Its forecasts never look ahead: ten times along the file all skills
are fitted to the matches before that point, and from there it learns forward, match by match, to the next.

--ladder shows what a ladder would show around the hidden rating: points that wins and losses move, doubled
out of a bonus pool while it lasts, a moving average of the rating, and the tier that the average has reached.
All is as just after a player's last match; a player's pool starts with his first one.

--party-bonus fit learns from the matches before --score-from what parties of 2, 3, 4, and 5 or more, and each
point between the best and the worst of a party, are worth in rating points, with intervals of 95 %; it says
what the matches cannot tell. Players are then rated under that bonus.

Libraries that know no time grow deviations with every match: for their figures give --period game.

Exit codes: 0 done, 1 failed, 2 usage."#;

#[derive(Args)]
pub(crate) struct RateOptions {
    /// File of matches: CSV or JSON lines, plain or gzip, or - for standard input
    pub(crate) file: PathBuf,
    /// Rating system
    #[arg(long, value_enum)]
    pub(crate) system: SystemName,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    /// Write all players' ratings to this CSV file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write the forecast of every match to this CSV file
    #[arg(long, value_name = "FILE")]
    pub(crate) predictions: Option<PathBuf>,
    /// Share of the matches after which predictions are scored
    #[arg(long, default_value_t = 0.8, value_name = "SHARE")]
    pub(crate) score_from: f64,
    /// How draws get their probability
    #[arg(long, value_enum, default_value_t = DrawName::Davidson)]
    pub(crate) draws: DrawName,
    /// Length of a rating period: days, or game for a period a game, whatever time has passed
    #[arg(long, default_value = "1", value_name = "DAYS|game", value_parser = PeriodName::parse)]
    pub(crate) period: PeriodName,
    #[command(flatten)]
    pub(crate) knobs: Knobs,
    /// How a system for two players sees a team: the mean or the sum of its players [default: mean for elo and dom,
    /// sum for glicko and glicko2, whose deviations would shrink too fast under a mean]
    #[arg(long, value_enum)]
    pub(crate) team_skill: Option<SkillName>,
    /// What queueing together is worth
    #[arg(long, value_enum, default_value_t = PartyName::Off)]
    pub(crate) party_bonus: PartyName,
    /// With --party-bonus fit: how far apart in rating points a party may be at no bonus [default: 0]
    #[arg(long, value_name = "POINTS")]
    pub(crate) free_spread: Option<f64>,
    /// What it is worth to be told first, in games of two sides: rating points, or fit
    #[arg(long, value_name = "POINTS|fit", default_value = "0", allow_hyphen_values = true, value_parser = FirstName::parse)]
    pub(crate) first_advantage: FirstName,
    /// How many players the printed leaderboard shows
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) top: usize,
    /// What the leaderboard is sorted by
    #[arg(long, value_enum, default_value_t = RankName::Rating)]
    pub(crate) rank_by: RankName,
    /// Plot players' ratings over time, with bands of 95 %, to this SVG file
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Plot predicted against observed wins to this SVG file
    #[arg(long, value_name = "FILE")]
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

/// Parameters of single systems; each is refused by the others.
#[derive(Args)]
pub(crate) struct Knobs {
    /// K-factor: elo [default: 32], dom [default: 128, twice that for newcomers, half for the highest]
    #[arg(long)]
    pub(crate) k: Option<f64>,
    /// Growth of the deviation, points per square root of a period: glicko [default: 10], dota, trueskill, weng-lin
    /// [default: 0], through-time [default: 25/300]
    #[arg(long)]
    pub(crate) c: Option<f64>,
    /// glicko2: bound on the change of volatility; trueskill, weng-lin: points that a skill wanders in a game
    #[arg(long)]
    pub(crate) tau: Option<f64>,
    /// trueskill, weng-lin, through-time: spread of a performance around the skill, points [default: 25/6]
    #[arg(long)]
    pub(crate) beta: Option<f64>,
    /// trueskill, through-time: how likely equal sides draw, as its updates see it [default: 0.1]
    #[arg(long, value_name = "P")]
    pub(crate) draw_probability: Option<f64>,
    /// weng-lin: the model of a ranking [default: bradley-terry]
    #[arg(long, value_enum)]
    pub(crate) model: Option<ModelName>,
    /// dota: most points that a game moves, per point of uncertainty [default: 0.16]
    #[arg(long)]
    pub(crate) step: Option<f64>,
    /// bradley-terry: draw strengths towards each other with this precision [default: 0.1, only where no maximum
    /// exists]
    #[arg(long, value_name = "PRECISION")]
    pub(crate) prior: Option<f64>,
}

/// Names of the rating systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SystemName {
    /// Elo, logistic curve
    Elo,
    /// Glicko: rating and deviation
    Glicko,
    /// Glicko-2: rating, deviation and volatility
    Glicko2,
    /// DOM MMR: Elo whose K depends on newness, streaks and height
    Dom,
    /// Dota's MMR and uncertainty, for teams
    Dota,
    /// TrueSkill: teams and free-for-alls, mean and deviation
    #[value(name = "trueskill")]
    TrueSkill,
    /// Weng and Lin: the same by closed formulas
    WengLin,
    /// Bradley-Terry by maximum likelihood, all matches at once; single players only
    BradleyTerry,
    /// TrueSkill Through Time: all skills at all times, from matches before and after
    ThroughTime,
}

impl From<SystemName> for SystemChoice {
    fn from(name: SystemName) -> Self {
        match name {
            SystemName::Elo => Self::Elo,
            SystemName::Glicko => Self::Glicko,
            SystemName::Glicko2 => Self::Glicko2,
            SystemName::Dom => Self::Dom,
            SystemName::Dota => Self::Dota,
            SystemName::TrueSkill => Self::TrueSkill,
            SystemName::WengLin => Self::WengLin,
            SystemName::BradleyTerry => Self::BradleyTerry,
            SystemName::ThroughTime => Self::ThroughTime,
        }
    }
}

/// Names of Weng and Lin's models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelName {
    /// Every side against every other
    BradleyTerry,
    /// One choice after another of the best side left
    PlackettLuce,
}

impl From<ModelName> for WengLinModel {
    fn from(name: ModelName) -> Self {
        match name {
            ModelName::BradleyTerry => Self::BradleyTerryFull,
            ModelName::PlackettLuce => Self::PlackettLuce,
        }
    }
}

/// Names of the ways to see a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SkillName {
    /// The size of a side does not matter
    Mean,
    /// Skills add up
    Sum,
}

impl From<SkillName> for TeamSkill {
    fn from(name: SkillName) -> Self {
        match name {
            SkillName::Mean => Self::Mean,
            SkillName::Sum => Self::Sum,
        }
    }
}

/// Names of the party bonuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PartyName {
    /// Nothing
    Off,
    /// The line through the parties of the match that Valve printed, in points of Elo's scale
    Line,
    /// What the matches before the scored part say, in points of the system
    Fit,
}

/// Names of what a leaderboard is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RankName {
    /// The rating
    Rating,
    /// The rating less three deviations
    Conservative,
    /// The ladder's points
    Points,
}

/// What counts as a rating period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PeriodName {
    Days(f64),
    Game,
}

impl PeriodName {
    fn parse(text: &str) -> Result<Self, String> {
        if text == "game" {
            return Ok(Self::Game);
        }
        let days = text.parse().ok().filter(|&days: &f64| days > 0.0);
        days.map(Self::Days)
            .ok_or_else(|| "give days above 0, or game".to_owned())
    }
}

impl From<PeriodName> for PeriodChoice {
    fn from(name: PeriodName) -> Self {
        match name {
            PeriodName::Days(days) => Self::Days(days),
            PeriodName::Game => Self::Game,
        }
    }
}

/// What being told first is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FirstName {
    Points(f64),
    Fit,
}

impl FirstName {
    fn parse(text: &str) -> Result<Self, String> {
        if text == "fit" {
            return Ok(Self::Fit);
        }
        let points = text.parse().ok().filter(|points: &f64| points.is_finite());
        points
            .map(Self::Points)
            .ok_or_else(|| "give rating points, or fit".to_owned())
    }
}

impl From<FirstName> for AdvantageChoice {
    fn from(name: FirstName) -> Self {
        match name {
            FirstName::Points(points) => Self::Points(points),
            FirstName::Fit => Self::Fit,
        }
    }
}
