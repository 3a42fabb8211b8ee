//! Checks of team matches are seen to fail, each for a policy, a factor, a search or a print that is wrong.

use matchwright_lobby::{Group, LobbyObjective, SplitError, TeamSplit, TeamSplitter};
use matchwright_scoring::{ScoringPolicy, TeamFactor, TeamMatch, Total};
use matchwright_solver::Limits;

use super::{found, holds, inputs};
use crate::claims::inputs::Inputs;

/// The check finds a requirement that is not met; an error would say nothing of it.
#[track_caller]
fn breaks(id: &str, wrong: &Inputs) {
    let found = found(id, wrong);
    let named = found.notes.iter().any(|note| note.starts_with("not so: "));
    assert!(!found.holds() && named, "{id} did not notice: {found:?}");
}

/// The inputs with something wrong in them.
fn with(harm: impl FnOnce(&mut Inputs)) -> Inputs {
    let mut wrong = inputs();
    harm(&mut wrong);
    wrong
}

/// Awesomenauts' document with other words in it.
fn awesomenauts(from: &str, to: &str) -> Inputs {
    with(|m| m.awesomenauts.policy = other(&m.awesomenauts.policy, from, to))
}

fn dota(from: &str, to: &str) -> Inputs {
    with(|m| m.dota.policy = other(&m.dota.policy, from, to))
}

fn dominations(from: &str, to: &str) -> Inputs {
    with(|m| m.dominations.policy = other(&m.dominations.policy, from, to))
}

#[track_caller]
fn other(document: &str, from: &str, to: &str) -> String {
    assert!(document.contains(from), "no `{from}`");
    document.replacen(from, to, 1)
}

/// A heading that Awesomenauts' document does not have, with a line under it.
fn under_scoring(line: &str) -> Inputs {
    with(|m| m.awesomenauts.policy = format!("[scoring]\n{line}\n{}", m.awesomenauts.policy))
}

/// The last player of each team does not count.
fn without_last(factor: &dyn TeamFactor, candidate: &TeamMatch<'_>) -> Option<f64> {
    let teams: Vec<&[usize]> = candidate
        .teams()
        .iter()
        .map(|team| &team[..(team.len() - 1).max(1)])
        .collect();
    factor.quality(&TeamMatch::new(candidate.pool(), &teams).unwrap())
}

/// The first players of both teams change places.
fn exchanged(factor: &dyn TeamFactor, candidate: &TeamMatch<'_>) -> Option<f64> {
    let mut teams: Vec<Vec<usize>> = candidate.teams().iter().map(|team| team.to_vec()).collect();
    let first = teams[0][0];
    teams[0][0] = std::mem::replace(&mut teams[1][0], first);
    let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
    factor.quality(&TeamMatch::new(candidate.pool(), &teams).unwrap())
}

/// A policy that finds every match good.
fn kind(_: &dyn TeamFactor, candidate: &TeamMatch<'_>) -> Option<f64> {
    (!candidate.teams().is_empty()).then_some(1.0)
}

/// Nothing is said of anything.
fn mute(_: &dyn TeamFactor, _: &TeamMatch<'_>) -> Option<f64> {
    None
}

/// Rules, floors and threshold are forgotten.
fn lenient(policy: &ScoringPolicy, candidate: &TeamMatch<'_>) -> Option<f64> {
    policy.explain(candidate).combined
}

/// Each factor counts alike.
fn unweighted(policy: &ScoringPolicy, candidate: &TeamMatch<'_>) -> Option<f64> {
    let scores = policy.explain(candidate).factors;
    let values: Option<Vec<f64>> = scores.iter().map(|one| one.value).collect();
    values.map(|values| values.iter().sum::<f64>() / values.len() as f64)
}

/// Takes the first split that comes.
struct First;

impl TeamSplitter for First {
    fn split_within(
        &self,
        group: &Group,
        objective: &dyn LobbyObjective,
        _: &Limits<'_>,
    ) -> Result<TeamSplit, SplitError> {
        let (a, b) = group.players().split_at(group.sizes()[0]);
        let quality = objective
            .quality(a, b)
            .ok_or(SplitError::NoAllowedSplit { tried: 1 })?;
        Ok(TeamSplit {
            teams: vec![a.to_vec(), b.to_vec()],
            quality,
            bound: quality,
            source: matchwright_lobby::BoundSource::Complete,
            status: matchwright_solver::Status::Optimal,
        })
    }
}

#[test]
fn checks_of_skill_notice_players_who_do_not_count_and_other_caps() {
    for id in ["AWN-F1", "AWN-F2"] {
        breaks(id, &with(|m| m.matches.ask = without_last));
    }
    breaks("AWN-F1", &with(|m| m.matches.ask = exchanged));
    // Teams do not matter to the fifteen pairs.
    holds("AWN-F2", &with(|m| m.matches.ask = exchanged));
    let steep = "worst = 10000, power = 1.5";
    breaks(
        "AWN-F2-carry",
        &awesomenauts(steep, "worst = 1000000, power = 1.5"),
    );
    breaks("AWN-F2-carry", &with(|m| m.matches.ask = without_last));
    breaks("AWN-cap", &awesomenauts("skill_cap = 18000", "skill_cap = 25000"));
    breaks("AWN-cap", &awesomenauts("skill_cap = 18000", "skill_cap = 17000"));
    breaks("AWN-cap", &awesomenauts("worst = 10000 }", "worst = 12000 }"));
    breaks("AWN-cap", &awesomenauts(steep, "worst = 9000, power = 1.5"));
    breaks("AWN-cap", &awesomenauts("best = 50", "best = 40"));
    breaks("AWN-cap", &awesomenauts("best = 50", "best = 60"));
}

#[test]
fn the_check_of_the_reader_notices_figures_that_a_line_gives_and_powers_that_do_not() {
    // In the order that any falling line has.
    breaks(
        "AWN-reader",
        &with(|m| m.awesomenauts.reader = [(1979.0, 0.73), (1832.0, 0.74)]),
    );
    breaks(
        "AWN-reader",
        &with(|m| m.awesomenauts.reader = [(1979.0, 0.94), (1832.0, 0.53)]),
    );
    breaks(
        "AWN-reader",
        &with(|m| m.awesomenauts.reader_powers = vec![1.5, 1.0]),
    );
    breaks("AWN-reader", &with(|m| m.matches.ask = mute));
}

#[test]
fn checks_of_company_notice_other_prints_other_qualities_and_weights() {
    breaks("AWN-F3", &with(|m| m.awesomenauts.premades[1].quality = 0.5));
    breaks("AWN-F3", &with(|m| m.awesomenauts.premades.truncate(2)));
    breaks("AWN-F3", &awesomenauts("[0.5, 0.6]", "[0.5, 0.7]"));
    breaks("AWN-F3", &with(|m| m.matches.ask = exchanged));
    breaks(
        "AWN-F5",
        &awesomenauts("swapped_roles = 0.25", "swapped_roles = 0"),
    );
    breaks("AWN-F5", &awesomenauts("same_roles = 0\n", "same_roles = 1\n"));
    breaks("AWN-F5", &awesomenauts("weight = 0.25", "weight = 2.5"));
    breaks("AWN-F5", &with(|m| m.matches.ask = kind));
}

#[test]
fn checks_of_connections_notice_team_mates_lines_and_hosts_who_reach_nobody() {
    for id in ["AWN-F4", "AWN-noteamping"] {
        breaks(id, &with(|m| m.matches.ask = exchanged));
    }
    breaks("AWN-F4", &with(|m| m.matches.ask = without_last));
    breaks("AWN-nonlinear", &awesomenauts("power = 2", "power = 1"));
    breaks("AWN-nonlinear", &awesomenauts("power = 2", "power = 0.5"));
    breaks("AWN-F6", &awesomenauts("one = 0.5", "one = 1"));
    breaks("AWN-F6", &awesomenauts("none = 0", "none = 0.5"));
    breaks("AWN-F6", &with(|m| m.matches.ask = without_last));
}

#[test]
fn checks_of_totals_notice_other_means_and_another_swap() {
    breaks("AWN-wavg", &with(|m| m.matches.score = unweighted));
    breaks("AWN-wavg", &under_scoring("combine = { exponent = -1.0 }"));
    breaks("AWN-wavg", &with(|m| m.matches.ask = mute));
    for id in ["AWN-mega", "AWN-swap5-10"] {
        breaks(id, &under_scoring("total = { exponent = -1.0 }"));
    }
    breaks("AWN-mega", &with(|m| m.matches.total = |_, values| values[0]));
    breaks("AWN-swap5-10", &with(|m| m.matches.total = |_, _| f64::NAN));
    // A swap that square roots accept needs no other mean.
    breaks("AWN-sqrt", &with(|m| m.awesomenauts.favour.after = [0.60, 0.80]));
    breaks(
        "AWN-sqrt",
        &with(|m| m.matches.total = |_, values| Total::AVERAGE.of(values)),
    );
    breaks("AWN-sqrt", &with(|m| m.matches.total = |_, _| f64::NAN));
}

#[test]
fn the_check_of_reactions_notices_groups_that_glide_or_weigh_as_much() {
    breaks("AWN-react", &awesomenauts("weight = 0.75", "weight = 3"));
    let flat = "points = [[0, 1], [1, 0.9]]";
    breaks(
        "AWN-react",
        &awesomenauts("points = [[0, 1], [0.5, 0.6], [1, 0]]", flat),
    );
    breaks("AWN-react", &with(|m| m.matches.ask = kind));
}

#[test]
fn checks_of_the_round_notice_a_split_too_few_and_players_who_wait_for_nothing() {
    breaks("AWN-split10", &with(|m| m.matches.splitter = Box::new(First)));
    breaks("AWN-leftover", &with(|m| m.awesomenauts.carried_penalty = 1.0));
}

#[test]
fn checks_of_dotas_criteria_notice_other_players_sides_and_curves() {
    for id in ["DOTA-C1", "DOTA-C2", "DOTA-C4"] {
        breaks(id, &with(|m| m.matches.ask = without_last));
    }
    for id in ["DOTA-C1", "DOTA-C4", "DOTA-C5", "DOTA-C6"] {
        breaks(id, &with(|m| m.matches.ask = exchanged));
    }
    for id in ["DOTA-C2", "DOTA-C3"] {
        holds(id, &with(|m| m.matches.ask = exchanged));
        breaks(id, &with(|m| m.matches.ask = kind));
    }
    breaks("DOTA-C2", &dota("worst = 1500", "worst = 9000"));
    breaks(
        "DOTA-C5",
        &dota(
            "best = 0, worst = 4 }\n\n[scoring.factors.languages]",
            "best = 0, worst = 8 }\n\n[scoring.factors.languages]",
        ),
    );
    breaks("DOTA-C6", &dota("team_share = 0.8", "team_share = 0.3"));
    breaks("DOTA-logexp", &dota("unit = 40", "unit = 50"));
    breaks("DOTA-logexp", &with(|m| m.dota.experience = [40, 120, 240]));
}

#[test]
fn the_check_of_dotas_score_notices_no_threshold_and_no_weights() {
    breaks("DOTA-score", &dota("threshold = 0.6", "threshold = 0"));
    breaks(
        "DOTA-score",
        &dota("threshold = 0.6", "threshold = 0.6\ncombine = { exponent = 0.5 }"),
    );
    breaks("DOTA-score", &with(|m| m.matches.score = lenient));
    breaks("DOTA-score", &with(|m| m.matches.score = unweighted));
}

#[test]
fn checks_of_parties_notice_members_who_stand_for_themselves_and_another_print() {
    let skill = "party = \"mean\"\nspread = { shape = \"ramp\", best = 0, worst = 1500 }";
    for (from, to) in [(skill, "members"), (skill, "greatest")] {
        breaks("DOTA-partyagg", &dota(from, &from.replace("mean", to)));
    }
    let games = "unit = 40\nparty = \"mean\"";
    breaks("DOTA-partyagg", &dota(games, &games.replace("mean", "least")));
    breaks(
        "DOTA-bracket",
        &dota("spread_points = 0.01972", "spread_points = 0.05"),
    );
    breaks("DOTA-bracket", &with(|m| m.dota.party_mean = 2_600.0));
    let printed = |harm: fn(&mut Inputs)| {
        let mut wrong = inputs();
        harm(&mut wrong);
        wrong
    };
    // A single player above all parties of the side.
    let above = printed(|inputs| {
        let one = &mut inputs.dota.printed_match[0][2];
        (one.mmr, one.adjusted) = (3_100.0, 3_100.0);
    });
    breaks("DOTA-bracket", &above);
    // Party F beyond party D.
    let beyond = printed(|inputs| {
        let one = &mut inputs.dota.printed_match[0][1];
        (one.mmr, one.adjusted) = (3_010.0, 3_010.0);
    });
    breaks("DOTA-bracket", &beyond);
}

#[test]
fn checks_of_alliances_notice_points_that_predict_and_sandbaggers_who_pass() {
    // A world in which points decide.
    breaks(
        "DOM-pct",
        &with(|m| m.dominations.war = |a, b| 1.0 / (1.0 + (-(a - b) / 100.0).exp())),
    );
    breaks("DOM-pct", &with(|m| m.dominations.war = |_, _| 0.5));
    breaks("DOM-sandbag", &dominations("floor = 0.05", "floor = 0"));
    breaks("DOM-sandbag", &with(|m| m.matches.score = lenient));
    breaks("DOM-sandbag", &with(|m| m.dominations.sandbaggers = (10, 0)));
    breaks("DOM-var", &with(|m| m.matches.ask = without_last));
    breaks("DOM-var", &with(|m| m.matches.ask = exchanged));
    breaks(
        "DOM-var",
        &dominations(
            "[scoring.factors.strength]\nweight = 3",
            "[scoring.factors.strength]\nweight = 0",
        ),
    );
}

#[test]
fn the_check_of_extensions_notices_rules_and_members_that_are_forgotten() {
    breaks("EOMM-ext", &with(|m| m.matches.score = lenient));
    breaks("EOMM-ext", &with(|m| m.matches.ask = without_last));
    breaks("EOMM-ext", &with(|m| m.matches.splitter = Box::new(First)));
}
