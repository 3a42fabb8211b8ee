//! Where results go: tried before the work, and whole or not at all.

use std::path::Path;

use crate::common::{answer, complaint, matchwright};

const MATCHES: &str = "\
time,player1,player2,result
2024-01-01,ann,bob,1
2024-01-02,bob,cyd,0.5
2024-01-03,cyd,ann,0
2024-01-04,ann,bob,1
2024-01-05,bob,cyd,0
";

/// Each command with an output that cannot be, and with an input or setting that would only fail at work: the output is
/// what is complained of.
#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "here first").unwrap();
    let below = file.join("deep/out.svg");
    let below = below.to_str().unwrap();
    for command in [
        "rate --system elo missing.csv --out",
        "rate --system elo missing.csv --predictions",
        "rate --system elo missing.csv --plot",
        "rate --system elo missing.csv --reliability",
        "pair missing.txt --out",
        "lobby missing.csv --policy missing.toml --out",
        "study eomm --matches missing.csv --out",
        "study eomm --matches missing.csv --shard 1/2 --out",
        "study eomm --population missing.toml --save-matches",
        "reproduce eomm --population missing.toml --out",
        "reproduce dota --data-sets 4000000000 --out",
        "reproduce dominations --newcomers 4000000000 --out",
        "reproduce awesomenauts --players 100000 --out",
        "reproduce sc2 --ladders 10000 --out",
        "forensics tier missing.csv --out",
        "season pull missing.csv --out",
        "season ledger missing.csv --plot",
        "season bases missing.csv --out",
        "merge missing.cbor --out",
        "claims --write",
    ] {
        let words: Vec<&str> = command.split(' ').chain([below]).collect();
        let said = complaint(&words, "", 1);
        assert!(
            said.contains("writing") && said.contains("out.svg"),
            "{command}: {said}"
        );
        assert!(!said.contains("missing"), "{command}: {said}");
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), "here first");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_folder_is_no_file_and_a_file_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_str().unwrap();
    let said = complaint(&["rate", "--system", "elo", "missing.csv", "--out", place], "", 2);
    assert!(said.contains("is a folder; give a file"), "{said}");
    let file = folder.path().join("file");
    std::fs::write(&file, "here first").unwrap();
    let said = complaint(&["reproduce", "sc2", "--out", file.to_str().unwrap()], "", 2);
    assert!(said.contains("is a file; give a folder"), "{said}");
}

#[test]
fn a_plot_is_svg_and_says_so_where_its_name_promises_something_else() {
    for option in ["--plot", "--reliability"] {
        for name in ["course.png", "course.svg.pdf"] {
            let said = complaint(&["rate", "--system", "elo", "-", option, name], MATCHES, 2);
            assert!(said.contains(option) && said.contains("ends in .svg"), "{said}");
        }
        let folder = tempfile::tempdir().unwrap();
        for name in ["course.svg", "COURSE.SVG", "course"] {
            let plot = folder.path().join(name);
            let words = ["rate", "--system", "elo", "--evaluate-from", "0.5", "-", option];
            matchwright()
                .args(words)
                .arg(&plot)
                .write_stdin(MATCHES)
                .assert()
                .success();
            assert!(
                std::fs::read_to_string(plot).unwrap().starts_with("<svg"),
                "{name}"
            );
        }
    }
}

/// Help promises what there is: parts where there is --shard, a page where one is written.
#[test]
fn help_speaks_of_shards_only_where_there_are_some() {
    let forensics =
        ["mmr", "games", "tier", "history", "fit", "top200"].map(|question| ["forensics", question]);
    let papers = ["dota", "dominations", "awesomenauts", "sc2"].map(|paper| ["reproduce", paper]);
    for command in forensics.iter().chain(&papers) {
        let help = answer(&[&command[..], &["--help"]].concat(), "");
        assert!(help.contains("--out") && !help.contains("--shard"), "{help}");
    }
    for command in [["study", "eomm"], ["reproduce", "eomm"]] {
        assert!(answer(&[&command[..], &["--help"]].concat(), "").contains("--shard <K/N>"));
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let words = "forensics games --differential 331 --league diamond --out";
    answer(&words.split(' ').chain([out]).collect::<Vec<_>>(), "");
    assert!(folder.path().join("index.html").exists());
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn rate(out: &Path) -> assert_cmd::assert::Assert {
        matchwright()
            .args(["rate", "--system", "elo", "--evaluate-from", "0.5", "-", "--out"])
            .arg(out)
            .write_stdin(MATCHES)
            .assert()
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let name =
            |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    /// A limit on the size of files stands for a full disk: both fail in the middle of writing.
    #[test]
    fn a_full_disk_leaves_what_was_there_and_no_half_file() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.csv");
        std::fs::write(&out, "from before\n").unwrap();
        let many: Vec<String> = (0..500).map(|n| format!("2024-01-06,p{n},q{n},1\n")).collect();
        let limited = |arguments: &str| {
            let program = assert_cmd::cargo::cargo_bin!("matchwright").display().to_string();
            let script = format!("trap '' XFSZ; ulimit -f 8; exec '{program}' {arguments}");
            assert_cmd::Command::new("sh")
                .args(["-c", &script])
                .current_dir(folder.path())
                .write_stdin(MATCHES.to_owned() + &many.concat())
                .assert()
                .code(1)
        };
        let run = limited("rate --system elo - --out out.csv");
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains("writing out.csv"), "{said}");
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "from before\n");
        assert_eq!(names(folder.path()), ["out.csv"]);
        // Of a folder all files are there, or none.
        limited("reproduce dota --data-sets 3 --games 100 --out page");
        assert_eq!(names(folder.path()), ["out.csv", "page"]);
        assert_eq!(names(&folder.path().join("page")), Vec::<String>::new());
    }

    #[test]
    fn files_have_the_permissions_that_any_new_file_has_and_old_ones_keep_theirs() {
        let folder = tempfile::tempdir().unwrap();
        let mode = |name: &str| {
            let there = std::fs::metadata(folder.path().join(name)).unwrap();
            there.permissions().mode() & 0o777
        };
        std::fs::write(folder.path().join("any"), "").unwrap();
        let (new, old) = (folder.path().join("new.csv"), folder.path().join("old.csv"));
        rate(&new).success();
        assert_eq!(mode("new.csv"), mode("any"));
        assert_eq!(mode("new.csv.manifest.json"), mode("any"));
        std::fs::write(&old, "").unwrap();
        std::fs::set_permissions(&old, PermissionsExt::from_mode(0o640)).unwrap();
        rate(&old).success();
        assert_eq!(mode("old.csv"), 0o640);
    }

    #[test]
    fn what_a_link_leads_to_is_written_and_the_link_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target.csv"), folder.path().join("link.csv"));
        std::fs::write(&target, "from before\n").unwrap();
        symlink(&target, &link).unwrap();
        rate(&link).success();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(
            std::fs::read_to_string(&target)
                .unwrap()
                .starts_with("player,rating")
        );
    }

    #[test]
    fn a_device_is_refused() {
        let said = complaint(
            &["rate", "--system", "elo", "-", "--out", "/dev/null"],
            MATCHES,
            2,
        );
        assert!(said.contains("/dev/null is no regular file"), "{said}");
    }
}
