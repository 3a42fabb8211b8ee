//! From options to the parameters of a system.

use matchwright_rating::{MarginWeight, ParamError, PartyBonusParams};
use matchwright_sim::rate::{
    AdvantageChoice, PartyFitChoice, PeriodChoice, RateError, SystemChoice, SystemFeature, SystemParams,
    SystemSetting, Unsupported,
};

use crate::arguments::{MarginChoice, PartyName, PoolName, RankName, RateOptions};
use crate::failure::{Failure, ShownPath};
use crate::input::{SystemFile, TimeUnit};

/// The system's defaults with the user's changes; what makes no sense is refused before anything is read.
pub(super) fn parameters(options: &RateOptions, config: &SystemFile) -> Result<SystemParams, Failure> {
    let share = options.evaluate_from;
    if !(share > 0.0 && share < 1.0) {
        return Err(Failure::Usage(format!(
            "--evaluate-from is {share}; choose a share between 0 and 1, such as 0.8"
        )));
    }
    let known = config.get(options.system).cloned();
    if let (None, Some(path)) = (&known, &options.config) {
        let (path, system) = (path.shown(), options.system.name());
        let names = config.names();
        return Err(Failure::Usage(format!(
            "--config {path}: it has no [{system}], only {names}"
        )));
    }
    let base = known.unwrap_or_default();
    let mut params = SystemParams {
        // A K that is given is the whole schedule.
        k_schedule: (options.own.k_schedule).or(base.k_schedule.filter(|_| options.own.k.is_none())),
        period: options.period.unwrap_or(base.period),
        team_skill: options.team_skill.or(base.team_skill),
        party_bonus: (options.party_bonus == PartyName::Line).then(PartyBonusParams::default),
        home_advantage: options.home_advantage.unwrap_or(base.home_advantage),
        draws: options.draws.unwrap_or(base.draws),
        performance: options.own.performance.unwrap_or(base.performance),
        ladder: options.ladder.params(),
        ..base
    };
    if let Some(margin) = options.own.margin {
        params.margin = match margin {
            MarginChoice::Off => None,
            MarginChoice::Typical(typical) => Some(params.logarithmic_margin(options.system, typical)),
            MarginChoice::WorldFootball => Some(MarginWeight::WorldFootball),
        };
    }
    for (flag, setting) in settings(options) {
        let set = params.set(options.system, setting);
        set.map_err(|error| not_of_system(flag, &error))?;
    }
    let given = features(options).into_iter().filter(|(_, is_given, _)| *is_given);
    for (flag, _, feature) in given {
        let required = options.system.require(feature);
        required.map_err(|error| not_of_system(flag, &error))?;
    }
    refuse_combinations(options)?;
    params.check(options.system).map_err(|error| match error {
        RateError::Param(error) => refused(options.system, &error),
        error => Failure::Usage(error.to_string()),
    })?;
    Ok(params)
}

/// Names of parameters, and the options that set them.
const OPTIONS: [(&str, &str); 17] = [
    ("k", "--k"),
    ("c", "--c"),
    ("gamma", "--c"),
    ("tau", "--tau"),
    ("beta", "--beta"),
    ("draw_probability", "--draw-probability"),
    ("max_deviation_growth", "--max-deviation-growth"),
    ("performance", "--performance"),
    ("step", "--step"),
    ("prior_precision", "--prior"),
    ("HomeAdvantage", "--home-advantage"),
    ("LadderPointsParams::k", "--points-k"),
    ("LadderPointsParams::start", "--points-start"),
    ("LadderPointsParams::floor", "--points-floor"),
    ("minutes_per_point", "--bonus-pool"),
    ("max_unspent", "--bonus-limit"),
    ("thresholds, each above the one before", "--promote-at"),
];

/// Names that mean something else in Elo-MMR.
const ELO_MMR: [(&str, &str); 2] = [("gamma", "--tau"), ("gamma_per_period", "--c")];

/// A parameter out of its range, by the option that sets it.
fn refused(system: SystemChoice, error: &ParamError) -> Failure {
    let message = error.to_string();
    let own = (system == SystemChoice::EloMmr).then_some(&ELO_MMR);
    let options = own.into_iter().flatten().chain(&OPTIONS);
    let option = options.into_iter().find(|(name, _)| *name == error.name());
    Failure::Usage(match option {
        Some((name, option)) => message.replacen(&format!("`{name}`"), option, 1),
        None => message,
    })
}

/// Parameters of single systems that are given, each with its option.
fn settings(options: &RateOptions) -> impl Iterator<Item = (&'static str, SystemSetting)> {
    let own = &options.own;
    let all = [
        ("--k", own.k.map(SystemSetting::K)),
        (
            "--max-deviation-growth",
            own.max_deviation_growth.map(SystemSetting::MaxDeviationGrowth),
        ),
        ("--c", own.c.map(SystemSetting::Growth)),
        ("--tau", own.tau.map(SystemSetting::Tau)),
        ("--beta", own.beta.map(SystemSetting::Beta)),
        (
            "--draw-probability",
            own.draw_probability.map(SystemSetting::DrawProbability),
        ),
        ("--model", own.model.map(SystemSetting::Model)),
        ("--step", own.step.map(SystemSetting::Step)),
        ("--prior", own.prior.map(SystemSetting::Prior)),
    ];
    all.into_iter()
        .filter_map(|(flag, setting)| Some((flag, setting?)))
}

/// Options that go with some systems only: their names, whether they are given, and what the system must have.
fn features(options: &RateOptions) -> [(&'static str, bool, SystemFeature); 9] {
    use SystemFeature as F;
    let party = options.party_bonus;
    let none = AdvantageChoice::Points(0.0);
    let advantage = options.home_advantage.is_some_and(|advantage| advantage != none);
    [
        ("--k-schedule", options.own.k_schedule.is_some(), F::KSchedule),
        (
            "--margin",
            options
                .own
                .margin
                .is_some_and(|margin| margin != MarginChoice::Off),
            F::Weights,
        ),
        (
            "--performance",
            options.own.performance.is_some_and(|weight| weight != 0.0),
            F::Weights,
        ),
        ("--team-skill", options.team_skill.is_some(), F::TeamSkill),
        (
            "--party-bonus line",
            party == PartyName::Line,
            F::PublishedPartyBonus,
        ),
        ("--party-bonus fit", party == PartyName::Fit, F::FittedPartyBonus),
        ("--ladder", options.ladder.ladder, F::Ladder),
        ("--home-advantage", advantage, F::HomeAdvantage),
        (
            "--period game",
            options.period == Some(PeriodChoice::Game),
            F::PeriodPerGame,
        ),
    ]
}

fn not_of_system(flag: &str, error: &Unsupported) -> Failure {
    let names: Vec<&str> = error.systems.iter().map(|system| system.name()).collect();
    Failure::Usage(format!(
        "{flag} is a parameter of {}; drop it or choose --system {}",
        names.join(", "),
        names.join(" or ")
    ))
}

/// Options that mean nothing without others, or beside them.
fn refuse_combinations(options: &RateOptions) -> Result<(), Failure> {
    let ladder = &options.ladder;
    let pool_is_off = ladder.bonus_pool == Some(PoolName::Off);
    let has_course = options.system.has(SystemFeature::Course);
    let has_points = !matches!(
        options.home_advantage,
        None | Some(AdvantageChoice::Fit | AdvantageChoice::Points(0.0))
    );
    let refused = [
        (
            options.own.k.is_some() && options.own.k_schedule.is_some(),
            "--k with --k-schedule: the schedule says what K is; drop one of them",
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
