//! No command loses or changes a file that it reads, however the place of its results is spelled.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{answer_in, example, lines, matchwright};

/// A command: what it reads, files that it would read if they were there included, and its line, with `OUT` where a result
/// goes, a file or a folder.
struct Writes {
    reads: &'static [&'static str],
    line: &'static str,
    is_folder: bool,
}

const fn file(line: &'static str, reads: &'static [&'static str]) -> Writes {
    Writes {
        reads,
        line,
        is_folder: false,
    }
}

const fn folder(line: &'static str, reads: &'static [&'static str]) -> Writes {
    Writes {
        reads,
        line,
        is_folder: true,
    }
}

const MATCHES: &[&str] = &["a/m.csv", "b/c.toml"];
/// Plots go to names that end in .svg alone.
const DRAWN: &[&str] = &["a/m.svg"];
const PAIR: &[&str] = &["a/g.txt", "b/p.csv"];
const LOBBY: &[&str] = &["a/r.csv", "a/r.csv.manifest.json", "b/even.toml"];
const REPLAY: &[&str] = &["a/t.csv", "a/p1.toml", "b/p2.toml", "b/o.toml"];
const SCENE: &[&str] = &["w.toml", "b/p2.toml", "b/o.toml", "c/log.csv"];
const FORENSICS: &[&str] = &["a/d.tsv", "b/season.toml"];

/// All commands that write and read.
const ALL: [Writes; 23] = [
    file(
        "rate --system elo --evaluate-from 0.5 a/m.csv --config b/c.toml --out OUT",
        MATCHES,
    ),
    file(
        "rate --system elo --evaluate-from 0.5 a/m.csv --config b/c.toml --tune OUT",
        MATCHES,
    ),
    file(
        "rate --system elo --evaluate-from 0.5 a/m.csv --config b/c.toml --predictions OUT",
        MATCHES,
    ),
    file(
        "rate --system elo --evaluate-from 0.5 a/m.svg --config b/c.toml --reliability OUT",
        DRAWN,
    ),
    file(
        "rate --system elo --evaluate-from 0.5 a/m.svg --config b/c.toml --plot OUT --players ann",
        DRAWN,
    ),
    folder(
        "rate --system elo --evaluate-from 0.5 a/m.csv --config b/c.toml --page OUT",
        MATCHES,
    ),
    file(
        "rate --system elo --stream a/m.csv --config b/c.toml --out OUT",
        MATCHES,
    ),
    file(
        "compare --systems elo --evaluate-from 0.5 a/m.csv --config b/c.toml --tune OUT",
        MATCHES,
    ),
    folder(
        "compare --systems elo --evaluate-from 0.5 a/m.csv --config b/c.toml --out OUT",
        MATCHES,
    ),
    file("pair a/g.txt --unmatched-penalties b/p.csv --out OUT", PAIR),
    folder(
        "lobby a/r.csv --policy b/even.toml --iterations 50 --out OUT",
        LOBBY,
    ),
    folder(
        "replay a/t.csv --policy a/p1.toml --against b/p2.toml --objective b/o.toml --out OUT",
        REPLAY,
    ),
    folder("simulate run w.toml --out OUT", SCENE),
    folder("simulate compare w.toml --worlds 2 --out OUT", SCENE),
    file("simulate compare w.toml --worlds 2 --shard 1/2 --out OUT", SCENE),
    folder(
        "simulate tune w.toml --worlds 2 --vary queue.windows.0.start=50,100 --keep wait_50=90 --out OUT",
        SCENE,
    ),
    folder(
        "simulate size w.toml --worlds 1 --keep wait_50=900 --out OUT",
        SCENE,
    ),
    folder("simulate fit c/log.csv --out OUT", &["c/log.csv"]),
    file(
        "study eomm --population a/small.toml --rounds 2 --pools 8 --save-matches OUT",
        &["a/small.toml"],
    ),
    folder(
        "reproduce eomm --population a/small.toml --rounds 2 --out OUT",
        &["a/small.toml"],
    ),
    folder(
        "forensics tier a/d.tsv --season b/season.toml --out OUT",
        FORENSICS,
    ),
    folder(
        "forensics games --differential 5 --league gold --season b/season.toml --out OUT",
        &["b/season.toml"],
    ),
    folder("merge a/part.cbor --out OUT", &["a/part.cbor"]),
];

/// A folder with every input of `ALL`.
fn world() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["a", "b", "c", "there"] {
        fs::create_dir(at(name)).unwrap();
    }
    let players = ["ann", "bob", "cyd", "dan", "eve", "fay"];
    let game = |n: usize| {
        let (one, two) = (players[n % 6], players[(n + 1) % 6]);
        format!("2024-01-{:02},{one},{two},{}", n + 1, n % 2)
    };
    let games = lines((0..20).map(game));
    fs::write(at("a/m.csv"), format!("time,player1,player2,result\n{games}")).unwrap();
    fs::copy(at("a/m.csv"), at("a/m.svg")).unwrap();
    fs::write(at("b/c.toml"), "[elo]\n").unwrap();
    fs::write(at("a/g.txt"), "2 1\n0 1 3\n").unwrap();
    fs::write(at("b/p.csv"), "0 5\n1 5\n").unwrap();
    answer_in(
        folder.path(),
        "rate --system elo a/m.csv --out a/r.csv --min-games 0",
    );
    let policy = |name: &str, text: &str| {
        let text = format!("name = \"{name}\"\n[[queue.windows]]\nof = \"skill\"\nstart = 100\n{text}");
        fs::write(at(&text_place(name)), text).unwrap();
    };
    let objective = "[objective]\nof = \"skill\"\nlost = 1000\n";
    policy("p1", objective);
    policy("p2", objective);
    fs::write(at("b/o.toml"), objective).unwrap();
    fs::copy(example("policies/even.toml"), at("b/even.toml")).unwrap();
    let ticket = |n: usize| format!("t{n},2026-01-01T00:{n:02}:00Z,{}", 1500 + n % 7);
    let tickets = format!("ticket,time,skill\n{}", lines((0..30).map(ticket)));
    fs::write(at("a/t.csv"), &tickets).unwrap();
    fs::write(at("c/log.csv"), &tickets).unwrap();
    let scene = "name = \"w\"\npolicies = [\"b/p2.toml\"]\nobjective = \"b/o.toml\"\nhours = 0.3\n\
                 warm_up_hours = 0\nworlds = 2\n[arrivals]\nlog = \"c/log.csv\"\n";
    fs::write(at("w.toml"), scene).unwrap();
    fs::write(at("a/small.toml"), "players = 30\ndays = 3\n").unwrap();
    let division = fs::read_to_string(example("ladder/division.tsv")).unwrap();
    fs::write(at("a/d.tsv"), division.replace("Diamond", "Gold")).unwrap();
    fs::copy(example("ladder/pips.toml"), at("b/season.toml")).unwrap();
    let part = "simulate compare w.toml --worlds 2 --shard 1/1 --out a/part.cbor";
    answer_in(folder.path(), part);
    folder
}

fn text_place(name: &str) -> String {
    format!("{}/{name}.toml", if name == "p1" { "a" } else { "b" })
}

/// Ways to write a place: as it is, out of folders that are there or not, by links, in another case.
fn spellings(at: &Path, target: &str) -> Vec<String> {
    let mut all = vec![
        target.to_owned(),
        format!("gone/../{target}"),
        format!("gone/deep/.././../{target}"),
        format!("there/../{target}"),
        at.join("gone/..").join(target).display().to_string(),
        target.to_uppercase(),
    ];
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(at, at.join("here")).unwrap();
        symlink(target, at.join("soft")).unwrap();
        symlink(format!("gone/../{target}"), at.join("hanging")).unwrap();
        symlink("round", at.join("round")).unwrap();
        let more = [
            "here/TARGET",
            "gone/../here/TARGET",
            "soft",
            "gone/../soft",
            "hanging",
            "round",
        ];
        all.extend(more.map(|more| more.replace("TARGET", target)));
    }
    all
}

/// Every file below a folder, links left out.
fn contents(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            contents(&entry.path(), found);
        } else if kind.is_file() {
            found.insert(entry.path(), fs::read(entry.path()).unwrap());
        }
    }
}

/// Whether the command wrote.
fn runs(folder: &Path, line: &str) -> bool {
    let run = matchwright()
        .args(line.split(' '))
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(!said.contains("panicked"), "{line}: {said}");
    run.status.success()
}

#[test]
fn no_command_loses_or_changes_a_file_that_it_reads() {
    let source = world();
    let mut inputs = BTreeMap::new();
    contents(source.path(), &mut inputs);
    let inputs: Vec<(PathBuf, Vec<u8>)> = inputs
        .into_iter()
        .map(|(path, content)| (path.strip_prefix(source.path()).unwrap().to_path_buf(), content))
        .collect();
    let fresh = || {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("there")).unwrap();
        for (path, content) in &inputs {
            fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            fs::write(folder.path().join(path), content).unwrap();
        }
        folder
    };
    let mut lost = Vec::new();
    for writes in &ALL {
        for read in writes.reads {
            let target = if writes.is_folder {
                read.split_once('/').map_or(".", |(folder, _)| folder)
            } else {
                read.strip_suffix(".manifest.json").unwrap_or(read)
            };
            let count = spellings(fresh().path(), target).len();
            for spelling in 0..count {
                let folder = fresh();
                let out = &spellings(folder.path(), target)[spelling];
                let line = writes.line.replace("OUT", out);
                runs(folder.path(), &line);
                let changed = inputs.iter().filter(|(path, content)| {
                    !fs::read(folder.path().join(path)).is_ok_and(|now| now == *content)
                });
                lost.extend(changed.map(|(path, _)| format!("{line}: {}", path.display())));
            }
            // A folder of its own whose files are links to what is read.
            #[cfg(unix)]
            if writes.is_folder {
                let folder = fresh();
                fs::create_dir(folder.path().join("own")).unwrap();
                for name in ["index.html", "manifest.json"] {
                    let link = folder.path().join("own").join(name);
                    std::os::unix::fs::symlink(Path::new("..").join(read), link).unwrap();
                }
                let line = writes.line.replace("OUT", "own");
                runs(folder.path(), &line);
                if fs::read(folder.path().join(read)).unwrap() != fs::read(source.path().join(read)).unwrap()
                {
                    lost.push(format!("{line}, by links: {read}"));
                }
            }
        }
    }
    assert!(lost.is_empty(), "{} lost:\n{}", lost.len(), lines(&lost));
}

/// Else the property would hold of commands that do nothing.
#[test]
fn all_commands_write_to_a_place_of_their_own() {
    for writes in &ALL {
        // That needs more matches than a test plays.
        if !writes.line.starts_with("reproduce") {
            let folder = world();
            let out = if writes.is_folder {
                "gone/../new"
            } else {
                "gone/../new.svg"
            };
            let line = writes.line.replace("OUT", out);
            runs(folder.path(), &line);
            assert!(
                folder.path().join(out.trim_start_matches("gone/../")).exists(),
                "{line}"
            );
            assert!(!folder.path().join("gone").exists(), "{line}");
        }
    }
}

#[test]
fn two_outputs_of_one_command_are_never_one_file() {
    let folder = world();
    for (one, two) in [
        ("--out x.csv", "--predictions x.csv"),
        ("--out x.csv", "--predictions gone/../x.csv"),
        ("--out x.csv", "--predictions x.csv.manifest.json"),
        ("--tune x.csv.manifest.json", "--out x.csv"),
        ("--out new/ratings.csv", "--page new"),
        ("--tune new/manifest.json", "--page gone/../new"),
    ] {
        let line = format!("rate --system elo --evaluate-from 0.5 a/m.csv {one} {two}");
        let run = matchwright()
            .args(line.split(' '))
            .current_dir(folder.path())
            .assert()
            .code(2);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        let what = if two.contains("--page") {
            "is a folder of results, in which another output would stand"
        } else {
            "is given twice as an output"
        };
        assert!(said.contains(what), "{line}: {said}");
        assert!(
            !folder.path().join("x.csv").exists() && !folder.path().join("new").exists(),
            "{line}"
        );
    }
}

/// Also of what comes by standard input, and by a second name of a file.
#[cfg(unix)]
#[test]
fn an_input_by_another_name_is_no_place_for_results() {
    let folder = world();
    let before = fs::read(folder.path().join("a/m.csv")).unwrap();
    fs::hard_link(folder.path().join("a/m.csv"), folder.path().join("second.csv")).unwrap();
    let program = assert_cmd::cargo::cargo_bin!("matchwright").display().to_string();
    for line in [
        "rate --system elo - --out a/m.csv < a/m.csv",
        "rate --system elo /dev/stdin --out gone/../a/m.csv < a/m.csv",
        "rate --system elo a/m.csv --out second.csv",
    ] {
        let run = assert_cmd::Command::new("sh")
            .args(["-c", &format!("exec '{program}' {line}")])
            .current_dir(folder.path())
            .assert()
            .code(2);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains("written over or beside an input"), "{line}: {said}");
    }
    assert_eq!(fs::read(folder.path().join("a/m.csv")).unwrap(), before);
}
