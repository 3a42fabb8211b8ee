//! The page of `matchwright lobby`: every match with its factors, worst first.

use matchwright_report::{Axis, Bars, Callout, Page, Plot, Point, Section, Series, brief, count, counted};

use super::{LobbyAnswer, LobbyMatch, TRIVIAL_BOUND, names};

/// The page, but for its foot.
pub(crate) fn lobby_page(answer: &LobbyAnswer) -> Page {
    let sizes: Vec<String> = answer.teams.0.iter().map(ToString::to_string).collect();
    let mut page = Page::new(format!("Matches of {}", sizes.join(" against "))).answer(sentence(answer));
    if !answer.matches.is_empty() {
        page = page
            .picture(quality_plot(answer))
            .section(player_section(answer))
            .section(factor_section(answer))
            .section(match_section(answer));
    }
    page.section(unmatched_section(answer))
        .section(bound_section(answer))
        .files_section([
            ("Everything, as JSON", "lineups.json"),
            ("Version, command, seed, configuration, hashes", "manifest.json"),
        ])
}

/// How many matches of which quality, and how far from the best there is.
fn sentence(answer: &LobbyAnswer) -> String {
    let players = counted(answer.players, "player", "players");
    let Some(quality) = answer.arithmetic_mean else {
        return format!("No match of these {players} was found.");
    };
    let matches = counted(answer.matches.len(), "match has", "matches have");
    let total = match answer.mean_quality {
        Some(total) if !answer.is_by_mean() => format!(" ({}: {})", answer.mean_quality_is, brief(total, 4)),
        _ => String::new(),
    };
    let from_best = match answer.gap {
        _ if answer.is_optimal() => ", proven to be the best there is".to_owned(),
        Some(gap) => format!(", at most {} % below the best there is", brief(100.0 * gap, 2)),
        None => "; how far that is from the best there is could not be shown".to_owned(),
    };
    let unmatched = match answer.unmatched.len() {
        0 => format!("all {players} play"),
        some => format!("{} of {players} are in none", count(some as u64)),
    };
    format!(
        "{matches} a mean quality of {} from 0 to 1{total}{from_best}; {unmatched}.",
        brief(quality, 4)
    )
}

fn player_section(answer: &LobbyAnswer) -> Section {
    let section = Section::new("Players")
        .open()
        .table(answer.player_table())
        .attach(answer.seats());
    answer.notes.iter().fold(section, |section, note| {
        section.callout(Callout::Note, note.as_str())
    })
}

/// What the bound means, for readers who do not know the term.
fn bound_section(answer: &LobbyAnswer) -> Section {
    let section = Section::new("How good are these matches?").paragraph(
        "There are far too many ways to put these players into matches to look at all of them, so a search finds good ones. Whether it missed better ones is a question of its own.",
    );
    let method = "The bound answers it without looking at them. Every party gets a price, every match pays one charge that is the same for all, and some threes of parties have a charge for the one match that may hold two of them: such that no match that is allowed is worth more than it pays. Any set of matches is then worth at most the sum of all that can be paid, however it is made. The program looks for the prices with the least sum; anybody can check them without knowing how they were found.";
    match (answer.arithmetic_mean, answer.upper_bound, answer.gap) {
        (Some(_), Some(_), _) if answer.is_optimal() => section
            .paragraph(method)
            .callout(Callout::Success, "These matches are the best there are. The matches that a better lineup could contain were listed with the help of the bound, and no combination of them is better."),
        (Some(_), Some(_), Some(_)) if answer.is_bound_trivial() => section.callout(
            Callout::Warning,
            match &answer.no_bound_because {
                Some(why) => format!("Nothing is proven here but that no quality exceeds 1: {why}."),
                None => TRIVIAL_BOUND.to_owned(),
            },
        ),
        (Some(mean), Some(bound), Some(gap)) => section.paragraph(method).paragraph(format!(
            "Here the bound is {bound:.4}: other matches of the same players improve the arithmetic mean by {:.4} at most, which is {:.2} % of the bound. The true optimum may be anywhere between the two.",
            bound - mean,
            100.0 * gap
        )),
        _ => section.callout(Callout::Warning, "No match was made; the reasons are listed under Unmatched."),
    }
}

fn quality_plot(answer: &LobbyAnswer) -> Plot {
    let matches = &answer.matches;
    let points = matches
        .iter()
        .map(|one| Point::new(one.number as f64, one.quality));
    // From the tenth below the worst.
    let worst = matches.iter().map(|one| one.quality).fold(1.0, f64::min);
    let lowest = (10.0 * worst - 1e-9).floor().max(0.0) / 10.0;
    let level = |value: f64| {
        let ends = [1.0, matches.len().max(2) as f64];
        ends.map(|number| Point::new(number, value))
    };
    let plot = Plot::new("Quality of each match, worst first")
        .caption("Each point is a match. A line that falls off at its left end means that a few matches are much worse than all others.")
        .x(Axis::new("Match"))
        .y(Axis::new("Quality").range(lowest, 1.0))
        .series(Series::line_and_points("match", points.collect::<Vec<_>>()));
    match answer.arithmetic_mean {
        Some(mean) => plot.series(Series::line("mean", level(mean)).guide()),
        None => plot,
    }
}

fn factor_section(answer: &LobbyAnswer) -> Section {
    Section::new("Where quality is lost")
        .paragraph("Each factor of the policy over all matches. The factor with the largest loss is the first to improve: more players, other weights, or other limits.")
        .table(answer.factor_table())
}

fn match_section(answer: &LobbyAnswer) -> Section {
    let section = Section::new("Factors of each match, worst first").paragraph(
        "Bars are the qualities of the factors: full is perfect. Beside each factor stands its share of the match's quality. Players in brackets are a party.",
    );
    answer
        .matches
        .iter()
        .fold(section, |section, one| section.bars(bars_of(one)))
}

fn bars_of(one: &LobbyMatch) -> Bars {
    let title = format!("Match {}: {:.4}", one.number, one.quality);
    let teams: Vec<String> = one.teams.iter().map(|team| names(team)).collect();
    let teams = teams.join("  against  ");
    one.score
        .factors
        .iter()
        .fold(Bars::new(title).note(teams), |bars, factor| {
            let name = factor.name.replace('_', " ");
            let share = format!("{:.1}", 100.0 * factor.share);
            let share = share.strip_suffix(".0").unwrap_or(&share);
            bars.bar(name, format!("{share} %"), factor.value.unwrap_or(f64::NAN), 3)
        })
}

fn unmatched_section(answer: &LobbyAnswer) -> Section {
    let section = Section::new("Unmatched");
    if answer.unmatched.is_empty() {
        return section.paragraph("None: all players are in a match.");
    }
    section
        .paragraph("An unmatched player costs a penalty of 1, as much as a perfect match is worth, and 1 more for each 5 minutes waited. So as many play as can, and those who have waited longest come first.")
        .table(answer.unmatched_table())
}
