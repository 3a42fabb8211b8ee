//! Wrong parts for the checks of team matches: policies, factors, splits and prints.

use anyhow::{Result, ensure};
use matchwright_lobby::{BoundSource, Group, LobbyObjective, SplitError, TeamSplit, TeamSplitter};
use matchwright_scoring::{ScoringPolicy, TeamFactor, TeamMatch, Total};
use matchwright_solver::{Limits, Status};

use super::Mutation;

/// The curve of player skill in Awesomenauts' policy.
const STEEP: &str = "worst = 10000, power = 1.5";
/// Party skill and experience in Dota's.
const PARTY_SKILL: &str = "party = \"mean\"\nspread = { shape = \"ramp\", best = 0, worst = 1500 }";
const PARTY_GAMES: &str = "unit = 40\nparty = \"mean\"";

pub(super) const ALL: &[Mutation] = &[
    Mutation::new(
        "the last of each team does not count",
        &[
            "AWN-F1",
            "AWN-F2",
            "AWN-F2-carry",
            "AWN-F4",
            "AWN-F6",
            "DOTA-C1",
            "DOTA-C2",
            "DOTA-C4",
            "DOM-var",
            "EOMM-ext",
        ],
        |m| m.matches.ask = without_last,
    ),
    Mutation::new(
        "two opponents change places",
        &[
            "AWN-F1",
            "AWN-F3",
            "AWN-F4",
            "AWN-noteamping",
            "DOTA-C1",
            "DOTA-C4",
            "DOTA-C5",
            "DOTA-C6",
            "DOM-var",
        ],
        |m| m.matches.ask = exchanged,
    ),
    Mutation::new(
        "factors that find every match good",
        &["AWN-F5", "AWN-react", "DOTA-C2", "DOTA-C3"],
        |m| {
            m.matches.ask = |_, candidate| (!candidate.teams().is_empty()).then_some(1.0);
        },
    ),
    Mutation::new("factors that say nothing", &["AWN-reader", "AWN-wavg"], |m| {
        m.matches.ask = |_, _| None;
    }),
    Mutation::new(
        "rules, floors and threshold forgotten",
        &["DOTA-score", "DOM-sandbag", "EOMM-ext"],
        |m| {
            m.matches.score = |policy, candidate| policy.explain(candidate).combined;
        },
    ),
    Mutation::new("factors that count alike", &["AWN-wavg", "DOTA-score"], |m| {
        m.matches.score = unweighted;
    }),
    Mutation::new("the first split that comes", &["AWN-split10", "EOMM-ext"], |m| {
        m.matches.splitter = Box::new(First);
    }),
    Mutation::new("the first match for the total", &["AWN-mega"], |m| {
        m.matches.total = |_, values| values[0];
    }),
    Mutation::new("totals that are no numbers", &["AWN-swap5-10", "AWN-sqrt"], |m| {
        m.matches.total = |_, _| f64::NAN;
    }),
    Mutation::new("the mean for every total", &["AWN-sqrt"], |m| {
        m.matches.total = |_, values| Total::AVERAGE.of(values);
    }),
    Mutation::trying("skills that differ by a million", &["AWN-F2-carry"], |m| {
        replace(&mut m.awesomenauts.policy, STEEP, "worst = 1000000, power = 1.5")
    }),
    Mutation::trying("a cap at 25,000", &["AWN-cap"], |m| {
        replace(
            &mut m.awesomenauts.policy,
            "skill_cap = 18000",
            "skill_cap = 25000",
        )
    }),
    Mutation::trying("a cap at 17,000", &["AWN-cap"], |m| {
        replace(
            &mut m.awesomenauts.policy,
            "skill_cap = 18000",
            "skill_cap = 17000",
        )
    }),
    Mutation::trying("a worst difference of 12,000", &["AWN-cap"], |m| {
        replace(&mut m.awesomenauts.policy, "worst = 10000 }", "worst = 12000 }")
    }),
    Mutation::trying("a worst difference of 9,000", &["AWN-cap"], |m| {
        replace(&mut m.awesomenauts.policy, STEEP, "worst = 9000, power = 1.5")
    }),
    Mutation::trying("pings from 40 ms on", &["AWN-cap"], |m| {
        replace(&mut m.awesomenauts.policy, "best = 50", "best = 40")
    }),
    Mutation::trying("pings from 60 ms on", &["AWN-cap"], |m| {
        replace(&mut m.awesomenauts.policy, "best = 50", "best = 60")
    }),
    Mutation::new("the reader's figures in order", &["AWN-reader"], |m| {
        m.awesomenauts.reader = [(1979.0, 0.73), (1832.0, 0.74)];
    }),
    Mutation::new("the reader's figures far apart", &["AWN-reader"], |m| {
        m.awesomenauts.reader = [(1979.0, 0.94), (1832.0, 0.53)];
    }),
    Mutation::new("a plain mean among the powers", &["AWN-reader"], |m| {
        m.awesomenauts.reader_powers = vec![1.5, 1.0];
    }),
    Mutation::new("another quality printed for groups", &["AWN-F3"], |m| {
        m.awesomenauts.premades[1].quality = 0.5;
    }),
    Mutation::new("a row of groups less printed", &["AWN-F3"], |m| {
        m.awesomenauts.premades.truncate(2);
    }),
    Mutation::trying("another curve for groups", &["AWN-F3"], |m| {
        replace(&mut m.awesomenauts.policy, "[0.5, 0.6]", "[0.5, 0.7]")
    }),
    Mutation::trying("swapped roles count for nothing", &["AWN-F5"], |m| {
        replace(
            &mut m.awesomenauts.policy,
            "swapped_roles = 0.25",
            "swapped_roles = 0",
        )
    }),
    Mutation::trying("the same match again is as good", &["AWN-F5"], |m| {
        replace(&mut m.awesomenauts.policy, "same_roles = 0\n", "same_roles = 1\n")
    }),
    Mutation::trying("variation as a weighty factor", &["AWN-F5"], |m| {
        replace(&mut m.awesomenauts.policy, "weight = 0.25", "weight = 2.5")
    }),
    Mutation::trying("a straight curve for pings", &["AWN-nonlinear"], |m| {
        replace(&mut m.awesomenauts.policy, "power = 2", "power = 1")
    }),
    Mutation::trying("a curve for pings bent the other way", &["AWN-nonlinear"], |m| {
        replace(&mut m.awesomenauts.policy, "power = 2", "power = 0.5")
    }),
    Mutation::trying("one host is as good as two", &["AWN-F6"], |m| {
        replace(&mut m.awesomenauts.policy, "one = 0.5", "one = 1")
    }),
    Mutation::trying("no host is half as good", &["AWN-F6"], |m| {
        replace(&mut m.awesomenauts.policy, "none = 0", "none = 0.5")
    }),
    Mutation::new("factors by their harmonic mean", &["AWN-wavg"], |m| {
        under_scoring(&mut m.awesomenauts.policy, "combine = { exponent = -1.0 }");
    }),
    Mutation::new(
        "a total by the harmonic mean",
        &["AWN-mega", "AWN-swap5-10"],
        |m| {
            under_scoring(&mut m.awesomenauts.policy, "total = { exponent = -1.0 }");
        },
    ),
    Mutation::new("a swap that square roots accept", &["AWN-sqrt"], |m| {
        m.awesomenauts.favour.after = [0.60, 0.80];
    }),
    Mutation::trying("groups that weigh as much as skill", &["AWN-react"], |m| {
        replace(&mut m.awesomenauts.policy, "weight = 0.75", "weight = 3")
    }),
    Mutation::trying("groups that glide", &["AWN-react"], |m| {
        let flat = "points = [[0, 1], [1, 0.9]]";
        replace(
            &mut m.awesomenauts.policy,
            "points = [[0, 1], [0.5, 0.6], [1, 0]]",
            flat,
        )
    }),
    Mutation::new("no rule for the unmatched", &["AWN-leftover"], |m| {
        m.awesomenauts.carried_penalty = 1.0;
    }),
    Mutation::trying("skills as far apart as 9,000", &["DOTA-C2"], |m| {
        replace(&mut m.dota.policy, "worst = 1500", "worst = 9000")
    }),
    Mutation::trying("parties against no party", &["DOTA-C5"], |m| {
        let [best, wider] =
            ["4", "8"].map(|worst| format!("best = 0, worst = {worst} }}\n\n[scoring.factors.languages]"));
        replace(&mut m.dota.policy, &best, &wider)
    }),
    Mutation::trying("languages of a team that hardly count", &["DOTA-C6"], |m| {
        replace(&mut m.dota.policy, "team_share = 0.8", "team_share = 0.3")
    }),
    Mutation::trying("experience in units of 50 games", &["DOTA-logexp"], |m| {
        replace(&mut m.dota.policy, "unit = 40", "unit = 50")
    }),
    Mutation::new("even steps of experience printed", &["DOTA-logexp"], |m| {
        m.dota.experience = [40, 120, 240];
    }),
    Mutation::trying("no threshold", &["DOTA-score"], |m| {
        replace(&mut m.dota.policy, "threshold = 0.6", "threshold = 0")
    }),
    Mutation::trying("factors by their square roots", &["DOTA-score"], |m| {
        let roots = "threshold = 0.6\ncombine = { exponent = 0.5 }";
        replace(&mut m.dota.policy, "threshold = 0.6", roots)
    }),
    Mutation::trying("members who stand for themselves", &["DOTA-partyagg"], |m| {
        replace(
            &mut m.dota.policy,
            PARTY_SKILL,
            &PARTY_SKILL.replace("mean", "members"),
        )
    }),
    Mutation::trying("the best member for the party", &["DOTA-partyagg"], |m| {
        replace(
            &mut m.dota.policy,
            PARTY_SKILL,
            &PARTY_SKILL.replace("mean", "greatest"),
        )
    }),
    Mutation::trying("the least games for the party", &["DOTA-partyagg"], |m| {
        replace(
            &mut m.dota.policy,
            PARTY_GAMES,
            &PARTY_GAMES.replace("mean", "least"),
        )
    }),
    Mutation::trying(
        "parties that pay more than twice as much",
        &["DOTA-bracket"],
        |m| {
            replace(
                &mut m.dota.policy,
                "spread_points = 0.01972",
                "spread_points = 0.05",
            )
        },
    ),
    Mutation::new("a mean of 2600 printed", &["DOTA-bracket"], |m| {
        m.dota.party_mean = 2_600.0;
    }),
    Mutation::new(
        "a single player printed above all parties",
        &["DOTA-bracket"],
        |m| {
            let one = &mut m.dota.printed_match[0][2];
            (one.mmr, one.adjusted) = (3_100.0, 3_100.0);
        },
    ),
    Mutation::new("party F printed beyond party D", &["DOTA-bracket"], |m| {
        let one = &mut m.dota.printed_match[0][1];
        (one.mmr, one.adjusted) = (3_010.0, 3_010.0);
    }),
    Mutation::new("points that decide wars", &["DOM-pct"], |m| {
        m.dominations.war = |a, b| 1.0 / (1.0 + (-(a - b) / 100.0).exp());
    }),
    Mutation::new("coins that decide wars", &["DOM-pct"], |m| {
        m.dominations.war = |_, _| 0.5;
    }),
    Mutation::trying("no floor for the spread", &["DOM-sandbag"], |m| {
        replace(&mut m.dominations.policy, "floor = 0.05", "floor = 0")
    }),
    Mutation::new("ten of the Cold War printed", &["DOM-sandbag"], |m| {
        m.dominations.sandbaggers = (10, 0);
    }),
    Mutation::trying("strength that weighs nothing", &["DOM-var"], |m| {
        let [weighs, nothing] =
            ["3", "0"].map(|weight| format!("[scoring.factors.strength]\nweight = {weight}"));
        replace(&mut m.dominations.policy, &weighs, &nothing)
    }),
];

/// Other words in a policy.
pub(super) fn replace(document: &mut String, from: &str, to: &str) -> Result<()> {
    ensure!(document.contains(from), "the policy has no `{from}`");
    *document = document.replacen(from, to, 1);
    Ok(())
}

/// A heading that the document does not have, with a line under it.
fn under_scoring(document: &mut String, line: &str) {
    *document = format!("{document}\n[scoring]\n{line}\n");
}

fn without_last(factor: &dyn TeamFactor, candidate: &TeamMatch<'_>) -> Option<f64> {
    let teams = candidate.teams().iter();
    let teams: Vec<&[usize]> = teams.map(|team| &team[..(team.len() - 1).max(1)]).collect();
    factor.quality(&TeamMatch::new(candidate.pool(), &teams).ok()?)
}

/// The first players of both teams change places.
fn exchanged(factor: &dyn TeamFactor, candidate: &TeamMatch<'_>) -> Option<f64> {
    let mut teams: Vec<Vec<usize>> = candidate.teams().iter().map(|team| team.to_vec()).collect();
    let first = teams[0][0];
    teams[0][0] = std::mem::replace(&mut teams[1][0], first);
    let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
    factor.quality(&TeamMatch::new(candidate.pool(), &teams).ok()?)
}

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
            source: BoundSource::Complete,
            status: Status::Optimal,
        })
    }
}
