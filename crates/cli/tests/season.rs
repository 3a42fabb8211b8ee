//! `matchwright season` from outside.

use serde_json::Value;

use crate::common::{answer, complaint, example, files, heard, lines};

fn json(arguments: &[&str], text: &str) -> Value {
    serde_json::from_str(&answer(&[&["season"], arguments, &["--json"]].concat(), text)).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

const GLORY: &str = "alliance,glory\nann,16000\nbob,24000\ncyd,12000\ndot,8000\n";
const NAMED: [&str; 4] = ["pull", "-", "--columns", "id=alliance"];

#[test]
fn a_pull_worked_by_hand_keeps_the_order() {
    let told = json(&NAMED, GLORY);
    let top = told["top"].as_array().unwrap();
    let rows = top
        .iter()
        .map(|row| (row["player"].as_str().unwrap(), number(&row["after"])));
    let expected = [
        ("bob", 18_000.0),
        ("ann", 15_000.0),
        ("cyd", 12_000.0),
        ("dot", 9_000.0),
    ];
    assert_eq!(rows.collect::<Vec<_>>(), expected);
    assert_eq!(
        (told["same_rank"].as_u64(), told["made_equal"].as_u64()),
        (Some(4), Some(0))
    );
    assert_eq!(
        (number(&told["before"]["mean"]), number(&told["after"]["mean"])),
        (15_000.0, 13_500.0)
    );
    let text = answer(&[&["season"], &NAMED[..], &["--top", "1"]].concat(), GLORY);
    for words in [
        "4 players pulled towards 12,000.",
        "All 4 keep their rank",
        "3 more players",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // The two ends of a range land on the two ends of the other.
    let ranged = json(
        &[&NAMED[..], &["--from", "16000,24000", "--to", "15000,18000"]].concat(),
        GLORY,
    );
    assert_eq!(number(&ranged["top"][0]["after"]).round(), 18_000.0);
    assert!((number(&ranged["pull"]["hardening"]) - 1.0 / 12_000.0).abs() < 1e-12);
}

#[test]
fn rounding_that_makes_equals_and_another_scale_are_told() {
    let near = format!("player,rating\nann,{:?}\nbob,20000\n", 20_000_f64.next_up());
    let text = answer(&["season", "pull", "-"], near);
    assert!(
        text.contains("1 of 2 keep their rank; rounding made 2 equal"),
        "{text}"
    );
    let said = heard(&["season", "pull", "-"], "player,rating\nann,1500\nbob,1700\n");
    assert!(
        said.contains("all ratings are below the centre, 12,000"),
        "{said}"
    );
}

#[test]
fn what_rate_writes_is_pulled_and_written_as_what_can_be_pulled_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (rated, pulled) = (at("rated.csv"), at("pulled.csv"));
    answer(
        &[
            "rate",
            "--system",
            "dom",
            &example("matches.csv"),
            "--out",
            &rated,
        ],
        "",
    );
    answer(&["season", "pull", &rated, "--out", &pulled], "");
    let table = std::fs::read_to_string(&pulled).unwrap();
    assert!(table.starts_with("player,rating,before,change\n"), "{table}");
    let players = std::fs::read_to_string(&rated).unwrap().lines().count();
    assert_eq!(table.lines().count(), players);
    let manifest: Value = serde_json::from_slice(&files(folder.path())["pulled.csv.manifest.json"]).unwrap();
    assert_eq!(manifest["configuration"]["pull"]["centre"], 12_000.0);
    let again = json(&["pull", &pulled], "");
    assert_eq!(again["players"].as_u64(), Some(players as u64 - 1));
}

/// Ann's first game makes her no newcomer any more; then she meets one.
const MATCHES: &str = "time,player1,player2,result\n2024-01-01,ann,bob,1\n2024-01-02,ann,cyd,1\n";

#[test]
fn a_ledger_worked_by_hand_is_split_by_its_reasons() {
    let told = json(&["ledger", "-", "--set", "newcomer_games=1"], MATCHES);
    // E of 128 points ahead; Ann wins at 128 what Cyd loses at 256.
    let surplus = 1.0 - 1.0 / (1.0 + 10_f64.powf(-0.08));
    let points = &told["points"];
    assert!(
        (number(&points["destroyed"]) - 128.0 * surplus).abs() < 1e-6,
        "{told}"
    );
    assert_eq!(number(&points["made"]), 0.0);
    let mean = 12_000.0 - 128.0 * surplus / 3.0;
    assert!((number(&points["mean_rating"]) - mean).abs() < 1e-6);
    let newcomer = &told["ledger"]["newcomer"];
    assert_eq!(newcomer["games"].as_u64(), Some(3));
    let net = number(&newcomer["made"]) - number(&newcomer["destroyed"]);
    assert!((net + 128.0 * surplus).abs() < 1e-6);
    // One K for both sides: the sum is kept.
    for one in told["others"].as_array().unwrap() {
        assert!(number(&one["net"]).abs() < 1e-6, "{one}");
    }
    let text = answer(&["season", "ledger", "-", "--set", "newcomer_games=1"], MATCHES);
    for words in [
        "On balance points were destroyed: 2 matches made 0.0",
        "keeps the sum: net 0.0",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let text = json(&["ledger", "-", "--set", "keep_sum=mean"], MATCHES).to_string();
    assert!(
        text.contains("\"keep_sum\":null") && text.contains("smaller"),
        "{text}"
    );
    let kept = answer(&["season", "ledger", "-", "--set", "keep_sum=mean"], MATCHES);
    assert!(
        kept.contains("the sum was kept") && !kept.contains("sets a side's K"),
        "{kept}"
    );
}

#[test]
fn the_course_of_a_ledger_is_by_tenth_or_by_month() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (out, plot) = (at("points.csv"), at("points.svg"));
    let matches = example("matches.csv");
    answer(
        &["season", "ledger", &matches, "--out", &out, "--plot", &plot],
        "",
    );
    let table = std::fs::read_to_string(&out).unwrap();
    assert_eq!(table.lines().count(), 11, "{table}");
    assert!(
        std::fs::read_to_string(&plot)
            .unwrap()
            .contains("Points made and destroyed")
    );
    let months = lines((1..=5).map(|month| format!("2024-{month:02}-10,ann,bob,{}", month % 2)));
    let months = format!("time,player1,player2,result\n{months}");
    let told = json(&["ledger", "-"], &months);
    assert_eq!(
        (&told["by"], &told["course"][1]["piece"]),
        (&"month".into(), &"2024-02".into())
    );
    let index = "t,player1,player2,result\n1,ann,bob,1\n2,bob,ann,1\n";
    let by_index = ["ledger", "-", "--time-unit", "index"];
    assert_eq!(json(&by_index, index)["course"].as_array().unwrap().len(), 2);
    let said = complaint(
        &[&["season"], &by_index[..], &["--by", "month"]].concat(),
        index,
        2,
    );
    assert!(said.contains("there are no months"), "{said}");
}

#[test]
fn a_config_counts_and_what_a_ledger_cannot_have_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dom.toml");
    let with = |text: &str, code: i32| {
        std::fs::write(&path, text).unwrap();
        let words = [
            "season",
            "ledger",
            "-",
            "--json",
            "--config",
            path.to_str().unwrap(),
        ];
        if code == 0 {
            answer(&words, MATCHES)
        } else {
            complaint(&words, MATCHES, code)
        }
    };
    let told: Value = serde_json::from_str(&with("[dom.params]\nk = 100.0\n", 0)).unwrap();
    assert_eq!(told["params"]["k"], 100.0);
    for (text, words) in [
        (
            "[dom]\nperiod = { batch = 7.0 }\n",
            "a ledger has an entry a match",
        ),
        ("[dom]\nhome_advantage = \"fit\"\n", "give it in points"),
        ("[elo]\n", "it has no [dom], only elo"),
    ] {
        let said = with(text, 2);
        assert!(said.contains(words), "{text}: {said}");
    }
    let said = complaint(&["season", "ledger", "-", "--set", "newcomer_k=1"], MATCHES, 2);
    assert!(
        said.contains("`newcomer_k` is 1: give a number from 128"),
        "{said}"
    );
}

const BASES: &str = "name,offence,defence\nann,500,1100\nbob,500,1000\ncyd,505,1001\n";

#[test]
fn bases_side_by_side_have_the_figures_of_the_source() {
    let told = json(&["bases", "-"], BASES);
    let rows = told["rows"].as_array().unwrap();
    assert_eq!((rows.len(), told["good_matches"].as_u64()), (3, Some(1)));
    // The nearest first.
    assert_eq!(
        (&rows[0]["alliance"], &rows[0]["opponent"]),
        (&"bob".into(), &"cyd".into())
    );
    assert!((number(&rows[0]["offence_lead"]) + 0.01).abs() < 1e-12);
    // A defence 10 % higher wins 60 %.
    let ten = rows.iter().find(|row| row["opponent"] == "bob").unwrap();
    assert!((number(&ten["win_probability"]) - 0.6).abs() < 1e-9, "{ten}");
    assert_eq!(ten["good_match"], false);
    let of = json(&["bases", "-", "--of", "bob"], BASES);
    let opponents = of["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["opponent"].clone());
    assert_eq!(opponents.collect::<Vec<_>>(), ["cyd", "ann"]);
    let text = answer(&["season", "bases", "-", "--good-delta", "10%"], BASES);
    assert!(
        text.contains("3 alliances, every pair: 3 of 3 pairs are good matches."),
        "{text}"
    );
}

#[test]
fn many_bases_are_compared_with_their_nearest_unless_all_pairs_are_asked_for() {
    let row = |n: usize| format!("p{n},{},{}", 100 + n, 100 + n * 7 % 50);
    let many = format!("name,offence,defence\n{}", lines((0..3200).map(row)));
    let told = json(&["bases", "-"], &many);
    assert_eq!(told["rows"].as_array().unwrap().len(), 3 * 3200);
    let said = complaint(&["season", "bases", "-", "--all"], many, 2);
    assert!(
        said.contains("5,120,000 pairs of alliances") && said.contains("--yes"),
        "{said}"
    );
}

#[test]
fn what_is_wrong_with_a_file_is_told_where_it_stands() {
    let pull = &["pull", "-"][..];
    let bases = &["bases", "-"][..];
    for (question, text, words) in [
        (pull, "", "standard input:1:1: the file is empty"),
        (pull, "player,rating\n", "no player"),
        (pull, "player,games\nann,3\n", "no column or key `skill`"),
        (
            pull,
            "player,rating,glory\nann,1,2\n",
            "there are a rating and glory",
        ),
        (
            pull,
            "player,rating\nann,1500\nbob,\n",
            "standard input:3: `bob` has no skill",
        ),
        (
            pull,
            "player,rating\nann,NaN\n",
            "standard input:2:2: `rating` is `NaN`",
        ),
        (
            pull,
            "player,rating\nann,inf\n",
            "standard input:2:2: `rating` is `inf`",
        ),
        (
            pull,
            "player,rating\nann,1e300\n",
            "standard input:2: `ann` is refused: `rating` is",
        ),
        (
            pull,
            "player,rating\nann,1\nann,2\n",
            "standard input:3:1: player `ann` is there twice",
        ),
        (pull, "player,rating\nann,\"1", "standard input:2:"),
        (bases, "name,offence\nann,3\n", "no column or key `defence`"),
        (bases, "name,offence,defence\nann,3,4\n", "one alliance"),
        (
            bases,
            "name,offence,defence\nann,3,4\nbob,-3,4\n",
            "standard input:3: `bob` is refused: `offence` is -3",
        ),
        (
            bases,
            "name,offence,defence\nann,3,0\nbob,3,4\n",
            "standard input:2: `ann` is refused: `defence` is 0",
        ),
        (
            &["ledger", "-"],
            "time,player1,player2,result\n2024-01-01,ann,bob,7\n",
            "standard input:2:",
        ),
        (
            &["ledger", "-"],
            "{\"time\": 1, \"teams\": [[\"a\", \"b\"], [\"c\"]], \"ranks\": [1, 2]}\n",
            "standard input:1:",
        ),
    ] {
        let said = complaint(&[&["season"], question].concat(), text, 1);
        assert!(said.contains(words), "{text:?}: {said}");
    }
    let latin = b"name,offence,defence\nr\xe9mi,3,4\nbob,3,4\n".to_vec();
    let said = complaint(&["season", "bases", "-"], latin.clone(), 1);
    assert!(
        said.contains("standard input:2:") && said.contains("UTF-8"),
        "{said}"
    );
    assert!(answer(&["season", "bases", "-", "--encoding", "latin1"], latin).contains("rémi"));
    let said = complaint(&["season", "bases", "-", "--of", "an"], BASES, 2);
    assert!(
        said.contains("no alliance in the file is called `an`; did you mean `ann`?"),
        "{said}"
    );
}
