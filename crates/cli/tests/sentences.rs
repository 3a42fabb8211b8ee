//! The sentence that each page begins with, as a reader has it; those of reproduced documents are read where these are
//! run.

use std::path::Path;

use crate::common::{matchwright, sentence};

/// The sentence of the page that a command writes.
fn answer_of(folder: &Path, line: &str) -> String {
    let out = folder.join("out");
    let option = if line.starts_with("rate ") {
        "--page"
    } else {
        "--out"
    };
    matchwright()
        .args(line.split_whitespace())
        .args([option, "out"])
        .current_dir(folder)
        .assert()
        .success();
    let pages = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let pages: Vec<_> = pages
        .filter(|path| path.extension().is_some_and(|end| end == "html"))
        .collect();
    assert_eq!(pages.len(), 1, "{line}");
    let page = std::fs::read_to_string(&pages[0]).unwrap();
    std::fs::remove_dir_all(&out).unwrap();
    sentence(&page)
}

#[test]
fn every_page_begins_with_a_sentence_that_answers_its_question() {
    let folder = tempfile::tempdir().unwrap();
    matchwright()
        .args(["examples", "--out", "examples"])
        .current_dir(folder.path())
        .assert()
        .success();
    // Two worlds are enough to read what is said of them.
    let tiny = "hours = 1\nwarm_up_hours = 0\nname = 'tiny'\n[arrivals]\nper_second = 0.2\n";
    std::fs::write(folder.path().join("tiny.toml"), tiny).unwrap();
    for (line, wanted) in PAGES {
        let found = answer_of(folder.path(), line);
        assert_eq!(found, *wanted, "{line}");
    }
}

/// Commands with pages, and what these begin with.
const PAGES: &[(&str, &str)] = &[
    (
        "rate --system elo examples/matches.csv",
        "Elo gives forecasts with a log loss of 0.6582 nats a decisive game, less than the 0.6925 of the \
         best constant one; they are about as sure as they should be: the slope of what happened on their \
         log odds is 1.08, 95 % interval 0.72 to 1.44, where 1 would be right.",
    ),
    (
        "compare examples/matches.csv --systems elo,glicko2",
        "No clear difference between elo and glicko2: log losses from 0.6582 to 0.6671 nats a game.",
    ),
    (
        "lobby examples/lobby/players.jsonl --policy awesomenauts",
        "16 matches have a mean quality of 0.8857 from 0 to 1, at most 0.59 % below the best there is; \
         all 96 players play.",
    ),
    (
        "replay examples/queue/tickets.csv --policy prices",
        "On this log, no clear difference between `prices` and what really happened: `prices` costs 73 \
         (36 %) less per player, 95 % interval from 173 less to 27 more: waits are 15 s shorter, matches \
         30 less even, 7.3 % more of the tickets get a match.",
    ),
    (
        "replay examples/queue/tickets.csv --policy prices --against skill-batch",
        "On this log, no clear difference between `prices` and `skill-batch`: `prices` costs 15 (11 %) less per player, 95 % \
         interval from 53 less to 22 more: waits are 1.2 s shorter, matches 96 more even, 3.3 % fewer of the tickets get a match.",
    ),
    (
        "replay examples/queue/teams.jsonl --policy random-teams",
        "On this log, `random-teams` costs 252.2 per player: 90.6 % of the tickets get a match, at a mean \
         mismatch of 286, and the mean wait is 76 s.",
    ),
    (
        "simulate run tiny.toml --policy widening",
        "In one world of 1 h, `widening` costs 54.14 per player: 99 % of the tickets get a match, at a \
         mean mismatch of 40, and the mean wait is 29 s.",
    ),
    (
        "simulate compare tiny.toml --policy widening --policy prices --worlds 3",
        "In 3 worlds of 1 h, `prices` costs 5.5 (9.8 %) less per player than `widening` (95 % interval \
         4.2 to 6.8): waits are 11 s shorter, matches 13 less even.",
    ),
    (
        "simulate tune tiny.toml --policy widening --worlds 2 --vary queue.windows.0.start=20,200",
        "With queue.windows.0.start = 20 `widening` brings on 2 other worlds the cost per player from 58 \
         to 65: no clear difference; 95 % interval of the difference −43 to 57.",
    ),
    (
        "simulate size tiny.toml --policy widening --worlds 2 --keep wait_50=20",
        "For median wait for a match of at most 20 s and tickets without a match of at most 0.8958 % as \
         today, enough are 0.5694 times as many as the scenario has, 0.1139 parties a second.",
    ),
    (
        "simulate fit examples/queue/tickets.csv",
        "The 300 tickets of examples/queue/tickets.csv came at 0.202 parties a second (95 % interval \
         0.181 to 0.226); 34 % of them would give up within 142 s, which is as far as the log shows.",
    ),
    (
        "forensics mmr --points 1000 --unspent 2000 --total 2669 --league diamond",
        "MMR 2081 now (Diamond, Rank 1), by points less the bonus spent; 2081 by the source's 2 U W.",
    ),
    (
        "forensics games --differential 331 --league diamond --win-rate 50%",
        "331 points: not close; at 50 % the rating itself is there within 102 games for half, within 318 \
         for nine of ten (promotion follows with its moving average; the mean step alone takes 149 games \
         to it).",
    ),
    (
        "forensics tier examples/ladder/division.tsv",
        "Diamond Rank 1: 100.0 % sure, by 45 active of 57 players.",
    ),
    (
        "forensics history examples/ladder/games.csv --points 3090 --unspent 35 --total 2669 --league diamond",
        "sMA(10) 2176: 48 points below promotion; within 10 games with a chance of 28 %.",
    ),
    (
        "forensics fit examples/ladder/early.csv examples/ladder/late.csv",
        "Known with 95 % intervals: C of 6 leagues, M of 0, K of 2 tiers (C of the lowest league is taken \
         as given).",
    ),
    (
        "forensics top200 examples/ladder/top.csv --length 20",
        "20 players by points; 18 stand at another place by rating: 5 because of their own unspent bonus, \
         13 because of others', 0 because of games since.",
    ),
];
