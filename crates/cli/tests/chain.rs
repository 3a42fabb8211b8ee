//! Files as others write them, and what one command writes read by the next.

use std::path::Path;

use serde_json::Value;

use crate::common::{answer, complaint, example, heard};

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn ratings_of_matches_become_lobbies_and_duels_without_an_edit() {
    let folder = tempfile::tempdir().unwrap();
    let (ratings, duels) = (path(&folder, "ratings.csv"), path(&folder, "duels.csv"));
    answer(
        &[
            "rate",
            "--system",
            "glicko2",
            &example("matches.csv"),
            "--out",
            &ratings,
        ],
        "",
    );
    let policy = path(&folder, "policy.toml");
    std::fs::write(&policy, "[scoring.factors.win_probability]\n").unwrap();
    let lobby = [
        "lobby",
        &ratings,
        "--policy",
        &policy,
        "--iterations",
        "2000",
        "--gap",
        "1",
        "--json",
    ];
    let lineups: Value = serde_json::from_str(&answer(&lobby, "")).unwrap();
    assert!(lineups["mean_quality"].as_f64().unwrap() > 0.5, "{lineups}");
    let said = heard(&lobby, "");
    assert!(
        said.contains("--columns experience=games,id=player,skill=rating,uncertainty=deviation"),
        "{said}"
    );
    assert!(
        said.contains("columns that were not used:") && said.contains("`low95`"),
        "{said}"
    );

    let summary = heard(
        &[
            "pair",
            &ratings,
            "--fewest-unmatched",
            "--verify",
            "--out",
            &duels,
        ],
        "",
    );
    assert!(summary.contains("verdict optimal"), "{summary}");
    let pairs = std::fs::read_to_string(&duels).unwrap();
    let players = std::fs::read_to_string(&ratings).unwrap().lines().count() - 1;
    assert!(pairs.starts_with("player1,player2,weight\n"), "{pairs}");
    assert_eq!(pairs.lines().count() - 1, players.div_ceil(2));
    // What it wrote is a graph again.
    let even: Vec<&str> = pairs.lines().filter(|line| !line.contains(",,")).collect();
    let again = answer(&["pair", "-"], even.join("\n"));
    assert_eq!(again.lines().count(), even.len());
}

#[test]
fn the_columns_of_public_files_are_found_by_their_names() {
    let football = "date,home_team,away_team,home_score,away_score,tournament\n\
        1872-11-30,Scotland,England,0,0,Friendly\n1873-03-08,England,Scotland,4,2,Friendly\n\
        1874-03-07,Scotland,England,2,1,Friendly\n1875-03-06,England,Scotland,2,2,Friendly\n\
        1876-03-04,Scotland,England,3,0,Friendly\n1877-03-03,England,Scotland,1,3,Friendly\n";
    let rate = ["rate", "--system", "elo", "-"];
    let said = heard(&rate, football);
    assert!(
        said.contains(
            "--columns time=date,player1=home_team,player2=away_team,score1=home_score,score2=away_score"
        ),
        "{said}"
    );
    let named = [
        &rate[..],
        &[
            "--columns",
            "time=date,player1=home_team,player2=away_team,score1=home_score,score2=away_score",
        ],
    ]
    .concat();
    assert_eq!(answer(&rate, football), answer(&named, football));
    assert!(!heard(&named, football).contains("found by their names"));
    // The same with semicolons, tabs and quotes, as an array, and as lines of JSON.
    let rows: Vec<Vec<&str>> = football.lines().map(|line| line.split(',').collect()).collect();
    let objects: Vec<Value> = rows[1..]
        .iter()
        .map(|row| {
            rows[0]
                .iter()
                .map(|key| (*key).to_owned())
                .zip(row.iter().map(|&cell| Value::from(cell)))
                .collect()
        })
        .collect();
    let lines: Vec<String> = objects.iter().map(Value::to_string).collect();
    for other in [
        football.replace(',', ";"),
        football.replace(',', "\t"),
        serde_json::to_string_pretty(&objects).unwrap(),
        serde_json::to_string(&objects).unwrap(),
        lines.join("\n"),
    ] {
        assert_eq!(answer(&rate, other.clone()), answer(&rate, football), "{other}");
    }
}

#[test]
fn what_cannot_be_found_is_asked_for_in_one_line() {
    let chess = "white,black,outcome_text,moment\nann,bob,1-0,2020-01-01\n";
    let said = complaint(&["rate", "--system", "elo", "-"], chess, 1);
    assert!(
        said.contains(":1:1:")
            && said.contains("--columns time=COLUMN,player1=white,player2=black,score1=COLUMN,score2=COLUMN"),
        "{said}"
    );
    let json = "[\n {\"white\": \"ann\",\n  \"black\": \"bob\"}]";
    let said = complaint(&["rate", "--system", "elo", "-"], json, 1);
    assert!(
        said.contains(":2:2:") && said.contains("--columns time=COLUMN,player1=white"),
        "{said}"
    );
}

#[test]
fn a_fault_in_an_array_is_told_at_its_line_and_column() {
    let good = r#"{"time": "2020-01-01", "player1": "a", "player2": "b", "result": 1}"#;
    let bad = "{\"time\": \"2020-01-02\",\n  \"player1\": \"a\", \"player2\": \"b\",\n  \"result\": 7}";
    let said = complaint(&["rate", "--system", "elo", "-"], format!("[{good},\n {bad}]"), 1);
    assert!(said.contains("standard input:4:3: result is `7`"), "{said}");
    let said = complaint(&["rate", "--system", "elo", "-"], format!("[{good},\n"), 1);
    assert!(said.contains(":2:1:") && said.contains("cut off"), "{said}");
    let skipped = heard(
        &["rate", "--system", "elo", "-", "--skip-bad"],
        &format!(
            "[{good},\n {bad}, {}, {}]",
            good.replace("01-01", "01-03"),
            good.replace("01-01", "01-04")
        ),
    );
    assert!(skipped.contains("1 match (1 row) skipped"), "{skipped}");
}

#[test]
fn players_may_come_under_other_names_and_with_more_than_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let policy = path(&folder, "policy.toml");
    std::fs::write(&policy, "[scoring.factors.team_skill]\n").unwrap();
    let run = |columns: &str, players: &str| {
        let columns: &[&str] = if columns.is_empty() {
            &[]
        } else {
            &["--columns", columns]
        };
        let lobby = [
            "lobby",
            "-",
            "--policy",
            &policy,
            "--teams",
            "1v1",
            "--iterations",
            "1000",
            "--json",
        ];
        serde_json::from_str::<Value>(&answer(&[&lobby[..], columns].concat(), players)).unwrap()
    };
    let plain = run("", "id,skill\na,1000\nb,4000\nc,1200\nd,3900\n");
    for (columns, players) in [
        (
            "",
            "Player;MMR;colour\na;1000;red\nb;4000;blue\nc;1200;\nd;3900;\n",
        ),
        (
            "skill=low",
            "player,rating,low\na,1,1000\nb,2,4000\nc,3,1200\nd,4,3900\n",
        ),
        (
            "id=nick,skill=elo points",
            r#"[{"nick": "a", "elo points": 1000}, {"nick": "b", "elo points": 4000, "x": 1},
            {"nick": "c", "elo points": 1200}, {"nick": "d", "elo points": 3900}]"#,
        ),
    ] {
        assert_eq!(run(columns, players)["matches"], plain["matches"], "{players}");
    }
}

#[test]
fn names_stand_for_vertices_in_pairs_and_penalties() {
    let friends = std::fs::read_to_string(example("graphs/friends.csv")).unwrap();
    let arguments = ["pair", "-", "--columns", "weight=minutes_apart"];
    let table = answer(&arguments, friends.clone());
    assert_eq!(
        table,
        "player1,player2,weight\nAnn Lee,Bob,12\nCyd,Dot,10\nEve,Fay,15\n"
    );
    let found: Value =
        serde_json::from_str(&answer(&[&arguments[..], &["--json"]].concat(), friends.clone())).unwrap();
    assert_eq!(found["cost"], 37.0);
    assert_eq!(found["pairs"][0], serde_json::json!(["Ann Lee", "Bob"]));

    let folder = tempfile::tempdir().unwrap();
    let penalties = path(&folder, "penalties.txt");
    std::fs::write(&penalties, "Ann Lee 1\nFay,2\n").unwrap();
    let some = ["--unmatched-penalties", &penalties, "--unmatched-penalty", "100"];
    let table = answer(&[&arguments[..], &some].concat(), friends.clone());
    assert_eq!(
        table,
        "player1,player2,weight\nBob,Cyd,8\nDot,Eve,5\nAnn Lee,,\nFay,,\n"
    );
    std::fs::write(&penalties, "Zoe 1\n").unwrap();
    let said = complaint(&[&arguments[..], &some].concat(), friends, 1);
    assert!(said.contains(":1:1: `Zoe` is not in the graph"), "{said}");
    let said = complaint(&["pair", "-"], "i,j,weight\na,b,1\na,a,2\n", 1);
    assert!(said.contains("standard input:3:"), "{said}");
    let said = complaint(&["pair", "-"], "x,y,z\n1,2,3\n", 1);
    assert!(
        said.contains("player1=COLUMN,player2=COLUMN,weight=COLUMN"),
        "{said}"
    );
    assert!(Path::new(&example("graphs/friends.csv")).exists());
}

#[test]
fn a_page_shows_forecasts_players_and_churn_and_without_a_policy_lobbies_are_even() {
    let folder = tempfile::tempdir().unwrap();
    let page = path(&folder, "page");
    answer(
        &[
            "rate",
            "--system",
            "glicko2",
            &example("matches.csv"),
            "--page",
            &page,
        ],
        "",
    );
    let read = |name: &str| std::fs::read_to_string(Path::new(&page).join(name)).unwrap();
    let html = read("index.html");
    for part in [
        "for the best constant one",
        "Predicted and observed wins",
        "Distribution of ratings",
        "mw-spark",
        "Leaders over time",
        "Churn by the last three outcomes: no match within 8 h",
        "of a constant",
    ] {
        assert!(html.contains(part), "{part}");
    }
    let ratings = Path::new(&page).join("ratings.csv");
    let players = read("ratings.csv").lines().count() - 1;
    assert_eq!(html.matches("class=\"mw-spark\"").count(), players);
    let manifest = read("manifest.json");
    assert!(
        manifest.contains("ratings.csv") && manifest.contains("--page"),
        "{manifest}"
    );
    let lobby = [
        "lobby",
        ratings.to_str().unwrap(),
        "--iterations",
        "2000",
        "--gap",
        "1",
        "--json",
    ];
    let lineups: Value = serde_json::from_str(&answer(&lobby, "")).unwrap();
    let first = &lineups["matches"][0];
    assert!(
        first["win_probability"].as_f64().unwrap() < 1.0 && first["mean_skills"][1].is_number(),
        "{first}"
    );
    // Skills of another scale are noticed.
    let few = "id,skill\na,25\nb,30\nc,20\nd,27\n";
    let said = complaint(&["lobby", "-", "--teams", "2v2"], few, 1);
    assert!(said.contains("--rating-scale 8.503"), "{said}");
    let said = complaint(&["lobby", "-", "--policy", "evne"], few, 2);
    assert!(
        said.contains("did you mean `even`?") && said.contains("dota"),
        "{said}"
    );
    let apart = "id,skill,Region\na,1525,eu\nb,1630,us\nc,1520,eu\nd,1227,us\n";
    let said = heard(&["lobby", "-", "--teams", "2v2"], apart);
    assert!(
        said.contains("the policy `even` does not look at: region (`[scoring.rules.regions]` would)"),
        "{said}"
    );
}

#[test]
fn players_of_few_games_come_after_the_others_where_ratings_have_no_deviation() {
    let days = (1..=20).map(|day| format!("2024-01-{day:02},ann,bob,{}\n", day % 2));
    let mut matches: String = std::iter::once("time,player1,player2,result\n".to_owned())
        .chain(days)
        .collect();
    matches += "2024-01-21,newcomer,ann,1\n2024-01-22,ann,bob,1\n2024-01-23,bob,ann,1\n";
    let leaders = |more: &[&str]| -> Vec<String> {
        let found = answer(
            &[&["rate", "--system", "elo", "-", "--json"], more].concat(),
            matches.clone(),
        );
        let found: Value = serde_json::from_str(&found).unwrap();
        let all = found["leaderboard"].as_array().unwrap().iter();
        all.map(|leader| leader["player"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(leaders(&[])[2], "newcomer");
    assert_eq!(leaders(&["--min-games", "0"])[0], "newcomer");
    let text = answer(&["rate", "--system", "elo", "-"], matches.clone());
    assert!(
        text.contains("Players of fewer than 10 games, 1 of them, come after all others"),
        "{text}"
    );
    // A deviation says how little is known.
    let found = answer(&["rate", "--system", "glicko", "-", "--json"], matches.clone());
    assert!(found.contains("\"ranked_by\": \"conservative\""), "{found}");
}

#[test]
fn winners_and_scores_in_one_column_are_understood() {
    let rate = ["rate", "--system", "elo", "-", "--json"];
    let plain = "time,player1,player2,result\n2024-01-01,a,b,1\n2024-01-02,b,c,1\n2024-01-03,c,a,1\n2024-01-04,a,c,1\n2024-01-05,b,a,1\n";
    let winners = plain
        .replace("time,player1,player2,result", "timestamp,Winner,Loser")
        .replace(",1\n", "\n");
    let scores = plain.replace("result", "score").replace(",1\n", ",3-1\n");
    assert_eq!(answer(&rate, winners.clone()), answer(&rate, plain));
    assert_eq!(answer(&rate, scores), answer(&rate, plain));
    let lines: Vec<String> = winners
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!(
                "{{\"date\": \"{}\", \"winner\": \"{}\", \"loser\": \"{}\"}}",
                cells[0], cells[1], cells[2]
            )
        })
        .collect();
    assert_eq!(answer(&rate, lines.join("\n")), answer(&rate, plain));
}

#[test]
fn a_column_that_the_user_names_and_the_file_lacks_is_an_error_everywhere() {
    let csv = "player,rating,squad\na,1500,x\nb,1400,x\nc,1450,\nd,1350,\n";
    for (command, columns) in [
        ("lobby", "party=squdd"),
        ("lobby", "skill=ratng"),
        ("pair", "skill=mrm"),
    ] {
        let said = complaint(&[command, "-", "--columns", columns], csv, 1);
        let name = columns.split_once('=').unwrap().1;
        assert!(
            said.contains(&format!("no column `{name}`")) && said.contains("player, rating, squad"),
            "{said}"
        );
    }
    let json = "{\"id\":\"a\",\"skill\":1}\n{\"id\":\"b\",\"skill\":2}\n";
    let said = complaint(&["lobby", "-", "--columns", "party=team"], json, 1);
    assert!(
        said.contains("no column `team` for the party of --columns"),
        "{said}"
    );
    let odd = "id,skill\na,1\nb,2\nc,3\n";
    let said = complaint(&["pair", "-"], odd, 1);
    assert!(
        said.contains("3 players are an odd number") && said.contains("--fewest-unmatched"),
        "{said}"
    );
}

#[test]
fn columns_of_a_pasted_table_can_be_named_too() {
    let table = std::fs::read_to_string(example("ladder/division.tsv")).unwrap();
    let (header, rows) = table.split_once('\n').unwrap();
    let renamed = header.replace("Points", "Punkte").replace("Wins", "Siege");
    let plain = answer(&["forensics", "tier", "-"], table.clone());
    let named = ["forensics", "tier", "-", "--columns", "points=Punkte,wins=Siege"];
    assert_eq!(answer(&named, format!("{renamed}\n{rows}")), plain);
    let said = complaint(&["forensics", "tier", "-"], format!("{renamed}\n{rows}"), 1);
    assert!(said.contains("--columns points=COLUMN"), "{said}");
    let slip = ["forensics", "tier", "-", "--columns", "points=Punkt,wins=Siege"];
    let said = complaint(&slip, format!("{renamed}\n{rows}"), 1);
    assert!(
        said.contains("no column `Punkt` for the points of --columns"),
        "{said}"
    );
    let said = complaint(&["forensics", "tier", "-", "--columns", "pionts=x"], table, 2);
    assert!(said.contains("did you mean `points`?"), "{said}");
}
