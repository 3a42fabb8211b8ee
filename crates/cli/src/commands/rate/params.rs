//! From options to the parameters of a system.

use std::path::Path;

use matchwright_rating::{
    AdvantageChoice, MarginWeight, PartyBonusParams, PeriodChoice, RatingParams, RatingParamsError,
    SeasonChange, Seasons, SystemKind, SystemName, Unsupported,
};
use matchwright_sim::rate::PartyFitChoice;
use serde::Deserialize;
use toml::{Table, Value};

use crate::arguments::{
    BetweenOptions, MarginChoice, PartyName, PoolName, RankName, RateOptions, SeasonStarts,
};
use crate::failure::{Failure, ShownPath};
use crate::input::SystemFile;
use matchwright_import::TimeUnit;

/// The system's defaults with the user's changes; what makes no sense is refused before anything is read.
pub(super) fn parameters(options: &RateOptions, config: &SystemFile) -> Result<RatingParams, Failure> {
    let share = options.evaluate_from;
    if !(share > 0.0 && share < 1.0) {
        return Err(Failure::Usage(format!(
            "--evaluate-from is {share}; choose a share between 0 and 1, such as 0.8"
        )));
    }
    let base = as_set(
        options.system,
        (config, options.config.as_deref()),
        &options.own.settings,
    )?;
    let line = (options.party_bonus == PartyName::Line).then(PartyBonusParams::default);
    let mut params = RatingParams {
        period: options.period.unwrap_or(base.period),
        team_skill: options.team_skill.or(base.team_skill),
        party_bonus: line.or(base.party_bonus),
        home_advantage: options.home_advantage.unwrap_or(base.home_advantage),
        draws: options.draws.unwrap_or(base.draws),
        performance: options.own.performance.unwrap_or(base.performance),
        ladder: options.ladder.params().or(base.ladder),
        context_games: options
            .own
            .context_games
            .map_or(base.context_games, |given| given.0),
        log_odds_scale: options.own.log_odds_scale.unwrap_or(base.log_odds_scale),
        decay: options.between.decay.or(base.decay),
        rank_floors: options.between.rank_floors.or(base.rank_floors),
        max_deviation_growth: options.between.max_deviation_growth.or(base.max_deviation_growth),
        seasons: seasons(&options.between).or(base.seasons),
        ..base
    };
    if let Some(margin) = options.own.margin {
        params.margin = match margin {
            MarginChoice::Off => None,
            MarginChoice::Typical(typical) => Some(params.logarithmic_margin(typical)),
            MarginChoice::WorldFootball => Some(MarginWeight::WorldFootball),
        };
    }
    refuse_combinations(options)?;
    if options.stream && params.context_games.is_some() {
        let message = "--stream with ratings in contexts: these take a second pass over the matches; give --context-games off";
        return Err(Failure::Usage(message.to_owned()));
    }
    let is_online = |name: SystemName| name.kind() != SystemKind::Whole;
    let has_elos_scale = |params: &RatingParams| (380.0..=420.0).contains(&params.points_for_ten_to_one());
    let checked = match options.party_bonus {
        PartyName::Fit if !is_online(options.system) => {
            Err(Unsupported::but_for("a party bonus", is_online).into())
        }
        PartyName::Line if !has_elos_scale(&params) => {
            let can = |name| is_online(name) && has_elos_scale(&RatingParams::of(name));
            Err(Unsupported::but_for("the published party bonus", can).into())
        }
        _ => params.check(),
    };
    checked.map_err(|error| refused(&error))?;
    Ok(params)
}

/// The seasons that are asked for.
fn seasons(options: &BetweenOptions) -> Option<Seasons> {
    let (every_days, starts) = match options.seasons.clone()? {
        SeasonStarts::At(starts) => (None, starts),
        SeasonStarts::Every(days) => (Some(days), Vec::new()),
    };
    let half_way = SeasonChange {
        share: 0.5,
        ..SeasonChange::NONE
    };
    Some(Seasons {
        every_days,
        starts,
        change: options.season_reset.unwrap_or(half_way),
    })
}

/// The parameters of a system as --config and --set have them, each in its range.
pub(in crate::commands) fn configured(
    system: SystemName,
    config: (&SystemFile, Option<&Path>),
    settings: &[(String, Value)],
) -> Result<RatingParams, Failure> {
    let params = as_set(system, config, settings)?;
    params.check().map_err(|error| refused(&error))?;
    Ok(params)
}

/// Those of the file, or the defaults, with the settings.
fn as_set(
    system: SystemName,
    (config, path): (&SystemFile, Option<&Path>),
    settings: &[(String, Value)],
) -> Result<RatingParams, Failure> {
    let known = config.get(system).cloned();
    if let (None, Some(path)) = (&known, path) {
        let (path, system) = (path.shown(), system.name());
        let names = config.names();
        return Err(Failure::Usage(format!(
            "--config {path}: it has no [{system}], only {names}"
        )));
    }
    let base = known.unwrap_or_else(|| RatingParams::of(system));
    settings
        .iter()
        .try_fold(base, |params, (name, value)| with_setting(&params, name, value))
}

/// The same with a parameter of the system set.
fn with_setting(params: &RatingParams, name: &str, value: &Value) -> Result<RatingParams, Failure> {
    let system = params.system.name().name();
    let mut document = Table::try_from(params).map_err(Failure::of)?;
    let mut at = document.get_mut(system).and_then(Value::as_table_mut);
    let path = std::iter::once("params")
        .chain(name.split('.'))
        .collect::<Vec<_>>();
    let (last, tables) = path.split_last().unwrap_or((&"", &[]));
    for key in tables {
        let next = at.map(|table| table.entry(*key).or_insert_with(|| Value::Table(Table::new())));
        at = next.and_then(Value::as_table_mut);
    }
    if let Some(table) = at {
        table.insert((*last).to_owned(), value.clone());
    }
    RatingParams::deserialize(Value::Table(document))
        .map_err(|error| Failure::Usage(format!("--set {name}={value}: {}", error.message())))
}

/// What goes with some systems alone, and the option that asks for it.
const OPTIONS: [(&str, &str); 12] = [
    ("a ladder", "--ladder"),
    ("a choice of team skill", "--team-skill"),
    ("a rating period for each game", "--period game"),
    (
        "a rating period whose matches count all at once",
        "--period batch:DAYS",
    ),
    ("a home advantage", "--home-advantage"),
    ("a party bonus", "--party-bonus"),
    ("the published party bonus", "--party-bonus line"),
    ("weights by margin or performance", "--margin or --performance"),
    ("decay", "--decay"),
    ("rank floors", "--rank-floors"),
    ("a cap on the growth of deviations", "--max-deviation-growth"),
    ("seasons", "--seasons"),
];

/// Names of parameters, and the options that set them.
const PARAMETERS: [(&str, &str); 11] = [
    ("max_deviation_growth", "--max-deviation-growth"),
    ("context_games", "--context-games"),
    ("log_odds_scale", "--log-odds-scale"),
    ("performance", "--performance"),
    ("HomeAdvantage", "--home-advantage"),
    ("LadderPointsParams::k", "--points-k"),
    ("LadderPointsParams::start", "--points-start"),
    ("LadderPointsParams::floor", "--points-floor"),
    ("minutes_per_point", "--bonus-pool"),
    ("max_unspent", "--bonus-limit"),
    ("thresholds, each above the one before", "--promote-at"),
];

/// What the system cannot have, or a parameter out of its range, by the option that asks for it.
fn refused(error: &RatingParamsError) -> Failure {
    Failure::Usage(match error {
        RatingParamsError::Unsupported(unsupported) => {
            let option = OPTIONS.iter().find(|(what, _)| *what == unsupported.what);
            let names: Vec<&str> = unsupported.systems.iter().map(|system| system.name()).collect();
            format!(
                "{} is a parameter of {}; drop it or choose --system {}",
                option.map_or(unsupported.what, |(_, option)| option),
                names.join(", "),
                names.join(" or ")
            )
        }
        RatingParamsError::Param(param) => {
            let option = PARAMETERS.iter().find(|(name, _)| *name == param.name());
            let message = param.to_string();
            match option {
                Some((name, option)) => message.replacen(&format!("`{name}`"), option, 1),
                None => message,
            }
        }
        error => error.to_string(),
    })
}

/// Options that mean nothing without others, or beside them.
fn refuse_combinations(options: &RateOptions) -> Result<(), Failure> {
    let ladder = &options.ladder;
    let pool_is_off = ladder.bonus_pool == Some(PoolName::Off);
    let has_course = options.system != SystemName::BradleyTerry;
    let asks_contexts = options.own.context_games.is_some_and(|given| given.0.is_some());
    let has_points = !matches!(
        options.home_advantage,
        None | Some(AdvantageChoice::Fit | AdvantageChoice::Points(0.0))
    );
    let refused = [
        (
            options.accounts.accounts && options.system != SystemName::Dota,
            "--accounts: the four ratings of an account are Dota 2's; add --system dota",
        ),
        (
            options.accounts.accounts && asks_contexts,
            "--accounts with --context-games: each rating of an account is of one context alone; drop one of them",
        ),
        (
            options.accounts.accounts && ladder.ladder,
            "--accounts with --ladder: an account shows its ratings, a ladder its points; drop one of them",
        ),
        (
            options.between.start_ratings.is_some() && options.system.kind() == SystemKind::Whole,
            "--start-ratings: models of all matches at once have none to start with; choose another --system",
        ),
        (
            options.free_spread.is_some() && options.party_bonus != PartyName::Fit,
            "--free-spread says where a fitted party bonus begins; add --party-bonus fit",
        ),
        (
            !ladder.promote_at.is_sorted_by(|low, high| low < high),
            "--promote-at: the averages must rise, each above the one before, such as 1500,1600",
        ),
        (
            options.rank_by == Some(RankName::Points) && !ladder.ladder,
            "--rank-by points: only a ladder shows points; add --ladder",
        ),
        (
            ladder.ladder && options.period == Some(PeriodChoice::Game) && !pool_is_off,
            "--ladder with --period game: a bonus pool fills by the clock; give the period in days, or --bonus-pool off",
        ),
        (
            ladder.ladder && options.reading.time_unit == Some(TimeUnit::Index) && !pool_is_off,
            "--ladder with --time-unit index: a bonus pool fills by the clock; give --bonus-pool off",
        ),
        (
            pool_is_off && ladder.bonus_limit.is_some(),
            "--bonus-limit with --bonus-pool off: there is no pool to limit; drop one of them",
        ),
        (
            options.stream && options.party_bonus == PartyName::Fit,
            "--stream with --party-bonus fit: that takes several passes over the matches; drop one of them",
        ),
        (
            options.stream && options.home_advantage == Some(AdvantageChoice::Fit),
            "--stream with --home-advantage fit: that takes several passes over the matches; give it in points",
        ),
        (
            !options.players.is_empty() && !options.chart && options.plot.is_none(),
            "--players selects the players of a plot; add --plot FILE or --chart",
        ),
        (
            !has_course && has_points,
            "--home-advantage with points: bradley-terry estimates them; give --home-advantage fit",
        ),
        (
            !has_course && (options.plot.is_some() || !options.players.is_empty()),
            "--plot: bradley-terry rates all matches at once, so there is no course over time; choose another --system",
        ),
    ];
    match refused.into_iter().find(|(is_so, _)| *is_so) {
        Some((_, message)) => Err(Failure::Usage(message.to_owned())),
        None => Ok(()),
    }
}

/// How a party bonus is learnt, if it is.
pub(super) fn party_fit(options: &RateOptions) -> Option<PartyFitChoice> {
    let plain = PartyFitChoice::default();
    (options.party_bonus == PartyName::Fit).then(|| PartyFitChoice {
        free_spread: options.free_spread.unwrap_or(plain.free_spread),
        ..plain
    })
}
