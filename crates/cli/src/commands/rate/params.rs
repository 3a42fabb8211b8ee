//! From options to the parameters of a system, and back to a command.

use clap::ValueEnum;
use matchwright_rating::{BradleyTerryPrior, PartyBonusParams};
use matchwright_sim::rate::{SystemChoice, SystemParams};

use crate::arguments::{FirstName, PartyName, RankName, RateOptions, SystemName};
use crate::failure::Failure;

/// The system's defaults with the user's changes; what makes no sense is refused before anything is read.
pub(super) fn parameters(options: &RateOptions) -> Result<SystemParams, Failure> {
    if !(options.score_from > 0.0 && options.score_from < 1.0) {
        let message = format!(
            "--score-from is {}; choose a share between 0 and 1, such as 0.8",
            options.score_from
        );
        return Err(Failure::Usage(message));
    }
    refuse_strangers(options)?;
    let mut params = SystemParams {
        period_days: options.period,
        team_skill: options.team_skill.map(Into::into),
        party_bonus: (options.party_bonus == PartyName::Line).then(PartyBonusParams::default),
        first_advantage: options.first_advantage.into(),
        ..SystemParams::default()
    };
    set_knobs(options, &mut params);
    params
        .check(options.system.into())
        .map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(params)
}

/// A parameter goes with some systems only; with the others it would do nothing.
fn refuse_strangers(options: &RateOptions) -> Result<(), Failure> {
    use SystemName::{BradleyTerry, Dom, Dota, Elo, Glicko, Glicko2, TrueSkill, WengLin};
    let knobs = &options.knobs;
    let given_to: [(&str, bool, &[SystemName]); 10] = [
        ("--k", knobs.k.is_some(), &[Elo, Dom]),
        ("--c", knobs.c.is_some(), &[Glicko, Dota, TrueSkill, WengLin]),
        ("--tau", knobs.tau.is_some(), &[Glicko2, TrueSkill, WengLin]),
        ("--beta", knobs.beta.is_some(), &[TrueSkill, WengLin]),
        (
            "--draw-probability",
            knobs.draw_probability.is_some(),
            &[TrueSkill],
        ),
        ("--model", knobs.model.is_some(), &[WengLin]),
        ("--step", knobs.step.is_some(), &[Dota]),
        ("--prior", knobs.prior.is_some(), &[BradleyTerry]),
        (
            "--team-skill",
            options.team_skill.is_some(),
            &[Elo, Glicko, Glicko2, Dom],
        ),
        (
            "--party-bonus line",
            options.party_bonus == PartyName::Line,
            &[Elo, Glicko, Glicko2, Dota],
        ),
    ];
    let stranger = given_to
        .into_iter()
        .find(|(_, given, systems)| *given && !systems.contains(&options.system));
    if let Some((flag, _, systems)) = stranger {
        let owners: Vec<String> = systems.iter().map(name).collect();
        let message = format!(
            "{flag} is a parameter of {}; drop it or choose --system {}",
            owners.join(", "),
            owners.join(" or ")
        );
        return Err(Failure::Usage(message));
    }
    if !(options.players.is_empty() || options.chart || options.plot.is_some()) {
        let message = "--players says whom a plot follows; add --plot FILE or --chart";
        return Err(Failure::Usage(message.to_owned()));
    }
    let at_once = options.system == BradleyTerry;
    if at_once && !matches!(options.first_advantage, FirstName::Fit | FirstName::Points(0.0)) {
        let message =
            "--first-advantage with points: bradley-terry estimates them; give --first-advantage fit";
        return Err(Failure::Usage(message.to_owned()));
    }
    if at_once && (options.plot.is_some() || !options.players.is_empty()) {
        let message = "--plot: bradley-terry rates all matches at once, so there is no course over time; choose another --system";
        return Err(Failure::Usage(message.to_owned()));
    }
    Ok(())
}

fn set_knobs(options: &RateOptions, params: &mut SystemParams) {
    let knobs = &options.knobs;
    let choice = SystemChoice::from(options.system);
    let set = |place: &mut f64, value: Option<f64>| {
        if let Some(value) = value {
            *place = value;
        }
    };
    match choice {
        SystemChoice::Elo => set(&mut params.elo.k, knobs.k),
        SystemChoice::Glicko => set(&mut params.glicko.c, knobs.c),
        SystemChoice::Glicko2 => set(&mut params.glicko2.tau, knobs.tau),
        SystemChoice::Dom => {
            if let Some(k) = knobs.k {
                (params.dom.k, params.dom.newcomer_k, params.dom.high_k) = (k, 2.0 * k, 0.5 * k);
            }
        }
        SystemChoice::Dota => {
            set(&mut params.dota.step, knobs.step);
            set(&mut params.dota.growth, knobs.c);
        }
        SystemChoice::TrueSkill => {
            set(&mut params.trueskill.tau_per_period, knobs.c);
            set(&mut params.trueskill.tau, knobs.tau);
            set(&mut params.trueskill.beta, knobs.beta);
            set(&mut params.trueskill.draw_probability, knobs.draw_probability);
        }
        SystemChoice::WengLin => {
            set(&mut params.weng_lin.tau_per_period, knobs.c);
            set(&mut params.weng_lin.tau, knobs.tau);
            set(&mut params.weng_lin.beta, knobs.beta);
            if let Some(model) = knobs.model {
                params.weng_lin.model = model.into();
            }
        }
        SystemChoice::BradleyTerry => {
            if let Some(precision) = knobs.prior {
                params.bradley_terry.prior = BradleyTerryPrior::Always;
                params.bradley_terry.prior_precision = precision;
            }
        }
    }
}

fn name(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// The command with everything that differs from its defaults.
pub(super) fn command(options: &RateOptions, file: &str) -> String {
    let knobs = &options.knobs;
    let number = |value: Option<f64>| value.map(|value| value.to_string());
    let unless = |is_default: bool, value: String| (!is_default).then_some(value);
    let flags = [
        ("k", number(knobs.k)),
        ("c", number(knobs.c)),
        ("tau", number(knobs.tau)),
        ("beta", number(knobs.beta)),
        ("draw-probability", number(knobs.draw_probability)),
        ("step", number(knobs.step)),
        ("prior", number(knobs.prior)),
        ("model", knobs.model.as_ref().map(name)),
        ("team-skill", options.team_skill.as_ref().map(name)),
        (
            "party-bonus",
            unless(options.party_bonus == PartyName::Off, name(&options.party_bonus)),
        ),
        ("first-advantage", options.first_advantage.shown()),
        (
            "rank-by",
            unless(options.rank_by == RankName::Rating, name(&options.rank_by)),
        ),
        ("top", unless(options.top == 10, options.top.to_string())),
        (
            "players",
            unless(options.players.is_empty(), options.players.join(",")),
        ),
        ("period", Some(options.period.to_string())),
        ("score-from", Some(options.score_from.to_string())),
        ("draws", Some(name(&options.draws))),
    ];
    let given = flags
        .into_iter()
        .filter_map(|(flag, value)| Some(format!(" --{flag} {}", value?)));
    let flags: String = given.collect();
    let (system, reading) = (name(&options.system), options.reading.shown());
    format!("matchwright rate --system {system}{reading}{flags} {file}")
}
