//! Negative cases of the checks of team matches: policies, factors, splits and prints.

use anyhow::{Result, ensure};
use matchwright_lobby::{BoundSource, Group, LobbyObjective, SplitError, TeamSplit, TeamSplitter};
use matchwright_solver::{Limits, Status};

use super::Negative;
use crate::awesomenauts::claims::{connection, round};
use crate::dominations::claims::alliances;

/// The curve of player skill in Awesomenauts' policy.
const STEEP: &str = "worst = 10000, power = 1.5";
/// Party skill and experience in Dota's.
const PARTY_SKILL: &str = "party = \"mean\"\nspread = { shape = \"ramp\", best = 0, worst = 1500 }";
const PARTY_GAMES: &str = "unit = 40\nparty = \"mean\"";

pub(super) const ALL: &[Negative] = &[
    Negative::trying("skills of teams capped at 25,000", &["AWN-F1"], |m| {
        replace(
            &mut m.awesomenauts.policy,
            "skill_cap = 18000",
            "skill_cap = 25000",
        )
    }),
    Negative::trying("skills of players capped at 25,000", &["AWN-F2"], |m| {
        let capped =
            |cap: u32| format!("skill_cap = {cap}\ndifference = {{ shape = \"ramp\", best = 0, {STEEP} }}");
        replace(&mut m.awesomenauts.policy, &capped(18_000), &capped(25_000))
    }),
    Negative::trying("pings that are perfect up to 310 ms", &["AWN-F4"], |m| {
        replace(&mut m.awesomenauts.policy, "best = 50", "best = 310")
    }),
    Negative::trying("chances that are perfect up to .95", &["DOTA-C1"], |m| {
        let wide = "free_spread = 136.6\nlead = { shape = \"ramp\", best = 0.45, worst = 0.5 }";
        replace(&mut m.dota.policy, "free_spread = 136.6", wide)
    }),
    Negative::trying(
        "600 points between the best count for nothing",
        &["DOTA-C4"],
        |m| {
            replace(
                &mut m.dota.policy,
                "best = 0, worst = 1000",
                "best = 600, worst = 1000",
            )
        },
    ),
    Negative::part("others for opponents", &["AWN-noteamping"], |inputs| {
        connection::mates(&inputs.awesomenauts, |a, b| (a < 2) != (b < 2))
    }),
    Negative::trying(
        "experience that counts from four doublings on",
        &["DOTA-C3"],
        |m| {
            let shape = |ends: &str| format!("{PARTY_GAMES}\nspread = {{ shape = \"ramp\", {ends} }}");
            replace(
                &mut m.dota.policy,
                &shape("best = 0, worst = 4"),
                &shape("best = 4, worst = 8"),
            )
        },
    ),
    Negative::part("the first split that comes", &["AWN-split10"], |_| {
        round::ten(&First)
    }),
    Negative::trying("skills that differ by a million", &["AWN-F2-carry"], |m| {
        replace(&mut m.awesomenauts.policy, STEEP, "worst = 1000000, power = 1.5")
    }),
    Negative::trying("a cap at 25,000", &["AWN-cap"], |m| {
        replace(
            &mut m.awesomenauts.policy,
            "skill_cap = 18000",
            "skill_cap = 25000",
        )
    }),
    Negative::new("the reader's figures in order", &["AWN-reader"], |m| {
        m.awesomenauts.reader = [(1979.0, 0.73), (1832.0, 0.74)];
    }),
    Negative::new("another quality printed for groups", &["AWN-F3"], |m| {
        m.awesomenauts.premades[1].quality = 0.5;
    }),
    Negative::trying("swapped roles count for nothing", &["AWN-F5"], |m| {
        replace(
            &mut m.awesomenauts.policy,
            "swapped_roles = 0.25",
            "swapped_roles = 0",
        )
    }),
    Negative::trying("a straight curve for pings", &["AWN-nonlinear"], |m| {
        replace(&mut m.awesomenauts.policy, "power = 2", "power = 1")
    }),
    Negative::trying("one host is as good as two", &["AWN-F6"], |m| {
        replace(&mut m.awesomenauts.policy, "one = 0.5", "one = 1")
    }),
    Negative::new("factors by their harmonic mean", &["AWN-wavg"], |m| {
        under_scoring(&mut m.awesomenauts.policy, "combine = { exponent = -1.0 }");
    }),
    Negative::new(
        "a total by the harmonic mean",
        &["AWN-mega", "AWN-swap5-10"],
        |m| {
            under_scoring(&mut m.awesomenauts.policy, "total = { exponent = -1.0 }");
        },
    ),
    Negative::new("a swap that square roots accept", &["AWN-sqrt"], |m| {
        m.awesomenauts.favour.after = [0.60, 0.80];
    }),
    Negative::trying("groups that weigh as much as skill", &["AWN-react"], |m| {
        replace(&mut m.awesomenauts.policy, "weight = 0.75", "weight = 3")
    }),
    Negative::new("no rule for the unmatched", &["AWN-leftover"], |m| {
        m.awesomenauts.carried_penalty = 1.0;
    }),
    Negative::trying("skills as far apart as 9,000", &["DOTA-C2"], |m| {
        replace(&mut m.dota.policy, "worst = 1500", "worst = 9000")
    }),
    Negative::trying("parties against no party", &["DOTA-C5"], |m| {
        let [best, wider] =
            ["4", "8"].map(|worst| format!("best = 0, worst = {worst} }}\n\n[scoring.factors.languages]"));
        replace(&mut m.dota.policy, &best, &wider)
    }),
    Negative::trying("languages of a team that hardly count", &["DOTA-C6"], |m| {
        replace(&mut m.dota.policy, "team_share = 0.8", "team_share = 0.3")
    }),
    Negative::trying("experience in units of 50 games", &["DOTA-logexp"], |m| {
        replace(&mut m.dota.policy, "unit = 40", "unit = 50")
    }),
    Negative::trying("no threshold", &["DOTA-score"], |m| {
        replace(&mut m.dota.policy, "threshold = 0.6", "threshold = 0")
    }),
    Negative::trying("members who stand for themselves", &["DOTA-partyagg"], |m| {
        replace(
            &mut m.dota.policy,
            PARTY_SKILL,
            &PARTY_SKILL.replace("mean", "members"),
        )
    }),
    Negative::trying(
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
    Negative::part("points that decide wars", &["DOM-pct"], |inputs| {
        alliances::percent(&inputs.dominations, |a, b| 1.0 / (1.0 + (-(a - b) / 100.0).exp()))
    }),
    Negative::trying("no floor for the spread", &["DOM-sandbag"], |m| {
        replace(&mut m.dominations.policy, "floor = 0.05", "floor = 0")
    }),
    Negative::trying("strength that weighs nothing", &["DOM-var"], |m| {
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
