//! What `matchwright lobby` refuses, and whether it names the player or the key.

use crate::common::complaint;

const SKILL: &str = "[scoring.factors.team_skill]\nweight = 2\n";

/// The complaint about players from standard input under a policy in TOML.
fn refused(players: &str, policy: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.toml");
    std::fs::write(&path, policy).unwrap();
    complaint(&["lobby", "-", "--policy", path.to_str().unwrap()], players, 1)
}

fn assert_told(told: &str, parts: &[&str]) {
    for part in parts {
        assert!(told.contains(part), "`{part}` in {told}");
    }
}

fn lines(lines: &[&str]) -> String {
    lines
        .iter()
        .map(|line| format!("{line}\n"))
        .collect::<Vec<_>>()
        .concat()
}

#[test]
fn a_party_that_is_larger_than_a_team_is_named_with_its_line() {
    let csv = "id,skill,party\na,1,\nb,2,crowd\nc,3,crowd\nd,4,crowd\ne,5,crowd\nf,6,\n";
    let told = refused(csv, SKILL);
    assert_told(
        &told,
        &["standard input:3:", "`b`", "party `crowd` of 4", "3 places"],
    );
}

#[test]
fn an_unknown_region_is_named_with_the_player() {
    let json = lines(&[
        r#"{"id":"a","skill":1,"region":"eu","pings":{"eu":20}}"#,
        r#"{"id":"b","skill":1,"region":"moon","pings":{"eu":20}}"#,
    ]);
    assert_told(
        &refused(&json, SKILL),
        &["standard input:2:", "`b`", "`region`", "`moon`", "regions are eu"],
    );
}

#[test]
fn a_policy_without_scoring_is_refused_with_its_place() {
    let told = refused("id,skill\na,1\nb,2\n", "[queue]\nmax_wait = 300\n");
    assert_told(&told, &[".toml:1: ", "no section `scoring`"]);
}

#[test]
fn a_number_that_is_none_is_named_with_line_and_column() {
    let told = refused("id,skill\na,1\nb,NaN\n", SKILL);
    assert_told(
        &told,
        &[
            "standard input:3:2:",
            "`skill` is `NaN`; a finite number is needed",
        ],
    );
    let told = refused("id,skill,ping_eu\na,1,30\nb,2,inf\n", SKILL);
    assert_told(&told, &["standard input:3:3:", "`ping_eu` is `inf`"]);
    let told = refused(
        &lines(&[r#"{"id":"a","skill":1}"#, r#"{"id":"b","skill":NaN}"#]),
        SKILL,
    );
    assert_told(&told, &["standard input:2:"]);
    let told = refused(&lines(&[r#"{"id":"a","skill":1e999}"#]), SKILL);
    assert_told(&told, &["standard input:1:", "number out of range"]);
    let told = refused("id,skill,uncertainty\na,1,2\nb,1,-2\n", SKILL);
    assert_told(&told, &["standard input:3:", "`b`", "`uncertainty` is -2"]);
}

#[test]
fn words_where_others_are_needed_are_refused() {
    let cases = [
        ("id,experience\na,1.5\n", "`experience` is `1.5`; a whole number"),
        ("id,griefer\na,maybe\n", "`griefer` is `maybe`; true or false"),
        (
            "id,ping_to\na,b:30\n",
            "`ping_to` is `b:30`; ids with milliseconds",
        ),
        (
            "id,churn_win\na,0.1\n",
            "churn_win, churn_draw and churn_loss, or none",
        ),
        ("id,skill\na,1,2\n", "the row has 3 fields and the header 2"),
        ("skill\n1\n", "no column `id`"),
        ("id,skill,skill\na,1,2\n", "two columns are called `skill`"),
        ("id,skill\n,1\n", "empty `id`"),
        ("{\"id\":\"a\"}\n[1]\n", "standard input:2:"),
    ];
    for (players, expected) in cases {
        assert_told(&refused(players, SKILL), &[expected, "standard input:"]);
    }
}

#[test]
fn an_unknown_column_or_key_is_passed_over_and_the_one_that_was_perhaps_meant_is_named() {
    let csv = refused("id,skil\na,1\nb,2\n", SKILL);
    let json = refused(&lines(&[r#"{"id":"a"}"#, r#"{"id":"b","skil":1}"#]), SKILL);
    for told in [csv, json] {
        assert_told(
            &told,
            &[
                "columns that were not used: `skil` (did you mean `skill`?)",
                "player `a`",
            ],
        );
    }
}

#[test]
fn two_players_of_one_name_are_named_with_both_lines() {
    let told = refused("id,skill\na,1\nb,2\na,3\n", SKILL);
    assert_told(
        &told,
        &[
            "standard input:4:1:",
            "player `a` is there twice, first in line 2",
        ],
    );
}

#[test]
fn nobody_and_one_player_make_no_match() {
    assert_told(&refused("", SKILL), &["standard input:1:1:", "empty"]);
    assert_told(&refused("id,skill\n", SKILL), &["no player in it"]);
    assert_told(
        &refused("id,skill\na,1\n", SKILL),
        &["1 players do not fill one match", "5 more"],
    );
}

#[test]
fn a_player_who_lacks_what_the_policy_needs_is_named() {
    let told = refused("id,skill\na,1\nb,\n", SKILL);
    assert_told(
        &told,
        &["standard input:3:", "`b` has no `skill`", "`team_skill`"],
    );
}

#[test]
fn a_policy_that_is_none_is_refused_by_its_key() {
    let players = "id,skill\na,1\nb,2\n";
    let cases = [
        (
            "[scoring.factors.team_skill]\nweight = -1\n",
            "scoring.factors.team_skill.weight is -1",
        ),
        (
            "[scoring.factors.team_skill]\nweight = nan\n",
            "scoring.factors.team_skill.weight is NaN",
        ),
        (
            "[scoring.factors.team_skill]\nweight = 0\n",
            "scoring.factors: the weights sum to 0",
        ),
        (
            "[scoring]\nthreshold = 2\n[scoring.factors.team_skill]\n",
            "scoring.threshold is 2",
        ),
        ("[scoring.factors.team_skil]\n", "policy.toml:1:"),
        (
            "[scoring.factors.team_skil]\n",
            "unknown key `team_skil`: did you mean `team_skill`?",
        ),
        ("\n[scoring\n", "policy.toml:2:"),
    ];
    for (policy, expected) in cases {
        assert_told(&refused(players, policy), &["policy.toml", expected]);
    }
}

#[test]
fn a_command_line_that_makes_no_sense_is_a_usage_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.toml");
    std::fs::write(&path, SKILL).unwrap();
    let policy = path.to_str().unwrap();
    let cases: [(&[&str], &str); 11] = [
        (&["--teams", "3x3"], "such as 3v3, 2v3 or 4v4v4"),
        (&["--teams", "0v3"], "such as 3v3, 2v3 or 4v4v4"),
        (&["--teams", "v"], "such as 3v3, 2v3 or 4v4v4"),
        (&["--deadline=-1s"], "such as 5s, 500ms or 2m"),
        (&["--deadline", "soon"], "such as 5s, 500ms or 2m"),
        (&["--deadline", "NaN"], "such as 5s, 500ms or 2m"),
        (&["--deadline", "1s", "--iterations", "5"], "cannot be used with"),
        (&["--iterations", "0"], "--iterations"),
        (&["--gap", "2"], "such as 0.01 or 1%"),
        (&["--gap", "NaN"], "such as 0.01 or 1%"),
        (&["--threads", "0"], "--threads is 0"),
    ];
    for (more, expected) in cases {
        let told = complaint(
            &[&["lobby", "-", "--policy", policy], more].concat(),
            "id,skill\na,1\n",
            2,
        );
        assert_told(&told, &[expected]);
    }
    let told = complaint(&["lobby", "-", "--policy", "policy.yaml"], "", 2);
    assert_told(&told, &["policy.yaml", ".toml or .json"]);
    let told = complaint(&["lobby"], "", 2);
    assert_told(&told, &["<PLAYERS>"]);
}

#[test]
fn teams_that_are_huge_are_an_error_and_no_crash() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.toml");
    std::fs::write(&path, SKILL).unwrap();
    for teams in ["99999999999v99999999999", "18446744073709551615v1", "100v100"] {
        let arguments = ["lobby", "-", "--policy", path.to_str().unwrap(), "--teams", teams];
        complaint(&arguments, "id,skill\na,1\nb,2\n", 1);
    }
}
