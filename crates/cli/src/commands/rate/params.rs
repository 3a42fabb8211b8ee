//! From options to the parameters of a system.

use clap::ValueEnum;
use matchwright_rating::{BradleyTerryPrior, PartyBonusParams};
use matchwright_sim::rate::{PartyFitChoice, SystemChoice, SystemParams};

use crate::arguments::{FirstName, PartyName, PeriodName, PoolName, RankName, RateOptions, SystemName};
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
        period: options.period.into(),
        team_skill: options.team_skill.map(Into::into),
        party_bonus: (options.party_bonus == PartyName::Line).then(PartyBonusParams::default),
        first_advantage: options.first_advantage.into(),
        ladder: options.ladder.params(),
        ..SystemParams::default()
    };
    set_knobs(options, &mut params);
    params
        .check(options.system.into())
        .map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(params)
}

/// Options that go with some systems only: their names, whether they are given, and the systems.
fn owned(options: &RateOptions) -> [(&'static str, bool, &'static [SystemName]); 14] {
    use SystemName::{BradleyTerry, Dom, Dota, Elo, Glicko, Glicko2, ThroughTime, TrueSkill, WengLin};
    let knobs = &options.knobs;
    [
        ("--k", knobs.k.is_some(), &[Elo, Dom]),
        (
            "--c",
            knobs.c.is_some(),
            &[Glicko, Dota, TrueSkill, WengLin, ThroughTime],
        ),
        ("--tau", knobs.tau.is_some(), &[Glicko2, TrueSkill, WengLin]),
        ("--beta", knobs.beta.is_some(), &[TrueSkill, WengLin, ThroughTime]),
        (
            "--draw-probability",
            knobs.draw_probability.is_some(),
            &[TrueSkill, ThroughTime],
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
        (
            "--party-bonus fit",
            options.party_bonus == PartyName::Fit,
            &[Elo, Glicko, Glicko2, Dom, Dota, TrueSkill, WengLin],
        ),
        ("--ladder", options.ladder.ladder, &[Elo, Glicko, Glicko2, Dom]),
        (
            "--first-advantage",
            options.first_advantage != FirstName::Points(0.0),
            &[Elo, Glicko, Glicko2, Dom, Dota, TrueSkill, WengLin, BradleyTerry],
        ),
        (
            "--period game",
            options.period == PeriodName::Game,
            &[Elo, Glicko, Glicko2, Dom, Dota, TrueSkill, WengLin],
        ),
    ]
}

/// With the other systems they would do nothing.
fn refuse_strangers(options: &RateOptions) -> Result<(), Failure> {
    let stranger = owned(options)
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
    refuse_lonely(options)?;
    if !(options.players.is_empty() || options.chart || options.plot.is_some()) {
        let message = "--players says whom a plot follows; add --plot FILE or --chart";
        return Err(Failure::Usage(message.to_owned()));
    }
    let at_once = options.system == SystemName::BradleyTerry;
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

/// Options that mean nothing without others.
fn refuse_lonely(options: &RateOptions) -> Result<(), Failure> {
    let ladder = &options.ladder;
    let pool_is_off = ladder.bonus_pool == Some(PoolName::Off);
    let lonely = [
        (
            options.free_spread.is_some() && options.party_bonus != PartyName::Fit,
            "--free-spread says where a fitted party bonus begins; add --party-bonus fit",
        ),
        (
            options.rank_by == RankName::Points && !ladder.ladder,
            "--rank-by points: only a ladder shows points; add --ladder",
        ),
        (
            ladder.ladder && options.period == PeriodName::Game && !pool_is_off,
            "--ladder with --period game: a bonus pool fills by the clock; give the period in days, or --bonus-pool off",
        ),
        (
            pool_is_off && ladder.bonus_limit.is_some(),
            "--bonus-limit with --bonus-pool off: there is no pool to limit; drop one of them",
        ),
    ];
    let told = lonely.into_iter().find(|(is_so, _)| *is_so);
    told.map_or(Ok(()), |(_, message)| Err(Failure::Usage(message.to_owned())))
}

/// How a party bonus is learnt, if it is.
pub(super) fn party_fit(options: &RateOptions) -> Option<PartyFitChoice> {
    let plain = PartyFitChoice::default();
    (options.party_bonus == PartyName::Fit).then(|| PartyFitChoice {
        free_spread: options.free_spread.unwrap_or(plain.free_spread),
        ..plain
    })
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
        SystemChoice::ThroughTime => {
            set(&mut params.through_time.gamma, knobs.c);
            set(&mut params.through_time.beta, knobs.beta);
            set(&mut params.through_time.draw_probability, knobs.draw_probability);
        }
    }
}

fn name(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map(|value| value.get_name().to_owned()).unwrap_or_default()
}
