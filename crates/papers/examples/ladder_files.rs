//! Writes the files of `examples/ladder` into a folder, from a generated ladder: `ladder_files FOLDER [DIVISIONS]`.
//!
//! ```sh
//! cargo run -p matchwright-sim --example ladder_files -- examples/ladder
//! ```
//!
//! With a number of divisions, `early.csv` and `late.csv` alone, of a ladder of that size.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use matchwright_mmr_forensics::{DivisionSnapshot, LadderState, NextGame, play_forward};
use matchwright_papers::sc2::ladder::{LadderWorldParams, ladder_world};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, more @ ..] = &words[..] else {
        return Err("give a folder, and a number of divisions if you like".into());
    };
    let folder = Path::new(folder);
    std::fs::create_dir_all(folder)?;
    if let [divisions] = more {
        let params = LadderWorldParams {
            divisions: divisions.parse()?,
            least_members: 100,
            hand_in: 0.0,
            ..LadderWorldParams::default()
        };
        let (world, _) = ladder_world(&params, 1)?;
        std::fs::write(folder.join("early.csv"), server(&world.early))?;
        std::fs::write(folder.join("late.csv"), server(&world.late))?;
        return Ok(());
    }
    let params = LadderWorldParams {
        divisions: 30,
        members: 60,
        hand_in: 0.1,
        ..LadderWorldParams::default()
    };
    let (world, truth) = ladder_world(&params, 5)?;
    std::fs::write(folder.join("early.csv"), server(&world.early))?;
    std::fs::write(folder.join("late.csv"), server(&world.late))?;
    let mut histories = "player,league,division,differential,promoted,counts,weeks away\n".to_owned();
    for (number, history) in world.histories.iter().enumerate() {
        let from = history.differentials.len().saturating_sub(45);
        for (game, differential) in history.differentials.iter().enumerate().skip(from) {
            let last = game + 1 == history.differentials.len();
            let weeks = history
                .away
                .iter()
                .find(|(at, _)| *at == game)
                .map_or(0.0, |(_, weeks)| *weeks);
            let promoted = if last && history.promoted { "yes" } else { "no" };
            let counts = if game >= history.from.max(from + 20) {
                "yes"
            } else {
                "no"
            };
            let (league, division) = (&history.league, &history.division);
            writeln!(
                histories,
                "{number},{league},{division},{differential},{promoted},{counts},{weeks:.1}"
            )?;
        }
    }
    std::fs::write(folder.join("histories.csv"), histories)?;
    let diamond = world
        .late
        .iter()
        .zip(&truth.tiers)
        .find(|(division, _)| division.league == "Diamond");
    let master = world.late.iter().find(|division| division.league == "Master");
    let (Some((diamond, _)), Some(master)) = (diamond, master) else {
        return Err("no such division".into());
    };
    std::fs::write(folder.join("division.tsv"), pasted(diamond))?;
    std::fs::write(folder.join("top.csv"), server(std::slice::from_ref(master)))?;
    std::fs::write(folder.join("games.csv"), games()?)?;
    Ok(())
}

fn server(divisions: &[DivisionSnapshot]) -> String {
    let mut text = "league,division,total,name,points,unspent,wins,losses\n".to_owned();
    for division in divisions {
        for member in &division.members {
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{},{}",
                division.league,
                division.name,
                division.total.get(),
                member.name,
                member.points.get(),
                member.unspent.get(),
                member.wins,
                member.losses
            );
        }
    }
    text
}

/// As a spreadsheet has it: tabs, thousands separated, league and total in the first row alone.
fn pasted(division: &DivisionSnapshot) -> String {
    let thousands = |value: f64| {
        let digits = format!("{value:.0}");
        match digits.len().checked_sub(3).filter(|at| *at > 0) {
            Some(at) => format!("{},{}", &digits[..at], &digits[at..]),
            None => digits,
        }
    };
    let mut text =
        "League\tPlayer Name\tPoints\tWins\tLosses\tUnspent Bonus Pool\tTotal Bonus Pool\n".to_owned();
    for (row, member) in division.members.iter().enumerate() {
        let (league, total) = if row == 0 {
            (&*division.league, thousands(division.total.get()))
        } else {
            ("", String::new())
        };
        let (points, unspent) = (thousands(member.points.get()), thousands(member.unspent.get()));
        let _ = writeln!(
            text,
            "{league}\t{}\t{points}\t{}\t{}\t{unspent}\t{total}",
            member.name, member.wins, member.losses
        );
    }
    text
}

/// 30 games near the top of Diamond, which end at 3,090 points, 35 unspent of 2,669.
fn games() -> Result<String, Box<dyn Error>> {
    let season = matchwright_mmr_forensics::LadderSeason::default();
    let start = LadderState {
        points: 2_000.0,
        unspent: 400.0,
        total: 2_400.0,
    };
    let pattern = b"WLWWLWLWWLWWLLWWLWWLWLWWWLWLWW";
    let game = |(number, result): (usize, &u8)| NextGame {
        minutes_before: 900.0 + 40.0 * (number % 7) as f64,
        earned: if *result == b'W' {
            12.0 + (number % 3) as f64
        } else {
            -(10.0 + (number % 3) as f64)
        },
    };
    let games: Vec<NextGame> = pattern.iter().enumerate().map(game).collect();
    let mut text = "change,bonus,minutes before\n".to_owned();
    for (_, game) in play_forward(start, &games, &season)? {
        let (bonus, minutes) = (game.bonus.unwrap_or(0.0), game.minutes_before.unwrap_or(0.0));
        writeln!(text, "{},{bonus},{minutes}", game.change)?;
    }
    Ok(text)
}
