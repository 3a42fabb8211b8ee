//! Policy documents: what is read, what is refused and how the refusal reads, and what a score says of itself.

use crate::common::{Dice, any_teams, pool_of, quality, random_pool, skilled};
use matchwright_scoring::{
    FactorScore, FactorsParams, MatchScorer, Player, PolicyDocument, PolicyError, Pool, PoolError, PowerMean,
    Premades, RulesParams, ScoringPolicy, ScoringPolicyParams, TeamFactor, TeamMatch, Total, WeightedFactor,
};
use proptest::prelude::*;
use std::sync::Arc;

fn read(text: &str) -> Result<PolicyDocument, toml::de::Error> {
    toml::from_str(text)
}

fn policy(text: &str) -> ScoringPolicy {
    read(text).unwrap().scoring.unwrap().build().unwrap()
}

fn example(name: &str) -> String {
    let path = format!(
        "{}/../../examples/policies/{name}.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(path).unwrap()
}

const DUEL: [&[&str]; 2] = [&["a"], &["b"]];

#[test]
fn unknown_keys_are_refused_with_what_was_meant() {
    for (text, wanted) in [
        ("[scorng]", "unknown key `scorng`: did you mean `scoring`?"),
        (
            "[scoring]\nthreshhold = 0.5",
            "unknown key `threshhold`: did you mean `threshold`?",
        ),
        (
            "[scoring.factors.teamskill]",
            "unknown key `teamskill`: did you mean `team_skill`?",
        ),
        (
            "[scoring.factors.premades]\nwieght = 1",
            "unknown key `wieght`: did you mean `weight`?",
        ),
        (
            "[scoring.factors.hosts]\nonce = 1",
            "unknown key `once`: did you mean `one`?",
        ),
        (
            "[scoring.rules.block]",
            "unknown key `block`: did you mean `blocks`?",
        ),
        (
            "[scoring.rules.blocks]\nopponent = true",
            "unknown key `opponent`: did you mean `opponents`?",
        ),
        (
            "[scoring.rules.griefers]\nx = 1",
            "unknown key `x`: there are no settings here",
        ),
        (
            "scoring.total = { exponnet = 1 }",
            "unknown key `exponnet`: did you mean `exponent`?",
        ),
        (
            "[scoring.factors.enemy_ping]\nping = { shape = 'ramp', best = 1, wurst = 3 }",
            "unknown key `wurst`: did you mean `worst`?",
        ),
        (
            "[scoring.factors.hosts]\nzzzzzzzz = 1",
            "unknown key `zzzzzzzz`; known here: `weight`, `floor`, `none`",
        ),
    ] {
        let message = read(text).unwrap_err().to_string();
        assert!(message.contains(wanted), "{message}\nlacks: {wanted}");
    }
    let json =
        serde_json::from_str::<PolicyDocument>(r#"{"scoring": {"factors": {"glori": {}}}}"#).unwrap_err();
    assert!(json.to_string().contains("did you mean `glory`?"), "{json}");
}

#[test]
fn curves_of_a_document_have_the_keys_of_their_shape() {
    let curve = |text: &str| read(&format!("[scoring.factors.enemy_ping]\nping = {{ {text} }}")).map(|_| ());
    curve("shape = 'ramp', best = 1, worst = 2").unwrap();
    curve("shape = 'points', points = [[0, 1], [5, 0]]").unwrap();
    for (text, wanted) in [
        ("shape = 'ramp', best = 1", "needs `worst`"),
        ("shape = 'points'", "needs `points`"),
        ("shape = 'points', points = [[0, 1]], power = 2", "has no `power`"),
        (
            "shape = 'ramp', best = 1, worst = 2, points = []",
            "has no `points`",
        ),
        (
            "shape = 'ramp', best = 1, worst = 1",
            "two finite numbers that differ",
        ),
        ("shape = 'slope', best = 1, worst = 1", "`ramp`"),
        ("best = 1, worst = 2", "missing field `shape`"),
    ] {
        let message = curve(text).unwrap_err().to_string();
        assert!(message.contains(wanted), "{message}\nlacks: {wanted}");
    }
}

#[test]
fn wrong_numbers_name_their_key() {
    let error = |text: &str| read(text).unwrap().scoring.unwrap().build().unwrap_err();
    let key = |error: &PolicyError| error.to_string().split([' ', ':']).next().unwrap().to_owned();
    for (text, wanted) in [
        (
            "[scoring.factors.premades]\nweight = -1",
            "scoring.factors.premades.weight",
        ),
        (
            "[scoring.factors.premades]\nweight = nan",
            "scoring.factors.premades.weight",
        ),
        (
            "[scoring.factors.premades]\nweight = inf",
            "scoring.factors.premades.weight",
        ),
        (
            "[scoring.factors.premades]\nfloor = 1.5",
            "scoring.factors.premades.floor",
        ),
        (
            "[scoring.factors.premades]\nfloor = nan",
            "scoring.factors.premades.floor",
        ),
        (
            "[scoring]\nthreshold = -0.1\n[scoring.factors.premades]",
            "scoring.threshold",
        ),
        ("[scoring.factors.hosts]\none = 2", "scoring.factors.hosts"),
        (
            "[scoring.factors.premades]\n[scoring.rules.ping_limit]\nmost = -1",
            "scoring.rules.ping_limit",
        ),
        (
            "[scoring.factors.premades]\nweight = 0\n[scoring.factors.hosts]\nweight = 0",
            "scoring.factors",
        ),
        ("[scoring]", "scoring.factors"),
        (
            "[scoring.factors.premades]\nweight = 1.7e308\n[scoring.factors.hosts]\nweight = 1.7e308",
            "scoring.factors",
        ),
    ] {
        let error = error(text);
        assert_eq!(key(&error), wanted, "{error}");
    }
    assert!(read("[scoring.factors.premades]\nweight = 'much'").is_err());
    assert!(
        read("scoring.combine.exponent = nan")
            .unwrap_err()
            .to_string()
            .contains("exponent")
    );
}

#[test]
fn a_document_is_read_back_as_it_was_written() {
    for total in [
        PowerMean::new(-1.0).unwrap().into(),
        Total::quantile(0.1).unwrap(),
    ] {
        let params = ScoringPolicyParams {
            factors: FactorsParams::all(),
            rules: RulesParams::all(),
            threshold: 0.25,
            total,
            ..ScoringPolicyParams::default()
        };
        let json = format!("{{\"scoring\": {}}}", serde_json::to_string(&params).unwrap());
        let document: PolicyDocument = serde_json::from_str(&json).unwrap();
        assert_eq!(document.scoring, Some(params));
        assert_eq!(document.queue, None);
    }
}

#[test]
fn the_section_of_the_queue_is_left_to_others() {
    #[derive(serde::Deserialize)]
    struct Queue {
        max_wait: f64,
    }
    let text = "[scoring.factors.premades]\n[queue]\nmax_wait = 300";
    assert!(read(text).unwrap().queue.is_some());
    let document: PolicyDocument<Queue> = toml::from_str(text).unwrap();
    assert_eq!(document.queue.unwrap().max_wait, 300.0);
    let document = read("[queue]").unwrap();
    assert!(document.scoring.is_none() && document.queue.is_some());
    assert!(serde_json::from_str::<PolicyDocument>(r#"{"scoring": null}"#).is_err());
}

#[test]
fn the_examples_of_the_three_documents_are_policies() {
    let names = |name| -> Vec<&'static str> {
        policy(&example(name))
            .factors()
            .iter()
            .map(|factor| factor.factor.name())
            .collect()
    };
    assert_eq!(
        names("awesomenauts"),
        [
            "team_skill",
            "player_skill",
            "premades",
            "enemy_ping",
            "opponent_variation",
            "hosts"
        ]
    );
    assert_eq!(
        names("dota"),
        [
            "win_probability",
            "skill_spread",
            "experience",
            "best_against_best",
            "party_count",
            "languages",
            "wait"
        ]
    );
    assert_eq!(names("dominations"), ["strength", "variance", "glory"]);
    assert_eq!(policy(&example("dota")).threshold(), 0.6);
    assert_eq!(policy(&example("dominations")).rules()[0].name(), "team_sizes");
}

#[test]
fn the_first_of_the_three_is_a_sum_and_the_second_no_more_than_taken_apart() {
    let pool = random_pool(&mut Dice(7), 20, 1, 0.0);
    let all: Vec<usize> = (0..20).collect();
    let parts = |name: &str, size| {
        policy(&example(name))
            .decomposition(&pool, &all, size)
            .map(|parts| {
                let sums = parts.terms.iter().filter(|part| part.decomposition.is_sum());
                (sums.count(), parts.terms.len())
            })
    };
    assert_eq!(
        [
            parts("awesomenauts", 3),
            parts("dota", 5),
            parts("dominations", 10)
        ],
        [Some((6, 6)), Some((3, 7)), None]
    );
}

#[test]
fn the_awesomenauts_score_is_the_weighted_average_of_six_fractions() {
    let policy = policy(&example("awesomenauts"));
    let mut dice = Dice(2);
    for _ in 0..50 {
        let pool = random_pool(&mut dice, 12, 3, 0.0);
        let teams = any_teams(&mut dice, &pool, &[3, 3]);
        let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
        let candidate = TeamMatch::new(&pool, &teams).unwrap();
        let explained = policy.explain(&candidate);
        let weights: f64 = explained.factors.iter().map(|factor| factor.weight).sum();
        let sum: f64 = explained
            .factors
            .iter()
            .map(|factor| factor.weight * factor.value.unwrap())
            .sum();
        assert!((explained.quality.unwrap() - sum / weights).abs() < 1e-12);
        let contributions: f64 = explained.factors.iter().map(FactorScore::contribution).sum();
        let losses: f64 = explained.factors.iter().map(FactorScore::loss).sum();
        assert!((contributions + losses - 1.0).abs() < 1e-12);
        assert_eq!(explained.factors.len(), 6);
    }
}

#[test]
fn sandbaggers_and_a_ten_percent_lead_are_refused_by_the_dominations_policy_and_the_reason_is_told() {
    let policy = policy(&example("dominations"));
    let ratings = |team: usize, seat: usize, kind: usize| match (kind, team, seat % 2) {
        // A tenth more defence.
        (1, 1, _) => 110.0,
        // Half strong, half weak, with the mean of 100.
        (2, 1, 0) => 180.0,
        (2, 1, _) => 20.0,
        _ => 100.0,
    };
    let pool = |kind| {
        pool_of(20, |index, player| {
            let rating = ratings(index / 10, index % 10, kind);
            player.offence = Some(if kind == 1 { 100.0 } else { rating });
            player.defence = Some(rating);
            player.glory = Some(12_000.0);
        })
    };
    let (left, right): (Vec<usize>, Vec<usize>) = ((0..10).collect(), (10..20).collect());
    let teams: [&[usize]; 2] = [&left, &right];
    let forbidden = |kind| {
        let pool = pool(kind);
        let explained = policy.explain(&TeamMatch::new(&pool, &teams).unwrap());
        assert_eq!(explained.quality.is_none(), !explained.forbidden.is_empty());
        explained
            .forbidden
            .into_iter()
            .map(|reason| (reason.by, reason.why))
            .collect::<Vec<_>>()
    };
    assert_eq!(forbidden(0), []);
    assert_eq!(forbidden(1)[0].0, "strength");
    assert!(forbidden(1)[0].1.contains("below its floor of 0.6"));
    assert_eq!(forbidden(2)[0].0, "variance");
    let small: [&[usize]; 2] = [&left[..5], &right[..5]];
    let pool = pool(0);
    let explained = policy.explain(&TeamMatch::new(&pool, &small).unwrap());
    assert_eq!(
        (explained.forbidden[0].by, explained.combined),
        ("team_sizes", Some(1.0))
    );
    assert!(explained.forbidden[0].why.contains("teams of 5 and 5"));
}

#[test]
fn veto_threshold_and_means_change_the_score_as_they_say() {
    let pool = pool_of(2, |index, player| {
        player.skill = Some([0.0, 3600.0][index]);
        player.glory = Some([0.0, 400.0][index]);
    });
    // team_skill 0.64, glory 0.9, weights 3 and 1.
    let of = |head: &str, floor: &str| {
        let text = format!(
            "{head}\n[scoring.factors.team_skill]\nweight = 3\n{floor}\n[scoring.factors.glory]\nweight = 1\n"
        );
        quality(&policy(&text), &pool, &DUEL)
    };
    let close =
        |quality: Option<f64>, wanted: f64| assert!((quality.unwrap() - wanted).abs() < 1e-12, "{quality:?}");
    close(of("", ""), 0.705);
    close(
        of("scoring.combine.exponent = 0", ""),
        0.64_f64.powf(0.75) * 0.9_f64.powf(0.25),
    );
    close(
        of("scoring.combine.exponent = -1", ""),
        1.0 / (0.75 / 0.64 + 0.25 / 0.9),
    );
    close(of("scoring.combine.exponent = -inf", ""), 0.64);
    close(of("scoring.threshold = 0.7", "floor = 0.6"), 0.705);
    assert_eq!(of("scoring.threshold = 0.71", ""), None);
    assert_eq!(of("", "floor = 0.65"), None);
    let explained = |text: &str| {
        let teams: [&[usize]; 2] = [&[0], &[1]];
        policy(text).explain(&TeamMatch::new(&pool, &teams).unwrap())
    };
    let low = explained("scoring.threshold = 0.71\n[scoring.factors.team_skill]");
    assert_eq!((low.forbidden[0].by, low.quality), ("threshold", None));
    assert!(low.forbidden[0].why.contains("0.6400") && low.forbidden[0].why.contains("0.71"));
}

#[test]
fn a_total_is_a_power_mean_a_quantile_or_the_median() {
    let total = |written: &str| {
        let document = read(&format!("scoring.total{written}\n[scoring.factors.glory]"));
        document.map(|document| document.scoring.unwrap().build().unwrap().total())
    };
    assert_eq!(policy("[scoring.factors.glory]").total(), Total::AVERAGE);
    let harmonic = PowerMean::new(-1.0).unwrap().into();
    assert_eq!(total(".exponent = -1"), Ok(harmonic));
    assert_eq!(total(" = { exponent = -1 }"), Ok(harmonic));
    assert_eq!(total(" = { quantile = 0.1 }"), Ok(Total::quantile(0.1).unwrap()));
    assert_eq!(total(" = 'median'"), Ok(Total::MEDIAN));
    assert_eq!(total(" = { quantile = 0.5 }"), Ok(Total::MEDIAN));
    for (written, message) in [
        (
            " = 'mean'",
            "unknown total `mean`: write \"median\", { exponent = ... } or",
        ),
        (" = {}", "a total is one of: \"median\""),
        (
            " = { exponent = 1, quantile = 0.5 }",
            "a total is one of: \"median\"",
        ),
        (
            " = { quantile = 1.5 }",
            "`quantile` is 1.5: give a number from 0 to 1",
        ),
        (" = { quantile = nan }", "`quantile` is NaN"),
        (" = { quantle = 0.5 }", "did you mean `quantile`?"),
        (" = 0.5", "expected \"median\", { exponent = ... }"),
    ] {
        let error = total(written).unwrap_err().to_string();
        assert!(error.contains(message), "{error}\nlacks: {message}");
    }
}

#[test]
fn a_pool_that_lacks_what_a_factor_needs_is_refused_by_name() {
    let policy = policy("[scoring.factors.team_skill]\n[scoring.factors.glory]\nweight = 0");
    policy.check_pool(&skilled(&[1.0, 2.0])).unwrap();
    let pool = Pool::new(vec![Player::new("nobody")]).unwrap();
    let error = policy.check_pool(&pool).unwrap_err();
    assert!(matches!(error, PoolError::Missing { .. }));
    assert!(
        error
            .to_string()
            .contains("`nobody` has no `skill`, which the factor `team_skill` needs"),
        "{error}"
    );
}

proptest! {
    #[test]
    fn a_score_lies_between_its_worst_and_best_factor(seed in any::<u64>(), exponent in -3.0..3.0_f64) {
        let mut dice = Dice(seed);
        let pool = random_pool(&mut dice, 8, 2, 0.0);
        let teams = any_teams(&mut dice, &pool, &[3, 3]);
        let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
        let candidate = TeamMatch::new(&pool, &teams).unwrap();
        let policy = policy(&example("awesomenauts")).combined_by(PowerMean::new(exponent).unwrap());
        let quality = policy.quality(&candidate).unwrap();
        let values: Vec<f64> = policy.explain(&candidate).factors.iter().filter_map(|factor| factor.value).collect();
        prop_assert!(values.iter().any(|value| *value <= quality) && values.iter().any(|value| *value >= quality));
    }
}

/// A user's factor that breaks the contract.
#[derive(Debug)]
struct Broken(f64);

impl MatchScorer<TeamMatch<'_>> for Broken {
    fn quality(&self, _: &TeamMatch<'_>) -> Option<f64> {
        Some(self.0)
    }
}

impl TeamFactor for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }
}

#[test]
fn a_factor_that_gives_no_quality_is_named_and_never_makes_a_match() {
    let pool = Pool::new(vec![Player::new("a"), Player::new("b")]).unwrap();
    let teams: [&[usize]; 2] = [&[0], &[1]];
    let candidate = TeamMatch::new(&pool, &teams).unwrap();
    for value in [f64::NAN, 7.0, -0.5, f64::INFINITY] {
        let broken = || WeightedFactor {
            floor: Some(0.9),
            ..WeightedFactor::new(1.0, Broken(value))
        };
        let alone = ScoringPolicy::new(vec![broken()])
            .unwrap()
            .with_threshold(0.9)
            .unwrap();
        let premades = || WeightedFactor::new(1.0, Premades::default());
        let beside = ScoringPolicy::new(vec![premades(), broken()]).unwrap();
        let rules: Vec<Arc<dyn TeamFactor>> = vec![Arc::new(Broken(value))];
        let rule = ScoringPolicy::new(vec![premades()])
            .unwrap()
            .with_rules(rules)
            .unwrap();
        for policy in [alone, beside, rule] {
            assert_eq!(policy.quality(&candidate), None);
            let error = policy.checked_quality(&candidate).unwrap_err();
            assert_eq!(error.factor(), "broken");
            let why = policy.explain(&candidate);
            assert_eq!(why.quality, None);
            assert_eq!(why.forbidden.len(), 1, "{why:?}");
            assert_eq!(why.forbidden[0].by, "broken");
            assert!(
                why.forbidden[0].why.contains("a quality is from 0 to 1"),
                "{why:?}"
            );
        }
    }
    let sound = ScoringPolicy::new(vec![WeightedFactor::new(1.0, Broken(0.5))]).unwrap();
    assert_eq!(sound.checked_quality(&candidate), Ok(Some(0.5)));
}

#[test]
fn weights_of_nothing_sum_to_nothing() {
    let error = ScoringPolicy::new(Vec::new()).unwrap_err().to_string();
    assert!(error.contains("the weights sum to 0:"), "{error}");
}
