//! Complaints speak of what the user wrote: options and their values, none of them longer than anybody reads.

use crate::common::complaint;

/// What is refused, and the beginning of the complaint.
const REFUSED: [(&str, &str); 54] = [
    (
        "rate --system elo - --set k=-5",
        "--set k=-5: `k` is -5: give a number above 0",
    ),
    (
        "rate --system dom - --set k=nan",
        "--set k=nan: `k` is NaN: give a number above 0",
    ),
    (
        "rate --system glicko - --set c=-5",
        "--set c=-5: `c` is -5: give a number from 0",
    ),
    (
        "rate --system through-time - --set gamma=-5",
        "--set gamma=-5: `gamma` is -5: give a number from 0",
    ),
    (
        "rate --system glicko2 - --set tau=0",
        "--set tau=0: `tau` is 0: give a number from 0.001",
    ),
    (
        "rate --system trueskill - --set beta=-1",
        "--set beta=-1: `beta` is -1: give a number from",
    ),
    (
        "rate --system trueskill - --set draw_probability=2",
        "--set draw_probability=2: `draw_probability` is 2: give a number from 0",
    ),
    (
        "rate --system dota - --set step=-1",
        "--set step=-1: `step` is -1: give a number above 0",
    ),
    (
        "rate --system bradley-terry - --set prior_precision=-1",
        "--set prior_precision=-1: `prior_precision` is -1: give a number from",
    ),
    (
        "rate --system elo - --set kk=5",
        "--set kk=5: unknown field `kk`, expected one of `k`, `initial`, `curve`",
    ),
    (
        "rate --system elo - --set k",
        "give a name and a value, such as k=64",
    ),
    (
        "rate --system elo - --home-advantage -1e300",
        "--home-advantage is -100000000000000000000000…: give a number from -10000 to 10000",
    ),
    (
        "rate --system elo - --evaluate-from -0.5",
        "--evaluate-from is -0.5",
    ),
    (
        "rate --system elo - --period -1",
        "'--period <DAYS|game|batch:DAYS>': give days above 0",
    ),
    (
        "rate --system elo - --ladder --points-k -3",
        "--points-k is -3: give a number above 0",
    ),
    (
        "rate --system elo - --ladder --points-start -1e12",
        "--points-start is -1000000000000:",
    ),
    (
        "rate --system elo - --ladder --points-floor 1e12",
        "--points-floor is 1000000000000:",
    ),
    (
        "rate --system elo - --ladder --bonus-pool 1e-9",
        "--bonus-pool is 0.000000001:",
    ),
    (
        "rate --system elo - --ladder --bonus-limit -3",
        "--bonus-limit is -3: give a number from 0",
    ),
    (
        "rate --system elo - --ladder --promote-at 1600,1500",
        "--promote-at: the averages must rise",
    ),
    (
        "rate --system elo - --ladder --promote-at -2e12",
        "--promote-at is -2000000000000:",
    ),
    (
        "rate --system elo - --party-bonus fit --free-spread -3",
        "'--free-spread <POINTS>': give rating points from 0",
    ),
    ("study eomm --rounds 0", "--rounds is 0; it must be from 2"),
    ("study eomm --pools 3", "--pools is 3; it must be even"),
    (
        "study eomm --draw-rate -1",
        "--draw-rate is -1; it must be from 0",
    ),
    (
        "study eomm --fold-count 1",
        "--fold-count is 1; it must be from 2",
    ),
    ("study eomm --fit-rows 0", "--fit-rows is 0; it must be from 100"),
    (
        "study eomm --state-matches 0",
        "--state-matches is 0; it must be from 1",
    ),
    ("study eomm --players 1", "--players is 1; it must be from 2"),
    ("study eomm --days -5", "--days is -5; it must be from"),
    ("study eomm --horizon -1", "'-1' for '--horizon <HOURS>'"),
    ("reproduce eomm --rounds 1", "--rounds is 1; it must be from 2"),
    ("reproduce dota --games 0", "--games is 0; it must be from 2"),
    (
        "reproduce dota --data-sets 0",
        "--data-sets is 0; it must be from 2",
    ),
    (
        "reproduce dominations --rounds 0",
        "--rounds is 0; it must be from 1",
    ),
    (
        "reproduce dominations --newcomers 0",
        "--newcomers is 0; it must be from 2",
    ),
    (
        "reproduce awesomenauts --players 0",
        "--players is 0; it must be from 12",
    ),
    ("reproduce awesomenauts --effort -1", "--effort is -1; it must be"),
    (
        "pair - --deadline -5s",
        "'-5s' for '--deadline <TIME>': give a time of 0 or more",
    ),
    (
        "lobby - --policy x --deadline -1",
        "'-1' for '--deadline <TIME>': give a time of 0 or more",
    ),
    (
        "lobby - --policy x --gap -1%",
        "'-1%' for '--gap <SHARE>': give a share from 0 to 1",
    ),
    (
        "forensics mmr --points -3 --unspent 2 --total 3 --league diamond",
        "--points is -3: give a number from 0",
    ),
    (
        "forensics mmr --points 3 --unspent -2 --total 3 --league diamond",
        "--unspent is -2: give a number from 0",
    ),
    (
        "forensics mmr --points 3 --unspent 2 --total -3 --league diamond",
        "--total is -3: give a number from 0",
    ),
    (
        "forensics mmr --points 3 --unspent 2 --total 3 --league diamond --wins 0 --losses 0",
        "--wins and --losses: 0 games; at least 1",
    ),
    (
        "forensics games --differential 3 --league diamond --per-win -3",
        "--per-win is -3: give a number from 0",
    ),
    (
        "forensics games --differential 3 --league diamond --per-loss -3",
        "--per-loss is -3: give a number from 0",
    ),
    (
        "forensics games --differential -3 --league gold --win-rate -3%",
        "'-3%' for '--win-rate <SHARE>'",
    ),
    ("season pull - --keep -1", "--keep is -1: give a number from"),
    (
        "season pull - --hardening 2",
        "--hardening is 2: give a number from",
    ),
    ("season pull - --centre 1e12", "--centre is 1000000000000:"),
    (
        "season pull - --from 11000,9000 --to 3,4",
        "--from and --to: 11000 to 9000 is no range above the centre 12000",
    ),
    (
        "season bases - --good-delta -1",
        "--good-delta is -1: give a number from",
    ),
    (
        "season bases - --exponent -1",
        "--exponent is -1: give a number above 0",
    ),
];

#[test]
fn a_value_out_of_range_is_refused_by_the_name_of_its_option() {
    for (command, wanted) in REFUSED {
        let words: Vec<&str> = command.split(' ').collect();
        let said = complaint(&words, "", 2);
        assert!(said.contains(wanted), "{command}: {said}");
        assert!(!said.contains("unexpected argument"), "{command}: {said}");
        // Settings are named as their files name them, which --set says before.
        assert!(
            !said.contains('`') || said.contains("`x`") || command.contains("--set"),
            "{command}: {said}"
        );
    }
}

#[test]
fn what_is_long_is_cut() {
    let long = format!("1{}", "0".repeat(310));
    for (command, code) in [
        ("study eomm --seed", 2),
        ("rate --system elo - --period", 2),
        ("rate --system elo - --home-advantage", 2),
        ("rate --system elo - --columns", 2),
        ("study eomm --shard", 2),
        ("lobby - --policy x --teams", 2),
        ("forensics mmr --league x --unspent 0 --total 0 --points", 2),
        ("pair", 1),
        ("rate --system", 2),
        ("reproduce", 2),
        ("study eomm --", 2),
    ] {
        let words: Vec<&str> = command.split(' ').chain([&long[..]]).collect();
        let said = complaint(&words, "", code);
        let longest = said.split_whitespace().map(|word| word.chars().count()).max();
        assert!(longest.unwrap() < 80, "{command}: {said}");
    }
}

#[test]
fn a_population_of_a_file_is_blamed_for_what_the_file_says_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("world.toml");
    std::fs::write(&file, "players = 1\n").unwrap();
    let file = file.to_str().unwrap();
    let said = complaint(&["study", "eomm", "--population", file], "", 1);
    assert!(
        said.contains("world.toml: population parameter `players` is 1"),
        "{said}"
    );
    let said = complaint(&["study", "eomm", "--population", file, "--players", "0"], "", 2);
    assert!(said.contains("--players is 0; it must be from 2"), "{said}");
}
