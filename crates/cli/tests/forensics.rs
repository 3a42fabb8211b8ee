//! `matchwright forensics` and `reproduce sc2` from outside.

use std::fmt::Write;

use crate::common::{answer, complaint, matchwright};
use serde_json::{Value, json};

fn example(name: &str) -> String {
    format!("{}/../../examples/ladder/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn found(arguments: &[&str]) -> Value {
    let all: Vec<&str> = [arguments, &["--json"]].concat();
    serde_json::from_str(&answer(&all, "")).unwrap()
}

const PLAYER: [&str; 8] = [
    "forensics",
    "mmr",
    "--points",
    "1000",
    "--unspent",
    "2000",
    "--total",
    "2669",
];

/// Thirty pips from the bottom of a league to the next, one a game: a chain of Markov.
fn pips(more: &[&str]) -> Value {
    let season = "../../examples/ladder/pips.toml";
    let games = [
        "forensics",
        "games",
        "--differential",
        "0",
        "--league",
        "gold",
        "--season",
        season,
    ];
    found(&[&games, more].concat())
}

#[test]
fn a_walk_with_a_floor_ends_whatever_its_mean_step_says() {
    // Computed by powers of the chain's matrix.
    for (share, within) in [
        ("0.5", json!({"tenth": 242, "half": 704, "nine_tenths": 1918})),
        ("0.51", json!({"tenth": 200, "half": 506, "nine_tenths": 1270})),
        ("0.45", json!({"tenth": 2493, "half": null, "nine_tenths": null})),
    ] {
        let found = pips(&["--win-rate", share]);
        assert_eq!(
            (&found["rating_within"], &found["floor"]),
            (&within, &json!(0.0)),
            "{share}"
        );
    }
    let even = pips(&["--win-rate", "0.5"]);
    assert_eq!(even["promotion_by_mean_step"], "never");
    let words = even["answer"][0].as_str().unwrap();
    let rating = "the rating itself is there within 704 games for half, within 1918 for nine of ten";
    assert!(words.contains(rating), "{words}");
    // Without the floor half are there far later, and of those who lose only some.
    let free = pips(&["--win-rate", "0.5", "--floor", "none"]);
    assert_eq!(
        (&free["floor"], &free["rating_within"]["half"]),
        (&Value::Null, &json!(1978))
    );
    let losing = pips(&["--win-rate", "0.45", "--floor", "none"]);
    assert_eq!(losing["rating_within"]["half"], Value::Null);
    let chance = losing["rating_chance"]["chance"].as_f64().unwrap();
    assert!((chance - (0.45_f64 / 0.55).powi(30)).abs() < 1e-9, "{chance}");
}

#[test]
fn a_floor_holds_from_where_a_rating_below_it_has_reached_it() {
    let season = "../../examples/ladder/pips.toml";
    let of = |more: &[&str]| found(&[&["forensics", "games"], more].concat());
    let below = of(&["--differential=-1", "--league", "silver", "--season", season]);
    // Computed by powers of the matrix of a chain that is free below 0, from -1 to 30.
    assert_eq!(
        (
            &below["floor"],
            &below["rating_within"]["half"],
            &below["rating_within"]["nine_tenths"]
        ),
        (&json!(0.0), &json!(752), &json!(2115))
    );
    let half = |more: &[&str]| {
        let found = found(&diamond(&[&["--differential=-50"], more].concat()));
        found["rating_within"]["half"].as_u64().unwrap()
    };
    assert!(half(&[]) < half(&["--floor", "none"]));
    let above = complaint(&diamond(&["--differential", "0", "--floor", "10"]), "", 2);
    assert!(
        above.contains("--floor is 10, above --differential, 0"),
        "{above}"
    );
}

/// `forensics games` of the shipped season's diamond league.
fn diamond<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["forensics", "games", "--league", "diamond"], more].concat()
}

#[test]
fn what_is_told_of_games_says_whether_it_is_of_the_rating_or_of_promotion() {
    let won = found(&diamond(&["--differential", "331", "--win-rate", "1"]));
    assert_eq!(
        won["answer"][0],
        "331 points: not close; at 100 % the rating itself is there within 12 games for half, within 12 for nine of ten \
         (promotion follows with its moving average; the mean step alone takes 16 games to it)"
    );
    let games = |key: &Value| key.as_f64().unwrap();
    assert!(games(&won["promotion_by_mean_step"]["games"]) > games(&won["rating_within"]["nine_tenths"]));
    let near = answer(&diamond(&["--differential", "469"]), "");
    assert!(near.contains("within 1 game for half"), "{near}");
    assert!(
        near.contains("Games until the rating itself is there, and until promotion by the mean step"),
        "{near}"
    );
}

#[test]
fn numbers_beyond_their_range_are_refused_with_it_however_they_are_written() {
    for more in [
        ["--differential", "1e10", "--per-loss=11"],
        ["--differential", "0", "--per-loss=1e10"],
        ["--differential", "0", "--per-win=1E+10"],
        ["--differential", "0", "--per-loss=10000000000"],
    ] {
        let told = complaint(&diamond(&more), "", 2);
        assert!(told.contains("to 1000000000"), "{told}");
    }
    found(&diamond(&["--differential", "3e2", "--per-loss=1e9"]));
}

#[test]
fn the_worked_players_come_out_as_printed_and_in_plain_words() {
    let lines = |more: &[&str]| -> Vec<String> {
        let all: Vec<&str> = [&PLAYER[..], &["--league", "diamond"], more].concat();
        answer(&all, "").lines().take(2).map(str::to_owned).collect()
    };
    // The rating of now does not go with the share of games won; the source's form does.
    assert_eq!(
        ["50%", "55%", "45%"].map(|share| lines(&["--win-rate", share])[0].clone()),
        [2081, 2281, 1881].map(|theirs| format!(
            "MMR 2081 now (Diamond, Rank 1), by points less the bonus spent; {theirs} by the source's 2 U W"
        ))
    );
    assert_eq!(
        lines(&[])[1],
        "331 points: not close; at 50 % the rating itself is there within 102 games for half, within 318 for nine of ten \
         (promotion follows with its moving average; the mean step alone takes 149 games to it)"
    );
    assert!(lines(&["--win-rate", "55%"])[1].starts_with("331 points: not close; at 55 %"));
    let losing = &lines(&["--win-rate", "0.45"])[1];
    assert!(
        losing.starts_with("331 points: not close; at 45 % the rating itself is there within "),
        "{losing}"
    );
    assert!(
        losing.ends_with(
            "(promotion follows with its moving average; the mean step gains points above 45.8 % alone)"
        ),
        "{losing}"
    );
    let bronze = found(&[
        "forensics",
        "mmr",
        "--points",
        "3,821",
        "--unspent",
        "9",
        "--total",
        "2 671",
        "--wins",
        "293",
        "--losses",
        "238",
        "--league",
        "bronze",
        "--tier",
        "rank 0",
    ]);
    assert_eq!(bronze["mmr"].as_f64().unwrap().round(), 1160.0);
    assert_eq!(bronze["distance"].as_f64().unwrap().round(), -160.0);
}

#[test]
fn what_cannot_be_meant_is_refused_with_a_hint() {
    let told = |more: &[&str]| complaint(&[&PLAYER[..], more].concat(), "", 2);
    assert!(told(&["--league", "diamond", "--win-rate", "55"]).contains("0.55 or 55%"));
    assert!(told(&["--league", "grandmaster"]).contains("Bronze, Silver, Gold"));
    assert!(told(&["--league", "bronze", "--tier", "rank f"]).contains("not known"));
    let of = |points: &str, unspent: &str, total: &str| {
        let points = format!("--points={points}");
        let rest = ["--unspent", unspent, "--total", total, "--league", "gold"];
        complaint(&[&["forensics", "mmr", &points][..], &rest].concat(), "", 2)
    };
    assert!(of("10", "2669", "2000").contains("exchanged"));
    assert!(of("-5", "1", "2000").contains("points is -5"));
    assert!(of("3.821", "1", "2000").contains("thousand"));
}

#[test]
fn a_pasted_division_is_understood_or_its_cell_named() {
    let table = "Player Name\tPoints\tWins\tLosses\tUnspent Bonus Pool\tTotal\n";
    let rows: Vec<String> = (0..30)
        .map(|n| {
            format!(
                "p{n}\t2,{:03}\t90\t80\t4\t{}\n",
                800 + 6 * n,
                if n == 0 { "2,669" } else { "" }
            )
        })
        .collect();
    let rows = rows.concat();
    let read = |text: &str, code: i32| {
        let arguments = ["forensics", "tier", "-", "--league", "diamond"];
        if code == 0 {
            answer(&arguments, text)
        } else {
            complaint(&arguments, text, code)
        }
    };
    let told = read(&format!("{table}{rows}"), 0);
    assert!(told.starts_with("diamond Rank"), "{told}");
    let broken = |from: &str, to: &str| read(&format!("{table}{}", rows.replacen(from, to, 1)), 1);
    assert!(broken("2,806", "2,80x").contains("standard input:3: the cell of column `Points` holds `2,80x`"));
    assert!(
        broken("p3\t2,818\t90", "p3\t2,818\t")
            .contains(":5: the cell of column `Wins` is empty: a merged cell")
    );
    assert!(broken("p3\t2,818\t90", "p3\t2,818\t9.5").contains("whole number"));
    assert!(broken("p3\t2,818", "p3\t-2,818").contains("column `Points` is refused"));
    assert!(broken("80\t4\t\n", "80\t4,000\t\n").contains("column `Unspent Bonus Pool` is refused"));
    assert!(read("name;points\na;1\n", 1).contains("no column `unspent`"));
    // Divisions of nobody and of one.
    assert!(read(table, 1).contains("no row"));
    let one = read("name,points,unspent,wins,losses,total\na,2800,4,9,8,2669\n", 0);
    assert!(one.contains("not identifiable: 1 of 1 players"), "{one}");
    let split = read("name,points,unspent,wins,losses,total\na,2,800,4,9,8,2669\n", 1);
    assert!(split.contains("7 cells under 6 names"), "{split}");
}

#[test]
fn the_examples_of_help_answer() {
    let tier = found(&["forensics", "tier", &example("division.tsv")]);
    let reading = &tier["divisions"][0]["reading"]["found"];
    assert!(reading["tiers"][0]["chance"].as_f64().unwrap() > 0.5);
    let history = found(&[
        "forensics",
        "history",
        &example("games.csv"),
        "--points",
        "3090",
        "--unspent",
        "35",
        "--total",
        "2669",
        "--league",
        "diamond",
    ]);
    assert_eq!(history["ratings"].as_array().unwrap().len(), 30);
    let chance = history["forecast"]["chance"].as_f64().unwrap();
    assert!(chance > 0.01 && chance < 1.0, "{chance}");
    let fit = found(&[
        "forensics",
        "fit",
        &example("early.csv"),
        &example("late.csv"),
        "--histories",
        &example("histories.csv"),
    ]);
    assert_eq!(fit["averages"]["found"][0]["average"]["simple"]["games"], 10);
    let top = found(&["forensics", "top200", &example("top.csv"), "--length", "20"]);
    assert_eq!(top["rows"].as_array().unwrap().len(), 20);
}

#[test]
fn another_season_replaces_every_constant() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("season.toml");
    let season = "name = \"other\"\nminutes_per_point = 60.0\n\
                  [[leagues]]\nname = \"Wood\"\nconversion = 0.0\nmagic = 100.0\ntiers = [{ name = \"A\", offset = 0.0 }]\n\
                  [[leagues]]\nname = \"Iron\"\nconversion = 100.0\ntiers = [{ name = \"A\", offset = 0.0 }]\n";
    std::fs::write(&path, season).unwrap();
    let path = path.to_str().unwrap();
    let told = answer(
        &[&PLAYER[..], &["--league", "wood", "--season", path]].concat(),
        "",
    );
    assert!(told.contains("\n331 points: over the magic number"), "{told}");
    std::fs::write(path, season.replace("conversion = 100.0", "conversion = 90.0")).unwrap();
    let refused = complaint(
        &[&PLAYER[..], &["--league", "wood", "--season", path]].concat(),
        "",
        1,
    );
    assert!(refused.contains("C of Iron is 90"), "{refused}");
}

#[test]
fn files_and_manifest_are_written_and_the_reproduction_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("tier");
    matchwright()
        .args(["forensics", "tier", &example("division.tsv"), "--out"])
        .arg(&out)
        .assert()
        .success();
    for name in [
        "index.html",
        "answer.json",
        "tiers.csv",
        "players.svg",
        "manifest.json",
    ] {
        assert!(out.join(name).is_file(), "{name}");
    }
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("Rank") && page.contains("./tiers.csv") && page.contains("./players.svg"));
    let out = folder.path().join("mmr");
    let place = out.to_str().unwrap();
    answer(
        &[&PLAYER[..], &["--league", "diamond", "--out", place]].concat(),
        "",
    );
    let manifest = std::fs::read_to_string(out.join("manifest.json")).unwrap();
    let command = "matchwright forensics mmr --points 1000 --unspent 2000 --total 2669 --league diamond";
    assert!(
        manifest.contains(&format!("\"command\": \"{command}\"")),
        "{manifest}"
    );
    let plot = std::fs::read_to_string(out.join("forms.svg")).unwrap();
    assert!(plot.contains("The rating by each form"), "{plot}");
    let all = found(&["reproduce", "sc2", "--ladders", "1"]);
    for worked in all["worked"].as_array().unwrap() {
        let scale = 10_f64.powi(i32::try_from(worked["decimals"].as_i64().unwrap()).unwrap());
        let rounded = |key: &str| (worked[key].as_f64().unwrap() * scale).round();
        assert_eq!(rounded("ours"), rounded("published"), "{}", worked["what"]);
    }
    assert!(all["ladders"]["usual"]["tiers"]["divisions"].as_u64().unwrap() > 20);
}

/// Games of a ladder with K-factor 32 and scale 400, as its player's page shows them, and whether opponents are shown.
fn elo_games(shown: bool) -> String {
    let mut text = "change,bonus,opponent\n".to_owned();
    let (mut own, mut draw) = (1500.0, 12_345_u64);
    let mut uniform = || {
        draw = draw
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(draw >> 33).unwrap()) / f64::from(1_u32 << 31)
    };
    for _ in 0..300 {
        let opponent: f64 = own + 400.0 * (uniform() - 0.5);
        let expected = 1.0 / (1.0 + 10_f64.powf((opponent - own) / 400.0));
        let score = f64::from(u8::from(uniform() < expected));
        let change = 32.0 * (score - expected);
        let rating = if shown {
            format!("{opponent:.0}")
        } else {
            String::new()
        };
        writeln!(text, "{change:.2},0,{rating}").unwrap();
        own += change;
    }
    text
}

#[test]
fn a_history_tells_the_k_factor_and_the_scale_where_opponents_show() {
    let standing = [
        "--points",
        "9000",
        "--unspent",
        "35",
        "--total",
        "2669",
        "--league",
        "diamond",
        "--json",
    ];
    let arguments = [&["forensics", "history", "-"][..], &standing].concat();
    let read =
        |shown: bool| -> Value { serde_json::from_str(&answer(&arguments, elo_games(shown))).unwrap() };
    let holds = |interval: &Value, truth: f64| {
        let end = |name: &str| interval["found"][name].as_f64().unwrap();
        assert!(end("low") <= truth && truth <= end("high"), "{interval}");
        assert!(end("high") - end("low") < 0.4 * truth, "{interval}");
    };
    let known = read(true);
    holds(&known["elo"]["k"], 32.0);
    holds(&known["elo"]["scale"], 400.0);
    assert_eq!(known["elo"]["in_points"], true);
    let hidden = read(false);
    holds(&hidden["elo"]["k"], 32.0);
    let why = hidden["elo"]["scale"]["not_identifiable"]["why"]
        .as_str()
        .unwrap();
    assert!(why.contains("stretching hidden ratings"), "{why}");
    let absurd = elo_games(true) + "12,0,900000000000\n";
    let refused = complaint(&arguments, absurd, 1);
    assert!(
        refused.contains("an opponent's rating is 900000000000"),
        "{refused}"
    );
}

#[test]
fn snapshots_come_in_any_order_and_absence_is_priced() {
    let (early, late, histories) = (
        example("early.csv"),
        example("late.csv"),
        example("histories.csv"),
    );
    let fit = |snapshots: &[&str]| {
        found(&[&["forensics", "fit"], snapshots, &["--histories", &histories]].concat())
    };
    let forwards = fit(&[&early, &late]);
    assert_eq!(forwards, fit(&[&late, &early]));
    assert!(forwards["gains"]["found"]["per_win"]["value"].as_f64().unwrap() > 5.0);
    for league in forwards["leagues"].as_array().unwrap() {
        let debt = &league["debt"];
        assert!(
            debt["found"].is_object() || debt["not_identifiable"].is_object(),
            "{debt}"
        );
    }
    // A snapshot in between that is the first once more: nobody played, so nothing is added.
    let text = std::fs::read_to_string(&early).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let again = folder.path().join("again.csv");
    std::fs::write(&again, text).unwrap();
    let thrice = fit(&[&early, again.to_str().unwrap(), &late]);
    assert_eq!(thrice["averages"], forwards["averages"]);
    let moves = |fit: &Value| {
        fit["leagues"]
            .as_array()
            .unwrap()
            .iter()
            .map(|league| league["moves"].as_u64())
            .collect::<Vec<_>>()
    };
    assert_eq!(moves(&thrice), moves(&forwards));
    let one = answer(&["forensics", "fit", &early], "");
    assert!(one.contains("not identifiable"), "{one}");
}
