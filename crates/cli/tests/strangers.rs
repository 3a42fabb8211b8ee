//! Names from files of strangers stay names: in documents, in messages, in tables, on pages and in pictures.

use std::fs;
use std::path::Path;

use serde_json::json;
use toml::{Table, Value};

use crate::common::{answer_in, lines, matchwright};

/// A name that ends its line, begins sections of TOML, turns the direction of writing and speaks to a terminal.
const HOSTILE: &str = "x\n[[claims]]\nINJECTED = \"y\" # \u{1b}[2J\u{9b}31m\u{202e}\u{2066}\u{61c}\r<script>alert(1)</script>'\"\\";

/// Names of files.
const FILE: &str = "x\n[[claims]]\nINJECTED = \"y\" # \u{1b}[2J\u{9b}31m\u{202e}\u{2066}\u{61c}\r";
const LOG: &str = "log\n[[claims]]\nINJECTED = 1 \u{202e}.csv";

/// Whether a text steers what shows it.
fn steering(text: &str) -> Option<char> {
    let turns = |c: char| "\u{61c}\u{200e}\u{200f}".contains(c) || ('\u{202a}'..='\u{202e}').contains(&c);
    let isolates = |c: char| ('\u{2066}'..='\u{2069}').contains(&c);
    let controls = |c: char| c.is_control() && c != '\n' && c != '\t';
    text.chars().find(|&c| turns(c) || isolates(c) || controls(c))
}

/// What is wrong with what the command printed: it panicked, or something of a name steers the terminal or begins a line.
fn faults(folder: &Path, line: &str) -> Option<String> {
    let run = matchwright()
        .args(line.split(' ').map(|word| word.replace("HOSTILE", HOSTILE)))
        .current_dir(folder)
        .output()
        .unwrap();
    let [out, told] = [&run.stdout, &run.stderr].map(|text| String::from_utf8(text.clone()).unwrap());
    // What is printed as a document is read as one elsewhere.
    let is_document = line.contains("--json") || line.contains("simulate fit");
    let prose = if is_document {
        told.clone()
    } else {
        format!("{out}\n{told}")
    };
    let is_injected = |line: &str| line.starts_with("INJECTED") || line.starts_with("[[claims]]");
    let wrong =
        told.contains("panicked") || steering(&(out + &told)).is_some() || prose.lines().any(is_injected);
    wrong.then(|| format!("{line}: {prose:?}"))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn toml_of(text: &str) -> String {
    Value::from(text).to_string()
}

/// A folder of hostile files: names of players, columns, regions, keys, policies and files.
fn world() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in data().into_iter().chain(documents()) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Files of rows.
fn data() -> Vec<(&'static str, String)> {
    let name = quoted(HOSTILE);
    let players = [name.as_str(), "bob", "cyd", "dan", "eve", "fay"];
    let game = |n: usize| {
        let (one, two) = (players[n % 6], players[(n + 1) % 6]);
        format!("2024-01-{:02},{one},{two},{},1", n + 1, n % 2)
    };
    let games = lines((0..20).map(game));
    let rated = lines(players.iter().map(|player| format!("{player},1500,1,{name}")));
    let ticket = |n: usize| {
        let (skill, other, ping) = (1500 + n % 7, n % 9, 20 + n);
        format!("t{n},2026-01-01T00:{n:02}:00Z,{skill},{other},{name},{ping}")
    };
    let (number, ping) = (quoted(&format!("a{HOSTILE}")), quoted(&format!("ping_{HOSTILE}")));
    let tickets = format!(
        "ticket,time,skill,{number},mood,{ping}\n{}",
        lines((0..40).map(ticket))
    );
    let header = "time,player1,player2";
    let match_row = json!({ "players": [HOSTILE, "bob"], "winner": HOSTILE, HOSTILE: HOSTILE });
    let ticket_row = json!({ "ticket": HOSTILE, HOSTILE: 1, "skill": HOSTILE });
    let division = "League\tPlayer Name\tPoints\tWins\tLosses\tUnspent Bonus Pool\tTotal Bonus Pool\n\
        Diamond\tx\u{1b}[2J\u{202e}\t2000\t10\t10\t5\t100\n\u{202e}\u{9b}\ty\tz\t1\t1\t1\t1\n";
    vec![
        ("m.csv", format!("{header},result,{name}\n{games}")),
        (FILE, format!("{header},result\n{games}")),
        (
            "bad.csv",
            format!("{header},result\n2024-01-01,{name},bob,{name}\n"),
        ),
        ("twice.csv", format!("{header},{name},{name}\n{games}")),
        ("r.csv", format!("player,rating,{name},region\n{rated}")),
        ("t.csv", tickets.clone()),
        (LOG, tickets),
        ("m.jsonl", format!("{match_row}\n")),
        ("t.jsonl", format!("{ticket_row}\n")),
        ("g.csv", format!("first,second,cost\n{name},bob,{name}\n")),
        ("g2.csv", format!("first,second,cost\n{name},bob,1\nbob,cyd,2\n")),
        ("d.tsv", division.to_owned()),
    ]
}

/// Policies, scenarios and settings.
fn documents() -> Vec<(&'static str, String)> {
    let called = toml_of(HOSTILE);
    let policy = format!(
        "name = {called}\n[[queue.windows]]\nof = \"skill\"\nstart = 100\n[objective]\nof = \"skill\"\nlost = 1000\n"
    );
    let key = "\"a\\n[[claims]]\\nINJECTED \\u001B[2J\\u202E\" = 1\n";
    let attribute = format!("of = {}", toml_of("a\u{202e}b\nINJECTED"));
    let scene = format!(
        "name = {called}\nabout = {called}\nhours = 0.3\nwarm_up_hours = 0\nworlds = 2\n\
         policies = [\"p.toml\", \"q.toml\"]\n[arrivals]\nlog = \"t.csv\"\n"
    );
    let lost = "\"no\\n[[claims]]\\nINJECTED \\u202E.toml\"";
    vec![
        ("p.toml", policy.clone()),
        ("q.toml", policy.replacen("x\n", "q\n", 1)),
        ("u.toml", format!("{key}{policy}")),
        ("window.toml", policy.replace("start =", &format!("{key}start ="))),
        ("of.toml", policy.replace("of = \"skill\"", &attribute)),
        ("raw.toml", "name = \u{202e}\u{1b}[2J\n".to_owned()),
        ("p.json", json!({ "name": HOSTILE, HOSTILE: HOSTILE }).to_string()),
        ("lost.toml", scene.replace("\"q.toml\"", lost)),
        ("w.toml", scene),
        ("c.toml", "[\"el\\u202Eo\\nINJECTED\"]\n".to_owned()),
    ]
}

#[test]
fn no_name_of_a_file_steers_the_terminal_or_begins_a_line() {
    let folder = world();
    let mut wrong = Vec::new();
    for line in [
        "rate --system elo --evaluate-from 0.5 --names-as-written m.csv --min-games 0",
        "rate --system elo --evaluate-from 0.5 --names-as-written m.csv --json",
        "rate --system elo --evaluate-from 0.5 --names-as-written m.csv --players HOSTILE --chart",
        "rate --system elo --evaluate-from 0.5 --names-as-written m.csv --players nobody",
        "rate --system elo --evaluate-from 0.5 --names-as-written m.csv --page page --out r1.csv --plot p.svg --players HOSTILE",
        "rate --system elo bad.csv",
        "rate --system elo bad.csv --skip-bad",
        "rate --system elo twice.csv",
        "rate --system elo m.jsonl",
        "rate --system elo m.csv --columns player1=HOSTILE",
        "rate --system elo m.csv --columns HOSTILE",
        "rate --system HOSTILE m.csv",
        "rate --system elo m.csv --config c.toml",
        "rate --system elo HOSTILE.csv",
        "rate --system elo m.csv --out nothing/HOSTILE --config HOSTILE",
        "HOSTILE",
        "rate --HOSTILE",
        "compare --systems elo,glicko --evaluate-from 0.5 --names-as-written m.csv --out compared",
        "compare --systems HOSTILE m.csv",
        "pair g.csv",
        "pair m.csv",
        "pair --names-as-written g2.csv",
        "pair --names-as-written g2.csv --unmatched-penalty 5 --json",
        "pair --names-as-written g2.csv --unmatched-penalties bad.csv",
        "lobby r.csv --policy even --iterations 50 --explain",
        "replay t.csv --policy p.toml --against q.toml --hindsight --explain 5",
        "lobby r.csv --policy even",
        "lobby r.csv --policy p.toml",
        "lobby m.csv --policy awesomenauts",
        "lobby r.csv --policy HOSTILE",
        "replay t.csv --policy p.toml --out replayed",
        "replay t.csv --policy p.toml --against widening --json",
        "replay t.csv --policy u.toml",
        "replay t.csv --policy window.toml",
        "replay t.csv --policy of.toml",
        "replay t.csv --policy raw.toml",
        "replay t.csv --policy p.json",
        "replay t.jsonl --policy p.toml",
        "replay m.csv --policy p.toml",
        "simulate run w.toml --out ran",
        "simulate compare w.toml",
        "simulate run u.toml",
        "simulate run lost.toml",
        "simulate run t.csv",
        "simulate tune w.toml --worlds 2 --vary queue.windows.0.start=50,100 --keep wait_50=90",
        "simulate tune w.toml --worlds 2 --vary queue.HOSTILE.start=50,100 --keep wait_50=90",
        "simulate size w.toml --worlds 1 --keep wait_50=900",
        "simulate fit t.csv",
        "simulate fit t.csv --json",
        "simulate fit t.csv --policy HOSTILE --out fitted",
        "simulate fit m.csv",
        "study eomm --matches bad.csv --rounds 2",
        "study eomm --names-as-written --matches m.csv --rounds 2 --pools 4",
        "reproduce eomm --population u.toml --rounds 2",
        "forensics tier d.tsv",
        "forensics top200 d.tsv",
        "forensics history d.tsv",
        "forensics mmr --points 1 --league diamond --season u.toml",
        "merge p.toml HOSTILE.cbor",
        "claims --only HOSTILE --quick",
        "examples HOSTILE",
        "schema HOSTILE",
    ] {
        wrong.extend(faults(folder.path(), line));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), lines(&wrong));
    let run = matchwright()
        .args([
            "rate",
            "--system",
            "elo",
            FILE,
            "--evaluate-from",
            "0.5",
            "--out",
            FILE,
        ])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8(run.stderr).unwrap();
    assert_eq!(steering(&told), None, "{told:?}");
    assert!(
        told.contains("written over") && told.lines().count() == 1,
        "{told}"
    );
}

#[test]
fn a_scenario_that_was_fitted_reads_back_to_what_was_meant_whatever_the_names() {
    let folder = world();
    let policy = format!("{HOSTILE}.toml");
    let path = folder.path().join(&policy);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, include_str!("../../../examples/policies/widening.toml")).unwrap();
    for (words, log) in [
        ("--out fitted", "t.csv"),
        ("", LOG),
        ("--policy HOSTILE", "t.csv"),
    ] {
        let mut command = matchwright();
        command.args(["simulate", "fit", log]).current_dir(folder.path());
        command.args(
            words
                .split_whitespace()
                .map(|word| word.replace("HOSTILE", &policy)),
        );
        let run = command.assert().success();
        let printed = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        let text = if words == "--out fitted" {
            fs::read_to_string(folder.path().join("fitted/scenario.toml")).unwrap()
        } else {
            printed
        };
        assert_eq!(steering(&text), None, "{text:?}");
        let read: Table = toml::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        for key in ["claims", "play", "INJECTED"] {
            assert!(!read.contains_key(key), "{key}: {text}");
        }
        let people = read["people"].as_table().unwrap();
        assert!(
            people["numbers"]
                .as_table()
                .unwrap()
                .contains_key(&format!("a{HOSTILE}")),
            "{text}"
        );
        assert!(
            people["words"]["mood"].as_table().unwrap().contains_key(HOSTILE),
            "{text}"
        );
        assert_eq!(read["regions"][0]["name"].as_str(), Some(HOSTILE), "{text}");
        if words.contains("HOSTILE") {
            // The whole path, from wherever the scenario is read.
            let named = Path::new(read["policies"][0].as_str().unwrap());
            assert!(named.is_absolute() && named.ends_with(&policy), "{text}");
        }
    }
}

/// Names stay whole in what programs read, and are shown escaped where people read.
#[test]
fn pages_and_pictures_show_names_escaped_and_files_of_data_keep_them_whole() {
    let folder = world();
    for line in [
        "rate --system elo --evaluate-from 0.5 --names-as-written m.csv --page page --out r1.csv --plot p.svg --players HOSTILE",
        "replay t.csv --policy p.toml --out replayed",
        "simulate run w.toml --out ran",
        "simulate fit t.csv --out fitted",
        "simulate tune w.toml --worlds 2 --vary queue.windows.0.start=5000 --keep wait_50=9000 --out tuned",
        "compare --systems elo --evaluate-from 0.5 --names-as-written m.csv --out compared",
    ] {
        faults(folder.path(), line);
    }
    let mut seen = 0;
    for name in [".", "page", "replayed", "ran", "fitted", "tuned", "compared"] {
        for (file, content) in all_files(&folder.path().join(name)) {
            let text = String::from_utf8(content).unwrap();
            let ending = file.rsplit('.').next().unwrap_or_default();
            if file != "raw.toml" && (["html", "svg"].contains(&ending) || name != "." && ending == "toml") {
                assert_eq!(steering(&text), None, "{name}/{file}");
                assert!(
                    ending == "toml" || !text.contains("<script>alert"),
                    "{name}/{file}"
                );
                seen += 1;
            }
            if name != "." && ending == "toml" {
                toml::from_str::<Table>(&text).unwrap();
            }
        }
    }
    assert!(seen > 10, "{seen}");
    let rated = fs::read_to_string(folder.path().join("r1.csv")).unwrap();
    assert!(rated.contains(&quoted(HOSTILE)), "{rated}");
    let json = answer_in(
        folder.path(),
        "rate --system elo --evaluate-from 0.5 --names-as-written m.csv --json --top 6",
    );
    let told: serde_json::Value = serde_json::from_str(&json).unwrap();
    let leaders = told["leaderboard"].as_array().unwrap();
    assert!(leaders.iter().any(|one| one["player"] == HOSTILE), "{told}");
    let table = answer_in(
        folder.path(),
        "rate --system elo --evaluate-from 0.5 --names-as-written m.csv --min-games 0",
    );
    assert!(table.contains("\\u{1b}[2J\\u{9b}31m\\u{202e}"), "{table}");
}

fn all_files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.path().is_file());
    files
        .map(|entry| {
            (
                entry.file_name().to_string_lossy().into_owned(),
                fs::read(entry.path()).unwrap(),
            )
        })
        .collect()
}
